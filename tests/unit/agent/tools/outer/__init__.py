"""The tools that reach outside of their thread, on a Slack and a store in memory."""
