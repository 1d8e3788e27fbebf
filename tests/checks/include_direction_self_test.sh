#!/bin/sh
# Proves that the include check can fail, and that it lets pass what it should.
# usage: include_direction_self_test.sh SCRATCH_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$1
failures=0

# One source file with one include line, in an otherwise well-behaved tree.
make_tree() {
    rm -rf "$scratch"
    mkdir -p "$scratch/include/graze/core" "$scratch/src/core" "$scratch/src/narrow" \
        "$scratch/src/mesh" "$scratch/$(dirname "$1")"
    echo '#include <vector>' > "$scratch/include/graze/core/vec3.hpp"
    : > "$scratch/src/core/private.hpp"
    : > "$scratch/src/narrow/private.hpp"
    mkdir -p "$scratch/apps/graze/cli" "$scratch/apps/graze/commands" "$scratch/tests/contract"
    : > "$scratch/apps/graze/cli/options.hpp"
    : > "$scratch/apps/graze/commands/mesh.hpp"
    : > "$scratch/tests/contract/tests_only.hpp"
    echo "$2" > "$scratch/$1"
}

rejects() {
    make_tree "$1" "$2"
    if report=$("$here/include_direction.sh" "$scratch" 2>&1); then
        echo "accepted, but should not: $1: $2"
        failures=$((failures + 1))
    elif ! printf '%s\n' "$report" | grep -q -F "$1:1: "; then
        echo "rejected without naming $1:1: $report"
        failures=$((failures + 1))
    fi
}

accepts() {
    make_tree "$1" "$2"
    if ! report=$("$here/include_direction.sh" "$scratch" 2>&1); then
        echo "rejected, but should not: $1: $2: $report"
        failures=$((failures + 1))
    fi
}

# Dependencies between modules.
rejects src/core/a.cpp '#include "graze/narrow/ccd.hpp"'
rejects src/core/a.cpp '#include <graze/narrow/ccd.hpp>'
rejects include/graze/core/a.hpp '  #  include "graze/io/query_file.hpp"'
rejects src/narrow/deep/a.cpp '#include "graze/mesh/mesh.hpp"'
rejects src/broad/a.cpp '#include "graze/narrow/ccd.hpp"'
rejects src/slide/a.cpp '#include "graze/narrow/ccd.hpp"'
rejects src/io/a.cpp '#include "graze/oracle/oracle.hpp"'
rejects src/oracle/a.cpp '#include "graze/core/vec3.hpp"'
rejects src/core/a.cpp '#include "narrow/private.hpp"'
rejects src/core/a.cpp '#include "../narrow/private.hpp"'
rejects src/cellar/a.cpp '#include <vector>'
rejects src/core/a.cpp '#include "graze/cellar/a.hpp"'
# Around the library.
rejects src/verify/a.cpp '#include "cli/options.hpp"'
rejects tests/narrow/a.cpp '#include "cli/options.hpp"'
rejects tests/mesh/a.cpp '#include "narrow/private.hpp"'
rejects bench/micro/a.cpp '#include "narrow/private.hpp"'
rejects bench/micro/a.cpp '#include "contract/tests_only.hpp"'
rejects apps/graze/cli/a.cpp '#include "commands/mesh.hpp"'
rejects apps/graze/commands/a.cpp '#include "narrow/private.hpp"'
rejects examples/a.cpp '#include "graze/oracle/oracle.hpp"'
# Libraries.
rejects src/narrow/a.cpp '#include <gmpxx.h>'
rejects src/mesh/a.cpp '#include "gmp.h"'
rejects src/narrow/a.cpp '#include <Eigen/Dense>'
rejects src/core/a.cpp '#include <iostream>'
rejects include/graze/narrow/a.hpp '#include <iostream>'
rejects src/oracle/a.cpp '#include <nlohmann/json.hpp>'

accepts src/core/a.cpp '#include <immintrin.h>'
accepts src/core/a.cpp '// #include <gmpxx.h>'
accepts src/narrow/a.cpp '#include "graze/core/vec3.hpp"'
accepts src/narrow/a.cpp '#include "private.hpp"'
accepts src/narrow/a.cpp '#include "narrow/private.hpp"'
accepts src/mesh/a.cpp '#include <Eigen/Dense>'
accepts src/io/a.cpp '#include <zlib.h>'
accepts src/oracle/a.cpp '#include <gmpxx.h>'
accepts src/oracle/a.cpp '#include <iostream>'
accepts tests/narrow/a.cpp '#include "narrow/private.hpp"'
accepts tests/contract/a.cpp '#include "graze/verify/oracle_method.hpp"'
accepts apps/graze/commands/a.cpp '#include "cli/options.hpp"'
accepts apps/graze/commands/a.cpp '#include <CLI/CLI.hpp>'

# A folder without sources is a mistake in the call, not a success.
rm -rf "$scratch"
mkdir -p "$scratch/src" "$scratch/include/graze"
if "$here/include_direction.sh" "$scratch" > /dev/null 2>&1; then
    echo "accepted a tree without sources"
    failures=$((failures + 1))
fi

[ "$failures" -eq 0 ]
