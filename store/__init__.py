"""The store: everything kept in MongoDB, and its in-memory equivalent.

All but ids, enums, times and counters is encrypted. `open.open_store` and `memory.memory_store` open a store;
`database.embedded.run_mongod` provides a MongoDB if there is none.
"""
