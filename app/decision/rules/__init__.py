"""What the data of a component has to keep beyond its schema, one function a rule; components name theirs.

A rule looks at a draft and at what the decision holds so far, finds, and changes nothing.
"""
