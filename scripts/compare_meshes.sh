#!/usr/bin/env bash
# What whole meshes take in two builds of the command line tool, run in turns: medians, and the median of
# the ratios of each round, so that a machine that is busy for a while disturbs both alike.
#
#   scripts/compare_meshes.sh [options] OLD NEW [FOLDER...]
#     OLD, NEW     two `graze` programs
#     FOLDER       scenes: <scene>/frames/*.ply, of which the first two are a step
#     --faces N    also two uneven sheets of about N faces in all, made here (may be repeated)
#     --rounds N   so many rounds [9]
#     --threads N  as for `graze mesh`; 0 means all cores [0]
#
# Times are seconds_broad + seconds_narrow of `graze mesh --json`: without reading files. Fails where the
# answers of the two differ.
set -euo pipefail

rounds=9
threads=0
faces=()
arguments=()
while [[ $# -gt 0 ]]; do
    case $1 in
        --rounds) rounds=$2; shift 2 ;;
        --threads) threads=$2; shift 2 ;;
        --faces) faces+=("$2"); shift 2 ;;
        -h | --help) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"; exit 0 ;;
        *) arguments+=("$1"); shift ;;
    esac
done
if [[ ${#arguments[@]} -lt 2 ]]; then
    echo "compare_meshes: error: name two programs (see --help)" >&2
    exit 2
fi
old=${arguments[0]}
new=${arguments[1]}
folders=("${arguments[@]:2}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Two sheets of n by n squares each, one above the other, uneven by part of an edge; the upper one comes
# down by about two edges. $2 is the time: 0 or 1.
write_sheets() {
    awk -v n="$1" -v t="$2" 'BEGIN {
        noise = 1
        h = 1 / n
        for (sheet = 0; sheet < 2; ++sheet)
            for (i = 0; i <= n; ++i)
                for (j = 0; j <= n; ++j) {
                    for (axis = 0; axis < 3; ++axis) {
                        noise = (noise * 16807) % 2147483647
                        uneven[axis] = 0.4 * noise / 2147483647
                    }
                    printf "v %.17g %.17g %.17g\n", h * (i + uneven[0] - 0.3 * t * sheet),
                        h * (j + uneven[1]), h * (uneven[2] + sheet * (2 - 1.9 * t))
                }
        for (sheet = 0; sheet < 2; ++sheet)
            for (i = 0; i < n; ++i)
                for (j = 0; j < n; ++j) {
                    k = sheet * (n + 1) * (n + 1) + i * (n + 1) + j + 1
                    printf "f %d %d %d\nf %d %d %d\n", k, k + n + 1, k + 1, k + 1, k + n + 1, k + n + 2
                }
    }'
}

seconds_of() { awk -F'[:,]' '/"seconds_(broad|narrow)"/ { sum += $2 } END { print sum }' "$1"; }
answers_of() { grep -E '"(contacts_..|unresolved|toi_lower|toi_upper|kind|a|b|verdict)":' "$1"; }
median() { sort -g "$1" | awk '{ x[NR] = $1 } END { print (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2 }'; }

# One line of the table: a name, two files, and the options of the search.
compare() {
    local name=$1 start=$2 end=$3 kind=$4
    local options=(--threads "$threads" --json -)
    [[ $kind == first ]] && options+=(--first)
    rm -f "$work"/old.s "$work"/new.s "$work"/ratio.s
    for ((round = 0; round < rounds; ++round)); do
        # Whoever comes first may find the processor colder: in turns.
        local order=(old new)
        ((round % 2 == 1)) && order=(new old)
        for which in "${order[@]}"; do
            "${!which}" mesh "$start" "$end" "${options[@]}" > "$work/$which.json"
            seconds_of "$work/$which.json" >> "$work/$which.s"
        done
        paste <(tail -n 1 "$work/old.s") <(tail -n 1 "$work/new.s") |
            awk '{ print $2 / $1 }' >> "$work/ratio.s"
    done
    if ! diff <(answers_of "$work/old.json") <(answers_of "$work/new.json") > "$work/diff"; then
        echo "compare_meshes: error: $name, $kind: answers differ" >&2
        cat "$work/diff" >&2
        exit 1
    fi
    printf '%-28s %-6s %10.2f %10.2f %8.3f\n' "$name" "$kind" \
        "$(median "$work/old.s" | awk '{ print 1000 * $1 }')" \
        "$(median "$work/new.s" | awk '{ print 1000 * $1 }')" "$(median "$work/ratio.s")"
}

printf '%-28s %-6s %10s %10s %8s\n' scene impact 'old ms' 'new ms' 'ratio'
for folder in ${folders[@]+"${folders[@]}"}; do
    for frames in "$folder"/*/frames; do
        steps=("$frames"/*.ply)
        [[ ${#steps[@]} -ge 2 ]] || continue
        name=$(basename "$(dirname "$frames")")
        for kind in all first; do compare "$name" "${steps[0]}" "${steps[1]}" "$kind"; done
    done
done
for count in ${faces[@]+"${faces[@]}"}; do
    n=$(awk -v faces="$count" 'BEGIN { print int(sqrt(faces / 4) + 0.5) }')
    write_sheets "$n" 0 > "$work/start.obj"
    write_sheets "$n" 1 > "$work/end.obj"
    for kind in all first; do
        compare "two sheets, $((4 * n * n)) faces" "$work/start.obj" "$work/end.obj" "$kind"
    done
done
