"""Events: heard from outside, done by the owner, or found by the worker."""
