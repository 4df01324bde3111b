"""Add the last heartbeat of a run's process."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "2", "1"
branch_labels = depends_on = None


def upgrade() -> None:
    """Add the column; running runs count as those of a dead process, unless it is on this machine."""
    op.add_column("runs", sa.Column("beat", sa.Float, nullable=False, server_default="0"))
    op.create_index("runs_at_work", "runs", ["state", "worker"])
