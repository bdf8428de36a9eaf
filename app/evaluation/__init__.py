"""The evaluation that operators run before they change model or prompt.

Persons play decisions with the real app, and rules score what came of it.
"""
