"""`sparring serve`: the server of the page, and a browser that opens it."""

import os
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path

from sparring.nets.files import replace_file
from sparring.web.guard import is_loopback
from sparring.web.server import serve
from sparring.web.trainer import FOLDER


def serve_page(runs: Path, host: str, port: int, open_it: bool, trainings: bool) -> None:
    """Serve the page, print its address, and open it in a browser if there is a display."""

    def ready(address: str) -> None:
        print(f"sparring is at {address}", flush=True)
        if not is_loopback(host):
            can = "play and train" if trainings else "play"
            print(f"others reach it too: whoever has this address, with its token, can {can} here", flush=True)
        print("stop with Ctrl-C; games in play are kept", flush=True)
        display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        if open_it and (sys.platform in ("darwin", "win32") or display):
            # Everybody on the machine can read the words of a command; a file that leads on to the address is private.
            page = runs.resolve() / FOLDER / "open.html"
            replace_file(page, f'<meta http-equiv="refresh" content="0; url={address}">\n'.encode())
            with suppress(webbrowser.Error):
                webbrowser.open(page.as_uri())

    serve(runs, host, port, ready, trainings)
