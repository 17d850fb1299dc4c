"""The person's verbs, one a module; each has `run(arguments, place) -> exit status` and prints for people."""
