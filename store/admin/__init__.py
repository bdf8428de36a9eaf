"""Diagnosis and remedies, for whoever runs the app."""
