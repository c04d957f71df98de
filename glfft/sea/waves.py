"""From a spectrum to the waves of one tile: wave vectors, their energy, random amplitudes, and the water's velocity.

Arrays are float64, [N, N] with row = z and column = x, in FFT order. The sea is
    height(x, t) = sum over k of h(k, t) exp(+i k.x),  h(k, t) = h0(k) exp(-i w t) + conj(h0(-k)) exp(+i w t)
(Tessendorf 2001, equations 36 and 43, with the sign that lets the wave of h0(k) run towards +k).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from glfft.errors import real_number, require
from glfft.sea import spectra
from glfft.sea.settings import MOST_CASCADES, OceanSettings, Swell
from glfft.sea.spectra import Array, ComplexArray

Number = TypeVar("Number", bound=np.generic)
Density = Callable[[OceanSettings, Array, Array], Array]

_ALL = (0.0, math.inf)

# The settings that the energy of the waves depends on.
_OF_SPECTRA = "size tile wind wind_direction fetch spectrum spreading gamma swell depth swells band measured"

# Cells up to so many cells from k = 0, and the points each way of their quadrature. Near k = 0 the peak of the spectrum
# may be a tenth of a cell wide. Cells farther out take the value at their centre, within 0.1 % of the mean.
_QUADRATURE = ((96, 1), (24, 4), (4, 32))
_NARROW = 0.05  # rad; narrower swells would pass between the points

_SAMPLES_AT_ONCE = 2**18  # bounds the memory that temporary arrays take
_LARGEST_KH = 300.0  # sines of more overflow float64; so deep the water stands still
_FEWEST_WAVES = 3  # a sea has the statistics of its spectrum where at least so many waves of the peak fit the tile


@dataclass(frozen=True)
class WaveVectors:
    """The wave vectors of a tile, rad/m, [N, N], and which of them carry waves.

    None does at k = 0, which would lift the whole sea, and in the Nyquist row and column: without their mirror images
    odd derivatives are not Hermitian, and would leak between the fields of a packed pair.
    """

    x: Array
    z: Array
    length: Array  # |k|, with 1 in place of 0 to divide by
    used: NDArray[np.bool_]


def wave_vectors(size: int, tile: float) -> WaveVectors:
    """k = (2 pi / tile) (n, m) with n, m = 0, 1, ..., N/2-1, -N/2, ..., -1."""
    indices = _indices(size)
    line: Array = 2 * math.pi / tile * indices.astype(np.float64)
    x, z = np.meshgrid(line, line)
    length = np.sqrt(x**2 + z**2)
    nyquist = indices == -(size // 2)
    used = (length > 0) & ~nyquist[:, None] & ~nyquist[None, :]
    return WaveVectors(x, z, np.where(length > 0, length, 1.0), used)


def frequencies(settings: OceanSettings) -> Array:
    """The angular frequency of each wave, rad/s, [N, N]: dispersion's, or with a loop the nearest that fits it."""
    frequency = spectra.angular_frequency(wave_vectors(settings.size, settings.tile).length, settings.depth)
    if math.isinf(settings.loop):
        return frequency
    step = 2 * math.pi / settings.loop
    return np.maximum(1.0, np.rint(frequency / step)) * step  # none stands still


def peak_frequency(settings: OceanSettings) -> float:
    """Angular frequency at the peak of the wind's or the measured waves, rad/s; for Phillips' spectrum JONSWAP's."""
    if settings.measured is not None:
        return 2 * math.pi * settings.measured.peak_frequency
    if settings.spectrum == "pierson-moskowitz":
        return spectra.pierson_moskowitz_peak(settings.wind)
    peak = spectra.elfouhaily_peak if settings.spectrum == "elfouhaily" else spectra.jonswap_peak
    return peak(settings.wind, settings.fetch)


def energy_density(settings: OceanSettings) -> Array:
    """The spectrum Psi(k) = S(w) D(w, theta) (dw/dk) / k, m² per (rad/m)², [N, N], averaged over cells of wave vectors.

    A cell is a square of side dk = 2 pi / tile around a wave vector, whose wave carries the energy of the whole cell:
    the sum times dk² is the variance of the height even if a few waves carry most of it. The array is read-only, shared
    and zero where `WaveVectors.used` is False: energy of waves longer than about twice the tile is left out. Phillips'
    spectrum has no scale and gets the variance of JONSWAP on the same grid.
    """
    return _energy_density(**{name: getattr(settings, name) for name in _OF_SPECTRA.split()})


@lru_cache(maxsize=16)  # one for each tile of a sea, and some of the sea before
def _energy_density(**spectrum_settings: Any) -> Array:
    settings = OceanSettings(**spectrum_settings)
    phillips = settings.spectrum == "phillips" and settings.measured is None
    energy = _on_grid(settings, _phillips if phillips else _frequency_times_spreading)
    if phillips:
        energy *= _phillips_scale(settings, energy)
    for swell in settings.swells:
        energy += _on_grid(settings, partial(_swell, swell))
    energy.flags.writeable = False  # it is shared by every caller
    return energy


def _phillips_scale(settings: OceanSettings, energy: Array) -> float:
    """The factor that gives Phillips' spectrum JONSWAP's variance; for a band, on a grid that holds all waves."""
    if settings.band != _ALL:
        peak = 2 * math.pi / float(spectra.wavenumber(peak_frequency(settings), settings.depth))
        settings = replace(settings, size=256, tile=20 * peak, band=_ALL)
        energy = _on_grid(settings, _phillips)
    jonswap = energy_density(replace(settings, spectrum="jonswap", swells=()))
    return float(jonswap.sum() / energy.sum()) if energy.any() else 0.0


def _on_grid(settings: OceanSettings, density: Density) -> Array:
    """The mean of a function of (kx, kz) over the cell of each wave vector, [N, N], by Gauss-Legendre quadrature."""
    size, spacing = settings.size, 2 * math.pi / settings.tile
    indices = _indices(size)

    def in_band(kx: Array, kz: Array) -> Array:
        found, k = density(settings, kx, kz), np.sqrt(kx**2 + kz**2)
        return np.where((k >= settings.band[0]) & (k < settings.band[1]), found, 0.0)

    line = spacing * indices.astype(np.float64)
    rows = np.array_split(line, -(-(size**2) // _SAMPLES_AT_ONCE))
    means = np.concatenate([in_band(*np.meshgrid(line, some)) for some in rows])
    finer = math.ceil(_NARROW / min((each.spread for each in settings.swells), default=_NARROW))
    for rings, points in _QUADRATURE:
        inner = np.flatnonzero(np.abs(indices) <= rings)
        nodes, weights = np.polynomial.legendre.leggauss(points * finer)
        line = spacing * (indices[inner, None] + nodes / 2).ravel()
        samples = in_band(*np.meshgrid(line, line)).reshape(len(inner), len(nodes), len(inner), len(nodes))
        means[np.ix_(inner, inner)] = np.einsum("ipjq,p,q->ij", samples, weights / 2, weights / 2)
    means[0, 0] = 0.0
    means[size // 2, :] = means[:, size // 2] = 0.0
    return means


def _phillips(settings: OceanSettings, kx: Array, kz: Array) -> Array:
    return spectra.phillips(kx, kz, settings.wind, settings.wind_direction)


def _swell(swell: Swell, settings: OceanSettings, kx: Array, kz: Array) -> Array:
    k, frequency, direction = _polar(settings, kx, kz)
    energy = spectra.swell(frequency, swell.height, 2 * math.pi / swell.period, swell.gamma)
    theta = spectra.wrapped(direction - swell.direction)
    spreading = spectra.longuet_higgins(theta, spectra.exponent_of_spread(swell.spread))
    return energy * spreading * spectra.group_speed(k, settings.depth) / k


def _polar(settings: OceanSettings, kx: Array, kz: Array) -> tuple[Array, Array, Array]:
    """|k|, rad/m, frequency, rad/s, and direction, rad, of waves."""
    k = np.sqrt(kx**2 + kz**2)
    k[k == 0] = 1.0  # to divide by; energy_density leaves k = 0 out
    return k, spectra.angular_frequency(k, settings.depth), np.arctan2(kz, kx)


def _frequency_times_spreading(settings: OceanSettings, kx: Array, kz: Array) -> Array:
    k, frequency, direction = _polar(settings, kx, kz)
    measured = settings.measured
    if measured is not None:
        energy = measured.density_at(frequency)
    elif settings.spectrum == "jonswap":
        energy = spectra.jonswap(frequency, settings.wind, settings.fetch, settings.gamma)
    elif settings.spectrum == "elfouhaily":
        in_deep_water = k if math.isinf(settings.depth) else spectra.wavenumber(frequency)
        energy = spectra.elfouhaily(in_deep_water, settings.wind, settings.fetch) / spectra.group_speed(in_deep_water)
    else:
        energy = spectra.pierson_moskowitz(frequency, settings.wind)
    if math.isfinite(settings.depth) and measured is None:
        energy = energy * spectra.finite_depth_factor(k, settings.depth)
    if measured is not None and measured.directional:
        spreading = measured.spreading_at(direction, frequency)
    else:
        spreading = directional_spreading(settings, spectra.wrapped(direction - settings.wind_direction), frequency)
    return energy * spreading * spectra.group_speed(k, settings.depth) / k


def directional_spreading(settings: OceanSettings, theta: Array, frequency: Array) -> Array:
    """D(w, theta) that the settings ask for, 1/rad; theta in [-pi, pi] from the wind."""
    peak = peak_frequency(settings)
    if settings.spreading == "cosine-squared":
        return spectra.cosine_squared(theta)
    if settings.spreading == "donelan-banner":
        return spectra.donelan_banner(theta, frequency, peak)
    exponent_of = spectra.mitsuyasu_exponent if settings.spreading == "mitsuyasu" else spectra.hasselmann_exponent
    exponent = exponent_of(frequency, peak, settings.wind)
    if settings.swell > 0:
        exponent = exponent + spectra.swell_exponent(frequency, peak, settings.swell)
    return spectra.longuet_higgins(theta, exponent)


def significant_height(settings: OceanSettings) -> float:
    """Hs = 4 sqrt(sum Psi dk²), m: the mean significant wave height of all seeds, on one tile."""
    return 4 * math.sqrt(energy_density(settings).sum()) * 2 * math.pi / settings.tile


def slope_variance(settings: OceanSettings) -> float:
    """The mean square slope of the waves on the grid: sum k² Psi dk²."""
    k = wave_vectors(settings.size, settings.tile)
    return float((energy_density(settings) * (k.x**2 + k.z**2)).sum()) * (2 * math.pi / settings.tile) ** 2


@lru_cache(maxsize=1024)  # of each frame's seas: many where a morph turns again and again
def longest_peak_wave(settings: OceanSettings) -> float:
    """Length of the longest waves at a peak: of the wind's or measured waves, and of swells, m."""
    swells = (2 * math.pi / swell.period for swell in settings.swells if swell.height > 0)
    return 2 * math.pi / float(spectra.wavenumber(min([peak_frequency(settings), *swells]), settings.depth))


def too_few_waves(settings: OceanSettings) -> str:
    """A warning if the tile is too short for its longest waves, or ""."""
    peak_wave = longest_peak_wave(settings)
    shortest = _FEWEST_WAVES * peak_wave
    if shortest <= settings.tile:
        return ""
    last_digit = 10.0 ** (math.floor(math.log10(shortest)) - 2)
    wanted = math.ceil(shortest / last_digit) * last_digit
    tile, long = (float(f"{each:.3g}") for each in (settings.tile, peak_wave))
    said = f"The tile is {tile:.9g} m and the waves at the spectrum's peak are {long:.9g} m long"
    why = "with so few of them, the height of the sea varies strongly with the seed"
    return f"{said}: {why}; choose a tile of {wanted:.9g} m or more."


def amplitudes(settings: OceanSettings) -> ComplexArray:
    """h0(k) = 1/2 (xr + i xi) sqrt(Psi dk²), m, [N, N], with xr, xi independent and normal for every k, -k included.

    E|h0(k)|² is Psi dk² / 2; the other half of a mode's variance comes from conj(h0(-k)). In a measured sea each wave
    has its mean energy, and only the phase of xr + i xi is random.
    """
    spacing = 2 * math.pi / settings.tile
    drawn = _draw(settings.seed, settings.size)
    if settings.measured is not None:
        drawn = math.sqrt(2) * drawn / np.abs(drawn)
    return 0.5 * spacing * drawn * np.sqrt(energy_density(settings))


def mirrored(spectrum: NDArray[Number]) -> NDArray[Number]:
    """The value at -k for every k: index (i, j) becomes ((N - i) % N, (N - j) % N)."""
    return np.roll(np.flip(spectrum, (0, 1)), 1, (0, 1))


@lru_cache(maxsize=MOST_CASCADES)
def _draw(seed: int, size: int) -> ComplexArray:
    """xr + i xi for every wave vector, [N, N].

    Numbers are given to wave vectors in square rings around k = 0, so that a wave keeps its number when `size` changes.
    They are made from PCG64's raw bits, which numpy promises never to change, unlike its normal distribution.
    """
    bits = np.random.PCG64(seed).random_raw(2 * size * size).reshape(size * size, 2)
    uniform = ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    normal = np.sqrt(-2 * np.log(uniform[:, 0])) * np.exp(2j * math.pi * uniform[:, 1])  # Box and Muller 1958
    drawn = normal[_ring_order(size)]
    drawn.flags.writeable = False  # it is shared by every caller
    return drawn


def _ring_order(size: int) -> NDArray[np.int64]:
    """A number for each index pair (m, n) in FFT order: 0 at (0, 0), then ring by ring of max(|m|, |n|), [N, N].

    A ring has its two rows first, then its two sides: 8 r members. The unused half ring at -N/2 has number 0.
    """
    n, m = np.meshgrid(_indices(size), _indices(size))
    ring = np.maximum(np.abs(n), np.abs(m))
    side = 2 * ring + 1
    on_sides = 2 * side + 2 * (m + ring - 1) + (n == ring)
    within = np.where(m == -ring, n + ring, np.where(m == ring, side + n + ring, on_sides))
    return np.where((ring > 0) & (ring < size // 2), (2 * ring - 1) ** 2 + within, 0)


def _indices(size: int) -> NDArray[np.int64]:
    return np.fft.ifftshift(np.arange(-(size // 2), size // 2))


def on_finer_grid(spectrum: ComplexArray) -> ComplexArray:
    """The same waves, [N, N] in FFT order, on a grid of twice as many samples each way."""
    return np.fft.ifftshift(np.pad(np.fft.fftshift(spectrum), len(spectrum) // 2))


def flows(tiles: tuple[OceanSettings, ...], depth: float | None) -> list[list[ComplexArray]]:
    """Amplitudes, one per tile, with (dx, dz) as horizontal velocity, and amplitudes with the vertical one as height.

    By linear theory a wave h0 exp(i (k.x - w t)) moves the water at the depth d with (k / |k|) w h0 cosh(k (h - d)) /
    sinh(k h), and upwards with -i w h0 sinh(k (h - d)) / sinh(k h). As (dx, dz) of an amplitude a is
    i k / |k| coth(k h) a, both are -i w h0 times a factor. In deep water both are exp(-k d), and a single list is
    returned. Raises OptionError if the depth is not in the water.
    """
    if depth is None:
        return []
    ground = min(each.depth for each in tiles)
    below = f" to the ground at {ground:g} m" if math.isfinite(ground) else ""
    in_water = 0 <= real_number(depth) <= ground and math.isfinite(real_number(depth))
    require(in_water, "The depth of the velocities", depth, f"a number of metres from 0{below}")
    horizontal, vertical = [], []
    for each in tiles:
        k = wave_vectors(each.size, each.tile).length
        # exp(-k d) (1 ± exp(-2 k (h - d))) / (1 ± exp(-2 k h)), where nothing overflows; in deep water exp(-k d).
        to_ground = np.exp(-np.minimum(2 * k * (each.depth - depth), _LARGEST_KH))
        moving = -1j * frequencies(each) * amplitudes(each) * np.exp(-k * depth)
        twice = -np.minimum(2 * k * each.depth, _LARGEST_KH)
        horizontal.append(moving * (1 + to_ground) / (1 + np.exp(twice)))
        vertical.append(moving * (1 - to_ground) / -np.expm1(twice))
    return [horizontal] if all(math.isinf(each.depth) for each in tiles) else [horizontal, vertical]
