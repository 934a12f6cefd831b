"""Runs of Blazon in blocks on a Ray cluster.

>>> from blazon_ray import play                                                         # doctest: +SKIP
>>> play(["simulate", "my-game", "-n", "100000", "--seed", "7"], "parts")               # doctest: +SKIP

A run is what a command of ``blazon`` plays: games of ``simulate``, pairs of ``compare``, pairs of ``ladder``. It is cut into
blocks of numbers, and each block is a task of Ray: it starts the program, and sends back the part that the block comes to.
The driver, this process, puts the parts into a folder. ``blazon merge`` reads that folder, now or later, here or elsewhere.

* A block that is there is not played again: a driver that was stopped is started again with the same words.
* A worker that is lost costs its block, which Ray hands to another.
* Some of the blocks are played twice, on different machines where there are several, and must be the same to the last byte.
* A comparison stops as soon as its test is sure, in the order of the pairs: at the same pair as on one machine.
"""

from __future__ import annotations

import hashlib
import os
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import ray

from .program import ProgramError, Run, figures, look, play as play_block

__all__ = ["Differs", "Outcome", "ProgramError", "play"]

#: Blocks are made so long, in seconds, that handing them out costs little and losing one costs little.
SECONDS = 10.0
#: How often it is told how far it is, in seconds.
TOLD = 5.0
#: It is looked whether a comparison is sure when there are so many times as many pairs as at the last look.
MORE = 1.1


class Differs(RuntimeError):
    """The same block is not the same on two workers, or a worker plays by other rules; the text names both."""


@dataclass(frozen=True)
class Worker:
    """Where a block was played."""

    host: str
    node: str
    pid: int

    def __str__(self) -> str:
        return f"{self.host} (node {self.node[:8]}, process {self.pid})"


@dataclass
class Outcome:
    """What was done."""

    #: The run: ``run.key``, ``run.of`` and what it counts.
    run: Run
    #: Blocks that were played now.
    played: int = 0
    #: Blocks that were played twice and were the same.
    checked: int = 0
    #: Numbers that were there before.
    there: int = 0
    #: Whether a comparison was sure before all its pairs were played.
    sure: bool = False
    #: Seconds of the workers in the program itself, all blocks together.
    busy: float = 0.0
    #: Seconds from beginning to end.
    seconds: float = 0.0
    #: What the parts come to, as ``blazon merge --json`` tells it.
    figures: dict = field(default_factory=dict)


@ray.remote(max_retries=3, num_cpus=1)
def _block(program: str, run: Run, first: int, count: int) -> tuple[bytes, float, Worker, str]:
    context = ray.get_runtime_context()
    worker = Worker(socket.gethostname(), context.get_node_id(), os.getpid())
    with tempfile.TemporaryDirectory() as folder:
        path, seconds = play_block(program, run, first, count, Path(folder))
        return path.read_bytes(), seconds, worker, path.name


def play(
    words: list[str],
    parts: str | Path,
    *,
    block: int | None = None,
    twice: float = 0.01,
    program: str = "blazon",
    tell: Callable[[str], None] | None = None,
) -> Outcome:
    """Plays a run on the cluster that Ray is connected to (or on this machine).

    Args:
        words: the command, without the program: ``["compare", "my-game", "-V", "mine", "--levels", "random", "--seed", "7"]``.
            It names a seed. Games and variants that are folders must lie at the same path on every machine (Ray's
            ``working_dir`` sees to that).
        parts: the folder for the parts, on the machine of the driver.
        block: how many games or pairs are one task; if not given, as many as take ten seconds.
        twice: the share of blocks that are played twice and held against each other, 0 to 1.
        program: the program, on the workers and here.
        tell: is told how far it is; if not given, lines to standard error. ``lambda line: None`` for silence.

    Returns:
        What was done, with the figures of the whole.

    Raises:
        ProgramError: if the program cannot be started, the words are wrong, or a block cannot be played.
        Differs: if a block is not the same on two workers, or a worker plays by other rules.
    """
    tell = tell or (lambda line: print(line, file=sys.stderr, flush=True))
    began = time.monotonic()
    run = Run.of_words(program, words)
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    folder = Path(parts)
    folder.mkdir(parents=True, exist_ok=True)
    driver = _Driver(run, folder, program, twice, tell)
    driver.play(block)
    outcome = driver.outcome
    outcome.figures = figures(program, run, folder)
    outcome.seconds = time.monotonic() - began
    return outcome


class _Driver:
    """Hands out blocks, and puts their parts away."""

    def __init__(self, run: Run, folder: Path, program: str, twice: float, tell: Callable[[str], None]) -> None:
        self.run, self.folder, self.program, self.twice, self.tell = run, folder, program, twice, tell
        self.outcome = Outcome(run)
        self.under_way: dict[ray.ObjectRef, tuple[int, int, bool]] = {}
        #: Of blocks that are played twice what came first, and from whom.
        self.first: dict[tuple[int, int], tuple[bytes, Worker]] = {}
        self.told = time.monotonic()

    def play(self, block: int | None) -> None:
        there = look(self.program, self.run, self.folder)
        if there["differs"]:
            raise Differs(f"parts in {self.folder} do not go together: {there['differs']}")
        self.looked = 0
        self.done = sorted((part["from"], part["count"]) for part in there["parts"])
        self.outcome.there = sum(count for _, count in self.done)
        missing = [(first, count) for first, count in there["missing"]]
        if self.is_sure():
            return
        if block is None and missing:
            block = self.measure(missing)
        elif block is not None:
            block = max(self.run.step, block // self.run.step * self.run.step)
        blocks = deque(_blocks(missing, block or self.run.step))
        # A few more than there are workers, so that none waits for the driver.
        width = int(ray.cluster_resources().get("CPU", 1)) + 2
        try:
            while (blocks or self.under_way) and not self.outcome.sure:
                while blocks and len(self.under_way) < width:
                    self.hand_out(*blocks.popleft())
                ready, _ = ray.wait(list(self.under_way), timeout=1.0)
                for ref in ready:
                    self.take(ref)
                self.show()
        finally:
            for ref in self.under_way:
                ray.cancel(ref, force=True)

    def measure(self, missing: list[tuple[int, int]]) -> int:
        """How many numbers take ten seconds: the first block is played to see."""
        first, count = missing[0]
        size = self.run.step
        while True:
            size = min(size, count)
            ref = _block.remote(self.program, self.run, first, size)
            self.under_way[ref] = (first, size, False)
            seconds = self.take(ref)
            first, count = first + size, count - size
            missing[0] = (first, count)
            if count == 0:
                missing.pop(0)
            if seconds > 1 or not missing or count == 0 or self.outcome.sure:
                blocks = SECONDS / max(seconds, 1e-3) * size / self.run.step
                return max(1, round(blocks)) * self.run.step
            size = min(size * 8, round(max(2.0, 2 / max(seconds, 0.01)) * size) // self.run.step * self.run.step)

    def hand_out(self, first: int, count: int) -> None:
        twice = self.is_checked(first)
        for _ in range(2 if twice else 1):
            # Where there are several machines, the two are on different ones if that can be.
            task = _block.options(scheduling_strategy="SPREAD") if twice else _block
            ref = task.remote(self.program, self.run, first, count)
            self.under_way[ref] = (first, count, twice)

    def is_checked(self, first: int) -> bool:
        """Whether a block is played twice: by lot, the same in every run."""
        lot = hashlib.sha256(f"{self.run.key} {first}".encode()).digest()
        return int.from_bytes(lot[:8], "big") < self.twice * 2**64

    def take(self, ref: ray.ObjectRef) -> float:
        """A block that has come back; its seconds."""
        first, count, twice = self.under_way.pop(ref)
        try:
            part, seconds, worker, name = ray.get(ref)
        except ray.exceptions.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, ProgramError) else None
            raise ProgramError(str(cause) if cause else str(error)) from error
        wanted = self.run.file_name(first, count)
        if name != wanted:
            raise Differs(f"{worker} plays another run: it sent {name}, wanted was {wanted}; are its rules the same?")
        self.outcome.busy += seconds
        if twice and (first, count) not in self.first:
            self.first[(first, count)] = (part, worker)
        elif twice:
            self.hold_against(wanted, self.first.pop((first, count)), (part, worker))
            self.outcome.checked += 1
            return seconds
        self.put(wanted, part)
        self.outcome.played += 1
        self.done.append((first, count))
        if self.run.what == "compare" and self.is_time_to_look():
            self.outcome.sure = self.is_sure()
        return seconds

    def hold_against(self, name: str, one: tuple[bytes, Worker], other: tuple[bytes, Worker]) -> None:
        if one[0] == other[0]:
            return
        self.put(name.removesuffix(".part") + ".differs", other[0])
        raise Differs(
            f"block {name} is not the same on {one[1]} and on {other[1]}; what the second sent stands beside it as "
            f"`.differs`. Do not believe either before you know which of the two is wrong."
        )

    def put(self, name: str, part: bytes) -> None:
        """Puts a file in its place, whole or not at all."""
        with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".", delete=False) as aside:
            aside.write(part)
            aside.flush()
            os.fsync(aside.fileno())
        os.chmod(aside.name, 0o644)
        os.replace(aside.name, self.folder / name)

    def is_time_to_look(self) -> bool:
        """Whether there is so much more up to the first gap that it is worth adding all up once more: each time takes as long as
        there are parts, and so all times together do not take the square of that."""
        prefix = _prefix(self.done)
        if prefix < self.run.of and prefix < self.looked * MORE:
            return False
        self.looked = prefix
        return True

    def is_sure(self) -> bool:
        """Whether a comparison is, by the pairs up to the first gap."""
        if self.run.what != "compare" or "--all" in self.run.words or _prefix(self.done) == 0:
            return False
        told = figures(self.program, self.run, self.folder, "--blame", "0")
        verdicts = [player["verdict"] for player in told["levels"][0]["players"]]
        self.outcome.sure = bool(verdicts) and all(verdict != "open" for verdict in verdicts)
        return self.outcome.sure

    def show(self) -> None:
        if time.monotonic() - self.told < TOLD:
            return
        self.told = time.monotonic()
        done = sum(count for _, count in self.done)
        line = f"{done:,} of {self.run.of:,} {self.run.counts}, {self.outcome.checked} blocks checked"
        self.tell(line + self.present())

    def present(self) -> str:
        """How it looks by now."""
        if not self.done or (self.run.what == "compare" and _prefix(self.done) == 0):
            return ""
        more = ("--blame", "0") if self.run.what == "compare" else ()
        told = figures(self.program, self.run, self.folder, *more)
        if self.run.what == "simulate":
            player = told["players"][0]
            least, most = player["interval"]
            return f"; {player['name']} {player['share']:.1%} ({least:.1%} to {most:.1%})"
        if self.run.what == "compare":
            player = told["levels"][0]["players"][0]
            least, most = player["interval"] or (-1, 1)
            points = f"{player['difference'] * 100:+.1f} points ({least * 100:+.1f} to {most * 100:+.1f})"
            return f"; {player['player']} {points}"
        return ""


def _prefix(done: list[tuple[int, int]]) -> int:
    """How many numbers are there from 0 on without a gap."""
    end = 0
    for first, count in sorted(done):
        if first != end:
            break
        end += count
    return end


def _blocks(missing: list[tuple[int, int]], block: int) -> Iterator[tuple[int, int]]:
    """What is missing, in blocks."""
    for first, count in missing:
        for begin in range(first, first + count, block):
            yield begin, min(block, first + count - begin)
