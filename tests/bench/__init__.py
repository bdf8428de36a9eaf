"""The benchmark: the program beside a bare loop, both as processes of their own, in one run (`python -m tests.bench`)."""
