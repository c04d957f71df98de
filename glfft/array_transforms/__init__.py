"""How numpy arrays go through plans: the work behind `glfft.arrays`."""
