"""What a conversation waits for: an answer to a question, the time of a schedule."""
