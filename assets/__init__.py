"""Pictures and fonts, read as package data."""
