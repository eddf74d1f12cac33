"""The options of NEAT in the study's runs, read from settings.toml."""

from sparring.learn.neat.options import NeatOptions
from sparring.studies import read_data

DATA = read_data("xor", "settings")
PAPER, STOCK = NeatOptions(**DATA["paper"]), NeatOptions(**DATA["stock"])
POLES = NeatOptions(**DATA["paper"] | DATA["poles"])
VARIANTS = {name: NeatOptions(**DATA["paper"] | changes) for name, changes in DATA["variants"].items()}
