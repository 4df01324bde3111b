"""Store the owner of a workspace in a separate column.

Earlier versions stored the SHA-256 of an address or of an account's claims in one column, so a row does not show
which it is. `workspaces.find` moves the row of an account when its owner logs in.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "4", "3"
branch_labels = depends_on = None


def upgrade() -> None:
    """Add the column, empty for every workspace; an index makes it unique, which SQLite cannot add to a table."""
    op.add_column("workspaces", sa.Column("account", sa.String(64)))
    op.create_index("workspaces_account", "workspaces", ["account"], unique=True)
