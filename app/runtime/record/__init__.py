"""The record of a decision: read, written and made into reports."""
