#!/bin/sh
# What goes wrong under mpirun is one clear error, and leaves no half of a result.
# usage: failures.sh TOOL FOLDER
set -eu
graze=$1
folder=$2
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/mpi/common.sh
. "$here/common.sh"
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# expect TEXT NUMBER: of errors that are said.
expect() {
    grep -q -- "$1" err || { cat err >&2; fail "the error does not say: $1"; }
    [ "$(grep -c 'graze: error' err)" -eq 1 ] || { cat err >&2; fail "not one error"; }
}

# A command that does not distribute, and wrong use.
on_ranks 2 methods > out 2> err && fail "methods ran on two ranks"
expect 'one process'
on_ranks 2 verify --resume > out 2> err && fail "--resume without a place"
expect 'needs a file of results'

# A bad file: the error names it, and the block.
"$graze" generate --set smoke --out data > /dev/null
size=$(wc -c < data/motion/fast-ball/queries/0vf.gzq)
dd if=/dev/zero of=data/motion/fast-ball/queries/0vf.gzq bs=1 seek=$((size / 2)) count=40 conv=notrunc 2> /dev/null
on_ranks 2 truth --data data --json truth.json > out 2> err && fail "a damaged file was taken"
expect 'fast-ball'
[ ! -e truth.json ] || fail "a result of damaged data"

# The journal cannot be written: a place that is no file's, a full disk. For the ranks alone: with such a limit mpirun itself
# cannot start them, and may wait for ever.
on_ranks 2 verify --count 2000 --methods certified --journal /dev/full/x --json v.json > out 2> err && fail "no journal, no error"
[ ! -e v.json ] || fail "a result without its journal"
OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo mpirun --oversubscribe --bind-to none -n 2 sh -c 'ulimit -f 8; exec "$@"' limited \
    "$graze" generate --family near --kind vf --count 2000 --out full.gzq > out 2> err && fail "a full disk was not seen"
expect 'full.gzq.journal: File too large'
[ ! -e full.gzq ] || fail "half of a result"

# A journal of another command.
cat > other.journal < /dev/null
"$graze" verify --count 900 --methods certified --journal j --json v.json > /dev/null
printf 'no journal at all, but long enough to be one' > j
on_ranks 2 verify --count 900 --methods certified --journal j --resume --json v.json > out 2> err && fail "took a text for a journal"
expect 'no journal'

# A set that was written for something else.
mkdir stranger
echo x > stranger/file
on_ranks 2 generate --set smoke --out stranger > out 2> err && fail "wrote into a strange folder"
expect 'holds something else'
