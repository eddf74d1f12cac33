"""Golf, the card game."""
