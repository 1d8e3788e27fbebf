#!/bin/sh
# Public headers, the README and the help of the tool speak as the field does: words that a reader would
# have to look up in a glossary of this project are listed here, with what to say instead.
# usage: words.sh ROOT [TOOL]
set -eu
cd "$1"
tool=${2:-}
here=$(dirname "$0")
status=0

# check WORDS INSTEAD: an extended regular expression of whole words.
check() {
    found=$(printf '%s\n' "$files" | xargs grep -n -E -i "\\b($1)\\b" | grep -v -E 'far(ther)? apart|further apart|"apart"' || true)
    if [ -n "$found" ]; then
        printf '%s\n' "$found" | while IFS= read -r line; do
            printf '%s\n    say instead: %s\n' "$line" "$2"
        done
        status=1
    fi
    [ -z "$tool" ] || check_help "$1" "$2"
}

check_help() {
    for command in '' $commands; do
        # shellcheck disable=SC2086  # no word, or one
        if "$tool" help $command | grep -n -E -i "\\b($1)\\b"; then
            printf '    in the help of graze %s; say instead: %s\n' "$command" "$2"
            status=1
        fi
    done
}

# verify, which compares methods, and the numeric headers of core, which prove bounds, have words of their own.
files=$(find include adapters capi/include README.md -type f \( -name '*.hpp' -o -name '*.h' -o -name '*.md' \) | grep -v -E \
    'include/graze/(verify/|core/(big_integer|error_calculus|interval|norm_bounds|orientation|power_of_two|rounding)\.hpp)' |
    LC_ALL=C sort)
commands=
[ -z "$tool" ] || commands=$("$tool" help | sed -n 's/^  \([a-z-]\{4,\}\)  *[A-Z].*/\1/p')

check 'wish|wishes|wished' 'target, requested, displacement'
check 'apart' 'separated, disjoint'
check 'parted|parting' 'separated, culled, rejected'
check '(this|that|each|every|the) rooms?( (core|narrow|broad|mesh|rigid|slide|io))?' 'module, dependency'
check 'roundings' 'rounding errors, ulps'
check 'promises?|promised' 'guarantee, declare'
check 'judges?|judged|judgements?' 'verify, decide'
check 'the study' 'Wang et al. 2021'
check 'one an? (query|vertex|record|edge|face|pair|body|step)' 'one per ...'
check 'free of scale( and offset)?' 'scale- and translation-invariant'
check 'never exchanges' 'monotone'
exit $status
