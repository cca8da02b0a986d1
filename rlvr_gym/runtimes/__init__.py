"""Runtimes: where commands that nobody trusts will run. The layer is fixed; no runtime exists yet."""
