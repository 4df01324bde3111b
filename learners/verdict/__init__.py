"""How far a result can be believed: checks of assumptions, hidden causes, and calibrated probabilities of causes."""
