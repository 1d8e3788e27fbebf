#!/bin/sh
# Proves that the check for types of one name can fail.   usage: unique_type_names_self_test.sh SCRATCH_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$1
failures=0

# make_tree LINE LINE: one header each.
make_tree() {
    rm -rf "$scratch"
    mkdir -p "$scratch/include/graze/mesh" "$scratch/include/graze/rigid"
    printf '// a\n%s\n' "$1" > "$scratch/include/graze/mesh/a.hpp"
    printf '// b\n%s\n' "$2" > "$scratch/include/graze/rigid/b.hpp"
}

rejects() {
    make_tree "$1" "$2"
    if report=$("$here/unique_type_names.sh" "$scratch"); then
        echo "accepted, but should not: $1 | $2"
        failures=$((failures + 1))
    elif ! printf '%s\n' "$report" | grep -q -F 'include/graze/rigid/b.hpp:2: there is another Contact: include/graze/mesh/a.hpp:2'; then
        echo "rejected without naming both headers: $report"
        failures=$((failures + 1))
    fi
}

accepts() {
    make_tree "$1" "$2"
    if ! report=$("$here/unique_type_names.sh" "$scratch"); then
        echo "rejected, but should not: $1 | $2: $report"
        failures=$((failures + 1))
    fi
}

rejects 'struct Contact {' 'class Contact final : public Base {'
rejects 'enum class Contact : std::uint8_t { Yes, No };' 'using Contact = int;'
rejects 'struct Contact { int a; };' 'struct Contact { int b; };'
accepts 'struct Contact {' 'struct Contact;'
accepts 'enum class Contact : std::uint8_t;' 'enum class Contact : std::uint8_t { Yes, No };'
accepts 'struct Contact {' '    struct Contact {'
accepts 'struct Contact {' 'struct ContactPoint {'
accepts 'struct Contact {' '// struct Contact {'

[ "$failures" -eq 0 ]
