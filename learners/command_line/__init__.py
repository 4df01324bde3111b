"""The command line: its options, what it writes to files, and messages and progress on a terminal."""
