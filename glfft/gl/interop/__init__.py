"""Arrays of other libraries beside OpenGL: what they are, which textures they suit, how they are copied."""
