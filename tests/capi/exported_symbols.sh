#!/bin/sh
# The shared library exports the functions that its header declares, and nothing else; each with its version.
# usage: exported_symbols.sh LIBRARY HEADER
# Defends G-CAPI-4 (docs/GUARANTEES.md).
set -eu
declared=$(tr '\n' ' ' < "$2" | grep -o -E 'GRAZE_API [^(;]*\(' | grep -o -E 'graze_[a-z_]+\($' | tr -d '(' | LC_ALL=C sort)
exported=$(nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort)
[ -n "$declared" ]
version=$(sed -n 's/^#define GRAZE_ABI_VERSION //p' "$2")
wanted=$(printf '%s\n' "$declared" | sed "s/\$/@@GRAZE_$version/")
if [ "$exported" != "$wanted" ]; then
    echo "exported, but not declared (or without its version):"
    printf '%s\n' "$exported" | grep -v -x -F "$wanted" || true
    echo "declared, but not exported:"
    printf '%s\n' "$wanted" | grep -v -x -F "$exported" || true
    exit 1
fi
printf '%s\n' "$exported" | wc -l
