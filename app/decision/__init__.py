"""What can be computed of a decision. Pure: the server computes, the model explains, the person decides."""
