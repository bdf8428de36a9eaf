"""The look-alike model, in memory."""
