#!/bin/bash
# A run in blocks as a Slurm array: each task plays the block of its number. The folder lies where all nodes see it.
#
#   sbatch --array=0-49 slurm.sh parts 2000 simulate my-game -n 100000 --seed 7 --tables games
#
# After a failure submit it again, all of it or the numbers that failed: blocks that are there are not played again.
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --time=00:10:00
#SBATCH --requeue
set -euo pipefail
parts=$1 block=$2
shift 2
exec "${BLAZON:-blazon}" "$@" -j 1 --from $((SLURM_ARRAY_TASK_ID * block)) --count "$block" --parts "$parts"
