"""The Messages API on loopback, as strict as the real one."""
