"""The benchmark, `python -m tests.bench`: the program beside a bare loop, both as processes of their own."""
