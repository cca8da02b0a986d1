"""The command line `rlvr-gym`: `main` finds one command per file of this package."""
