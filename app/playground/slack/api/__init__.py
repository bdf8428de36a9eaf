"""The Web API: methods, tiers and their transport."""
