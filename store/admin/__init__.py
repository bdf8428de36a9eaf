"""Diagnosis and remedies, for operators."""
