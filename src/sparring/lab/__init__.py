"""Experiments, runs, checkpoints, game logs and the results store."""
