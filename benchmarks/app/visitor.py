"""Simulate a visitor without a browser, by the protocol of Streamlit's page; thirty visitors need little CPU."""

from __future__ import annotations

import asyncio
import json
import time
from types import TracebackType
from typing import Any
from urllib.parse import urljoin, urlsplit
from uuid import uuid4

import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

XSRF = "_streamlit_xsrf"
STREAM, HEALTH = "_stcore/stream", "_stcore/health"
POLL_SECONDS = 1.0  # interval between two polls of a run
PATIENCE = 300.0


class Visitor:
    """One page of the app; an asynchronous context manager.

    Parameters
    ----------
    address : str
        Address of the server: "http://127.0.0.1:8501".

    Attributes
    ----------
    elements : dict
        Key of each widget on the page -> the element and its fragment.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._http = requests.Session()
        self._http.trust_env = False
        self._http.headers["Connection"] = "close"  # the server may close an idle connection in use
        self._line: ClientConnection | None = None
        self._states: dict[str, WidgetState] = {}
        self._pages: dict[str, str] = {}
        self._page = self._query = self._session = ""
        self._fragment_polled = ""
        self.elements: dict[str, tuple[Any, str]] = {}

    async def __aenter__(self) -> Visitor:
        await asyncio.to_thread(self._http.get, self._address, headers={"accept": "text/html"})
        await asyncio.to_thread(self._http.get, urljoin(self._address, HEALTH))
        cookies = self._http.cookies
        self._line = await connect(
            f"ws://{urlsplit(self._address).netloc}/{STREAM}",
            origin=self._address,
            subprotocols=["streamlit", cookies[XSRF]],
            additional_headers={"Cookie": "; ".join(f"{one.name}={one.value}" for one in cookies)},
            max_size=None,
            proxy=None,
            open_timeout=PATIENCE,
        )
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self._line.close()

    async def run(self, *, fragment: str = "", polls: bool = False) -> float:
        """Run the page, or a fragment of it, in its current state; return the seconds until its last message."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash, state.fragment_id = self._query, self._page, fragment
        state.is_auto_rerun = polls
        state.widget_states.widgets.extend(self._states.values())
        self._states = {name: one for name, one in self._states.items() if one.WhichOneof("value") != "trigger_value"}
        began = time.perf_counter()
        await self._line.send(message.SerializeToString())
        while not await self._hear():
            pass
        return time.perf_counter() - began

    async def go_to(self, page: str) -> float:
        """Click a page of the menu such as "data"; return the seconds until it is shown."""
        self._page, self._query = self._pages[page], ""
        return await self.run()

    async def click(self, key: str) -> float:
        """Click a button; return the seconds until the page has updated."""
        return await self._change(key, trigger_value=True)

    async def tell(self, key: str, name: str, value: Any) -> float:
        """Send a value from a component; return the seconds until the page has updated."""
        return await self._change(key, json_value=json.dumps({name: value}))

    async def upload(self, key: str, name: str, raw: bytes) -> float:
        """Upload a file; return the seconds until the page has updated."""
        began = time.perf_counter()
        asked = BackMsg()
        asked.file_urls_request.request_id = uuid4().hex
        asked.file_urls_request.file_names.append(name)
        asked.file_urls_request.session_id = self._session
        await self._line.send(asked.SerializeToString())
        urls = (await self._await("file_urls_response")).file_urls_response.file_urls[0]
        await asyncio.to_thread(
            lambda: self._http.put(
                urljoin(self._address, urls.upload_url),
                files={name: (name, raw, "text/csv")},
                headers={"X-Xsrftoken": self._http.cookies[XSRF]},
                timeout=PATIENCE,
            ).raise_for_status()
        )
        element, _ = self.elements[key]
        message = WidgetState(id=element.id)
        message.file_uploader_state_value.uploaded_file_info.add(
            file_id=urls.file_id, name=name, size=len(raw), file_urls=urls
        )
        self._states[element.id] = message
        await self.run()
        return time.perf_counter() - began

    async def until(self, key: str) -> float:
        """Poll each second, as the page does, until a widget exists; return the seconds."""
        began = time.perf_counter()
        while not self.has(key):
            if time.perf_counter() - began > PATIENCE:
                raise TimeoutError(f"{key} never came")
            await self.poll()
        return time.perf_counter() - began

    async def poll(self) -> None:
        """Wait as long as the page does, and run its repeating fragment."""
        await asyncio.sleep(POLL_SECONDS)
        await self.run(fragment=self._fragment_polled, polls=True)

    def has(self, key: str) -> bool:
        """Return True if a widget is on the page."""
        return key in self.elements

    async def _change(self, key: str, **value: Any) -> float:
        element, fragment = self.elements[key]
        self._states[element.id] = WidgetState(id=element.id, **value)
        return await self.run(fragment=fragment)

    async def _await(self, kind: str) -> ForwardMsg:
        while True:
            message = await self._next()
            if message.WhichOneof("type") == kind:
                return message
            self._note(message)

    async def _hear(self) -> bool:
        """Process one message; return True if the script has ended and no other run follows at once."""
        message = await self._next()
        self._note(message)
        ended = message.WhichOneof("type") == "script_finished"
        return ended and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    async def _next(self) -> ForwardMsg:
        message = ForwardMsg()
        message.ParseFromString(await asyncio.wait_for(self._line.recv(), PATIENCE))
        return message

    def _note(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id
            if not message.metadata.run.fragment_ids:
                self.elements, self._fragment_polled = {}, ""
        elif kind == "navigation":
            self._pages = {one.url_pathname: one.page_script_hash for one in message.navigation.app_pages}
            self._page = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            self._fragment_polled = message.auto_rerun.fragment_id
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._note_element(message.delta.new_element, message.delta.fragment_id)

    def _note_element(self, shown: Any, fragment: str) -> None:
        element = getattr(shown, shown.WhichOneof("type"))
        name = getattr(element, "id", "")
        if name.startswith("$$ID-"):
            self.elements[name.split("-", 2)[2]] = (element, fragment)
