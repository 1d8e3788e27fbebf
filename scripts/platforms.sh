#!/usr/bin/env bash
# Builds graze_platform_hash for each platform, runs it, and prints a table of the hashes in Markdown.
#   scripts/platforms.sh [--rows ROW,...] [--threads N] [--jobs N] [--optimise LEVEL] [--list]
#     --rows      only these rows (--list names them all)
#     --threads   the most threads with which meshes and worlds are compared; 32
#     --jobs      of the build; all cores
#     --optimise  -O0 to -O3; -O2
# Exit status 1: two hashes differ, a hash is not that of tests/platforms/expected_hash.txt, a number of
# threads changes a result, or a row does not build or run. A row whose tools are not installed is "not
# tried", which is no failure. Others are run by qemu-user (aarch64, riscv64, arm), wine64 (Windows) and
# node (WebAssembly); scripts/setup.sh --for platforms installs them all. Logs and programs are in
# build/platforms.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
out=build/platforms
threads=32
jobs=$(nproc)
optimise=-O2
rows=

# row | what it is | build | run with
all_rows='
x86-64-sse2     | x86-64, SSE2, g++ 12                   | gcc      | GRAZE_INSTRUCTION_SET=portable
x86-64-avx2     | x86-64, AVX2, g++ 12                   | gcc      | GRAZE_INSTRUCTION_SET=avx2
x86-64-avx512   | x86-64, AVX-512, g++ 12                | gcc      | GRAZE_INSTRUCTION_SET=avx512
x86-64-clang14  | x86-64, best of the machine, clang 14  | clang14  |
x86-64-clang19  | x86-64, best of the machine, clang 19  | clang19  |
x86-64-fallback | x86-64, fallbacks for __int128, fma, GNU attributes, g++ 12 | fallback | GRAZE_INSTRUCTION_SET=portable
i686            | i686, SSE2, g++ 12                     | i686     |
armhf           | 32-bit ARM, g++ 12, qemu               | armhf    | qemu-arm
aarch64         | aarch64, g++ 12, qemu                  | aarch64  | qemu-aarch64
riscv64         | riscv64, g++ 12, qemu                  | riscv64  | qemu-riscv64
wasm32          | wasm32, em++, node                     | wasm32   | node
windows         | Windows x86-64, mingw-w64 g++ 12, wine | windows  | wine64
'

usage() { sed -n '2,13s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

while [ $# -gt 0 ]; do
    case $1 in
        --rows) rows=,$2,; shift ;;
        --threads) threads=$2; shift ;;
        --jobs) jobs=$2; shift ;;
        --optimise) optimise=$2; shift ;;
        --list) echo "$all_rows" | sed -n 's/ *|.*//p'; exit 0 ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done

# Boost alone of the headers of this machine: the others are those of another system.
boost_alone() {
    local from
    for from in /usr/include /usr/local/include; do
        [ -d $from/boost ] || continue
        mkdir -p $out/include
        ln -sfn $from/boost $out/include/boost
        return
    done
}

# The arguments of cmake for a build; fails where its compiler is missing.
arguments_of() {
    local compiler=
    local flags=
    local more=(-DGRAZE_THREADS=std)
    case $1 in
        gcc) compiler=g++-12 ;;
        clang14) compiler=clang++-14 ;;
        clang19) compiler=clang++-19 ;;
        fallback) compiler=g++-12; flags="-DGRAZE_NO_INT128 -DGRAZE_SOFTWARE_FMA -DGRAZE_NO_GNU_ATTRIBUTES" ;;
        i686) compiler=i686-linux-gnu-g++; flags="-msse2 -mfpmath=sse"
            more+=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=i686 -DCMAKE_EXE_LINKER_FLAGS=-static) ;;
        armhf) compiler=arm-linux-gnueabihf-g++
            more+=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=arm -DCMAKE_EXE_LINKER_FLAGS=-static) ;;
        aarch64 | riscv64) compiler=$1-linux-gnu-g++
            more+=(-DCMAKE_SYSTEM_NAME=Linux "-DCMAKE_SYSTEM_PROCESSOR=$1" -DCMAKE_EXE_LINKER_FLAGS=-static) ;;
        windows) compiler=x86_64-w64-mingw32-g++-posix
            more+=(-DCMAKE_SYSTEM_NAME=Windows -DCMAKE_EXE_LINKER_FLAGS=-static) ;;
        wasm32) compiler=em++
            flags="-isystem $root/web/wasm/libcxx -include $root/web/wasm/libcxx/gaps.hpp"
            more=(-DGRAZE_THREADS=off "-DCMAKE_EXE_LINKER_FLAGS=-sALLOW_MEMORY_GROWTH -sTOTAL_STACK=8MB -sEXIT_RUNTIME"
                "-DCMAKE_TOOLCHAIN_FILE=$(dirname "$(readlink -f "$(command -v em++ || echo /usr/bin/em++)")")/cmake/Modules/Platform/Emscripten.cmake") ;;
    esac
    # Cross compilers alone are never the plain name.
    if [ "$compiler" = g++-12 ] && ! command -v g++-12 > /dev/null; then compiler=g++; fi
    command -v $compiler > /dev/null || return 1
    [ $compiler = em++ ] || more+=("-DCMAKE_CXX_COMPILER=$compiler")
    if [ $compiler != em++ ] && command -v ccache > /dev/null; then more+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
    printf '%s\n' "${more[@]}" "-DCMAKE_CXX_FLAGS=$flags"
}

# Each build once, though several rows may use it. Prints nothing.
build() {
    local log=$out/$1.build.log
    local arguments
    [ ! -e $out/$1.failed ] || return 1
    mapfile -t arguments < <(arguments_of "$1")
    {
        cmake -S . -B $out/$1 -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=$optimise -DNDEBUG" "-DGRAZE_BOOST_INCLUDE=$root/$out/include" \
            -DGRAZE_BUILD_PLATFORM_HASH=ON -DGRAZE_BUILD_MESH=ON -DGRAZE_BUILD_BASELINES=ON \
            -DGRAZE_BUILD_TOOLS=OFF -DGRAZE_BUILD_TESTS=OFF -DGRAZE_BUILD_EXAMPLES=OFF -DGRAZE_BUILD_IO=OFF \
            -DGRAZE_BUILD_ORACLE=OFF -DGRAZE_BUILD_VERIFY=OFF -DGRAZE_BUILD_SIM=OFF -DGRAZE_BUILD_CAPI=OFF \
            -DGRAZE_BUILD_WEB=OFF -DGRAZE_INSTALL=OFF "${arguments[@]}" &&
            cmake --build $out/$1 --target graze_platform_hash --parallel "$jobs"
    } > $log 2>&1 || { touch $out/$1.failed; return 1; }
}

# The command that runs the program of a build; fails where a tool is missing.
runner_of() {
    case $1 in
        qemu-*) command -v "$1" ;;
        # Without it the loader of older emscriptens asks the network for the file beside it.
        node) command -v node > /dev/null && echo node --no-experimental-fetch ;;
        wine64) command -v wine64 || { [ -x /usr/lib/wine/wine64 ] && echo /usr/lib/wine/wine64; } ;;
        GRAZE_INSTRUCTION_SET=portable | '') echo env "$1" ;;
        GRAZE_INSTRUCTION_SET=*)
            local flag=${1#*=}
            grep -qw "${flag/avx512/avx512dq}" /proc/cpuinfo && echo env "$1" ;;
    esac
}

# Prints the hash of a row, or why there is none.
run_row() {
    local name=$1 build=$2 with=$3 runner program most=$threads
    arguments_of "$build" > /dev/null || { echo "not tried: no compiler"; return; }
    runner=$(runner_of "$with") || { echo "not tried: no ${with#*=}"; return; }
    local began=$SECONDS built
    build "$build" || { echo "FAILED: does not build ($out/$build.build.log)"; return; }
    built=$SECONDS
    for program in graze_platform_hash graze_platform_hash.js graze_platform_hash.exe; do
        program=$(find $out/$build -name $program -type f | head -n 1)
        [ -z "$program" ] || break
    done
    [ "$build" != wasm32 ] || most=1
    # shellcheck disable=SC2086
    if ! WINEDEBUG=-all WINEPREFIX=$root/$out/wine $runner "$program" --threads "$most" > $out/$name.log 2>&1; then
        echo "FAILED: see $out/$name.log"
        return
    fi
    echo "$name: built in $((built - began)) s, run in $((SECONDS - built)) s" >&2
    tr -d '\r' < $out/$name.log | sed -n 's/^all *\([0-9a-f]\{16\}\)$/\1/p'
}

for row in ${rows//,/ }; do
    echo "$all_rows" | grep -q "^$row *|" || { echo "no row is called $row; --list names them all" >&2; exit 2; }
done
mkdir -p $out
rm -f $out/*.failed
boost_alone
expected=$(cat tests/platforms/expected_hash.txt)
status=0
echo "| platform | hash | threads |"
echo "|---|---|---|"
while IFS='|' read -r name what build with; do
    name=${name// /}
    build=${build// /}
    with=${with// /}
    what=$(echo "$what" | sed 's/^ *//; s/ *$//')
    [ -n "$name" ] || continue
    [ -z "$rows" ] || [[ $rows == *,$name,* ]] || continue
    hash=$(run_row "$name" "$build" "$with")
    case $hash in
        "$expected") counts="1 to $threads" ;;
        not\ tried*) counts=- ;;
        *) counts=-; status=1 ;;
    esac
    [ "$build" != wasm32 ] || counts=${counts/1 to $threads/1}
    echo "| $what | $hash | $counts |"
done <<< "$all_rows"
exit $status
