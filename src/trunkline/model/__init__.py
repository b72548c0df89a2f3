"""The nouns of a network, the file they are read from, and the checks on them."""
