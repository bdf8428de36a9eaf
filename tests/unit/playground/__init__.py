"""Unit tests of the playground."""
