"""Images to spectra and back: the work behind `glfft spectrum`.

A picture file becomes float32 planes (`source_pictures`). They keep their size, or are fitted to powers of two, and are
multiplied by a window (`fitting`). The GPU transforms them (`transform`), and a shader draws the spectrum (`display`,
`colours`), or matplotlib its radial profile (`radial`). `painting` does all this for a list of files. `archive` keeps
spectrum and settings in an .npz file, from which `inverse` restores the image.
"""
