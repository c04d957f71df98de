"""The list of a Stockham kernel's stages as GLSL calls."""

from glfft.algorithms.stockham.butterflies import butterflies_text
from glfft.algorithms.stockham.config import KernelConfig
from glfft.algorithms.storage import Storage


def stages_text(config: KernelConfig, storage: Storage) -> str:
    """The list of stages as GLSL calls: the radices are Python's choice, what a stage does is written in GLSL."""
    prefetched: list[str] = []
    calls: list[str] = []
    paddings = [config.padding_after(stage, storage) for stage in range(len(config.radices))]
    padded = any(period for period, _ in paddings)

    def padding(stage: int) -> str:
        period, free = paddings[stage]
        return f", Padding({period}, {free})" if padded else ""

    span = 1
    for stage, radix in enumerate(config.radices):
        # Along another axis the first stage has none.
        step = config.factor_step
        has_factors = span > step
        for b in range(config.butterflies(radix)):
            if not has_factors or not config.factors_given:
                calls.append(f"    butterfly{radix}(v, {b}, place.thread, {span // step if has_factors else 1});")
                continue
            factors = f"factors_{stage}_{b}"
            (prefetched if config.prefetch_twiddles else calls).extend(
                (f"    complex {factors}[{radix}];", f"    read_factors({factors}, {b}, place.thread, {span // step});")
            )
            calls.append(f"    butterfly{radix}(v, {b}, {factors});")
        if stage < config.exchanges:
            number = f"exchanges_before + {stage}"
            calls.append(
                f"    exchange(v, place, {radix}, {span}, {config.radices[stage + 1]}, {number}{padding(stage)});"
            )
        span *= radix
    lines = butterflies_text(config.radices)
    # The butterfly of a radix with its factors: one template, put in once for each.
    lines += [
        f'#include "fft/butterfly.template.glsl" with RADIX = {radix}, BUTTERFLY = butterfly{radix}'
        for radix in sorted(set(config.radices))
    ]
    if config.exchanges:
        # A kernel of one stage exchanges nothing and must not take shared memory.
        lines.append(f'#include "fft/{"padded_" if padded else ""}exchange.glsl"')
    lines += [
        "",
        "void all_stages(inout line_point v[POINTS], Place place, int exchanges_before) {",
        *prefetched,
        *calls,
        "}",
        *_return_text(config, padding(config.exchanges)),
    ]
    return "\n".join(lines)


def _return_text(config: KernelConfig, padding: str) -> list[str]:
    """The exchange from the last stage to the first, for kernels that do the stages twice."""
    if config.ends_as_it_begins:
        return []
    first, last = config.radices[0], config.radices[-1]
    stages = f"{last}, {config.length // last}, {first}, {config.exchanges}"
    return [
        "#if TWICE",
        "",
        "void exchange_to_first_stage(inout line_point v[POINTS], Place place) {",
        f"    exchange(v, place, {stages}{padding});",
        "}",
        "#endif",
    ]
