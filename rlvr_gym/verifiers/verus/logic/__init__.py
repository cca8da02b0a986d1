"""From the core language to proofs: everything that speaks with the solver."""
