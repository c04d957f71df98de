"""Images to spectra and back: the work behind `glfft spectrum`. `painting` has its steps, `inverse` the way back."""
