"""A class that answers together: who is there, what was asked, how they answered, and until when it is kept."""
