"""The Slack playground against the real slack_sdk and Bolt: what Slack refuses, it refuses."""
