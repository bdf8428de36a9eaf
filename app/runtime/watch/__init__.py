"""Health, readiness and metrics for the operator of the app."""
