"""Payloads become events. Pure and total."""
