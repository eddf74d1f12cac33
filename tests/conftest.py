"""For all tests: Ctrl-C means what it means in a terminal, even where the tests were started in the background."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
