"""One module for each port of the store, over MongoDB."""
