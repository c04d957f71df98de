"""The search in another process, for GPUs: a driver's compiler holds up all threads of the process that it is in."""

import warnings

from glfft.tuning.report import TunedPass
from glfft.tuning.worker import Worker
from glfft.tuning.worker_main import SearchJob, SearchProgress


class RemoteSearch:
    """Gives a worker process a budget in each step, and takes what it finds; has the methods of `LocalSearch`."""

    def __init__(self, job: SearchJob) -> None:
        self._worker = Worker(job)
        self._left = len(job.requests)
        self._found: list[TunedPass] = []
        self.share_done = 0.0  # to 1

    @property
    def lost(self) -> bool:
        """Whether there is no worker process, or no longer."""
        return self._worker.lost

    @property
    def done(self) -> bool:
        """Whether all requests have been searched."""
        return not self._left

    def step(self, budget_ms: float) -> None:
        """Take what has come, and let the worker go on for as long as the budget.

        Raises:
            ContextError, TimingError: what the worker process has raised.
        """
        progress: SearchProgress
        for progress in self._worker.answers():
            self.share_done = max(self.share_done, progress.share)
            self._found += progress.found
            self._left -= len(progress.found)
            if self.done:
                self.release()
            for message in progress.warnings:
                warnings.warn(message, stacklevel=3)
            if progress.error is not None:
                raise progress.error
        if not self.done and not self._worker.busy:
            self._worker.ask(budget_ms)

    def take_found(self) -> tuple[TunedPass, ...]:
        """What was found since this was last asked."""
        found = tuple(self._found)
        self._found.clear()
        return found

    def release(self) -> None:
        """End the worker process."""
        self._worker.release()
