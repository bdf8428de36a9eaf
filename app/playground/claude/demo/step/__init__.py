"""A step of a decision, led by the scripted demo model."""
