"""Which memories a prompt needs, and how they are shown to the model."""
