"""Plots, tables and HTML pages."""
