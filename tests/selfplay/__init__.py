"""Bots among themselves in every ruleset and size, deal after deal: `make selfplay`."""
