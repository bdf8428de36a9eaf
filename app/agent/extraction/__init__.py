"""The requests that make a draft of an interview."""
