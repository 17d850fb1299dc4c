"""The memory of a coding agent: hooks decide, one worker does the slow work, Markdown files are the database."""
