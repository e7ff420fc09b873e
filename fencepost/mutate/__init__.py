"""Mutation of a model: whether its properties notice a small mistake in it."""
