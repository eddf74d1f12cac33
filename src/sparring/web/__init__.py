"""The web application: a server for tables, replays, runs and reports, and its page."""
