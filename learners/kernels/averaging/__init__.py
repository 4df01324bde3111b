"""Chains of orders, and what each order says of its DAGs."""
