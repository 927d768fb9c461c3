"""The fair deal, pure: recipe, beacon check, transcript, receipts, proof file and the offline verifier.

Nothing here reads a clock, a file, a socket or a source of randomness; times and secrets are passed in.
README.md beside this file describes every octet, so that a verifier can be written in another language.
"""
