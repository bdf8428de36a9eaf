"""What an event does that concerns more than one part of a conversation."""
