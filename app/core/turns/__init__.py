"""A turn: begun, ended, waiting; scheduled runs; limits; and what the model is sent."""
