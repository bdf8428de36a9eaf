"""The tools that the model is offered, by group, and their common description."""
