#!/usr/bin/env bash
# Counts the instructions of each piece of work of the benchmarks: the same on a loaded machine and an idle one.
# Needs valgrind (Debian: apt-get install valgrind). Usage: tests/benches/instructions.sh [PART-OF-A-NAME]
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 3; }
build=$(cargo bench --package blazon-tests --bench instructions --no-run 2>&1) || { echo "$build" >&2; exit 1; }
program=$(sed -n 's/.*Executable .*(\(.*\))$/\1/p' <<<"$build")
printf '%15s %15s  %s\n' instructions 'of a decision' work
"$program" --list | grep --fixed-strings -- "${1:-}" | while IFS=$'\t' read -r decisions name; do
  told=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*measured*' \
    "$program" "$name" 2>&1) || { echo "$told" >&2; exit 1; }
  count=$(sed -n 's/.*Collected : *//p' <<<"$told")
  each=""
  [ "$decisions" -gt 0 ] && each=$((count / decisions))
  printf '%15s %15s  %s\n' "$count" "$each" "$name"
done
