#!/bin/sh
# refuses_fast_math.sh COMPILER ROOT: a public header whose inline arithmetic counts rounding errors refuses to be
# compiled with -ffast-math; every other one compiles with it, and reaches no numeric header. verify, the component
# that compares methods, counts among the numeric ones.
# Defends G-ALL-4 (docs/GUARANTEES.md).
compiler=$1
cd "$2/include" || exit 1
numeric=' strict_arithmetic rounding interval norm_bounds error_calculus big_integer power_of_two target_pragmas orientation quaternion '
status=0
refused=0
accepted=0
fail() {
    echo "$1"
    status=1
}
# compile HEADER...: all of them in one translation unit.
compile() {
    printf '#include <%s>\n' "$@" | "$compiler" -std=c++20 -ffast-math -fsyntax-only -I. -x c++ - 2>&1
}
users=
for header in graze/*.hpp graze/*/*.hpp; do
    stem=$(basename "$header" .hpp)
    case $header in
        graze/verify/* | */eigen.hpp) continue ;;  # numeric; needs Eigen
        graze/core/*) case $numeric in *" $stem "*) is_numeric=yes ;; *) is_numeric=no ;; esac ;;
        *) is_numeric=no ;;
    esac
    if [ $is_numeric = yes ]; then
        refused=$((refused + 1))
        printf '#include <%s>\n' "$header" | "$compiler" -std=c++20 -ffast-math -E -o /dev/null -I. -x c++ - 2>&1 |
            grep -q "graze: its proofs need IEEE 754 arithmetic" ||
            fail "$header compiles with -ffast-math"
    else
        accepted=$((accepted + 1))
        users="$users $header"
    fi
done
# shellcheck disable=SC2086  # names of headers have no spaces
log=$(compile $users) || fail "headers for users do not compile with -ffast-math: $log"
[ "$refused" -eq 10 ] || fail "$refused numeric headers instead of 10"
[ "$accepted" -gt 30 ] || fail "only $accepted headers for users"
exit $status
