"""`threadwise demo`: the app on embedded parts, with a page to chat in, or told on the terminal."""
