#!/usr/bin/env bash
# Sets up, builds and runs all tests and checks; the last lines are those of ctest.
#   ./test.sh                   release build with the default compiler
#   ./test.sh --all             also with clang, and under the undefined-behaviour and address sanitizers
#   ./test.sh --preset NAME     with this preset of CMakePresets.json (may be repeated)
# GRAZE_JOBS: how many things to do at once (default: one per core).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
    sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}

run_preset() {
    local preset=$1 jobs=$2
    echo "== $preset: build"
    cmake --preset "$preset" --log-level=WARNING > /dev/null
    cmake --build --preset "$preset" --parallel "$jobs"
    echo "== $preset: test"
    ctest --preset "$preset" --parallel "$jobs" --no-tests=error --output-on-failure
}

main() {
    local purpose=test presets=() preset
    while [[ $# -gt 0 ]]; do
        case $1 in
            --all) purpose=dev; presets=(release clang ubsan asan) ;;
            --preset) [[ $# -ge 2 ]] || usage; purpose=dev; presets+=("$2"); shift ;;
            *) usage ;;
        esac
        shift
    done
    [[ ${#presets[@]} -gt 0 ]] || presets=(release)
    cd "$root"
    scripts/setup.sh --for "$purpose"
    # CMake takes the launcher from the environment when it first configures a build.
    if command -v ccache > /dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
    for preset in "${presets[@]}"; do
        run_preset "$preset" "${GRAZE_JOBS:-$(nproc)}"
    done
}

main "$@"
