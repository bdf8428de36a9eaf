"""Events on their way to the app: Socket Mode and signed HTTP."""
