"""The surfaces: what people press, type and open beside their messages, each answered while they wait.

Each has a `listen(app, desk)` that registers it with Bolt. They look, and never change a conversation: what somebody
wants done is taken in as an event, and the machine decides again.
"""
