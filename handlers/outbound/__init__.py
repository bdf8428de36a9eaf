"""Everything said to Slack: pace, calls, delivery, live replies."""
