"""The recycled handle in the languages of other checkers, which agree on it state for state."""
