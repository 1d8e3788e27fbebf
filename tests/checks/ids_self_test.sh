#!/bin/sh
# Proves that the checks of ids can fail, and that they let pass what they should.   usage: ids_self_test.sh SCRATCH
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$1
failures=0

# A row of GUARANTEES, the first lines of a test, a heading of a derivation, a comment of a source.
make_tree() {
    rm -rf "$scratch"
    mkdir -p "$scratch/docs/derivations" "$scratch/tests/core" "$scratch/src/core"
    printf '| id | statement | why | attacked by |\n|---|---|---|---|\n%s\n' "$1" > "$scratch/docs/GUARANTEES.md"
    printf '%s\n#include <x>\n' "$2" > "$scratch/tests/core/a_test.cpp"
    printf '%s\n' "$3" > "$scratch/docs/derivations/a.md"
    printf '%s\n' "$4" > "$scratch/src/core/a.cpp"
}

# expect yes|no CHECK ROW TEST HEADING COMMENT
expect() {
    wanted=$1
    check=$2
    shift 2
    make_tree "$@"
    if "$here/$check.sh" "$scratch" > /dev/null 2>&1; then found=yes; else found=no; fi
    if [ "$found" != "$wanted" ]; then
        echo "$check: accepted: $found, should be: $wanted: $*"
        failures=$((failures + 1))
    fi
}

row='| G-CORE-1 | it holds | because | `tests/core/a_test.cpp` |'
defends='// Defends G-CORE-1 (docs/GUARANTEES.md).'
expect yes guarantee_ids "$row" "$defends" '' ''
expect no guarantee_ids "$row" '// A test.' '' ''
expect no guarantee_ids "$row" '// Defends G-CORE-1, G-CORE-2 (docs/GUARANTEES.md).' '' ''
expect no guarantee_ids '| it holds | because | nothing |' "$defends" '' ''
expect no guarantee_ids "$row
$row" "$defends" '' ''
expect yes derivation_ids '' '' '## AB-1 A step' '// by AB-1'
expect no derivation_ids '' '' '## AB-1 A step' '// by AB-2'
expect no derivation_ids '' '' '## A1 A step' ''
expect no derivation_ids '' '' '## AB-1 A step
## AB-1 Another' ''
[ "$failures" -eq 0 ]
