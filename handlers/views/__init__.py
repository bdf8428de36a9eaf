"""What people see in Slack, as pure functions."""
