"""Tables of the database. `migrations/` creates them; a test compares the two."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    true,
)

ID, HASH = 32, 64  # lengths in hexadecimal digits
schema = MetaData()


def _of_workspace(**options: bool) -> Column:
    """Return the foreign key of a workspace."""
    return Column("workspace", String(ID), ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False, **options)


workspaces = Table(
    "workspaces",
    schema,
    Column("id", String(ID), primary_key=True),
    Column("secret", String(HASH), nullable=False, unique=True),  # SHA-256 of the address of the workspace
    Column("seen", Float, nullable=False),  # seconds since 1970
    Column("keeps", Boolean, nullable=False),
    Column("opened", String(ID)),  # the project in use
    Column("account", String(HASH)),  # SHA-256 of the issuer and subject of its owner, if it belongs to a login
    Index("workspaces_account", "account", unique=True),
)
projects = Table(
    "projects",
    schema,
    Column("id", String(ID), primary_key=True),
    _of_workspace(index=True),
    Column("name", Text, nullable=False),
    Column("changed", Float, nullable=False),
    Column("body", LargeBinary),  # packed state, without tables and runs
    Column("tables", Text, nullable=False),  # hashes, separated by blanks
)
runs = Table(
    "runs",
    schema,
    Column("id", String(ID), primary_key=True),
    _of_workspace(),
    Column("project", String(ID), ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("state", String(8), nullable=False),  # "running", "stopped" or "done"
    Column("began", Float, nullable=False),
    Column("worker", Text, nullable=False),  # the process that runs it
    Column("beat", Float, nullable=False, server_default="0"),  # last heartbeat of that process, in seconds since 1970
    Column("said", Text, nullable=False),  # progress or outcome
    Column("order", LargeBinary, nullable=False),  # packed order
    Column("tables", Text, nullable=False),
    Column("result", String(HASH)),
    Index("runs_of_project", "project", "number"),
    Index("runs_of_workspace", "workspace"),
    Index("runs_at_work", "state", "worker"),
)
parts = Table(
    "parts",
    schema,
    _of_workspace(primary_key=True),
    Column("hash", String(HASH), primary_key=True),
    Column("size", Integer, nullable=False),
    Column("content", LargeBinary),  # NULL if it is stored as a file
)
links = Table(
    "links",
    schema,
    Column("secret", String(HASH), primary_key=True),
    _of_workspace(index=True),
    Column("name", Text, nullable=False),
    Column("runs", Text, nullable=False),  # ids, separated by blanks
    Column("place", Text, nullable=False),  # page and query
    Column("ends", Float, nullable=False),
    Column("data", Boolean, nullable=False, server_default=true()),  # True if the table is also shown
)
lessons = Table(
    "lessons",
    schema,
    Column("id", String(ID), primary_key=True),
    _of_workspace(index=True),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),  # the uploaded file, which was checked
    Column("changed", Float, nullable=False),
    Column("secret", String(HASH)),  # SHA-256 of the secret of its link, if it is shared
    Column("ends", Float, nullable=False, server_default="0"),  # expiry of the link
    Index("lessons_secret", "secret", unique=True),
)
classes = Table(
    "classes",
    schema,
    Column("code", String(HASH), primary_key=True),  # SHA-256 of the code of the class
    _of_workspace(index=True),
    Column("body", LargeBinary, nullable=False),  # packed class with its answers
    Column("ends", Float, nullable=False),  # seconds since 1970
)
