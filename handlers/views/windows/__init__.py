"""Modals and the Home tab: a form and how it is read back."""
