"""The windows for editing a step's result and for rating its columns. Pure.

They follow the component's JSON Schema, so a component that is added as a folder can be edited at once.
"""
