"""Persistent storage: workspaces with projects, tables and runs, in a database and in separate files."""
