"""What whoever runs the app sees of it: health, readiness and metrics."""
