#!/bin/sh
# One name, one type: no two public headers declare types of the same name at namespace level, whatever the namespace;
# nor do two headers of the tool, which has one namespace: the linker would take functions of one type for the other's.
# usage: unique_type_names.sh ROOT
# The oracle includes nothing of ours, so what it needs of a word of the field it declares again: Norm.
set -eu
cd "$1"
files=$(find include/graze -type f -name '*.hpp' | LC_ALL=C sort)
[ -n "$files" ] || { echo "no public headers found below $1"; exit 1; }
of_tool=
[ ! -d apps/graze ] || of_tool=$(find apps/graze -type f -name '*.hpp' | LC_ALL=C sort)

# Names of the files: FILE...
find_repeated() {
    awk '
    /^(struct|class|union|enum class|enum|using) +[A-Za-z_]/ {
        line = $0
        sub(/^(enum class|[a-z]+) +/, "", line)
        name = line
        sub(/[^A-Za-z0-9_].*/, "", name)
        rest = substr(line, length(name) + 1)
        if (rest ~ /^( *: *[A-Za-z0-9_:]+)? *;/ || rest ~ /^::/ || name == "namespace") next  # only declared, or imported
        if (FILENAME == "include/graze/oracle/oracle.hpp" && name == "Norm") next
        if (!(name in where)) where[name] = FILENAME ":" FNR
        else if (where[name] !~ "^" FILENAME ":") {
            printf "%s:%d: there is another %s: %s\n", FILENAME, FNR, name, where[name]
            found = 1
        }
    }
    END { exit found }' "$@"
}

status=0
# shellcheck disable=SC2086  # names of headers have no spaces
find_repeated $files || status=1
# shellcheck disable=SC2086
[ -z "$of_tool" ] || find_repeated $of_tool || status=1
exit $status
