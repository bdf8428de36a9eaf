"""Rules for a component's data beyond its schema, one function for each. Components name theirs.

A rule reads a draft and the earlier results, yields findings, and changes nothing.
"""
