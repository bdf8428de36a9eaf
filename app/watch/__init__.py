"""What whoever runs the app sees of it while it runs: whether it lives, whether it is ready, and what it does."""
