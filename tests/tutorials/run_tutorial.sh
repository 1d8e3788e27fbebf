#!/usr/bin/env bash
# Does what a tutorial tells its reader: files under "<!-- file NAME -->" are saved, blocks of `sh` are run in
# order, and what a block of `text` after them shows must be in their output. A block under "<!-- not run -->"
# is skipped. usage: run_tutorial.sh TUTORIAL.md
# The environment says where graze is: PATH, PKG_CONFIG_PATH, CMAKE_PREFIX_PATH, LD_LIBRARY_PATH.
set -euo pipefail

[[ $# -eq 1 ]] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
tutorial=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Into numbered steps: steps/003.sh, steps/004.text, and the files themselves.
mkdir steps
awk '
    /^<!-- file [^ ]+ -->$/ { file = $3; next }
    /^<!-- not run -->$/ { skip = 1; next }
    /^<!--/ { next }
    /^```[a-z]+$/ && !inside {
        inside = 1
        kind = substr($0, 4)
        to = ""
        if (file != "") to = file
        else if (!skip && (kind == "sh" || kind == "text")) to = sprintf("steps/%03d.%s", ++count, kind)
        file = ""
        skip = 0
        next
    }
    /^```$/ && inside { inside = 0; if (to != "") close(to); next }
    inside && to != "" { print > to }
' "$tutorial"

ran=0
for step in steps/*; do
    case $step in
        *.sh)
            echo "== $(basename "$tutorial"), $(basename "$step")"
            bash -euo pipefail "$step" 2>&1 | tee output
            ran=$((ran + 1))
            ;;
        *.text)
            while IFS= read -r line; do
                grep -q -F -- "$line" output || { echo "not in the output: $line"; exit 1; }
            done < "$step"
            ;;
    esac
done
[[ $ran -gt 0 ]] || { echo "$tutorial: nothing to run"; exit 1; }
