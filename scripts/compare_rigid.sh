#!/usr/bin/env bash
# What rigid bodies take: surfaces, convex shapes, FCL and Bullet on the same motions, then a world of many
# bodies. With another version's program of the same kind, both in turns, so that a machine that is busy for
# a while disturbs both alike: the least of the medians of the rounds, and their ratio.
#
#   scripts/compare_rigid.sh [options]
#     --build DIR    where rigid_peers and rigid_world are [build/bench/bench]; cmake --preset bench builds them
#     --old PROGRAM  rigid_peers (version 0.1: screw_peers) of another version
#     --count N      motions of each shape [400]
#     --rounds N     rounds with --old [5]
set -euo pipefail

build=build/bench/bench
old=
count=400
rounds=5
while [[ $# -gt 0 ]]; do
    case $1 in
        --build) build=$2; shift 2 ;;
        --old) old=$2; shift 2 ;;
        --count) count=$2; shift 2 ;;
        --rounds) rounds=$2; shift 2 ;;
        -h | --help) sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "$0"; exit 0 ;;
        *) echo "compare_rigid: error: no such option: $1 (see --help)" >&2; exit 2 ;;
    esac
done

# Lines "version shape method hit miss" of the searches with proofs: version, shape, program, options.
certified_medians() {
    "${@:3}" --shapes "$2" --count "$count" | awk -F'|' -v version="$1" '
        $3 ~ /graze certified/ || $3 ~ /graze convex/ {
            split($4, hit, "/"); split($5, miss, "/")
            gsub(/ /, "", $2); gsub(/^ +| +$/, "", $3); gsub(/ /, "_", $3)
            print version, $2, $3, hit[1] + 0, miss[1] + 0
        }'
}

if [[ -z $old ]]; then
    "$build/rigid_peers" --count "$count"
    for options in "" "--overlapping" "--spread 8" "--growth"; do
        echo
        echo "rigid_world $options"
        # shellcheck disable=SC2086
        "$build/rigid_world" $options
    done
    exit
fi
for ((round = 0; round < rounds; ++round)); do
    for shape in cube car torus; do
        certified_medians old "$shape" "$old"
        certified_medians new "$shape" "$build/rigid_peers" --only graze
    done
done | awk '
    { key = $1 " " $2 " " $3
      if (!(key in hit) || $4 < hit[key]) hit[key] = $4
      if (!(key in miss) || $5 < miss[key]) miss[key] = $5 }
    END {
        printf "%-8s %-24s %10s %10s %8s %8s\n", "shape", "method", "us, hit", "us, miss", "hit: x", "miss: x"
        for (key in hit) {
            split(key, part, " ")
            base = "old " part[2] " graze_certified"
            printf "%-8s %-24s %10.2f %10.2f %8.2f %8.2f\n", part[2], part[1] ":" part[3], hit[key],
                miss[key], hit[base] / hit[key], miss[base] / miss[key]
        }
    }' | sort
