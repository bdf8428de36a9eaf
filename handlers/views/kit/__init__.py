"""Block Kit and mrkdwn: what every view is made of."""
