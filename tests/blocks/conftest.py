"""What the tests of blocks share: the program, a run played by one process, and what is to be compared."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

PROGRAM = os.environ["BLAZON"]
ROOT = Path(__file__).parents[2]
TABLES = ["games.csv", "decisions.csv", "events.csv"]


def call(*words: object, code: int = 0) -> str:
    """What the program writes; it must end with this code."""
    ran = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    assert ran.returncode == code, f"{words}: {ran.returncode}\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def figures(text: str) -> dict:
    """What is told as JSON, but for time and threads."""
    told = json.loads(text)
    told.pop("seconds", None)
    told.pop("threads", None)
    return told


class Whole:
    """A run of `simulate` that one process has played."""

    def __init__(self, folder: Path, games: int) -> None:
        self.games = games
        self.words = ["simulate", "salt-road", "-n", str(games), "--seed", "7"]
        self.with_tables = [*self.words, "--tables", "games,decisions,events"]
        self.told = figures(call(*self.words, "--data", folder / "one", "--json"))
        self.folder = folder / "one"

    def same(self, parts: Path, into: Path) -> None:
        """The parts come to the same, and their tables are the same to the last byte."""
        assert figures(call("merge", parts, "--data", into, "--json")) == self.told
        for table in TABLES:
            assert (into / table).read_bytes() == (self.folder / table).read_bytes(), table


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return Whole(tmp_path_factory.mktemp("whole"), 3000)
