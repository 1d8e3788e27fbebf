#!/usr/bin/env bash
# Makes data/embedded afresh: the queries that are built into the library, with exact truth and times.
# The queries follow from the families and seeds named here; a test holds the files to them.
set -euo pipefail
cd "$(dirname "$0")/.."
graze=${1:-build/release/bin/graze}

make_group() {  # name, families, queries of each family for vf and ee, for vv and ve
    for kind in vf ee; do
        "$graze" generate --family "$2" --kind "$kind" --count "$3" --out "data/embedded/$1.$kind.gzq"
    done
    for kind in vv ve; do
        "$graze" generate --family "$2" --kind "$kind" --count "$4" --out "data/embedded/$1.$kind.gzq"
    done
}

mkdir -p data/embedded
make_group ordinary ordinary 40 10
make_group near boundary,near 20 5
make_group degenerate small-integers,flat,multiple-roots,zero-area,parallel,static,coincident 10 3
make_group wild wild 12 6
