"""Persistent work: workspaces with their projects, tables and runs, in a database and in files beside it."""
