#!/usr/bin/env bash
# Shows what graze does. Installs what it needs, then
#   1. builds the library and answers two questions, with pictures: a mesh in a step, two rigid bodies;
#   2. builds the command line tool and compares all methods on the queries that are built into it.
#   ./demo.sh [OPTION...]    options for `graze bench`, as --quick
#   ./demo.sh --first        the first part alone
#   ./demo.sh --help         this text
# GRAZE_JOBS: how many things to compile at once (default: one per core).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=build/demo/pictures

usage() {
    sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

configure() {
    if command -v ccache > /dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
    cmake --preset demo --log-level=WARNING > /dev/null
}

# build WHAT TARGET: one line that counts on a terminal, nothing else unless it fails.
build() {
    echo "demo: building $1" >&2
    local log=build/demo/$2.log
    if [[ -t 1 ]]; then
        cmake --build build/demo --target "$2" --parallel "${GRAZE_JOBS:-$(nproc)}"
    elif ! cmake --build build/demo --target "$2" --parallel "${GRAZE_JOBS:-$(nproc)}" > "$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
}

first_look() {
    build "the library (about a minute)" graze_first_look
    mkdir -p "$out"
    echo
    build/demo/bin/first_look "$out"
    echo "   Open the pictures in any browser."
    echo
}

benchmark() {
    build "the command line tool (about two minutes)" graze_cli
    build/demo/bin/graze bench --html "$out/bench.html" "$@" > "$out/bench.txt"
    echo
    echo "3. Every method of the field on queries whose answer is known exactly."
    echo "   Table: $out/bench.txt"
    echo "   Page with plots: $out/bench.html"
    echo "   Next: build/demo/bin/graze --help; ./test.sh; README.md"
    echo
    tail -n 1 "$out/bench.txt"
}

main() {
    local only_first=no
    case ${1:-} in
        -h | --help) usage; return ;;
        --first) only_first=yes; shift ;;
    esac
    cd "$root"
    scripts/setup.sh --for demo
    configure
    first_look
    [[ $only_first == yes ]] || benchmark "$@"
}

main "$@"
