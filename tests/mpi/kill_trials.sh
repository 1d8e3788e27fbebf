#!/bin/sh
# Kills one rank, any of them, at a random time, again and again: --resume completes with the same result,
# on another number of ranks.
# usage: kill_trials.sh TOOL FOLDER TRIALS [SEED [COMMANDS]]     COMMANDS: a list in quotes, e.g. 'mesh set'
set -eu
graze=$1
folder=$2
trials=$3
seed=${4:-1}
commands=${5:-verify generate truth bench set mesh}
here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/mpi/common.sh
. "$here/common.sh"
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

random() { # random MOST: 0 to MOST - 1
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    value=$(((seed / 65536) % $1))
}

arguments() {
    case $1 in
        verify) echo "verify --methods certified,cubic,box-separation --count 6000 --threads 1 --json result.json" ;;
        generate) echo "generate --family near,wild --kind ee --count 400 --threads 1 --out result.gzq" ;;
        truth) echo "truth --data data --threads 1 --out result.csv --json result.json" ;;
        bench) echo "bench --data data --methods certified,cubic,tight-inclusion --stride 1 --threads 1 --json result.json" ;;
        mesh) echo "mesh frames --threads 1 --json result.json" ;;
        set) echo "generate --set smoke --shard 1/3 --threads 1 --out result" ;;
    esac
}

# keep NAME: the result under this name, without times.
keep() {
    mkdir -p "$1"
    for file in result*; do
        case $file in
            *.journal) fail "a journal was left" ;;
            *.json) without_times "$file" > "$1/$file" ;;
            *) cp -r "$file" "$1/$file" ;;
        esac
    done
    rm -rf result*
}

"$graze" generate --set smoke --shard 1/3 --out data > /dev/null
make_frames 40 90
for command in $commands; do
    # shellcheck disable=SC2046  # options without spaces
    "$graze" $(arguments "$command") > /dev/null 2>&1 || true
    keep "expected_$command"
done

# ranks_of MPIRUN: the processes that it started.
ranks_of() {
    pgrep -P "$1" -x "$(basename "$graze")" || true
}

killed=0
trial=0
while [ "$killed" -lt "$trials" ]; do
    trial=$((trial + 1))
    [ "$trial" -le $((8 * trials)) ] || fail "runs end before they can be killed: $killed of $trial were"
    random "$(echo "$commands" | wc -w)"; command=$(echo "$commands" | cut -d' ' -f$((value + 1)))
    random 4; ranks=$((value + 2))
    random "$ranks"; victim=$value
    random 1200; delay=$value
    # shellcheck disable=SC2046
    on_ranks "$ranks" $(arguments "$command") > out 2> err &
    shell=$!
    launcher=
    process=
    tries=0
    # The shell runs mpirun, and that the ranks.
    while [ -z "$process" ] && [ "$tries" -lt 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
        launcher=$(pgrep -P "$shell" -x mpirun || true)
        [ -z "$launcher" ] || process=$(ranks_of "$launcher" | sed -n "$((victim + 1))p")
    done
    sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
    # Still the child of this mpirun, and not a process that has its number by now.
    was_killed=no
    if [ -n "$process" ] && ranks_of "$launcher" | grep -q -x "$process"; then
        ! kill -9 "$process" 2> /dev/null || was_killed=yes
    fi
    wait "$shell" 2> /dev/null || true
    if [ $was_killed = no ]; then
        rm -rf result*
        continue
    fi
    killed=$((killed + 1))
    random 4; again=$((value + 1))
    # shellcheck disable=SC2046
    on_ranks "$again" $(arguments "$command") --resume > out 2> err || [ "$command" = verify ] || { cat err >&2; fail "trial $trial: $command does not resume"; }
    rm -rf found
    keep found
    diff -r "expected_$command" found > difference.txt || {
        head -5 difference.txt >&2
        fail "trial $trial: $command, rank $victim of $ranks killed after $delay ms, resumed on $again, differs"
    }
    echo "kill $killed: $command on $ranks, rank $victim killed after $delay ms, resumed on $again: identical"
done
echo "$killed ranks killed in $trial runs, all results identical"
