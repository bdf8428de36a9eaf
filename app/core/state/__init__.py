"""The parts of a conversation: values, states, and one transition table for each dimension."""
