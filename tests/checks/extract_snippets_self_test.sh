#!/bin/sh
# Proves that marked snippets are found, whole and alone.   usage: extract_snippets_self_test.sh SCRATCH_FOLDER
# shellcheck disable=SC2016  # backticks are Markdown
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$1"
mkdir -p "$1"
cd "$1"

extract() {
    awk -v out=. -f "$here/extract_snippets.awk" page.md 2> /dev/null
}

printf '%s\n' '<!-- fragment -->' '```cpp' 'no file' '```' '<!-- compile -->' '```cpp' 'int a;' '```' \
    'text' '<!-- compile -->' '' '```cpp' 'int b;' '' 'int c;' '```' > page.md
[ "$(extract | tr '\n' ' ')" = "./page_md_1.cpp ./page_md_2.cpp " ] || { echo "wrong list"; exit 1; }
printf '%s\n' '#line 7 "page.md"' 'int a;' | cmp - page_md_1.cpp
printf '%s\n' '#line 13 "page.md"' 'int b;' '' 'int c;' | cmp - page_md_2.cpp

printf '%s\n' '<!-- compile -->' 'text' > page.md
if extract; then echo "accepted a marker without a block"; exit 1; fi
printf '%s\n' '<!-- compile -->' '```cpp' 'int a;' > page.md
if extract; then echo "accepted a block without an end"; exit 1; fi
printf '%s\n' '```cpp' 'int a;' '```' > page.md
if extract; then echo "accepted a block without a marker"; exit 1; fi
exit 0
