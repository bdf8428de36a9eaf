"""Store: everything kept in MongoDB."""
