"""The alpha path of PATH and pHGS on screen."""
