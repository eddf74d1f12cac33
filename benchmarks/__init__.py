"""What is measured, against whom, and the last figures: `make bench` runs all of it and writes RESULTS.md and results.json."""
