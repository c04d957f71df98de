"""All that knows the driver: contexts, programs, textures, timestamps, bindings and barriers."""
