"""FCI: learners for tables whose variables may have hidden common causes."""
