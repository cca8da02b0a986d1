"""Trees to canonical text, one module for each kind of node; `syntax.printer` is what others use."""
