"""The store: everything kept in MongoDB.

All but ids, enums, times and counters is encrypted. `open.open_store` opens a store; `database.embedded.run_mongod`
provides a MongoDB if there is none.
"""
