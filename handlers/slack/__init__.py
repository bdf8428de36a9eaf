"""Facts of Slack. They know none of our views."""
