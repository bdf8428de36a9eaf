"""Threadwise tests."""
