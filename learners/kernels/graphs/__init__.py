"""Closure under Meek's rules, colliders, equivalence classes."""
