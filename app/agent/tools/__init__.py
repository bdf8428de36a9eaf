"""The tools that the model is offered: one file for each group, one place that knows them all (`box`)."""
