"""What was heard, what the owner did, and what the worker found out."""
