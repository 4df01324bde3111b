"""When the process of a run was last there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "2", "1"
branch_labels = depends_on = None


def upgrade() -> None:
    """Runs that were under way count as those of a process that is gone, unless it is of this machine."""
    op.add_column("runs", sa.Column("beat", sa.Float, nullable=False, server_default="0"))
    op.create_index("runs_at_work", "runs", ["state", "worker"])
