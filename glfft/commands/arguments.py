"""Command-line options that several subcommands share, and types for argparse whose messages make sense to users."""

from __future__ import annotations

import argparse
from collections.abc import Callable

DEFAULT_SIZES = "256,512,1024"


def add_sizes(parser: argparse.ArgumentParser, left_out: str) -> None:
    """`--sizes LIST`: shapes to transform, None where it is left out, which `left_out` says the meaning of."""
    parser.add_argument(
        "--sizes",
        type=shapes,
        metavar="LIST",
        help=f"256 means 256x256, 512x1024 means 512 rows of 1024 columns; separated by commas ({left_out})",
    )


def add_device(parser: argparse.ArgumentParser) -> None:
    """`--device N`: which GPU to take."""
    parser.add_argument(
        "--device",
        type=whole_number(least=0),
        metavar="N",
        help="index of the EGL device, counted from 0 (the driver's choice if left out)",
    )


def whole_number(least: int) -> Callable[[str], int]:
    """A type for argparse: a whole number, `least` or more."""

    def parse(text: str) -> int:
        number = int(text) if text.lstrip("+-").isdecimal() else None
        if number is None or number < least:
            raise argparse.ArgumentTypeError(f"'{text}' must be a whole number, {least} or more")
        return number

    return parse


def integer(text: str) -> int:
    """A type for argparse: a whole number, whose range whoever takes it may check."""
    if not text.lstrip("+-").isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' must be a whole number")
    return int(text)


def number(text: str) -> float:
    """A type for argparse: a number, infinity and NaN included, which whoever takes it may refuse."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' must be a number") from None


def resolution(least: int, most: int) -> Callable[[str], tuple[int, int]]:
    """A type for argparse: '1280x720' as (1280, 720), width and height, each from `least` to `most` pixels."""

    def parse(text: str) -> tuple[int, int]:
        width, _, height = text.lower().partition("x")
        if not (width.isdecimal() and height.isdecimal()):
            raise argparse.ArgumentTypeError(f"'{text}' must be two numbers of pixels, such as 1280x720")
        size = int(width), int(height)
        if not all(least <= side <= most for side in size):
            raise argparse.ArgumentTypeError(f"'{text}' must have {least} to {most} pixels each way")
        return size

    return parse


def names(text: str) -> list[str]:
    """A type for argparse: names separated by commas."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise argparse.ArgumentTypeError("it is empty; give one name, or several separated by commas")
    return found


def shapes(text: str) -> list[tuple[int, int]]:
    """A type for argparse: '256,512x1024' as [(256, 256), (512, 1024)]."""
    found = []
    for word in names(text):
        rows, cross, columns = word.lower().partition("x")
        lengths = (rows, columns) if cross else (rows, rows)
        if not all(length.isdecimal() for length in lengths):
            raise argparse.ArgumentTypeError(f"'{word}' must be a size such as 256 or 512x1024 (rows x columns)")
        found.append((int(lengths[0]), int(lengths[1])))
    return found
