"""Programs that show glfft at work."""
