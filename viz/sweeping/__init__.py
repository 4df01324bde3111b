"""Views of sweeps over a parameter."""
