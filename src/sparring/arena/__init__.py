"""Matches in pairs, tournaments, statistics, ratings, and the backends that play games."""
