"""What sub-agents remember: their directories, what they are given and what is learned from their runs."""
