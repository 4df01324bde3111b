"""Members of one array written into another.

``target[:] = source`` does the same, but each such line compiles for a second: it knows how to word the error that the
two differ in length.
"""

from .compiling import kernel


@kernel
def copy(source, target):
    """Write all members of a row to the first places of another."""
    for k in range(source.shape[0]):
        target[k] = source[k]


@kernel
def copy_rows(source, target):
    """Write a matrix over another of its shape."""
    for i in range(source.shape[0]):
        copy(source[i], target[i])
