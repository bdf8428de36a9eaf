"""Tools that reach outside of their thread, one file each. `discovery` finds them: adding a tool is adding its file."""
