"""Our model of Verus' libraries, in Verus' own syntax: what is trusted."""
