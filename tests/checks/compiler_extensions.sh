#!/bin/sh
# Defends G-ALL-8 (docs/GUARANTEES.md).
# What only some compilers have (integers of 128 bits, __attribute__, __builtin_, pragmas, intrinsics, vectors of GNU) stands
# behind a condition of the preprocessor that asks for it, so that there is another way for the others. The row
# `x86-64-fallback` of scripts/platforms.sh takes that way. Attributes in brackets ([[gnu::...]]) are ignored by compilers
# that do not know them, and may stand anywhere, but for those that change what is compiled (target, vector_size).
# usage: compiler_extensions.sh ROOT
# Exempt: kernels that a file for one instruction set includes (*_avx2-inl.hpp and the like), code for a device (*.cu, *.cuh).
set -eu
cd "$1"
folders=
for folder in include src sim apps capi adapters python; do
    [ ! -d "$folder" ] || folders="$folders $folder"
done
[ -n "$folders" ] || { echo "no sources found below $1"; exit 1; }
# shellcheck disable=SC2086  # a list of folders
files=$(find $folders -type f \( -name '*.[chi]pp' -o -name '*.h' -o -name '*.c' -o -name '*.inc' \) -print |
    grep -v -E '_avx(2|512)-inl\.hpp$' | LC_ALL=C sort)
[ -n "$files" ] || { echo "no sources found below $1"; exit 1; }

# shellcheck disable=SC2086  # names of sources have no spaces
awk '
BEGIN {
    extension = "__int128|__float128|__attribute__|__builtin_|__extension__|__typeof|__restrict|__asm|(^|[^A-Za-z0-9_])asm *(volatile)? *\\(|" \
                "_mm[0-9]*_|__m(128|256|512)|[ei]mmintrin|arm_neon|# *pragma +(GCC|clang)|_Pragma|gnu::(target|vector_size)|clang::"
    asks = "__GNUC__|__clang__|GRAZE_ROUNDS_IN_HARDWARE|__SIZEOF_INT128__|GRAZE_X86_DISPATCH|__SSE|__AVX|__x86_64__|__aarch64__|__has_(builtin|attribute|include)|_MSC_VER"
}
FNR == 1 { depth = 0; asked = 0 }
{
    line = $0
    sub(/\/\/.*/, "", line)
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
}
line ~ /^ *# *if/ {
    opened[++depth] = line ~ asks
    asked += opened[depth]
    next
}
line ~ /^ *# *elif/ && !opened[depth] && line ~ asks { opened[depth] = 1; asked++; next }
line ~ /^ *# *(else|elif)/ { next }
line ~ /^ *# *endif/ { asked -= opened[depth--]; next }
line ~ extension && asked == 0 {
    printf "%s:%d: not every compiler has this; ask for it by #if, with another way beside it:%s\n", FILENAME, FNR, $0
    found = 1
}
END { exit found }' $files
