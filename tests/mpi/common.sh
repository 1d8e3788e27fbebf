# What the tests of mpirun share. Sourced, with the tool in $graze.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Under the address sanitizer: Open MPI does not give back all of its memory.
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
# More ranks than cores: ranks that wait shall not take the time of those that work.
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none

# on_ranks N ARGUMENT...: the tool on N ranks.
on_ranks() {
    processes=$1
    shift
    mpirun --oversubscribe --bind-to none -n "$processes" "$graze" "$@"
}

# Without what was measured: times, heaps, and how many ranks there were.
without_times() {
    sed -E -e '/"histogram": \[/,/\]/d' \
        -e '/"(seconds[a-z_]*|ns_[a-z0-9_]*|heap_[a-z_]*|clock_ns|ranks|milliseconds)":/d' "$1"
}

fail() {
    echo "$*" >&2
    exit 1
}
