"""The program ``blazon`` as a driver calls it: what a run is, a block of it, what is there, what it comes to."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path


class ProgramError(RuntimeError):
    """``blazon`` has failed; the text is what it said."""


def call(program: str, words: list[str], *, codes: tuple[int, ...] = (0,)) -> str:
    """What the program writes, if it ends with one of these exit codes.

    Raises:
        ProgramError: if it ends with another, with what it said.
    """
    try:
        ran = subprocess.run([program, *words, "--color", "never"], capture_output=True, text=True)
    except OSError as error:
        raise ProgramError(
            f"`{program}` cannot be started ({error.strerror}): install Blazon on every machine, or name it (program=…)"
        ) from error
    if ran.returncode not in codes:
        raise ProgramError(f"blazon {' '.join(words)}\n{ran.stderr.strip() or ran.stdout.strip()}")
    return ran.stdout


@dataclass(frozen=True)
class Run:
    """A run: its key, its command (``simulate``, ``compare``, ``ladder``), what it counts (games or pairs), how many there
    are, and what the ends of blocks are multiples of."""

    words: tuple[str, ...]
    key: str
    what: str
    counts: str
    of: int
    step: int

    @staticmethod
    def of_words(program: str, words: list[str]) -> Run:
        """The run of a command, given as its words: ``["simulate", "my-game", "-n", "100000", "--seed", "7"]``."""
        told = json.loads(call(program, [*words, "--describe"]))
        return Run(tuple(words), told["key"], told["what"], told["counts"], told["of"], told["step"])

    def file_name(self, first: int, count: int) -> str:
        """The name of a part."""
        return f"{self.key}-{first:012}-{count}.part"


def play(program: str, run: Run, first: int, count: int, folder: Path) -> tuple[Path, float]:
    """Plays a block on one thread; the file of its part and the seconds that it took.

    Raises:
        ProgramError: if it cannot be played.
    """
    block = ["-j", "1", "--from", str(first), "--count", str(count), "--parts", str(folder), "--json"]
    told = json.loads(call(program, [*run.words, *block]))
    return folder / Path(told["part"]).name, told["seconds"]


def look(program: str, run: Run, parts: Path) -> dict:
    """What is there of a run: ``parts``, ``missing`` (first and count), ``differs``, as the manifest tells it.

    Raises:
        ProgramError: if the folder holds something else.
    """
    nothing = {"parts": [], "missing": [[0, run.of]], "differs": []}
    if not any(parts.glob(f"{run.key}-*.part")):
        return nothing
    # Where something is missing, or all is damaged, it ends with 1 or 2; the manifest is written before. 3 is a folder that
    # cannot be read, or a manifest of something else.
    call(program, ["merge", str(parts), "--run", run.key, "--look"], codes=(0, 1, 2))
    manifest = json.loads((parts / "manifest.json").read_text())
    return next((there for there in manifest["runs"] if there["key"] == run.key), nothing)


def figures(program: str, run: Run, parts: Path, *more: str) -> dict:
    """What the parts come to by now, as ``blazon merge --json`` tells it.

    Raises:
        ProgramError: if they do not go together.
    """
    merge = ["merge", str(parts), "--run", run.key, "--so-far", "--json", *more]
    # Games that did not come to an end make it 1, and are told all the same; so do parts that differ, and nothing is told.
    told = call(program, merge, codes=(0, 1))
    return json.loads(told) if told.strip() else json.loads(call(program, merge))
