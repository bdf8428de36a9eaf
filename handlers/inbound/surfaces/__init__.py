"""The surfaces: Slack's listeners for buttons, commands, forms and tabs, each answered while the person waits.

Each module has a `listen(app, context)` that registers it with Bolt. They only read conversations. A request for a
change is accepted as an event, and the state machine checks it again.
"""
