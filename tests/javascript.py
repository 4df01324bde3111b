"""Run the graph's ES modules in Node, without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

VIZ = Path(__file__).resolve().parents[1] / "viz"
MODULES = VIZ / "graph_view"
OTHERS = ("replay_page", "lesson_page")  # folders that are part of their modules' names, such as "replay_page/packs"
# Answers each line of standard input, {"module": name, "expression": text}, with {"value": ...} or {"error": text}.
SERVER = """
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
    const { module, expression } = JSON.parse(line);
    let answer;
    try {
        // A function made of text cannot import; this file does it for it.
        const code = "return " + expression.replaceAll("import(", "load(");
        const value = await new Function("m", "load", code)(await import(`./${module}.js`), (path) => import(path));
        answer = { value: value === undefined ? null : value };
    } catch (error) {
        answer = { error: String(error.stack ?? error) };
    }
    process.stdout.write(JSON.stringify(answer) + "\\n");
}
"""


class Node:
    """A Node process that imports the modules and evaluates expressions one after another."""

    def __init__(self) -> None:
        node = shutil.which("node")
        if node is None:
            raise RuntimeError("these tests need Node; install it with: apt-get install nodejs")
        self._folder = tempfile.TemporaryDirectory(prefix="edgewise-modules-")
        folder = Path(self._folder.name)
        # This setting makes Node treat the files as ES modules.
        (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
        for path in (*MODULES.glob("*.js"), *VIZ.glob("*.js")):
            shutil.copy(path, folder)
        for name in (MODULES.name, *OTHERS):
            shutil.copytree(VIZ / name, folder / name, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        (folder / "server.js").write_text(SERVER, encoding="utf-8")
        self._process = subprocess.Popen(
            [node, folder / "server.js"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def __call__(self, module: str, expression: str) -> object:
        """Return the value of an expression in which `m` is the module."""
        print(json.dumps({"module": module, "expression": expression}), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer["value"]

    def close(self) -> None:
        """End the process and remove its folder."""
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()
        self._folder.cleanup()
