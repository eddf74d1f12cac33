"""Networks: dense networks, evolved graphs, teams, and their files."""
