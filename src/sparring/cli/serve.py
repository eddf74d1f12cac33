"""`sparring serve`: the server of the page, and a browser that opens it."""

import os
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path

from sparring.web.guard import is_loopback
from sparring.web.server import serve


def serve_page(runs: Path, host: str, port: int, open_it: bool) -> None:
    """Serve the page, print its address, and open it in a browser if there is a display."""

    def ready(address: str) -> None:
        print(f"sparring is at {address}", flush=True)
        if not is_loopback(host):
            print("others reach it too: whoever has this address, with its token, can play and train here", flush=True)
        print("stop with Ctrl-C; games in play are kept", flush=True)
        display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        if open_it and (sys.platform in ("darwin", "win32") or display):
            with suppress(webbrowser.Error):
                webbrowser.open(address)

    serve(runs, host, port, ready)
