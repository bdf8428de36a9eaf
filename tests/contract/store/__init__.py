"""Contract tests of the store, run against MongoDB and against its twin in memory."""
