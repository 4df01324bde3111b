"""Queries to a fitted network: its picture with bars and curves, answers as texts, and editable parameters."""
