"""Tools that change the conversation: its goal, its questions, its schedule."""
