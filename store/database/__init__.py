"""The database server and the connection to it."""
