"""Images to spectra and back: the work behind `glfft spectrum`. `painting` has its steps, `archive` the way back."""
