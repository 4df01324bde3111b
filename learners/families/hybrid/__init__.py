"""MMHC, and the code shared by learners that search within a skeleton."""
