#!/bin/sh
# Proves that the check for functions of the C library can fail.   usage: elementary_functions_self_test.sh SCRATCH_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$1
failures=0

# make_tree FILE LINE
make_tree() {
    rm -rf "$scratch"
    mkdir -p "$scratch/src/core" "$scratch/$(dirname "$1")"
    echo '// nothing' > "$scratch/src/core/other.cpp"
    printf '// a\n%s\n' "$2" > "$scratch/$1"
}

rejects() {
    make_tree "$1" "$2"
    if report=$("$here/elementary_functions.sh" "$scratch"); then
        echo "accepted, but should not: $1: $2"
        failures=$((failures + 1))
    elif ! printf '%s\n' "$report" | grep -q -F "$1:2: "; then
        echo "rejected without naming $1:2: $report"
        failures=$((failures + 1))
    fi
}

accepts() {
    make_tree "$1" "$2"
    if ! report=$("$here/elementary_functions.sh" "$scratch"); then
        echo "rejected, but should not: $1: $2: $report"
        failures=$((failures + 1))
    fi
}

rejects src/generate/a.cpp 'const double x = std::cos(angle);'
rejects src/generate/a.hpp 'return {r, std::log1p(x)};'
rejects sim/src/a.cpp 'double y = 2.0 * pow(x, 3.0);'
rejects sim/src/a.cpp 'double y = ::hypotf(a, b);'
rejects apps/graze/a.cpp 'using std::exp;'
rejects src/verify/a.cpp 'std::transform(a, b, c, std::sin<double>);'
rejects src/verify/a.cpp 'std::normal_distribution<double> normal;'
rejects sim/src/a.cpp 'rotation = Eigen::AngleAxisd(angle, axis);'
rejects include/graze/verify/reference.hpp 'const Long c = std::cos(angle);'
rejects src/cuda/a.cuh 'const double s = sin (x);'
accepts src/generate/a.cpp 'const double x = cosine(angle) + std::sqrt(y) + std::remainder(a, b);'
accepts src/generate/a.cpp 'const double x = 1.0;  // std::cos(angle) would differ'
accepts src/generate/a.cpp 'text("sin(x)"); log.place(value); axis->log(value); kSin(x); arcsin(x);'
accepts src/urdf/a.cpp '    void log(const std::string& text) override {'
accepts include/graze/verify/robot_reference.hpp 'const Long c = std::cos(angle);'
accepts bench/a.cpp 'const double x = std::cos(angle);'

[ "$failures" -eq 0 ]
