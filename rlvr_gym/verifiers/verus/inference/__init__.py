"""Names and types: annotates the surface tree and gathers its declarations; ``program.infer`` is the way in."""
