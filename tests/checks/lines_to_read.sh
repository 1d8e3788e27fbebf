#!/bin/sh
# lines_to_read.sh ROOT: how much a user reads before the first query. Counted are the lines that are not blank, with
# their comments, of graze/ccd.hpp and of all graze headers that it includes, directly or not, save those of core
# (Vec3 is x, y and z; Expected is std::expected). At most 150.
set -eu
cd "$1/include"
seen=' '
total=0
visit() {
    case $seen in *" $1 "*) return ;; esac
    seen="$seen$1 "
    case $1 in graze/core/*) return ;; esac
    lines=$(grep -c '[^[:space:]]' "$1")
    total=$((total + lines))
    for next in $(sed -n 's/^#include "\(graze\/[^"]*\)".*/\1/p' "$1"); do
        visit "$next"
    done
}
visit graze/ccd.hpp
echo "$total lines:$seen"
[ "$total" -ge 50 ] && [ "$total" -le 150 ]
