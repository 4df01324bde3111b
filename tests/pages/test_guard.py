"""What stands before Streamlit, beside what `tests/browser/test_guard.py` sees of it."""

from __future__ import annotations

import asyncio
import tempfile

from starlette.formparsers import MultiPartParser
from starlette.requests import Request

from pages.guard import keep_uploads_in_memory

HEAD = b'--edge\r\nContent-Disposition: form-data; name="file"; filename="table.csv"\r\n\r\n'


def test_an_upload_needs_no_disk(monkeypatch, tmp_path):
    """One of three megabytes arrives whole where nothing can be written."""
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MultiPartParser.spool_max_size)
    keep_uploads_in_memory()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    table = b"a,b\n" + b"1,2\n" * 750_000

    async def receive() -> dict:
        return {"type": "http.request", "body": HEAD + table + b"\r\n--edge--\r\n", "more_body": False}

    async def arrived() -> bytes:
        headers = [(b"content-type", b"multipart/form-data; boundary=edge")]
        form = await Request({"type": "http", "method": "PUT", "headers": headers}, receive).form()
        return await form["file"].read()

    assert asyncio.run(arrived()) == table
