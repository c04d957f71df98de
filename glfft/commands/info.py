"""`glfft info`: all that a bug report needs, and whether the transforms are right on this device."""

import argparse

from glfft.commands.arguments import add_device, headless_context
from glfft.errors import GlfftError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_device(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print the report; ContextError without OpenGL, after the versions, and GlfftError if a transform is wrong."""
    from glfft.apps import system_report

    print(system_report.versions())
    with headless_context(arguments.device) as ctx:
        print(system_report.device(ctx))
        table, wrong = system_report.self_checks(ctx)
        print(f"{table}\n{system_report.study()}")
    if wrong:
        said = f"The self-check failed for {', '.join(wrong)}; report it with this output, and use another algorithm."
        raise GlfftError(said)
