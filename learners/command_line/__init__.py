"""The command line: options, output files, and messages and progress on a terminal."""
