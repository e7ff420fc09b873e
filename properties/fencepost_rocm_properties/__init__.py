"""What must hold of the signal lifetime protocols of ROCm."""
