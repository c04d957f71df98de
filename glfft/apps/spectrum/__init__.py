"""Images to spectra and back: the work behind `glfft spectrum`.

A picture file becomes float32 planes (`images`). They keep their size, or are fitted to powers of two (`fitting`), and
are multiplied by a window (`windows`). The GPU transforms them (`transform`), and a shader draws the spectrum
(`display`, `colours`), or matplotlib its radial profile (`radial`). `pictures` does all this for a list of files.
`archive` keeps spectrum and settings in an .npz file, from which `inverse` restores the image.
"""
