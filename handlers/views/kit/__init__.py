"""Block Kit and mrkdwn: the parts of every view."""
