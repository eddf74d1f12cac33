"""The published results of the gin rummy study; published.toml has the numbers."""

from sparring.studies import read_data

EVO, TD, RANDUMB = "EVO", "TD", "RANDUMB"
KINDS = (EVO, TD)
EVERYONE = (*KINDS, RANDUMB)
PUBLISHED = read_data("gin", "published")
TRAINING, TOURNAMENT, HANDS = (PUBLISHED[part] for part in ("training", "tournament", "hands"))
