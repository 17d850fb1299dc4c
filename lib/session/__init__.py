"""The rolling summary of a session, and the archive of its transcript."""
