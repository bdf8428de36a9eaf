"""Probes and metrics for the operator: liveness, readiness, and numbers of what the app does."""
