"""`glfft bloom`: the glare that a lens makes in a picture of high dynamic range."""
