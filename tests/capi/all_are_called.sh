#!/bin/sh
# Every function that a header of the C interface declares is called by the random calls, which tests and fuzzers make.
# usage: all_are_called.sh ROOT
set -eu
cd "$1"
failed=0
# check HEADER WORD SOURCE...: functions that WORD marks.
check() {
    header=$1 word=$2
    shift 2
    functions=$(tr '\n' ' ' < "$header" | grep -o -E "$word [^(;]*\(" | grep -o -E 'graze_[a-z0-9_]+\($' | tr -d '(')
    [ -n "$functions" ] || { echo "$header declares nothing"; exit 1; }
    for function in $functions; do
        grep -q -w "$function" "$@" || { echo "$header: $function is not called by $*"; failed=1; }
    done
}
check capi/include/graze.h GRAZE_API tests/capi/random_calls.cpp
check capi/include/graze_cuda.h GRAZE_CUDA_API tests/capi/cuda_random_calls.cpp tests/capi/cuda_random_calls_test.cpp
exit "$failed"
