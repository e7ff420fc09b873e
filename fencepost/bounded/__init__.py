"""Bounded checking, whoever solves: `goals` are the questions, `search` asks them, of `runs` in a solver."""
