"""Tessendorf's ocean on glfft: a random sea of a named spectrum, four inverse transforms a frame."""
