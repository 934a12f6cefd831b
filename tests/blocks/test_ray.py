"""Runs on a Ray cluster of four workers on this machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import ray

from blazon_ray import Differs, ProgramError, play
from conftest import PROGRAM, ROOT, Whole, call


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=4, log_to_driver=False, include_dashboard=False)
    yield
    ray.shutdown()


def silent(line: str) -> None:
    pass


def test_the_same_as_one_process(whole: Whole, tmp_path: Path) -> None:
    done = play(whole.with_tables, tmp_path / "parts", block=250, twice=1.0, program=PROGRAM, tell=silent)
    assert (done.played, done.checked, done.there) == (12, 12, 0)
    whole.same(tmp_path / "parts", tmp_path / "merged")
    # Once more: all is there.
    again = play(whole.with_tables, tmp_path / "parts", program=PROGRAM, tell=silent)
    assert (again.played, again.there) == (0, whole.games)
    assert again.figures["players"] == done.figures["players"]


def test_blocks_are_made_as_long_as_is_good(whole: Whole, tmp_path: Path) -> None:
    done = play(whole.with_tables, tmp_path / "parts", program=PROGRAM, tell=silent)
    assert done.played >= 1
    whole.same(tmp_path / "parts", tmp_path / "merged")


def test_a_lost_worker_costs_its_block(tmp_path: Path) -> None:
    """One of the workers is killed by its id in the middle."""
    words = ["simulate", "richard-iii", "-n", "1200", "--seed", "3"]
    killed = []

    def kill() -> None:
        until = time.monotonic() + 20
        while time.monotonic() < until and not killed:
            found = subprocess.run(["pgrep", "-f", "^ray::_block"], capture_output=True, text=True)
            for pid in found.stdout.split():
                # One that plays: the program is its child.
                if subprocess.run(["pgrep", "-P", pid], capture_output=True).returncode == 0:
                    os.kill(int(pid), signal.SIGKILL)
                    killed.append(pid)
                    return
            time.sleep(0.02)

    thread = threading.Thread(target=kill)
    thread.start()
    done = play(words, tmp_path / "parts", block=100, twice=0.0, program=PROGRAM, tell=silent)
    thread.join()
    assert killed and done.played == 12
    assert done.figures["games"] == 1200
    one = json.loads(call(*words, "--json"))
    assert done.figures["players"] == one["players"] and done.figures["options"] == one["options"]


def test_a_driver_is_killed_and_started_again(whole: Whole, tmp_path: Path) -> None:
    script = "from blazon_ray import play; import sys; play(sys.argv[3:], sys.argv[2], block=50, program=sys.argv[1])"
    driver = subprocess.Popen(
        [sys.executable, "-c", script, PROGRAM, str(tmp_path / "parts"), *whole.with_tables], stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 60
    while len(list(tmp_path.glob("parts/*.part"))) < 3 and time.monotonic() < until:
        time.sleep(0.02)
    driver.kill()
    driver.wait()
    there = len(list(tmp_path.glob("parts/*.part")))
    assert 3 <= there < 60
    done = play(whole.with_tables, tmp_path / "parts", block=50, twice=0.0, program=PROGRAM, tell=silent)
    assert done.there == there * 50 and done.played == 60 - there
    whole.same(tmp_path / "parts", tmp_path / "merged")


def test_a_comparison_stops_when_it_is_sure(tmp_path: Path) -> None:
    words = ["compare", "richard-iii", "-V", "welsh-hills", "--levels", "random", "--seed", "11", "--blame", "5"]
    one = json.loads(call(*words, "--json"))
    pairs = one["levels"][0]["pairs"]
    assert pairs < 20_000
    done = play(words, tmp_path / "parts", block=64, twice=0.0, program=PROGRAM, tell=silent)
    assert done.sure and done.figures == one
    # What was handed out when it was sure is at most what is under way at a time.
    assert pairs // 64 <= done.played <= pairs // 64 + 6


#: A program that does something else at its second block: one number in its part is another.
WRONG = """#!{python}
import json, pathlib, subprocess, sys
words = sys.argv[1:]
ran = subprocess.run([{program!r}, *words], capture_output=True)
mark = pathlib.Path({mark!r})
if "--parts" in words and ran.returncode == 0:
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        path = json.loads(ran.stdout)["part"]
        head, body = pathlib.Path(path).read_bytes().split(b"\\n", 1)
        told = json.loads(head)
        body = body.replace(b'"over":', b'"over":1', 1)
        told["sections"][0]["bytes"] += 1
        pathlib.Path(path).write_bytes(json.dumps(told).encode() + b"\\n" + body)
sys.stdout.buffer.write(ran.stdout)
sys.stderr.buffer.write(ran.stderr)
sys.exit(ran.returncode)
"""


def wrong(folder: Path, text: str) -> str:
    path = folder / "wrong"
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_a_planted_difference_is_found(tmp_path: Path) -> None:
    """The second worker sends another part for the same block."""
    text = WRONG.format(python=sys.executable, program=PROGRAM, mark=str(tmp_path / "mark"))
    words = ["simulate", "salt-road", "-n", "100", "--seed", "7"]
    with pytest.raises(Differs, match="is not the same on .*process .* and on .*process") as found:
        play(words, tmp_path / "parts", block=100, twice=1.0, program=wrong(tmp_path, text), tell=silent)
    assert "node" in str(found.value)
    assert len(list(tmp_path.glob("parts/*.differs"))) == 1


def test_a_worker_with_other_rules_is_found(tmp_path: Path) -> None:
    """One call in the middle reads another folder of rules."""
    game = tmp_path / "game"
    subprocess.run(["cp", "-r", str(ROOT / "rules/salt-road"), str(game)], check=True)
    other = tmp_path / "other"
    subprocess.run(["cp", "-r", str(game), str(other)], check=True)
    page = next(page for page in sorted(other.glob("*.blazon")) if "option " in page.read_text())
    page.write_text(page.read_text() + "\nrule unused: number = 1\n")
    text = f"""#!/bin/sh
case "$*" in *"--from 200 "*) exec {PROGRAM} $(echo "$@" | sed 's|{game}|{other}|');; esac
exec {PROGRAM} "$@"
"""
    words = ["simulate", str(game), "-n", "400", "--seed", "7"]
    with pytest.raises(Differs, match="plays another run.*are its rules the same"):
        play(words, tmp_path / "parts", block=100, twice=0.0, program=wrong(tmp_path, text), tell=silent)


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="cannot be started"):
        play(["simulate"], tmp_path, program="/no/blazon")
    with pytest.raises(ProgramError, match="--seed"):
        play(["simulate", "salt-road"], tmp_path, program=PROGRAM)
    with pytest.raises(ProgramError, match="no game"):
        play(["simulate", "chess", "--seed", "1"], tmp_path, program=PROGRAM)
    with pytest.raises(ProgramError, match="one level"):
        play(["compare", "richard-iii", "-V", "long-war", "--seed", "1"], tmp_path, program=PROGRAM)
