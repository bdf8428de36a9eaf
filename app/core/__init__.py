"""The pure core: values and rules; no await, no clock, no vendor."""
