"""What an event makes of a conversation: guards, refusals, reactions, invariants."""
