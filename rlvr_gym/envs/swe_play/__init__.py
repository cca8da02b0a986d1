"""How an agent acts on a repository: actions in texts, the sandbox they happen in, and what is told of them."""
