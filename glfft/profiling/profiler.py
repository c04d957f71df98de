"""The profiler: named, nested sections of a frame, timed on GPU and CPU without waiting for the GPU."""

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterator

import moderngl

from glfft.errors import ContextError, GlfftError, OptionError, ReleasedError, at_least_one, require, whole_number
from glfft.files import PathName, path_of, write_whole
from glfft.gl.context import functions_of, is_software
from glfft.gl.releasable import Owner
from glfft.gl.timed import UNTIMED, tell
from glfft.profiling import export, trace
from glfft.profiling.timeline import NS_PER_MS, Path, Recorder, Statistics, Timeline
from glfft.profiling.timing import GPU_TIMER, WALL_TIMER, GpuClock, WallClock
from glfft.profiling.trace import SOFTWARE, Alignment, Balance, ClockSample, Frame, SectionRun, Wait, balance_of

_FRAMES_TRACED = 1000  # a trace has at most so many frames: each run of a section takes some hundred bytes
_FRAMES_WEIGHED = 60
# Waits outside frames that are kept, and names of sections that have run: programs may make ever more.
_MOST_KEPT = 1000
_GL_DEBUG_SOURCE_APPLICATION = 0x824A
_LONGEST_GROUP_NAME = 200  # bytes; drivers allow at least a thousand


class Profiler(Owner):
    """Times named sections of each frame.

        profiler = glfft.Profiler(ctx)
        while drawing:
            with profiler.frame():
                with profiler.section("waves"):
                    plan.inverse(spectrum, field)
                with profiler.section("scene"):
                    ...

    On a GPU each section begins and ends with a GL_TIMESTAMP query. The results are read a few frames later, when they
    have arrived, so the profiler never waits. If `frames_in_flight` frames still wait for results, the whole next
    frame is left out and counted in `dropped`.

    A software renderer draws on the CPU, and its timestamps do not tell when a draw took place. There, each section
    begins and ends with `ctx.finish()`, and the wall clock is read. `timer` and everything that the profiler writes or
    shows name the clock that was used.

    Sections may be nested. At most one frame is open at a time. If a name is used twice inside the same parent, the
    times are added. CPU time is the time that the calling thread spends inside the section, without the waits that the
    profiler knows of (`wait`). A frame that ends with an exception is not recorded. Warm-up frames, in which a section
    runs for the first time or glfft compiles a program, are recorded, but left out of statistics. RenderDoc and Nsight
    show the section names (as GL debug groups).

    Args:
        ctx: the context whose commands are timed. It must be current when the profiler is used.
        history: how many frames to keep for statistics.
        frames_in_flight: how many frames may wait for their results at the same time.

    Raises OptionError where one of these is not a positive whole number, ContextError for contexts before OpenGL 4.3.
    """

    def __init__(self, ctx: moderngl.Context, history: int = 240, *, frames_in_flight: int = 8) -> None:
        history = at_least_one("history", history)
        self._frames_in_flight = at_least_one("frames_in_flight", frames_in_flight)
        super().__init__(ctx)
        self._software = is_software(ctx)
        self._clock = self._own(WallClock(ctx) if self._software else GpuClock(ctx))
        self._gl = functions_of(ctx)
        self._recorder = Recorder(history)
        self._traced: deque[Frame] = deque(maxlen=_FRAMES_TRACED)
        self._first_sample: ClockSample | None = None
        self._last_sample: ClockSample | None = None
        self._in_flight: deque[Frame] = deque()
        self._frame: Frame | None = None
        self._stack: list[_Section] = []
        self._waits: deque[Wait] = deque(maxlen=_MOST_KEPT)  # since the last frame
        self._has_run: set[Path] = set()
        self._last_start: int | None = None
        self._last_worked = self._number = self.dropped = self.cleared = 0
        self._to_do: list[Callable[[], object]] = []
        self.enabled = True
        tell(ctx, self)

    enabled: bool
    """If False, nothing is timed from the next frame on; sections then cost almost nothing and do not finish()."""
    dropped: int
    """Frames left out because too many earlier ones waited for their results."""
    cleared: int
    """How many times `clear` was called."""

    @property
    def timer(self) -> str:
        """The clock of section times: "gpu timestamps" or "wall (software renderer)"."""
        return WALL_TIMER if self._software else GPU_TIMER

    @property
    def device(self) -> str:
        """The renderer's name, as OpenGL gives it."""
        return str(self.ctx.info["GL_RENDERER"])

    @property
    def in_frame(self) -> bool:
        """Whether a frame is open."""
        return self._frame is not None

    @contextlib.contextmanager
    def frame(self) -> Iterator[None]:
        """One frame, as a context manager.

        On entering it raises GlfftError if a frame is open already, ReleasedError if the profiler or its context was
        released, NotCurrentError if its context is not the current one of the calling thread.
        """
        self._begin_frame()
        complete = False
        try:
            with _Section(self, "frame"):
                yield
            complete = True
        finally:
            frame, self._frame = self._frame, None
            if frame is not None and not frame.silent:
                frame.complete = complete
                self._in_flight.append(frame)
                self.collect()

    def section(self, name: str, moved: int = 0) -> contextlib.AbstractContextManager[None]:
        """A named section of the frame or of the open section, as a context manager.

        Reports and the overlay show its name, which is not empty and has no slash, for that joins nested names, else
        OptionError. The bytes moved, which it must read and write, let its speed be compared with that of a copy.
        Entering it raises GlfftError if no frame is open.
        """
        if not isinstance(name, str) or not name or "/" in name:
            raise OptionError(f"{name!r} cannot name a section; give a non-empty string without '/'.")
        return _Section(self, name, moved)

    @contextlib.contextmanager
    def wait(self, name: str) -> Iterator[None]:
        """A wait of the calling thread, in or between frames: "swap", "finish", "readback" or a name of your own.

        Traces show it, and `balance` does not count it as work. glfft's own windows, readbacks and compilers call it.
        """
        start, before = time.perf_counter_ns(), self._clock.waited
        try:
            yield
        finally:
            self._clock.waited = before  # waits within this one are part of it
            self.waited(name, start, time.perf_counter_ns())

    def waited(self, name: str, start: int, end: int) -> None:
        """Add a wait that is over, by time.perf_counter_ns."""
        waits = self._waits if self._frame is None else self._frame.waits
        if self.enabled if self._frame is None else not self._frame.silent:
            waits.append(Wait(name, start, end, self._stack[-1]._path if self._stack else None))
            if name != "compile":
                self._clock.waited += end - start

    def before_next_frame(self, call: Callable[[], object]) -> None:
        """Have something done once, between the frames, whose times do not count it."""
        require(callable(call), "call", call, "a function without arguments")
        self._to_do.append(call)

    def collect(self) -> None:
        """Read the results that have arrived, without waiting. Each frame does so at its end."""
        while self._in_flight and not self._released and self._state.check.is_current():
            frame = self._in_flight[0]
            # Queries of one target complete in order (OpenGL 4.3 core, section 4.2): asking the last one is enough.
            if frame.runs and not self._clock.ready(frame.runs[-1].end):
                return
            self._in_flight.popleft()
            self._take(frame)

    def drain(self) -> None:
        """Wait for the results of all frames, for example at the end of a run. Raises NotCurrentError or ReleasedError
        where a frame waits for results, and its context is not current or was released.
        """
        if self._in_flight and not self._released:
            self._state.check.require()
            self.ctx.finish()
            while self._in_flight:
                self._take(self._in_flight.popleft())

    def clear(self) -> None:
        """Forget the recorded frames, for example the first ones, in which shaders are compiled."""
        self.drain()
        self._recorder.clear()
        self._traced.clear()
        self.dropped = 0
        self.cleared += 1

    @property
    def recorded(self) -> int:
        """How many frames have been recorded since the start or `clear`, also those out of the history."""
        return self._recorder.count

    def timeline(self, *, depth: int | None = None, last: int | None = None) -> Timeline:
        """The recorded frames, oldest first, or the `last` of them; see `Timeline`. New results are read by `collect`
        only. Sections nested deeper than `depth` are left out: 1 keeps the outermost ones, None keeps all.
        """
        for option, count in (("depth", depth), ("last", last)):
            require(count is None or whole_number(count) is not None, option, count, "a whole number, or None")
        return self._recorder.timeline(depth, last)

    def statistics(self) -> Statistics:
        """Last value, mean, percentiles and maximum of each section over the recorded frames, in milliseconds."""
        self.collect()
        return self._recorder.statistics(timer=self.timer, device=self.device, dropped=self.dropped)

    def balance(self) -> Balance:
        """Whether the GPU or the CPU sets the pace, over the last 60 frames; see `Balance`."""
        if self._software:
            return Balance(SOFTWARE)
        self.collect()
        return balance_of(tuple(self._traced)[-_FRAMES_WEIGHED:], self._alignment())

    def to_json(self) -> str:
        """Statistics and recorded frames as JSON text; see `glfft.profiling.export.to_json`."""
        return export.to_json(self.statistics(), self.timeline())

    def save(self, path: PathName) -> None:
        """Wait for the results of all frames, and write the report. The suffix of `path` chooses JSON or CSV.

        A name that ends in .trace.json means Chrome's trace event format, which Perfetto opens, with the start and the
        end of each section in the last frames, 1000 at most, on CPU and GPU; see `glfft.profiling.trace`. Raises
        OptionError where the suffix is neither .json nor .csv, OutputError where the file cannot be written.
        """
        self.drain()
        name = os.fspath(path_of(path)).lower()
        if name.endswith(".trace.json"):
            clock = {"timer": self.timer, "device": self.device}
            text = trace.to_trace(self._traced, self._alignment(), **clock, finishes=self._software) + "\n"
        elif name.endswith(".json"):
            text = self.to_json() + "\n"
        elif name.endswith(".csv"):
            text = export.to_csv(self.statistics())
        else:
            raise OptionError(f"A profile is written as .json, .trace.json or .csv, not as '{path}'; change its name.")
        write_whole(path, text.encode(errors="backslashreplace"))  # names may come from anywhere

    def release(self) -> None:
        """Free the queries. Recorded frames can still be read; new frames raise ReleasedError."""
        if not self._released:
            with contextlib.suppress(ContextError, ReleasedError):
                self.drain()
            self._alignment()
            super().release()

    def _begin_frame(self) -> None:
        self._check_alive()
        if self._frame is not None:
            raise GlfftError("A frame is open already; leave its 'with profiler.frame()' before the next one.")
        self.collect()
        while self._to_do:
            self._to_do.pop(0)()
            self._last_start = None
        if self._first_sample is None and self.enabled:
            self._first_sample = self._clock.sample()
        now, worked = time.perf_counter_ns(), time.thread_time_ns()
        full = len(self._in_flight) >= self._frames_in_flight
        self.dropped += self.enabled and full
        since = None if self._last_start is None or not self.enabled else (now - self._last_start) / NS_PER_MS
        self._number += 1
        silent = full or not self.enabled
        self._frame = Frame(self._number, since, worked - self._last_worked, silent, waits=list(self._waits))
        self._waits.clear()
        self._last_start = now if self.enabled else None
        self._last_worked = worked

    def _take(self, frame: Frame) -> None:
        for run in frame.runs:
            run.start, run.end = self._clock.take(run.start), self._clock.take(run.end)
            run.end = max(run.start, run.end)
        if frame.complete:
            ran = {run.path for run in frame.runs}
            warm_up = not ran <= self._has_run or any(wait.name == "compile" for wait in frame.waits)
            if len(self._has_run) > _MOST_KEPT:
                self._has_run.clear()
            self._has_run |= ran
            self._recorder.record(frame, warm_up)
            self._traced.append(frame)

    def _alignment(self) -> Alignment:
        if not self._released and self._state.check.is_current():
            self._last_sample = self._clock.sample()
        first = self._first_sample or self._last_sample or ClockSample(0, 0, 0)
        return Alignment(first, self._last_sample or first)


@contextlib.contextmanager
def saved_at_end(profiler: Profiler | None, *paths: str | None) -> Iterator[None]:
    """Write a profiler's report to the paths that are given, as `Profiler.save` does, and print their names once the
    block ends, also by Ctrl-C or a signal, which then goes on. What fails in it leaves nothing to report.
    """
    stop: BaseException | None = None
    try:
        yield
    except (KeyboardInterrupt, SystemExit) as raised:
        stop = raised
    for path in paths:
        if profiler is not None and path:
            profiler.save(path)
            print(path)
    if stop is not None:
        raise stop


@contextlib.contextmanager
def traced(ctx: moderngl.Context, path: str | None) -> Iterator[Profiler | None]:
    """A profiler whose timeline is written as `saved_at_end` does it; None where the path is None."""
    with Profiler(ctx) if path else contextlib.nullcontext() as profiler, saved_at_end(profiler, path):
        yield profiler


def frame_of(profiler: Profiler | None) -> contextlib.AbstractContextManager[object]:
    """A frame of a profiler, if there is one."""
    return UNTIMED if profiler is None else profiler.frame()


class _Section:
    """The context manager of `section`; the whole frame is the section with an empty path."""

    __slots__ = ("_cpu_start", "_frame", "_moved", "_name", "_path", "_profiler", "_start", "_submitted", "_waited")

    def __init__(self, profiler: Profiler, name: str, moved: int = 0) -> None:
        self._profiler, self._name, self._moved = profiler, name, moved
        self._frame: Frame | None = None

    def __enter__(self) -> None:
        profiler = self._profiler
        frame = profiler._frame
        if frame is None:
            raise GlfftError(f"Section '{self._name}' is outside a frame; wrap it in 'with profiler.frame():'.")
        if self._frame is not None:
            raise GlfftError(f"Section '{self._name}' is open already; call profiler.section again for a new one.")
        self._frame = frame
        stack = profiler._stack
        self._path: Path = (*stack[-1]._path, self._name) if stack else ()
        if not frame.silent:
            # moderngl's debug_scope would raise for GL errors that a program made earlier.
            group = self._name.encode(errors="replace")[:_LONGEST_GROUP_NAME]
            profiler._gl.glPushDebugGroup(_GL_DEBUG_SOURCE_APPLICATION, 0, len(group), group)
            clock = profiler._clock
            self._submitted = time.perf_counter_ns()
            self._start = clock.mark()
            self._waited = clock.waited
            self._cpu_start = time.perf_counter_ns()
        stack.append(self)  # last: Ctrl-C before it leaves no section open

    def __exit__(self, *_: object) -> None:
        frame, self._frame = self._frame, None
        stack = self._profiler._stack
        if frame is None or not any(section is self for section in stack):
            return
        while stack[-1] is not self:
            # A generator that was not run to its end has left sections open: they end with the section round them.
            stack[-1].__exit__()
        stack.pop()
        if frame.silent:
            return
        cpu_end = time.perf_counter_ns()
        clock = self._profiler._clock
        cpu = cpu_end - self._cpu_start - (clock.waited - self._waited)
        end, after = clock.mark(), time.perf_counter_ns()
        times = self._submitted, self._cpu_start, cpu_end, cpu, self._start, end, after
        frame.runs.append(SectionRun(self._path, *times, self._moved))
        self._profiler._gl.glPopDebugGroup()
