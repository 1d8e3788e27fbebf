#!/usr/bin/env bash
# Runs clang-tidy (rules in .clang-tidy) over the sources, with the flags of an existing build.
#   scripts/tidy.sh              every source of src/ and tools/
#   scripts/tidy.sh FILE...      these files
# Uses build/dev or, where that is missing, build/release.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

find_build() {
    local preset
    for preset in dev release; do
        if [[ -f build/$preset/compile_commands.json ]]; then
            echo "build/$preset"
            return
        fi
    done
    echo "tidy: no build found; run: cmake --preset dev && cmake --build --preset dev" >&2
    return 1
}

main() {
    local build files=()
    for file in "$@"; do files+=("$(realpath "$file")"); done
    cd "$root"
    build=$(find_build)
    if [[ ${#files[@]} -eq 0 ]]; then
        mapfile -t files < <(scripts/tracked_files.sh . 'src/*.cpp' 'tools/*.cpp' | grep -v '/generated/')
    fi
    printf '%s\n' "${files[@]}" | xargs -r -n 1 -P "$(nproc)" clang-tidy --quiet -p "$build"
}

main "$@"
