"""Times the sections of a frame on GPU and CPU."""
