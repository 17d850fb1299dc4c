"""Installing, checking and removing the hooks; plain standard library, since it runs before anything is installed."""
