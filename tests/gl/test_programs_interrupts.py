"""Ctrl-C while a program is compiled: it comes through, but only once moderngl has made its objects."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest

from glfft.gl.programs import interrupts_held


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGUSR1])
def test_a_signal_waits_for_the_end_of_the_block(number: signal.Signals) -> None:
    def stop(number: int, _frame: object) -> None:
        raise SystemExit(number)

    @interrupts_held()
    def work() -> None:
        signal.raise_signal(number)
        done.append("the rest")

    before = signal.signal(number, stop)
    done = []
    try:
        with pytest.raises(SystemExit) as caught:
            work()
        assert caught.value.code == number
        assert done == ["the rest"]
        assert signal.getsignal(number) is stop
    finally:
        signal.signal(number, before)


def test_handlers_are_left_alone_in_other_threads_and_where_there_are_none() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts_held():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        worker = threading.Thread(target=interrupts_held().__enter__)
        worker.start()
        worker.join()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


# moderngl calls this Python function for each uniform, and crashes where it raises.
INTERRUPTED = """
import signal
import _moderngl, glfft
ctx = glfft.open_context()
make_uniform = _moderngl.make_uniform
def interrupted(*given):
    signal.raise_signal(signal.SIGINT)
    return make_uniform(*given)
_moderngl.make_uniform = interrupted
try:
    glfft.Plan(ctx, (8, 8))
except KeyboardInterrupt:
    print("interrupted")
_moderngl.make_uniform = make_uniform
print(glfft.fft([1, 1]).real)
"""


def test_ctrl_c_while_a_program_is_made_is_an_interrupt_and_no_crash() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "interrupted\n[2. 0.]\n"), done.stderr
