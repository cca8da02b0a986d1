"""Repositories with tests: instances of software-engineering tasks, patches, checkouts and trusted test runs."""
