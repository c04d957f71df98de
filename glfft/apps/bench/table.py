"""What a benchmark found, as tables for people."""

import math
from collections.abc import Sequence

from glfft.apps.bench.contender import IN_PLACE, OUT_OF_PLACE, Measured
from glfft.apps.bench.frames import FINISH_EACH, FREE_RUNNING, GLFFT
from glfft.apps.bench.results import Report, Result, Summary, Verdict
from glfft.apps.bench.suite import Group

_NOTHING = "-"


def render(report: Report) -> str:
    """The report as text."""
    lines = [report.device]
    if report.setup.get("suite"):
        lines.append(f"Suite: {report.setup['suite']}.")
    if report.results:
        timer = report.results[0].measured.best.timer
        fewest = min(result.measured.best.samples for result in report.results)
        most = max(result.measured.best.samples for result in report.results)
        samples = f"{most}" if fewest == most else f"{fewest} to {most}"
        lines.append(f"Forward transforms of random numbers: medians of {samples} samples by {timer}, in microseconds.")
        peers = list(dict.fromkeys(name for result in report.results for name in result.peers))
        lines += [f"{name}: {text}" for name, text in report.setup["peers"].items()]
        lines += ["", *_table(_times(report, peers))]
        lines += ["", *_table(_setups(report.results))]
        frames = list(dict.fromkeys(name for result in report.results for name in result.frames))
        if frames:
            lines += ["", "Frame times: one texture transformed into another, microseconds of wall time."]
            lines += ["", *_table(_frames(report.results, frames))]
        lines += ["", *_legend(peers, frames)]
        if any(result.measured.snr_db is None for result in report.results):
            lines.append("Results without dB were not compared with float64; --check compares all.")
    for summary in report.summaries if report.setup.get("suite") else ():
        lines += ["", *_summary(summary), ""]
    lines += [_mark(verdict) for verdict in report.verdicts]
    return "\n".join(lines + [f"Skipped: {sentence}" for sentence in report.skipped])


def _times(report: Report, peers: Sequence[str]) -> list[list[str]]:
    rows = [["case", "algorithm", "out of place", "in place", "quartiles", "GFLOP/s", "GB/s", "of copy", "dB"]]
    for peer in peers:
        rows[0] += [f"{peer} us", f"x {peer}"]
    if report.groups:
        rows[0].append("target")
    for result in report.results:
        snr_db = result.measured.snr_db
        row = [
            result.case.title,
            result.algorithm,
            _way(result.measured, OUT_OF_PLACE),
            _way(result.measured, IN_PLACE),
            " to ".join(three_digits(quartile) for quartile in result.measured.best.quartiles),
            three_digits(result.gflops),
            _digits_of(result.gbytes_per_s),
            _NOTHING if result.copy_share is None else f"{result.copy_share:.0%}",
            _NOTHING if snr_db is None else f"{snr_db:.1f}" + ("" if result.right else " WRONG"),
        ]
        for peer in peers:
            ratio = result.ratio(peer)
            time = three_digits(result.peers[peer].best.microseconds) if peer in result.peers else _NOTHING
            row += [time, _NOTHING if ratio is None else f"{ratio:.2f}"]
        if report.groups:
            row.append(_mark_of(result, report.groups))
        rows.append(row)
    return rows


def _setups(results: Sequence[Result]) -> list[list[str]]:
    rows = [["case", "algorithm", "first plan, ms", "the next, ms", "Python, us a call"]]
    for each in results:
        times = (each.setup.first_ms, each.setup.cached_ms, each.python_us)
        rows.append([each.case.title, each.algorithm, *map(_digits_of, times)])
    return rows


def _frames(results: Sequence[Result], names: Sequence[str]) -> list[list[str]]:
    rows = [["case", "algorithm"]]
    for name in names:
        rows[0] += [name, "finish each"] + ([] if name == GLFFT else ["x frame"])
    for result in results:
        if not result.frames:
            continue
        row = [result.case.title, result.algorithm]
        for name in names:
            measured, ratio = result.frames.get(name), result.frame_ratio(name)
            if measured is None:
                row += [_NOTHING] * (2 if name == GLFFT else 3)
                continue
            wrong = "" if result.is_right(measured) else " WRONG"
            row += [_way(measured, FREE_RUNNING) + wrong, _way(measured, FINISH_EACH)]
            if name != GLFFT:
                row.append(_digits_of(ratio))
        rows.append(row)
    return rows


def _summary(summary: Summary) -> list[str]:
    rows = [["kind", "algorithm", "cases", "geometric mean", "above 1", "least", "least of 7-smooth"]]
    for each in summary.kinds:
        figures = (each.mean, min(each.ratios), each.least_smooth)
        mean, least, least_smooth = (_NOTHING if figure is None else f"{figure:.2f}" for figure in figures)
        share = f"{each.share_above_one:.0%}"
        rows.append([each.kind, each.algorithm, str(len(each.ratios)), mean, share, least, least_smooth])
    worst = ", ".join(f"{title} {ratio:.2f}" for title, _, ratio in summary.worst)
    return [f"{summary.peer}'s time divided by glfft's:", *_table(rows), f"Lowest: {worst}."]


def _legend(peers: Sequence[str], frames: Sequence[str]) -> list[str]:
    lines = [
        "'of copy' is the time of one plain copy of the textures for each pass, divided by the transform's time.",
        "'first plan' is the time to make a plan and run it once, with compiling; 'the next' needs no compiling.",
    ]
    if peers:
        lines.append(
            "'x NAME' is that library's time divided by glfft's, each the faster of out of place and in place: above "
            "1, glfft is faster."
        )
    if frames:
        lines += [
            "A frame time is the time of many frames queued one after the other, with one finish at the end, divided "
            "by their number; for 'finish each', the program waits for each frame.",
            "'x frame' is the frame time in the columns before it, free-running, divided by glfft's: above 1, glfft is "
            "faster.",
        ]
    return lines


def _digits_of(value: float | None) -> str:
    return _NOTHING if value is None else three_digits(value)


def _way(measured: Measured, way: str) -> str:
    return three_digits(measured.ways[way].microseconds) if way in measured.ways else _NOTHING


def _mark_of(result: Result, groups: Sequence[Group]) -> str:
    found = []
    for group in groups:
        ratio = result.ratio(group.against)
        mark = group.everywhere or group.somewhere
        if result.case in group.cases and ratio is not None and mark is not None:
            found.append(f"x {group.against} >= {mark:.1f} {'met' if ratio >= mark else 'missed'}")
    return ", ".join(found) or _NOTHING


def _mark(verdict: Verdict) -> str:
    group = verdict.group
    wanted = []
    if group.everywhere is not None:
        wanted.append(f"{group.everywhere:.1f} in all")
    if group.somewhere is not None:
        wanted.append(f"{group.somewhere:.1f} in {group.times}")
    reached = " ".join(f"{ratio:.2f}" for ratio in verdict.ratios) or "nothing measured"
    verdict_text = {True: "met", False: "missed", None: "open, cases are missing"}[verdict.met]
    return f"Target, {group.title}: x {group.against} at least {' and '.join(wanted)}: {reached}: {verdict_text}."


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def three_digits(value: float) -> str:
    """Three significant digits at least, without an exponent."""
    decimals = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{value:.{decimals}f}"
