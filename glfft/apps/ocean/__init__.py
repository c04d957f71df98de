"""The ocean as a program: window, camera, sky, water and pictures around `glfft.sea`."""
