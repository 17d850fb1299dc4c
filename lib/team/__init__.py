"""Memories that a team shares about one repository."""
