"""The HTML page of a run, and the tables of what is registered."""
