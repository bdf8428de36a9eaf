"""Tests of the turn with the model."""
