"""The web page: what it shows and what is done there."""
