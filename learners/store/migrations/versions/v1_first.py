"""Create workspaces, projects, runs, parts and links."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision, down_revision = "1", None
branch_labels = depends_on = None


def _of_workspace(**options: bool) -> sa.Column:
    key = sa.ForeignKey("workspaces.id", ondelete="CASCADE")
    return sa.Column("workspace", sa.String(32), key, nullable=False, **options)


def upgrade() -> None:
    """Create all tables."""
    op.create_table(
        "workspaces",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False, unique=True),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("keeps", sa.Boolean, nullable=False),
        sa.Column("opened", sa.String(32)),
    )
    op.create_table(
        "projects",
        sa.Column("id", sa.String(32), primary_key=True),
        _of_workspace(index=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        sa.Column("body", sa.LargeBinary),
        sa.Column("tables", sa.Text, nullable=False),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.String(32), primary_key=True),
        _of_workspace(),
        sa.Column("project", sa.String(32), sa.ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("worker", sa.Text, nullable=False),
        sa.Column("said", sa.Text, nullable=False),
        sa.Column("order", sa.LargeBinary, nullable=False),
        sa.Column("tables", sa.Text, nullable=False),
        sa.Column("result", sa.String(64)),
    )
    op.create_index("runs_of_project", "runs", ["project", "number"])
    op.create_index("runs_of_workspace", "runs", ["workspace"])
    op.create_table(
        "parts",
        _of_workspace(primary_key=True),
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary),
    )
    op.create_table(
        "links",
        sa.Column("secret", sa.String(64), primary_key=True),
        _of_workspace(index=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("runs", sa.Text, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("ends", sa.Float, nullable=False),
    )
