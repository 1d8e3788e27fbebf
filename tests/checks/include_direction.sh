#!/bin/sh
# Checks that each room includes only what its arrows allow.   usage: include_direction.sh ROOT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
files=$(find include/graze src -type f \( -name '*.[ch]pp' -o -name '*.[ch]' -o -name '*.inc' \) | LC_ALL=C sort)
if [ -z "$files" ]; then
    echo "no sources found below $1"
    exit 1
fi
# shellcheck disable=SC2086  # names of sources have no spaces
awk -f "$here/include_direction.awk" $files
