"""Glare of bright light by diffraction at a lens's aperture. A library: `apps/bloom` and `apps/ocean` use it."""
