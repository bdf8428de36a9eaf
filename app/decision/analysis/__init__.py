"""The arithmetic of ratings."""
