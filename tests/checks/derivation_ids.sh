#!/bin/sh
# Each step of a derivation has an id that is unique in the project (a heading such as "## SC-3 ..."), and each
# id that code, tests or documents name is that of a step.   usage: derivation_ids.sh ROOT
set -eu
cd "$1"
folders=
for folder in include src apps bench tests docs; do
    [ ! -d "$folder" ] || folders="$folders $folder"
done
defined=$(mktemp)
trap 'rm -f "$defined"' EXIT
status=0

grep -h -o -E '^#+ [A-Z]{2,5}-[0-9]+' docs/derivations/*.md | sed 's/^#* //' | LC_ALL=C sort > "$defined"
[ -s "$defined" ] || { echo "docs/derivations defines no id"; exit 1; }
twice=$(uniq -d "$defined")
if [ -n "$twice" ]; then
    echo "defined more than once in docs/derivations: $twice" | tr '\n' ' '
    status=1
fi
old=$(grep -n -E '^#+ [A-Z][0-9]+\b' docs/derivations/*.md || true)
if [ -n "$old" ]; then
    printf 'an id without the prefix of its file:\n%s\n' "$old"
    status=1
fi

prefixes=$(sed 's/-.*//' "$defined" | LC_ALL=C sort -u | paste -s -d '|' -)
# shellcheck disable=SC2086  # names of folders have no spaces
grep -r -n -o -w -E "($prefixes)-[0-9]+" $folders --include='*.hpp' --include='*.cpp' --include='*.inc' --include='*.md' |
    awk -F: -v file="$defined" '
        BEGIN { while ((getline id < file) > 0) known[id] = 1 }
        !($3 in known) { print $1 ":" $2 ": no derivation has the step " $3; bad = 1 }
        END { exit bad }' || status=1
exit $status
