"""The checkers of others, beside ours, on the same models."""
