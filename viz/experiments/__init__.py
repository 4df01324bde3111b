"""A paper's figures beside ours: dots with their spread, and the sentences about them."""
