"""What follows from amounts that were said: their sums, and their shares and multiples."""
