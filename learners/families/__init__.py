"""The families of learners, one folder each; a family imports no other."""
