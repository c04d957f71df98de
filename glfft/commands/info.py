"""`glfft info`: all that a bug report needs, and whether the transforms are right on this device."""

import argparse
from typing import Any

from glfft.commands.arguments import add_device, headless_context
from glfft.errors import GlfftError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_device(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> int:
    """Print the report; ContextError without OpenGL, after the versions, and GlfftError if a transform is wrong."""
    import json

    from glfft.algorithms.registry import algorithm_names
    from glfft.apps import system_report

    report: dict[str, Any] = {"versions": system_report.versions()}
    show = (lambda text: None) if arguments.json else print
    show(system_report.versions_text(report["versions"]))
    try:
        with headless_context(arguments.device) as ctx:
            report |= system_report.describe_device(ctx)
            show(system_report.device_text(report))
            report["algorithms"] = system_report.check_algorithms(ctx)
            show(system_report.algorithms_text(report["algorithms"]))
            report["double"] = system_report.check_double(ctx)
            show(system_report.double_text(report["double"]))
            report["study"] = algorithm_names(study=True)
            show(system_report.study_text(report["study"]))
    except GlfftError as error:
        if arguments.json:
            print(json.dumps({**report, "error": str(error)}, indent=2))
        raise
    if arguments.json:
        print(json.dumps(report, indent=2))
    failed, report_it = "The self-check failed", "report it with this output, and use"
    wrong = [name for name, found in report["algorithms"].items() if not found["passed"]]
    if wrong:
        raise GlfftError(f"{failed} for {', '.join(wrong)}; {report_it} another algorithm.")
    if report["double"] is not None and not report["double"]["passed"]:
        raise GlfftError(f"{failed} in double precision; {report_it} single precision.")
    return 0
