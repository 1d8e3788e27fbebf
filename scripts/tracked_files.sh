#!/bin/sh
# Lists the files of the project, relative to its root: those that git tracks, or, in a source archive,
# all but build/.   usage: tracked_files.sh ROOT [PATTERN...]   with shell patterns on the whole path
set -eu
root=$1
shift
cd "$root"

list_all() {
    if [ -e .git ] && git ls-files 2> /dev/null; then
        return
    fi
    find . \( -path ./build -o -path ./.git \) -prune -o -type f -print | sed 's|^\./||'
}

matches() {
    [ "$#" -eq 1 ] && return 0
    path=$1
    shift
    for pattern in "$@"; do
        # shellcheck disable=SC2254  # the pattern is meant to match as one
        case $path in $pattern) return 0 ;; esac
    done
    return 1
}

list_all | LC_ALL=C sort | while IFS= read -r path; do
    # A file that was removed but not yet committed is still listed by git.
    if [ -f "$path" ] && matches "$path" "$@"; then
        printf '%s\n' "$path"
    fi
done
