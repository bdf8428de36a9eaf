"""Reading of files that people bring: bytes from outside, parsed in a child process under limits."""
