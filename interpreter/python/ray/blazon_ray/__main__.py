"""``blazon-ray --parts FOLDER -- simulate my-game -n 100000 --seed 7``: a run on a Ray cluster, from the shell."""

from __future__ import annotations

import argparse
import sys

import ray

from . import Differs, ProgramError, play


def main() -> int:
    """Plays a run; the exit code is 0, 1 if a block cannot be played or differs, 130 if it was interrupted."""
    parser = argparse.ArgumentParser(
        prog="blazon-ray",
        description="Play a run of blazon in blocks on a Ray cluster.",
        epilog="Afterwards: blazon merge FOLDER. Started again with the same words, it plays what is missing.",
    )
    parser.add_argument("--parts", required=True, metavar="FOLDER", help="where the parts are kept")
    parser.add_argument("--block", type=int, metavar="N", help="games or pairs of a task; else what takes ten seconds")
    parser.add_argument("--twice", type=float, default=0.01, metavar="SHARE", help="blocks played twice, 0 to 1 (0.01)")
    parser.add_argument("--program", default="blazon", metavar="PATH", help="the program, on every machine")
    parser.add_argument("--workers", type=int, metavar="N", help="on this machine alone, with so many workers")
    parser.add_argument("--address", metavar="ADDRESS", help="the cluster, as `ray.init` takes it")
    parser.add_argument("words", nargs="+", metavar="WORD", help="the command: simulate, compare or ladder, with a seed")
    args = parser.parse_args()
    ray.init(address=args.address, num_cpus=args.workers, log_to_driver=False, include_dashboard=False)
    try:
        done = play(args.words, args.parts, block=args.block, twice=args.twice, program=args.program)
    except (ProgramError, Differs) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; what was played is kept", file=sys.stderr)
        return 130
    sure = ", sure" if done.sure else ""
    print(
        f"{done.played} blocks played, {done.checked} of them twice and the same, {done.there:,} {done.run.counts} were "
        f"there{sure}; {done.seconds:.1f} s, {done.busy:.1f} s of it in the program on all workers together"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
