"""Who sends how much where, and which exit it aims at."""
