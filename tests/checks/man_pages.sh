#!/usr/bin/env bash
# Man pages are made for every command, and have what the help has.   usage: man_pages.sh ROOT TOOL
set -euo pipefail
root=$1 tool=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$root/scripts/man_pages.sh" "$tool" "$folder"

commands=$("$tool" help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }')
failed=0
for command in $commands; do
    page=$folder/graze-$command.1
    [[ -s $page ]] || { echo "no page of $command"; failed=1; continue; }
    for section in NAME SYNOPSIS OPTIONS EXAMPLES 'SEE ALSO'; do
        grep -q -x ".SH $section" "$page" || { echo "$command: no section $section"; failed=1; }
    done
    for option in $("$tool" help "$command" | grep -o -E '^  (-., )?--[a-z-]+' | grep -o -E -- '--[a-z-]+'); do
        grep -q -F -- "${option//-/\\-}" "$page" || { echo "$command: no option $option"; failed=1; }
    done
    if command -v man > /dev/null; then
        warnings=$(man --warnings -l "$page" 2>&1 > /dev/null)
        [[ -z $warnings ]] || { echo "$command: $warnings"; failed=1; }
    fi
done
grep -q -F 'graze\-mesh (1)' "$folder/graze.1" || { echo "graze(1) does not name the others"; failed=1; }
exit "$failed"
