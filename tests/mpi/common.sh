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

# make_frames COUNT SIDE: ./frames, two meshes of SIDE x SIDE vertices that fall through each other, as OBJ.
make_frames() {
    mkdir frames
    awk -v count="$1" -v n="$2" 'BEGIN {
        for (f = 0; f < count; f++) {
            file = sprintf("frames/frame_%04d.obj", f)
            for (m = 0; m < 2; m++) for (i = 0; i < n; i++) for (k = 0; k < n; k++)
                printf "v %.17g %.17g %.17g\n", i + m / 3, m * 4 - m * f * 8 / count + ((i * 7 + k * 3) % 5) / 10, k + m / 7 > file
            for (m = 0; m < 2; m++) for (i = 0; i < n - 1; i++) for (k = 0; k < n - 1; k++) {
                a = m * n * n + i * n + k + 1
                printf "f %d %d %d\nf %d %d %d\n", a, a + 1, a + n, a + 1, a + n + 1, a + n > file
            }
            close(file)
        }
    }'
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
