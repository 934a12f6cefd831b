#!/usr/bin/env bash
# A run in blocks on the cores of this machine, with GNU parallel. Call it again after whatever has stopped it: blocks that
# are there are not played again.
#
#   parallel.sh PARTS BLOCK TOTAL WORDS…
#   parallel.sh parts 2000 100000 simulate my-game -n 100000 --seed 7 --tables games
#
# With --sshlogin parallel hands the blocks to other machines; the folder of the parts must be shared by all then.
set -euo pipefail
parts=$1 block=$2 total=$3
shift 3
seq 0 "$block" $((total - 1)) |
  parallel --quote --halt now,fail=1 --retries 3 \
    "${BLAZON:-blazon}" "$@" -j 1 --from {} --count "$block" --parts "$parts"
