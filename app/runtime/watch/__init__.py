"""The app as its operators see it: health, readiness and metrics."""
