"""What Slack accepts of Block Kit and views."""
