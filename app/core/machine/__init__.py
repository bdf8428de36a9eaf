"""The state machine of a conversation: rows of events, guards, refusals and invariants."""
