"""What the emulator speaks of: the values of the workspace, arguments of calls, refusals and faults."""
