"""Whether the code that a model's actions stand for is still there."""
