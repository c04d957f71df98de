"""GLSL sources of glfft, read as package data."""
