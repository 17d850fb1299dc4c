"""The team's own small server: `python -m lib.team.server`. Needs requirements-server.txt; nothing else imports it."""
