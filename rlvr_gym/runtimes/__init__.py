"""Runtimes: where commands that nobody trusts run, isolated or not at all."""
