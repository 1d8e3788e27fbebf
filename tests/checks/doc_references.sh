#!/bin/sh
# Checks that each file, link and anchor that the project's Markdown names is there.
# usage: doc_references.sh ROOT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
files=$("$here/../../scripts/tracked_files.sh" .)
docs=$(printf '%s\n' "$files" | grep '\.md$') || { echo "no Markdown found below $1"; exit 1; }
failures=0

complain() {
    echo "$1"
    failures=$((failures + 1))
}

# Is it a file of the project, or a folder that holds one? What only happens to lie here does not count.
known() {
    [ -e "$1" ] || return 1
    path=$(realpath -m --relative-to=. "$1")
    printf '%s\n' "$files" | awk -v path="$path" '
        $0 == path || index($0, path "/") == 1 || path == "." { found = 1 }
        END { exit !found }'
}

# A name in backticks: relative to the root, to the document, or to an include folder; a bare name: anywhere.
code_exists() {
    name=${2#./}
    for folder in . "$(dirname "$1")" include src adapters/include; do
        known "$folder/$name" && return 0
    done
    case $name in
        build/*) return 0 ;;  # what a build makes
        */*.md | */*.[ch]pp | */*.cmake | */*.sh | */*.awk | */*.cff | */*.cu | */*.py) return 1 ;;
        */*) [ ! -e "${name%%/*}" ] ;;  # no file of ours unless its first folder is
        *) printf '%s\n' "$files" | grep -q -E "(^|/)$(printf '%s' "$name" | sed 's/\./\\./g')\$" ;;
    esac
}

link_exists() {
    path=${2%%#*}
    target=$1
    [ -z "$path" ] || target=$(dirname "$1")/$path
    known "$target" || return 1
    case $2 in
        *.md'#'* | '#'*) awk -f "$here/heading_anchors.awk" "$target" | grep -q -x -F "${2#*#}" ;;
    esac
}

for doc in $docs; do
    references=$(awk -f "$here/doc_references.awk" "$doc")
    while read -r line kind name; do
        case $kind in
            code) code_exists "$doc" "$name" || complain "$doc:$line: no such file: $name" ;;
            link) link_exists "$doc" "$name" || complain "$doc:$line: dead link: $name" ;;
        esac
    done << END
$references
END
done
[ "$failures" -eq 0 ]
