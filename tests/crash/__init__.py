"""What a crash may leave behind: nothing lost, nothing twice. The program is killed at every call it makes."""
