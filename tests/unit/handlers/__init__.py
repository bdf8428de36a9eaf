"""Tests of the pure half of the Slack edge."""
