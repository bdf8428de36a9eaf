"""The conversation, its messages, and what leaves it: calls, cards, effects, news, audit."""
