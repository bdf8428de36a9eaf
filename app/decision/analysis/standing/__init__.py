"""What people decided about findings, and whether a lead holds."""
