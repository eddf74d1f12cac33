"""Benchmarks and their last figures: `make bench` runs all of them and writes RESULTS.md and results.json."""
