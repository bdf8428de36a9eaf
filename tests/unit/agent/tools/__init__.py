"""Tests of the tools that the model is offered."""
