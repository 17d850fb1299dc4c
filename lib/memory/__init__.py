"""The memory files: plain Markdown, one fact a file, and their index."""
