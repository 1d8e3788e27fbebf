#!/bin/sh
# Proves that the check for machine paths can fail.   usage: machine_paths_self_test.sh SCRATCH_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$1
failures=0

make_tree() {
    rm -rf "$scratch"
    mkdir -p "$scratch/src"
    printf 'first line\n%s\n' "$1" > "$scratch/src/a.cpp"
}

rejects() {
    make_tree "$1"
    if report=$("$here/machine_paths.sh" "$scratch"); then
        echo "accepted, but should not: $1"
        failures=$((failures + 1))
    elif ! printf '%s\n' "$report" | grep -q -F 'src/a.cpp:2:'; then
        echo "rejected without naming src/a.cpp:2: $report"
        failures=$((failures + 1))
    fi
}

accepts() {
    make_tree "$1"
    if ! report=$("$here/machine_paths.sh" "$scratch"); then
        echo "rejected, but should not: $1: $report"
        failures=$((failures + 1))
    fi
}

slash=/  # so that this file passes the check that it tests
rejects "data in ${slash}home/ada/data"
rejects "\"${slash}work/main/src\""
rejects "${slash}Users/ada"
accepts "https://example.org${slash}home/page"
accepts "tests${slash}work/a.csv, \${ROOT}${slash}home/x, ~${slash}work/x"
accepts "#!/usr/bin/env bash"

[ "$failures" -eq 0 ]
