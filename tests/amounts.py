"""How much a test does: few cases in `make test`, many in `make test-long`."""

import os
from typing import TypeVar

Amount = TypeVar("Amount")


def amount(few: Amount, many: Amount) -> Amount:
    """`many` where SPARRING_LONG=1, else `few`."""
    return many if os.environ.get("SPARRING_LONG") == "1" else few
