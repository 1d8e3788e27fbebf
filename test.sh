#!/usr/bin/env bash
# Sets up, builds and runs the tests and checks; each phase prints its seconds, the sum comes last.
#   ./test.sh                   release build: every test but the long attacks
#   ./test.sh --all             also clang with the address and undefined-behaviour sanitizers (CI)
#   ./test.sh --nightly         --all with the long attacks, clang without sanitizers, and the thread sanitizer
#   ./test.sh --preset NAME     with this preset of CMakePresets.json (may be repeated)
#   ./test.sh --attacks         with the long attacks, too
# GRAZE_JOBS: how many things to do at once (default: one per core).
set -feuo pipefail  # f: filters hold patterns

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
phases=()

usage() {
    sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit "$1"
}

# phase NAME COMMAND...: runs the command, prints and keeps how long it took.
phase() {
    local name=$1 begin=$SECONDS
    shift
    echo "== $name"
    "$@"
    phases+=("$(printf '%6d s  %s' $((SECONDS - begin)) "$name")")
    echo "== $name: $((SECONDS - begin)) s"
}

build() {
    cmake --preset "$1" --log-level=WARNING > /dev/null
    cmake --build --preset "$1" --parallel "$jobs"
}

# Labels: fast, data, attack (tests/CMakeLists.txt).
run_tests() {
    local preset=$1
    shift
    ctest --preset "$preset" --parallel "$jobs" --no-tests=error --output-junit tests.xml "$@"
    local skipped
    skipped=$(grep -c '<skipped' "build/$preset/tests.xml" || true)
    echo "== $preset: $skipped tests skipped (those of published data are, where \$GRAZE_DATA_DIR is not a folder)"
}

# What a sanitizer or another compiler can add shows on the fast tests; the others repeat it. Under the
# sanitizers the suites that compare the same arithmetic with a reference on very many inputs wait for the
# night: they take half of the time.
filter_of() {
    local repeats='SelfCheck|CertifiedExactFamilies|StartSeparation|Certified.*Bounds|CertifiedSeparation|TightInclusion(Boxes|Filter|Levels)?[.]|ErrorCalculus'
    case $1 in
        release | dev) [[ $attacks == yes ]] || echo "-LE attack" ;;
        sanitizers) [[ $attacks == yes ]] || echo "-L fast -E $repeats" ;;
        tsan) echo "-L fast -R Thread" ;;
        *) [[ $attacks == yes ]] || echo "-L fast" ;;
    esac
}

main() {
    local purpose=test presets=() preset attacks=no jobs
    while [[ $# -gt 0 ]]; do
        case $1 in
            --all) purpose=dev; presets=(release sanitizers) ;;
            --nightly) purpose=dev; presets=(release clang sanitizers tsan); attacks=yes ;;
            --attacks) attacks=yes ;;
            --preset) [[ $# -ge 2 ]] || usage 2 >&2; purpose=dev; presets+=("$2"); shift ;;
            -h | --help) usage 0 ;;
            *) usage 2 >&2 ;;
        esac
        shift
    done
    [[ ${#presets[@]} -gt 0 ]] || presets=(release)
    cd "$root"
    jobs=${GRAZE_JOBS:-$(nproc)}
    phase "packages" scripts/setup.sh --for "$purpose"
    # CMake takes the launcher from the environment when it first configures a build.
    if command -v ccache > /dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
    for preset in "${presets[@]}"; do
        phase "$preset: build" build "$preset"
        # The filter is a list of words.
        # shellcheck disable=SC2046
        phase "$preset: test" run_tests "$preset" $(filter_of "$preset")
    done
    echo "== all passed"
    printf '%s\n' "${phases[@]}"
    printf '%6d s  in all\n' "$SECONDS"
}

main "$@"
