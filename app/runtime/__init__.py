"""The runtime: leases, sessions, turns, effects and schedules. It knows no Slack and no MongoDB."""
