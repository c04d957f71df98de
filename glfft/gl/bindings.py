"""Every texture unit, image unit and buffer binding that glfft uses, given out here and nowhere else.

Transforms take the highest ones, out of the way of the caller's. Drawing takes the lowest ones, like any program.
"""

from glfft.gl.device import Limits

# The two highest image units that every OpenGL 4.3 device has (MAX_IMAGE_UNITS is at least 8).
TARGET_IMAGE_UNIT, SOURCE_IMAGE_UNIT = 7, 6
# Images of snippets, from here downwards: a plan with snippets reads no source as an image.
FIRST_SNIPPET_IMAGE_UNIT = 6
# The two images that stages load from and store to in turn, an array in GLSL; and the first of snippets beside them.
PING_PONG_IMAGE_UNITS = (5, 6)
FIRST_SNIPPET_IMAGE_UNIT_BELOW_PING_PONG = 4

# The three highest buffer bindings that every OpenGL 4.3 device has (MAX_SHADER_STORAGE_BUFFER_BINDINGS is at least 8).
TWIDDLE_BUFFER_BINDING, SOURCE_BUFFER_BINDING, TARGET_BUFFER_BINDING = 5, 6, 7
# On llvmpipe, which has more: the buffer that takes the place of shared memory, written as such and read as an image.
SLOTS_BUFFER_BINDING, SLOTS_IMAGE_UNIT = 15, 15
# The channelizer, around its plan.
SAMPLES_BUFFER_BINDING, HISTORY_BUFFER_BINDING, PROTOTYPE_BUFFER_BINDING = 0, 1, 2
CHANNELS_BUFFER_BINDING, MAP_BUFFER_BINDING = 3, 4
# Searches for a peak and templates, between transforms; and a shift that the next transforms read.
SHIFT_BUFFER_BINDING = 0
ENERGY_BUFFER_BINDING, PARTS_BUFFER_BINDING, PEAK_BUFFER_BINDING = 5, 6, 7
# Tuning: sums of a result, and what keeps a GPU busy.
SUMS_BUFFER_BINDING = 4
BUSY_BUFFER_BINDING = 0

FIRST_APP_BUFFER_BINDING = 0  # what the programs of glfft.apps compute themselves, from here upwards

# What draws pictures: one texture, or several from here upwards.
FIRST_DRAWING_TEXTURE_UNIT = 0
FIRST_DRAWING_IMAGE_UNIT = 0
SEA_IMAGE_UNIT = FIRST_DRAWING_IMAGE_UNIT + 1  # and upwards: the first is left to the caller


def upload_texture_unit(limits: Limits) -> int:
    """The last texture unit, which moderngl binds to make and fill textures: drawing over a picture takes it too."""
    return limits.texture_units - 1


def source_texture_unit(limits: Limits) -> int:
    return limits.texture_units - 2


def twiddle_texture_unit(limits: Limits) -> int:
    return limits.texture_units - 3


def first_snippet_texture_unit(limits: Limits) -> int:
    """The texture unit of the first texture of a snippet; the others come below it."""
    return limits.texture_units - 4
