"""Images to spectra and back: the work behind `glfft spectrum`.

A picture file becomes float32 planes (`images`), the planes take a size that can be transformed (`fitting`) and a
window (`windows`); the engine transforms them on the GPU and a shader turns the spectrum into a picture (`transform`,
`display`, `colours`). `archive` keeps spectrum and settings in an .npz file, from which `inverse` restores the image.
"""
