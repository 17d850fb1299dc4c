"""Who thinks: the backends, and the sandbox their agents run in."""
