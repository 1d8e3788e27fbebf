#!/bin/sh
# refuses_fast_math.sh COMPILER ROOT: every public header that holds or reaches arithmetic must refuse to be
# compiled with fast-math flags, so that no translation unit can bring in code with other meaning.
compiler=$1
cd "$2/include" || exit 1
status=0
seen=0
for header in graze/core/*.hpp graze/narrow/*.hpp; do
    case $header in
        graze/core/assert.hpp | graze/core/expected.hpp | graze/core/stop.hpp) continue ;;  # no numbers in them
    esac
    seen=$((seen + 1))
    if ! echo "#include <$header>" | "$compiler" -std=c++20 -ffast-math -E -o /dev/null -I. -x c++ - 2>&1 |
        grep -q "graze: its proofs need IEEE 754 arithmetic"; then
        echo "$header compiles with -ffast-math"
        status=1
    fi
done
[ "$seen" -gt 10 ] || { echo "only $seen headers found"; status=1; }
exit $status
