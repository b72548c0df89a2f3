"""Other people's networks: each format is read into one sketch, named rules fill it, and one writer writes it."""
