"""The goal of a free thread."""
