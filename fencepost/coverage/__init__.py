"""Coverage of a model: what of it never happened in any state that was looked at."""
