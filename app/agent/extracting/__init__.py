"""What an extraction asks the model, and how what it submits is taken."""
