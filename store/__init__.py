"""Store: everything kept in MongoDB, sealed but for ids, enums, times and counters, and its twin in memory.

`mongo.open_store` and `memory.memory_store` open one; `embedded.embedded` provides a MongoDB where there is none.
"""
