"""The browser application: a server of tables, replays, runs and reports, and its page."""
