#!/bin/sh
# Checks that each module includes only what its dependencies allow.   usage: include_direction.sh ROOT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
folders=
for folder in include/graze src sim apps bench examples tests; do
    [ ! -d "$folder" ] || folders="$folders $folder"
done
# shellcheck disable=SC2086  # names of folders have no spaces
files=$(find $folders -type f \( -name '*.[ch]pp' -o -name '*.[ch]' -o -name '*.inc' -o -name '*.cu' \) | LC_ALL=C sort)
if [ -z "$files" ]; then
    echo "no sources found below $1"
    exit 1
fi
# shellcheck disable=SC2086  # names of sources have no spaces
awk -f "$here/include_direction.awk" $files
