#!/usr/bin/env bash
# Builds the fuzz preset and runs its targets.
#   scripts/fuzz.sh [SECONDS]                                       every target, one after the other (default 60 s each)
#   scripts/fuzz.sh [--all] [--seconds N] [--jobs N] [--fresh] [TARGET...]
#     --seconds N   each for so long
#     --jobs N      so many at a time
#     --fresh       also those that a run of the same sources and at least as many seconds has done already
# Goes on where it was stopped: a target that ran to its end is not run again until a source changes. Installs what is
# needed first (scripts/setup.sh). Corpora grow under build/fuzz-corpus; an input that breaks a guarantee stays in
# build/fuzz-findings, and all others are still run.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=60 jobs=1 fresh=no targets=()
while [[ $# -gt 0 ]]; do
    case $1 in
        --all) ;;
        --seconds) seconds=${2:?}; shift ;;
        --jobs) jobs=${2:?}; shift ;;
        --fresh) fresh=yes ;;
        fuzz_*) targets+=("$1") ;;
        [0-9]*) seconds=$1 ;;
        *) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift
done
scripts/setup.sh --for fuzz
cmake --preset fuzz --log-level=WARNING > /dev/null
if [[ ${#targets[@]} -eq 0 ]]; then
    for source in tests/fuzz/fuzz_*.cpp; do targets+=("$(basename "$source" .cpp)"); done
fi
cmake --build build/fuzz --target "${targets[@]}"
mkdir -p build/fuzz-findings build/fuzz-done

# run_target NAME: to a log, which is shown where it failed.
run_target() {
    local name=$1 program=build/fuzz/tests/fuzz/$1 corpus=build/fuzz-corpus/$1 seeds=tests/fuzz/corpus/$1
    local stamp=build/fuzz-done/$1 key done_seconds=0
    key=$(sha256sum < "$program" | cut -d' ' -f1)
    if [[ $fresh == no && -f $stamp && $(sed -n 1p "$stamp") == "$key" ]]; then done_seconds=$(sed -n 2p "$stamp"); fi
    if [[ $done_seconds -ge $seconds ]]; then
        echo "== $name: done already, $done_seconds s"
        return 0
    fi
    mkdir -p "$corpus"
    [[ -d $seeds ]] || seeds=$corpus
    if ! "$program" -max_total_time="$seconds" -max_len=20000 -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="build/fuzz-findings/$name-" \
        "$corpus" "$seeds" > "build/fuzz-findings/$name.log" 2>&1; then
        echo "== $name: FOUND SOMETHING (build/fuzz-findings/$name.log)"
        tail -n 30 "build/fuzz-findings/$name.log"
        return 1
    fi
    printf '%s\n%s\n' "$key" "$seconds" > "$stamp"
    echo "== $name: nothing in $seconds s, $(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz-findings/$name.log") inputs"
    rm -f "build/fuzz-findings/$name.log"
}
export -f run_target
export seconds fresh

if printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I{} bash -euo pipefail -c 'run_target {}'; then
    echo "no target found anything"
else
    exit 1
fi
