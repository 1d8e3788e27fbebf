#!/bin/sh
# The same results for every number of ranks, one without mpirun included.
# usage: identical.sh TOOL FOLDER COMMAND RANKS...
set -eu
graze=$1
folder=$2
command=$3
shift 3
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/mpi/common.sh
. "$here/common.sh"
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# one RUNNER...: the command, run by RUNNER, into the files ./result*.
one() {
    case $command in
        verify) "$@" verify --methods certified,box-separation,cubic --count 2000 --threads 1 --json result.json > result.txt || true ;;
        verify-data) "$@" verify --methods certified,cubic --data data --sample 17 --threads 1 --json result.json > result.txt || true ;;
        truth) "$@" truth --data data --threads 1 --out result.csv --json result.json > /dev/null ;;
        generate) "$@" generate --family near,two-roots --kind ee --count 700 --threads 1 --out result.gzq > result.txt ;;
        set) "$@" generate --set smoke --shard 2/5 --threads 1 --out result > result.txt ;;
        mesh) "$@" mesh frames --threads 1 --json result.json > /dev/null ;;
        bench) "$@" bench --data data --methods certified,cubic,tight-inclusion --stride 3 --threads 1 --raw raw --json result.json > /dev/null
            cat raw/*/*.csv | cut -d, -f1-5 > result.csv
            rm -r raw ;;
        reproduce) "$@" reproduce --quick --paper wang2021 --figure appendix-a --out result > /dev/null
            # Pages and results hold times, and the item may measure some: that all items are there must do.
            (cd result && find . -type f | sort > ../result.txt)
            rm -r result ;;
        *) fail "no such command: $command" ;;
    esac
}

case $command in
    mesh) make_frames 8 6 ;;
    truth | bench | verify-data) "$graze" generate --set smoke --shard 1/7 --out data > /dev/null ;;
esac

kept() {
    mkdir "$1"
    for file in result*; do
        case $file in
            *.json) without_times "$file" > "$1/$file" ;;
            *) mv "$file" "$1/$file" ;;
        esac
    done
    rm -rf result*
    [ -z "$(find . -name '*.journal')" ] || fail "a journal was left"
}

one "$graze"
kept alone
for ranks in "$@"; do
    one on_ranks "$ranks"
    kept "on_$ranks"
    diff -r alone "on_$ranks" > difference.txt || { head -20 difference.txt >&2; fail "$command on $ranks ranks gives another result"; }
done
