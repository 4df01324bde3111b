"""CPPD, forward selection and backward elimination."""
