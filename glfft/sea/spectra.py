"""Oceanography as small pure functions of float64 arrays: dispersion, wave spectra, directional spreading.

SI units: metres, seconds, radians. `frequency` is the angular frequency w in rad/s and `wavenumber` k in rad/m, 2 pi
over the wavelength, both above zero unless a function says otherwise. Spectra are one-sided: the variance of the
surface height is the integral of S(w), m² s, over w from 0 to infinity. The integral of a directional spreading
D(w, theta), 1/rad, over theta in [-pi, pi] is 1 for every w.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]

GRAVITY = 9.81  # m/s²
SURFACE_TENSION = 7.4e-5  # of clean water over its density, m³/s²
_DEEP = 20.0  # beyond this k h the water is deep: tanh is 1 to the last bit, and sinh must not overflow
_NEWTON_STEPS = 16  # for the inverse of the dispersion: enough for float64 from 1e-4 to 1e4 rad/s

# The longest dimensionless fetch g F / U² of the growth law. At 1e4 the sea is as high as the fully grown
# sea of Pierson and Moskowitz, but it is often quoted beyond (15 m/s over 300 km, 1.3e4: 5.65 m).
_LONGEST_FETCH = 2.2e4
WIND_AT_19_5_METRES = 1.026  # over that at 10 m in a neutral atmosphere; Pierson and Moskowitz measured there

# The slowest waves of gravity and surface tension: their speed, m/s, and wavenumber, rad/m.
_SLOWEST = 0.23
_SLOWEST_WAVENUMBER = 2 * GRAVITY / _SLOWEST**2


def angular_frequency(wavenumber: ArrayLike, depth: float = math.inf) -> Array:
    """Dispersion of gravity-capillary waves: w² = (g k + (sigma/rho) k³) tanh(k h), rad/s; 0 at k = 0."""
    k = np.asarray(wavenumber, dtype=np.float64)
    return np.sqrt((GRAVITY + SURFACE_TENSION * k**2) * k * np.tanh(_depth_number(k, depth)))


def group_speed(wavenumber: ArrayLike, depth: float = math.inf) -> Array:
    """dw/dk of `angular_frequency`, the speed of wave energy, m/s; k must be above zero."""
    k = np.asarray(wavenumber, dtype=np.float64)
    kh = _depth_number(k, depth)
    by_wavenumber = (GRAVITY + 3 * SURFACE_TENSION * k**2) * np.tanh(kh)
    by_depth = (GRAVITY + SURFACE_TENSION * k**2) * kh / np.cosh(kh) ** 2
    return (by_wavenumber + by_depth) / (2 * angular_frequency(k, depth))


def wavenumber(frequency: ArrayLike, depth: float = math.inf) -> Array:
    """The inverse of `angular_frequency`, rad/m; the frequency must be above zero."""
    w = np.asarray(frequency, dtype=np.float64)
    k = w**2 / GRAVITY
    if not math.isinf(depth):
        k = k / np.sqrt(np.tanh(np.minimum(k * depth, _DEEP)))  # Eckart's approximation, within 5 %
    for _ in range(_NEWTON_STEPS):
        k = np.maximum(k - (angular_frequency(k, depth) - w) / group_speed(k, depth), k / 4)
    return k


def _depth_number(k: Array, depth: float) -> Array:
    return np.where(k > 0, _DEEP, 0.0) if math.isinf(depth) else np.minimum(k * depth, _DEEP)


def jonswap_peak(wind: float, fetch: float) -> float:
    """Angular frequency of the peak of a JONSWAP sea, rad/s: 22 (g/U) chi^(-1/3).

    chi = g F / U² is at most 2.2e4, here and in `jonswap`: without a bound, waves would grow with fetch for ever.
    """
    return 22 * GRAVITY / wind * _dimensionless_fetch(wind, fetch) ** (-1 / 3)


def jonswap(frequency: ArrayLike, wind: float, fetch: float, gamma: float = 3.3) -> Array:
    """The spectrum of a sea that grows with fetch, m² s; gamma enhances its peak (Hasselmann et al. 1973, JONSWAP)."""
    alpha = 0.076 * _dimensionless_fetch(wind, fetch) ** -0.22
    return _with_enhanced_peak(frequency, jonswap_peak(wind, fetch), alpha, gamma)


def pierson_moskowitz_peak(wind: float) -> float:
    """Angular frequency of the peak of a fully grown sea, rad/s: 0.877 g / U19.5, from the wind at 10 m."""
    return 0.877 * GRAVITY / (WIND_AT_19_5_METRES * wind)


def pierson_moskowitz(frequency: ArrayLike, wind: float) -> Array:
    """The spectrum of a fully grown sea, m² s, of Hs = 0.2092 U19.5² / g (Pierson and Moskowitz 1964)."""
    return _equilibrium_range(frequency, pierson_moskowitz_peak(wind), 8.1e-3)


def swell(frequency: ArrayLike, height: float, peak: float, gamma: float) -> Array:
    """The spectrum of waves that have left their wind, m² s: JONSWAP's shape with a peak, rad/s, and a height Hs, m."""
    table = peak * np.geomspace(0.2, 50.0, 4001)
    shape = _with_enhanced_peak(table, peak, 1.0, gamma)
    variance = float(((shape[1:] + shape[:-1]) * np.diff(table)).sum()) / 2
    return _with_enhanced_peak(frequency, peak, 1.0, gamma) * (height / 4) ** 2 / variance


def finite_depth_factor(wavenumber: ArrayLike, depth: float) -> Array:
    """tanh²(kh) / (1 + 2kh / sinh 2kh), k **in the depth**: it makes JONSWAP TMA (Bouws et al. 1985)."""
    kh = np.maximum(_depth_number(np.asarray(wavenumber, dtype=np.float64), depth), 1e-9)
    return np.tanh(kh) ** 2 / (1 + 2 * kh / np.sinh(2 * kh))


def _with_enhanced_peak(frequency: ArrayLike, peak: float, alpha: float, gamma: float) -> Array:
    w = np.asarray(frequency, dtype=np.float64)
    width = np.where(w <= peak, 0.07, 0.09) * peak
    return _equilibrium_range(w, peak, alpha) * gamma ** np.exp(-((w - peak) ** 2) / (2 * width**2))


def _equilibrium_range(frequency: ArrayLike, peak: float, alpha: float) -> Array:
    """alpha g² w^-5 exp(-1.25 (wp/w)^4), without overflow where w is small."""
    ratio = np.minimum(peak / np.asarray(frequency, dtype=np.float64), 1e3)  # the exponential is 0 long before
    return alpha * GRAVITY**2 * peak**-5 * ratio**5 * np.exp(-1.25 * ratio**4)


def _dimensionless_fetch(wind: float, fetch: float) -> float:
    return min(GRAVITY * fetch / wind**2, _LONGEST_FETCH)


def elfouhaily_peak(wind: float, fetch: float) -> float:
    """Angular frequency of the peak, rad/s: Omega g / U, with the inverse wave age Omega (equation 37)."""
    return _inverse_wave_age(wind, fetch) * GRAVITY / wind


def elfouhaily(wavenumber: ArrayLike, wind: float, fetch: float) -> Array:
    """The spectrum of all waves from the longest to ripples over k in deep water, m³ (Elfouhaily et al. 1997).

    Its integral over k is the variance of the height. The short waves too have the factor that cuts off waves longer
    than the peak, as in the program of Bruneton et al. (2010).
    """
    k = np.asarray(wavenumber, dtype=np.float64)
    age = _inverse_wave_age(wind, fetch)
    peak = GRAVITY * (age / wind) ** 2
    from_peak = np.sqrt(k / peak)
    cut_off = np.exp(-1.25 * np.minimum(peak / k, 30.0) ** 2)
    gamma = 1.7 + 6 * math.log10(max(age, 1.0))
    enhancement = gamma ** np.exp(-((from_peak - 1) ** 2) / (2 * (0.08 * (1 + 4 * age**-3)) ** 2))
    speed = np.sqrt(GRAVITY / k * (1 + (k / _SLOWEST_WAVENUMBER) ** 2))
    long_waves = 6e-3 * math.sqrt(age) * (wind / age) * enhancement * np.exp(-age / math.sqrt(10) * (from_peak - 1))
    roughness = 3.7e-5 * wind**2 / GRAVITY * age**0.9  # m (equation 66)
    friction = 0.41 * wind / math.log(10 / roughness) / _SLOWEST  # of the wind, over the slowest waves' speed
    alpha = 1e-2 * max(0.0, 1 + (1 if friction <= 1 else 3) * math.log(friction))
    short_waves = alpha * _SLOWEST * np.exp(-0.25 * (k / _SLOWEST_WAVENUMBER - 1) ** 2)
    return 0.5 * cut_off * (long_waves + short_waves) / speed * k**-3


def _inverse_wave_age(wind: float, fetch: float) -> float:
    return 0.84 * math.tanh((GRAVITY * fetch / wind**2 / 2.2e4) ** 0.4) ** -0.75


def phillips(kx: ArrayLike, kz: ArrayLike, wind: float, wind_direction: float) -> Array:
    """Phillips' spectrum as in Tessendorf (2001, equation 40) with amplitude 1, without a scale.

    exp(-1/(k l)²) / k⁴ |cos(theta)|² with l = U²/g and theta from the wind's direction; 0 at k = 0 and, unlike the
    original, against the wind.
    """
    kx, kz = np.asarray(kx, dtype=np.float64), np.asarray(kz, dtype=np.float64)
    k_squared = kx**2 + kz**2
    safe = np.where(k_squared > 0, k_squared, 1.0)
    along = kx * math.cos(wind_direction) + kz * math.sin(wind_direction)
    longest = wind**2 / GRAVITY
    return np.where(k_squared > 0, np.exp(-1 / (safe * longest**2)) / safe**3 * np.maximum(along, 0) ** 2, 0.0)


def longuet_higgins(theta: ArrayLike, exponent: ArrayLike) -> Array:
    """Q(s) |cos(theta/2)|^(2s), Q = Gamma(s+1) / (2 sqrt(pi) Gamma(s+1/2)) (Longuet-Higgins et al. 1963)."""
    theta, s = np.asarray(theta, dtype=np.float64), np.asarray(exponent, dtype=np.float64)
    log_q = log_gamma(s + 1) - log_gamma(s + 0.5) - math.log(2 * math.sqrt(math.pi))
    return np.exp(log_q + 2 * s * np.log(np.maximum(np.abs(np.cos(theta / 2)), 1e-300)))


def mitsuyasu_exponent(frequency: ArrayLike, peak: float, wind: float) -> Array:
    """s of `longuet_higgins` after Mitsuyasu et al. (1975): 11.5 (wp U/g)^-2.5 at the peak, less on both sides."""
    x = np.asarray(frequency, dtype=np.float64) / peak
    at_peak = 11.5 * (peak * wind / GRAVITY) ** -2.5
    return at_peak * np.where(x <= 1, np.minimum(x, 1) ** 5, np.maximum(x, 1) ** -2.5)


def hasselmann_exponent(frequency: ArrayLike, peak: float, wind: float) -> Array:
    """s of `longuet_higgins` after Hasselmann, Dunckel and Ewing (1980)."""
    x = np.asarray(frequency, dtype=np.float64) / peak
    falling = -2.33 - 1.45 * (wind * peak / GRAVITY - 1.17)
    return np.where(x <= 1, 6.97 * np.minimum(x, 1) ** 4.06, 9.77 * np.maximum(x, 1) ** falling)


def exponent_of_spread(spread: float) -> float:
    """s of `longuet_higgins` for a spread in rad: 2 / spread² - 1, as buoys define it (Kuik et al. 1988)."""
    return 2 / spread**2 - 1


def swell_exponent(frequency: ArrayLike, peak: float, swell: float) -> Array:
    """What swell in [0, 1] adds to s: 16.1 tanh(wp/w) swell² (Horvath 2015). Long waves get long crests."""
    return 16.1 * np.tanh(peak / np.asarray(frequency, dtype=np.float64)) * swell**2


def donelan_banner(theta: ArrayLike, frequency: ArrayLike, peak: float) -> Array:
    """b sech²(b theta) / (2 tanh(b pi)), theta in [-pi, pi] (Donelan et al. 1985, with Banner's 1990 tail)."""
    theta = np.asarray(theta, dtype=np.float64)
    x = np.asarray(frequency, dtype=np.float64) / peak
    tail = 10 ** (-0.4 + 0.8393 * np.exp(-0.567 * np.log(np.maximum(x, 1.6) ** 2)))
    b = np.where(x < 0.95, 2.61 * x**1.3, np.where(x < 1.6, 2.28 * x**-1.3, tail))
    return b / np.cosh(np.minimum(b * np.abs(theta), 300)) ** 2 / (2 * np.tanh(b * math.pi))


def cosine_squared(theta: ArrayLike) -> Array:
    """(2/pi) cos² theta with the wind, nothing against it; theta in [-pi, pi]."""
    theta = np.asarray(theta, dtype=np.float64)
    return np.where(np.abs(theta) < math.pi / 2, 2 / math.pi * np.cos(theta) ** 2, 0.0)


def wrapped(angle: ArrayLike) -> Array:
    """The same angle in [-pi, pi)."""
    return (np.asarray(angle, dtype=np.float64) + math.pi) % (2 * math.pi) - math.pi


def log_gamma(x: ArrayLike) -> Array:
    """Logarithm of the gamma function for x above 0, which numpy lacks.

    Stirling's series at x + 8 (Abramowitz and Stegun 6.1.41), right to 1e-11 with four terms, and the recurrence back.
    """
    x = np.asarray(x, dtype=np.float64)
    shifted, inverse = x + 8, 1 / (x + 8)
    product = math.prod(x + step for step in range(8))
    series = inverse * (1 / 12 - inverse**2 * (1 / 360 - inverse**2 * (1 / 1260 - inverse**2 / 1680)))
    return (shifted - 0.5) * np.log(shifted) - shifted + 0.5 * math.log(2 * math.pi) + series - np.log(product)
