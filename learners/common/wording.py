"""Words that are right in number."""


def count(number: int, singular: str, plural: str | None = None) -> str:
    """1 edge, 2 edges."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def was(number: int) -> str:
    """What stands behind the count: 1 edge was, 2 edges were."""
    return "was" if number == 1 else "were"


def all_items(number: int, singular: str) -> str:
    """The only column, both columns, all 3 columns."""
    return f"the only {singular}" if number == 1 else f"{'both' if number == 2 else f'all {number:,}'} {singular}s"
