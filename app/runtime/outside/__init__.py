"""Calls to tools that reach outside the conversation: made, judged against rules and readers, and counted."""
