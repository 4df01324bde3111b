"""One file a published algorithm, named as in its paper."""
