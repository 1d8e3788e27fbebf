#!/bin/sh
# Proves that the check for extensions of compilers can fail.   usage: compiler_extensions_self_test.sh SCRATCH_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$1
failures=0

# make_tree FILE TEXT
make_tree() {
    rm -rf "$scratch"
    mkdir -p "$scratch/src/core" "$scratch/$(dirname "$1")"
    echo '// nothing' > "$scratch/src/core/other.cpp"
    printf '%b\n' "$2" > "$scratch/$1"
}

rejects() {
    make_tree "$1" "$2"
    if report=$("$here/compiler_extensions.sh" "$scratch"); then
        echo "accepted, but should not: $1: $2"
        failures=$((failures + 1))
    elif ! printf '%s\n' "$report" | grep -q -F "$1:$3: "; then
        echo "rejected without naming $1:$3: $report"
        failures=$((failures + 1))
    fi
}

accepts() {
    make_tree "$1" "$2"
    if ! report=$("$here/compiler_extensions.sh" "$scratch"); then
        echo "rejected, but should not: $1: $2: $report"
        failures=$((failures + 1))
    fi
}

rejects src/a.cpp 'using Wide = unsigned __int128;' 1
rejects include/graze/a.hpp 'struct A {\n    int x __attribute__((aligned(8)));' 2
rejects sim/src/a.cpp 'return __builtin_clz(x);' 1
rejects src/a.cpp '#pragma GCC optimize("O3")' 1
rejects src/a.cpp '#include <immintrin.h>' 1
rejects src/a.cpp '[[gnu::target("avx2")]] void f();' 1
rejects src/a.cpp 'asm volatile("nop");' 1
rejects src/a.cpp '#ifdef __GNUC__\n#endif\nreturn __builtin_clz(x);' 3
rejects src/a.cpp '#ifdef GRAZE_OTHER\nreturn __builtin_clz(x);\n#endif' 2
accepts src/a.cpp '#ifdef __SIZEOF_INT128__\nusing Wide = unsigned __int128;\n#else\nusing Wide = Two;\n#endif'
accepts src/a.cpp '#if defined(A)\n#elif defined(__GNUC__)\nreturn __builtin_clz(x);\n#endif'
accepts src/a.cpp '#ifdef GRAZE_X86_DISPATCH\n#ifdef OTHER\n_mm_setzero_pd();\n#endif\n[[gnu::target("avx2")]] void f();\n#endif'
accepts src/a.cpp '[[gnu::noinline]] void f();  // __attribute__ would not do'
accepts src/narrow/pack_avx2-inl.hpp '__m256d x;'
accepts src/cuda/a.cuh 'return __builtin_clz(x);'

[ "$failures" -eq 0 ]
