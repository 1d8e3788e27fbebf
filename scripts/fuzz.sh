#!/usr/bin/env bash
# Builds the fuzz preset and runs every target in turn: scripts/fuzz.sh [seconds each, default 60]
# Installs what that needs first (scripts/setup.sh).
# Corpora grow under build/fuzz-corpus; an input that breaks a promise stays in build/fuzz-findings.
set -euo pipefail

seconds=${1:-60}
cd "$(dirname "$0")/.."
scripts/setup.sh --for fuzz
cmake --preset fuzz
cmake --build build/fuzz

for program in build/fuzz/tests/fuzz/fuzz_*; do
    [[ -f $program && -x $program ]] || continue
    name=$(basename "$program")
    corpus=build/fuzz-corpus/$name
    seeds=tests/fuzz/corpus/$name
    mkdir -p "$corpus" build/fuzz-findings
    [[ -d $seeds ]] || seeds=$corpus
    echo "== $name, $seconds s"
    "$program" -max_total_time="$seconds" -max_len=20000 -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="build/fuzz-findings/$name-" \
        "$corpus" "$seeds"
done
echo "no target found anything"
