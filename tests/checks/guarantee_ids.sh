#!/bin/sh
# Each statement of docs/GUARANTEES.md has an id (G-CERTIFIED-1) of its own; each is defended by a test file that
# says so ("// Defends G-CERTIFIED-1 ..."), the files that its row names among them; no test defends an id that is
# not there.   usage: guarantee_ids.sh ROOT
set -eu
cd "$1"
awk '
    function ids_in(text, list, count) {
        count = 0
        while (match(text, /G-[A-Z]+-[0-9]+/)) {
            list[++count] = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
        }
        return count
    }
    function complain(text) { print text; bad = 1 }

    FILENAME == "docs/GUARANTEES.md" {
        if (/^\|/ && !/^\| *(id|---)/ && !/^\|-/ && !/^\| *G-[A-Z]+-[0-9]+ *\|/ && in_statements)
            complain("docs/GUARANTEES.md:" FNR ": a statement without an id")
        if (/^\| *id *\|/) in_statements = 1
        if (!/^\|/) in_statements = 0
        # Defined in the first cell of a row, or in bold in the text.
        if (match($0, /^\| *G-[A-Z]+-[0-9]+/) || match($0, /\*\*G-[A-Z]+-[0-9]+\*\*/)) {
            id = substr($0, RSTART, RLENGTH)
            gsub(/[|* ]/, "", id)
            if (id in defined) complain("docs/GUARANTEES.md:" FNR ": " id " is defined twice")
            defined[id] = FNR
            rest = $0
            while (match(rest, /tests\/[A-Za-z0-9_\/]+\.(cpp|sh|cu)/)) {
                named[id, substr(rest, RSTART, RLENGTH)] = 1
                rest = substr(rest, RSTART + RLENGTH)
            }
        }
        next
    }
    FNR == 1 { defending = 0 }
    /^(\/\/|#) Defends G-/ { defending = 1 }
    defending {
        if (!/^(\/\/|#) /) { defending = 0; next }
        count = ids_in($0, list)
        for (i = 1; i <= count; i++) {
            if (!(list[i] in defined)) complain(FILENAME ":" FNR ": defends " list[i] ", which docs/GUARANTEES.md does not have")
            defended[list[i]] = 1
            carried[list[i], FILENAME] = 1
        }
        if (/\.$/) defending = 0
    }
    END {
        for (id in defined)
            if (!(id in defended)) complain("docs/GUARANTEES.md:" defined[id] ": no test defends " id)
        for (pair in named) {
            split(pair, parts, SUBSEP)
            if (!((parts[1], parts[2]) in carried))
                complain("docs/GUARANTEES.md:" defined[parts[1]] ": " parts[2] " does not say that it defends " parts[1])
        }
        count = 0
        for (id in defined) count++
        if (count == 0) complain("docs/GUARANTEES.md defines no id")
        exit bad
    }' docs/GUARANTEES.md $(find tests -type f \( -name '*.cpp' -o -name '*.sh' -o -name '*.cu' \) | LC_ALL=C sort)
