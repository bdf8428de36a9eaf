"""Tests of the report of a decision."""
