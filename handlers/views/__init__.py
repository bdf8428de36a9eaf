"""Views that people see in Slack, as pure functions."""
