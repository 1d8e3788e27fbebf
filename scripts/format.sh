#!/usr/bin/env bash
# Formats the C++ sources, or checks that they are formatted.
#   scripts/format.sh           rewrites what differs
#   scripts/format.sh --check   lists what differs and fails
# Exit status 77: not run, since clang-format of the pinned version is not here (1 where CI=true).
set -euo pipefail

# Versions format differently, so one is pinned: that of Debian 12.
readonly pinned_major=14
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

find_clang_format() {
    local name
    for name in "clang-format-$pinned_major" clang-format; do
        if command -v "$name" > /dev/null && "$name" --version | grep -q "version $pinned_major\."; then
            echo "$name"
            return
        fi
    done
}

not_run() {
    local found="none found"
    command -v clang-format > /dev/null && found="found: $(clang-format --version)"
    echo "format: not run: clang-format $pinned_major is needed ($found)" >&2
    [[ ${CI:-} == true ]] && exit 1
    exit 77
}

run_on_sources() {
    # Generated sources are what their generator writes.
    scripts/tracked_files.sh . '*.cpp' '*.hpp' | grep -v '/generated/' \
        | xargs -r -n 16 -P "$(nproc)" "$@"
}

main() {
    local tool
    tool=$(find_clang_format)
    [[ -n $tool ]] || not_run
    cd "$root"
    if [[ ${1:-} != --check ]]; then
        run_on_sources "$tool" -i
    elif ! run_on_sources "$tool" --dry-run -Werror --ferror-limit=1; then
        echo "format: run scripts/format.sh" >&2
        exit 1
    fi
}

main "$@"
