#!/bin/sh
# Defends G-ALL-8 (docs/GUARANTEES.md).
# No source asks the C library, the standard library or Eigen for what is not exactly rounded, as sines, logarithms and
# powers: their last digits differ between machines. graze/core/elementary.hpp and norm() of graze/core/vec3.hpp have the
# same bits on all. std::sqrt, floor, remainder, scalbn and their like are exact, or rounded once, and may be used.
# usage: elementary_functions.sh ROOT
# Exempt are two references of more digits than double, whose results are compared within a bound: the rigid one takes
# the functions of its number type, of 168 bits; the robots' one is in long double.
set -eu
cd "$1"
folders=
for folder in include src sim apps capi adapters python web; do
    [ ! -d "$folder" ] || folders="$folders $folder"
done
[ -n "$folders" ] || { echo "no sources found below $1"; exit 1; }
# shellcheck disable=SC2086  # a list of folders
files=$(find $folders -name node_modules -prune -o -type f \( -name '*.[chi]pp' -o -name '*.h' -o -name '*.c' -o -name '*.inc' -o -name '*.cu' -o -name '*.cuh' \) -print |
    grep -v -x -E 'include/graze/verify/(rigid_reference_motion|robot_reference)\.hpp' | LC_ALL=C sort)
[ -n "$files" ] || { echo "no sources found below $1"; exit 1; }

# shellcheck disable=SC2086  # names of sources have no spaces
awk '
BEGIN {
    names = "(sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|expm1|exp10|log|log2|log10|log1p|" \
            "pow|hypot|cbrt|erf|erfc|tgamma|lgamma|beta|polar|arg)"
    call = "(^|[^A-Za-z0-9_.>:])(std::|::)?" names "[fl]? *\\("
    named = "std::" names "[fl]?([^A-Za-z0-9_]|$)"  # also as a value, or by a using-declaration
    other = "std::[a-z_]+_distribution|AngleAxis|Rotation2D"
    declared = "(void|bool|int|float|double|auto|Long|Real) +" names " *\\("  # a function of that name is no call
}
{
    line = $0
    sub(/\/\/.*/, "", line)
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    gsub(declared, "", line)
    if (line ~ call || line ~ named || line ~ other) {
        printf "%s:%d: not the same bits on every machine; use graze/core/elementary.hpp:%s\n", FILENAME, FNR, $0
        found = 1
    }
}
END { exit found }' $files
