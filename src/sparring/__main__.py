"""`python -m sparring`: the command line."""

import sys

from sparring.cli import main

sys.exit(main())
