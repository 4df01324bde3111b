"""Store uploaded lessons, and classes that survive a restart of the server."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "5", "4"
branch_labels = depends_on = None


def _of_workspace() -> sa.Column:
    return sa.Column("workspace", sa.String(32), sa.ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False)


def upgrade() -> None:
    """Create the tables of lessons and of classes."""
    op.create_table(
        "lessons",
        sa.Column("id", sa.String(32), primary_key=True),
        _of_workspace(),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        sa.Column("secret", sa.String(64)),
        sa.Column("ends", sa.Float, nullable=False, server_default="0"),
    )
    op.create_index("lessons_secret", "lessons", ["secret"], unique=True)
    op.create_index("ix_lessons_workspace", "lessons", ["workspace"])
    op.create_table(
        "classes",
        sa.Column("code", sa.String(64), primary_key=True),
        _of_workspace(),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("ends", sa.Float, nullable=False),
    )
    op.create_index("ix_classes_workspace", "classes", ["workspace"])
