"""The published results of the gin rummy study; published.toml has the numbers."""

import tomllib
from pathlib import Path

EVO, TD, RANDUMB = "EVO", "TD", "RANDUMB"
KINDS = (EVO, TD)
EVERYONE = (*KINDS, RANDUMB)
PUBLISHED = tomllib.loads(Path(__file__).with_name("published.toml").read_text())
TRAINING, TOURNAMENT, HANDS = (PUBLISHED[part] for part in ("training", "tournament", "hands"))
