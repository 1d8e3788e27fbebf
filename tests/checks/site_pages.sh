#!/bin/sh
# The documentation site, without building it: every page of docs/ is in a table of contents of docs/site/index.md, what these
# name is there, and every folder of headers has a title in the reference.   usage: site_pages.sh ROOT
set -eu
cd "$1"
failed=0
named=$(sed -n 's|^\.\./\([A-Za-z_/]*\)$|\1|p' docs/site/index.md)
[ -n "$named" ] || { echo "docs/site/index.md names no pages"; exit 1; }
for page in $(cd docs && find . -name '*.md' -not -path './site/*' -not -path './derivations/*' | sed 's|^\./||; s|\.md$||' | LC_ALL=C sort); do
    printf '%s\n' "$named" | grep -q -x "$page" || { echo "docs/$page.md is in no table of contents of docs/site/index.md"; failed=1; }
done
for page in $named; do
    case $page in
        manual | api/index | derivations/index) ;;  # made
        CHANGELOG) [ -f CHANGELOG.md ] || { echo "no CHANGELOG.md"; failed=1; } ;;
        *) [ -f "docs/$page.md" ] || { echo "docs/site/index.md names $page, which is not there"; failed=1; } ;;
    esac
done
# Modules whose headers are not shown: those that only the project itself uses.
hidden=$(sed -n 's|^EXCLUDE_PATTERNS *= *||p' docs/site/Doxyfile)
for module in $(cd include/graze && find . -mindepth 1 -maxdepth 1 -type d | sed 's|^\./||' | LC_ALL=C sort); do
    case " $hidden " in *" */$module/* "*) continue ;; esac
    grep -q "\"$module\": \"" docs/site/api_pages.py || { echo "docs/site/api_pages.py has no title for include/graze/$module"; failed=1; }
done
exit "$failed"
