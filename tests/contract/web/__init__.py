"""The edge to Slack's Web API: the real SDK against servers on loopback."""
