"""What `make wheel` asks of an installed wheel: every file of the package, and a table of golf that can be played at.

Run it with the Python that has the wheel: `python tests/wheel.py dist/sparring-*.whl`.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener
from zipfile import ZipFile

SOURCES = Path(__file__).parent.parent / "src"


def missing_files(wheel: Path) -> list[str]:
    """Files of the package that the wheel lacks."""
    files = [path for path in (SOURCES / "sparring").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return sorted({path.relative_to(SOURCES).as_posix() for path in files} - set(ZipFile(wheel).namelist()))


def ask(browser: OpenerDirector, address: str, body: dict | None = None) -> dict:
    """What the server answers, as JSON."""
    data = None if body is None else json.dumps(body).encode()
    with browser.open(Request(address, data, {"Content-Type": "application/json"}), timeout=300) as answer:
        return json.load(answer)


def play_a_table(address: str) -> str:
    """Play golf against its champion, always the first legal move; the result. The address has the token."""
    browser, server = build_opener(HTTPCookieProcessor()), address.partition("/?")[0]
    assert b"<script" in browser.open(address, timeout=300).read()
    made = ask(browser, f"{server}/api/tables", {"game": "golf", "opponents": ["champion"], "seed": 3})
    address = f"{server}/api/tables/{made['id']}"
    table = ask(browser, address)
    while not table["over"]:
        if table["legal"]:
            move = {"move": table["legal"][0]["move"], "number": table["number"]}
            table = ask(browser, f"{address}/move", move)
        else:
            time.sleep(0.1)
            table = ask(browser, address)
    return table["result"]


def main() -> None:
    missing = missing_files(Path(sys.argv[1]))
    assert not missing, f"not in the wheel: {', '.join(missing)}"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "sparring", "serve", "--port", "0", "--no-open", "--runs", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
        try:
            assert server.stdout is not None
            print(f"wheel: a table of golf: {play_a_table(server.stdout.readline().split()[-1])}")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
