"""Where a template lies in a picture: normalised cross-correlation on the GPU."""

from collections.abc import Sequence

import moderngl
import numpy as np
from numpy.typing import ArrayLike

from glfft.convolution import Convolution, pictures
from glfft.convolution.pictures import Picture, check_texture, ivec2, make_texture, picture_array, shape_of
from glfft.errors import DataError, OptionError, ShapeError
from glfft.gl.barriers import SHADER_STORAGE_BARRIER, TEXTURE_FETCH_BARRIER, barrier_before
from glfft.gl.bindings import ENERGY_BUFFER_BINDING, TARGET_IMAGE_UNIT, first_snippet_texture_unit, source_texture_unit
from glfft.gl.programs import compute, run_over
from glfft.gl.releasable import Owner
from glfft.gl.textures import bytes_of, use_texture
from glfft.gl.timed import Sections, timed

_THREADS = 256
_GROUP = 8
_PARTS = "make both smaller, or search parts of the picture, which overlap by the template's size less 1"
_RUN = 32  # places that an invocation slides its window over: rounding adds up along them


class TemplateMatch(Owner):
    """Scores how well a template fits everywhere in a picture.

    The score of a place is the normalised cross-correlation (Lewis, Fast normalized cross-correlation, 1995): the sum
    over the template's texels of (f - mean f) (t - mean t), divided by the root of the sums of (f - mean f)^2 and
    (t - mean t)^2, the picture's mean taken under the template. It is from -1 to 1, and 1 where the picture shows the
    template, at any brightness and contrast; 0 where the picture has one value. scikit-image's match_template agrees.

    `glfft.PeakFinder` finds the best place. Five dispatches: three of `glfft.Convolution`, and windows that slide along
    rows and columns for the picture's means and squares.

    Args:
        ctx: the context of the textures, with OpenGL 4.3 or later.
        picture_shape: (rows, columns), at least as many as in template_shape.

    Attributes:
        output_shape: (rows, columns) of scores: picture - template + 1. A score is at the template's first texel.

    Raises ShapeError where a shape is not two numbers from 1, or the template exceeds the picture; else as a plan.
    """

    def __init__(self, ctx: moderngl.Context, picture_shape: Sequence[int], template_shape: Sequence[int]) -> None:
        super().__init__(ctx)
        self.picture_shape = shape_of("picture", picture_shape)
        self.template_shape = shape_of("template", template_shape)
        pictures.check_within("template", self.template_shape, self.picture_shape, "crop it")
        pictures.check_size(
            ctx, {"picture": self.picture_shape, "template": self.template_shape}, self.picture_shape, _PARTS
        )
        shapes = self.picture_shape, self.template_shape
        self._correlation = self._own(Convolution(ctx, *shapes, mode="valid", flip=True))
        self.output_shape = self._correlation.output_shape
        self._template, self._centred = (self._own(make_texture(ctx, self.template_shape, None, 1)) for _ in range(2))
        self._spread_shape = self.picture_shape[0], self.output_shape[1]
        self._spread = self._own(make_texture(ctx, self._spread_shape, None, 2))
        self._products = self._own(make_texture(ctx, self.output_shape, None, 1))
        self._energy = self._own(ctx.buffer(reserve=4))
        self._compile()
        self._has_template = False

    def _compile(self) -> None:
        limits = self._state.limits
        self._unit, self._second_unit = source_texture_unit(limits), first_snippet_texture_unit(limits)
        size = ivec2(self.template_shape)
        bound = {"IMAGE_UNIT": TARGET_IMAGE_UNIT, "ENERGY_BINDING": ENERGY_BUFFER_BINDING}
        centre = {"THREADS": _THREADS, "TEXTURE_UNIT": self._unit, "TEMPLATE_SIZE": size}
        self._centre = compute(self.ctx, "convolution/template.comp", {**bound, **centre})
        bound |= {"GROUP_X": _GROUP, "GROUP_Y": _GROUP, "RUN": _RUN}
        rows = {"PICTURE_UNIT": self._unit, "PICTURE_SIZE": ivec2(self.picture_shape), "WINDOW": self.template_shape[1]}
        self._rows = compute(self.ctx, "convolution/window_rows.comp", {**bound, **rows})
        columns = {"SPREAD_UNIT": self._unit, "SPREAD_SIZE": ivec2(self._spread_shape)}
        columns |= {"PRODUCTS_UNIT": self._second_unit, "WINDOW": size}
        self._columns = compute(self.ctx, "convolution/window_columns.comp", {**bound, **columns})

    def set_template(self, template: Picture | ArrayLike) -> None:
        """Look for this template from the next run on. A texture never waits for the GPU. `template` and errors are
        those of a kernel in `glfft.Convolution.set_kernel`, with arrays of real numbers. Raises DataError for an array
        with a NaN or an infinity, or with one value everywhere; scores of such textures are NaN, or 0.
        """
        self._check_alive()
        if isinstance(template, Picture):
            check_texture(template, "template", self.template_shape, self.ctx)
        else:
            values, wanted = picture_array("template", template), self.template_shape
            if values.shape != wanted:
                raise ShapeError(f"The template has the shape {values.shape} and must have {wanted}.")
            if np.ptp(values) == 0:
                raise DataError("The template has one value everywhere, which can be anywhere; choose another.")
            template = self._template
            template.write(values)
        use_texture(template, self._unit)
        self._centred.bind_to_image(TARGET_IMAGE_UNIT, read=False, write=True)
        self._energy.bind_to_storage_buffer(ENERGY_BUFFER_BINDING)
        self._centre.run()
        self.ctx.memory_barrier(TEXTURE_FETCH_BARRIER | SHADER_STORAGE_BARRIER)
        self._correlation.set_kernel(self._centred)
        self._has_template = True

    def run(self, src: Picture, dst: Picture, next_use: str | None = None, profiler: Sections | None = None) -> None:
        """Write the scores of all places of a picture into channel r of `dst`.

        `src` is a texture of `picture_shape`, of any format that shaders read as floats, whose channel r is taken;
        `dst` is one of `output_shape`; where its numbers are normalised, scores below 0 are lost. `next_use` and
        `profiler` are as for `glfft.Plan.forward`. Raises OptionError where no template has been set, or `next_use` is
        not allowed, TextureError where a texture has another kind, size or context.
        """
        self._check_alive()
        if not self._has_template:
            raise OptionError("There is no template yet: call set_template before run.")
        check_texture(dst, "target", self.output_shape, self.ctx)
        last_barrier = barrier_before(next_use, buffer=False)
        self._correlation.run(src, self._products, "sample", profiler)
        places_down, places = self.output_shape
        use_texture(src, self._unit)
        self._spread.bind_to_image(TARGET_IMAGE_UNIT, read=False, write=True)
        with timed(profiler, "window rows", bytes_of(src, self._spread)):
            run_over(self._rows, _GROUP, self.picture_shape[0], -(-places // _RUN))
        self.ctx.memory_barrier(TEXTURE_FETCH_BARRIER)
        use_texture(self._spread, self._unit)
        use_texture(self._products, self._second_unit)
        dst.bind_to_image(TARGET_IMAGE_UNIT, read=False, write=True)
        self._energy.bind_to_storage_buffer(ENERGY_BUFFER_BINDING)
        with timed(profiler, "window columns", bytes_of(self._spread, self._products, dst)):
            run_over(self._columns, _GROUP, places, -(-places_down // _RUN))
        self.ctx.memory_barrier(last_barrier)
