"""What the analysis finds: what drops out, what the others gain and give up, and what a step would change."""
