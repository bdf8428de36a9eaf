"""The windows in which a step's result is changed by clicks, and rated column by column. Pure.

They are read off the component's JSON Schema, so a component that is added as a folder can be edited at once.
"""
