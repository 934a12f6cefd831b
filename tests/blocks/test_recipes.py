"""The recipes, as far as one machine can try them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import yaml

from conftest import PROGRAM, ROOT, Whole, call

RECIPES = ROOT / "interpreter/study/recipes"


def run(*words: object, **environment: str) -> None:
    ran = subprocess.run(
        list(map(str, words)), env={**os.environ, "BLAZON": PROGRAM, **environment}, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_parallel(whole: Whole, tmp_path: Path) -> None:
    words = [RECIPES / "parallel.sh", tmp_path / "parts", 700, whole.games, *whole.with_tables]
    run(*words)
    whole.same(tmp_path / "parts", tmp_path / "merged")
    # Called again, it plays what is missing and nothing else.
    parts = sorted((tmp_path / "parts").glob("*.part"))
    assert len(parts) == 5
    kept = parts[1].stat().st_mtime_ns
    parts[0].unlink()
    run(*words)
    assert parts[0].exists() and parts[1].stat().st_mtime_ns == kept
    whole.same(tmp_path / "parts", tmp_path / "again")


def test_slurm(whole: Whole, tmp_path: Path) -> None:
    """The script of a task; Slurm itself gives the number."""
    for task in range(3):
        run(RECIPES / "slurm.sh", tmp_path / "parts", 1000, *whole.with_tables, SLURM_ARRAY_TASK_ID=str(task))
    whole.same(tmp_path / "parts", tmp_path / "merged")


def test_kubernetes(tmp_path: Path) -> None:
    """The job is one that Kubernetes takes, and its shell line plays the block of its number."""
    job = yaml.safe_load((RECIPES / "kubernetes.yaml").read_text())
    kubernetes_validate.validate(job, "1.29", strict=True)
    line = job["spec"]["template"]["spec"]["containers"][0]["args"][0]
    line = line.replace("/parts", str(tmp_path / "parts")).replace("exec blazon", f"exec {PROGRAM}")
    line = line.replace("* 2000", "* 20").replace("--count 2000", "--count 20").replace("-n 100000", "-n 60")
    for index in range(3):
        run("/bin/sh", "-c", line, JOB_COMPLETION_INDEX=str(index))
    assert "60 of 60 games in 3 parts" in call("merge", tmp_path / "parts", "--look")


def test_dask(whole: Whole, tmp_path: Path) -> None:
    run(sys.executable, RECIPES / "with_dask.py", tmp_path / "parts", 1000, whole.games, *whole.with_tables)
    whole.same(tmp_path / "parts", tmp_path / "merged")
