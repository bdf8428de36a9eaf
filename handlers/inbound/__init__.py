"""What comes from Slack."""
