"""Windows, and the panels in them."""
