"""Links that show runs without the table behind them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "3", "2"
branch_labels = depends_on = None


def upgrade() -> None:
    """Those that were made before show the table, as was said when they were."""
    op.add_column("links", sa.Column("data", sa.Boolean, nullable=False, server_default=sa.true()))
