"""Add links that show runs without their table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "3", "2"
branch_labels = depends_on = None


def upgrade() -> None:
    """Add the column; earlier links show the table, as they did before."""
    op.add_column("links", sa.Column("data", sa.Boolean, nullable=False, server_default=sa.true()))
