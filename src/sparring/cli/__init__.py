"""The command line: `sparring COMMAND ...`. Bad input gets one line and status 2; other failures status 1."""

import io
import os
import sys

from sparring.errors import Failure, OneLine, Stopped, UserError


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that cannot show a suit shows a question mark
    try:
        from sparring.cli.commands import app

        given = sys.argv[1:] if arguments is None else arguments
        status = app(given or ["--help"], standalone_mode=False) or 0
        return _say("stopped", 130) if status == 130 else status
    except UserError as error:
        return _say(str(error), 2)
    except Failure as error:
        return _say(str(error), 1)
    except Stopped as error:
        return _say(str(error), 130)
    except KeyboardInterrupt:
        return _say("stopped", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        return _say("not enough memory; try fewer trials, fewer games or smaller nets", 1)
    except OSError as error:
        return _say(f"{error.filename or 'input/output'}: {error.strerror or error}", 1)
    except Exception as error:
        if hasattr(error, "format_message"):  # the command line's own errors: a missing argument, a wrong number
            return _say(f"{error.format_message().rstrip('.')}; see sparring --help", 2)
        raise


def _say(line: str, status: int) -> int:
    print("sparring: " + " ".join(str(OneLine(line)).split()), file=sys.stderr)
    return status
