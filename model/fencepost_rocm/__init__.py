"""The signal lifetime protocols of ROCm, as models."""
