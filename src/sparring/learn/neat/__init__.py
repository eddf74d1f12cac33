"""NEAT: networks that evolve their own shape, after Stanley and Miikkulainen (2002), with neat-python's options."""
