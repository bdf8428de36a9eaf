"""Rules and calculations of guided decisions. Pure: the server computes, the model explains, the person decides."""
