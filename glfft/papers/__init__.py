"""What papers conclude about transforms on GPUs, tested here: `glfft bench --papers`."""
