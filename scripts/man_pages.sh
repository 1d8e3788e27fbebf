#!/usr/bin/env bash
# Makes man pages from the help of the tool: graze.1, and graze-COMMAND.1 for each command.
#   scripts/man_pages.sh [--gzip] TOOL FOLDER
set -euo pipefail

usage() {
    sed -n '2,3s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}

compress=no
if [[ ${1:-} == --gzip ]]; then
    compress=yes
    shift
fi
[[ $# -eq 2 ]] || usage
tool=$1 folder=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export COLUMNS=120 NO_COLOR=1 LC_ALL=C

version=$("$tool" --version | sed -n '1s/^graze  *//p')
commands=$("$tool" help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }')
[[ -n $version && -n $commands ]] || { echo "man_pages: $tool gave no version or no commands" >&2; exit 1; }

# page NAME SEE_ALSO: from the help on standard input.
page() {
    awk -v name="$1" -v version="$version" -v commands="$2" -f "$here/man_page.awk" > "$folder/$1.1"
    [[ $compress == no ]] || gzip -9nf "$folder/$1.1"
}

mkdir -p "$folder"
# shellcheck disable=SC2086  # a list of names
"$tool" help | page graze "$(printf 'graze-%s ' $commands)"
for command in $commands; do
    "$tool" help "$command" | page "graze-$command" graze
done
