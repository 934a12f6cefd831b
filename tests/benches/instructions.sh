#!/usr/bin/env bash
# Counts the instructions of each piece of work of the benchmarks: the same on a loaded machine and an idle one. At the
# end stands what the rules take beside the same question by hand, for the game of which there is a program by hand.
# Needs valgrind (Debian: apt-get install valgrind). Usage: tests/benches/instructions.sh [PART-OF-A-NAME]
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 3; }
build=$(cargo bench --package blazon-tests --bench instructions --no-run 2>&1) || { echo "$build" >&2; exit 1; }
program=$(sed -n 's/.*Executable .*(\(.*\))$/\1/p' <<<"$build")
declare -A counts
printf '%15s %15s  %s\n' instructions 'of a decision' work
while IFS=$'\t' read -r decisions name; do
  told=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*measured*' \
    "$program" "$name" 2>&1) || { echo "$told" >&2; exit 1; }
  count=$(sed -n 's/.*Collected : *//p' <<<"$told")
  counts[$name]=$count
  each=""
  [ "$decisions" -gt 0 ] && each=$((count / decisions))
  printf '%15s %15s  %s\n' "$count" "$each" "$name"
done < <("$program" --list | grep --fixed-strings -- "${1:-}")

for game in richard-iii lionheart; do
  rules=${counts[$game/orders/by the rules]:-} hand=${counts[$game/orders/by hand]:-}
  [ -n "$rules$hand" ] || continue
  printf '%s, orders: the rules take %s times what they take by hand\n' "$game" \
    "$((rules / hand)).$((rules * 10 / hand % 10))"
done
