"""How the database became what `schema` says, step by step, each a file of `versions/`; by Alembic."""

from __future__ import annotations

from pathlib import Path

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext, MigrationStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

LOCK = 0x656467657769  # of PostgreSQL: one process at a time brings a database up to date


def upgrade(connection: Connection) -> None:
    """Bring the database up to date, within the transaction of the connection.

    Parameters
    ----------
    connection : Connection
        In a transaction that nobody else writes in.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
    script = ScriptDirectory(str(Path(__file__).parent))

    def steps(revision: str, _context: MigrationContext) -> list[MigrationStep]:
        script.get_revisions(revision)  # raises CommandError for a revision of a later release
        newest_first = script.iterate_revisions("head", revision, implicit_base=True)
        return [MigrationStep.upgrade_from_script(script.revision_map, one) for one in reversed(list(newest_first))]

    context = MigrationContext.configure(connection, opts={"fn": steps})
    with Operations.context(context):
        context.run_migrations()
