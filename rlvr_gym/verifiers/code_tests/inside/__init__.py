"""The side of the tests that runs in sandboxes: needs the standard library only, and holds nothing worth stealing."""
