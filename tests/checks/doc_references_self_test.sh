#!/bin/sh
# shellcheck disable=SC2016  # backticks in the cases are Markdown
# Proves that the check of the Markdown files can fail, and that it lets pass what it should.
# usage: doc_references_self_test.sh SCRATCH_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$1
failures=0

# A tree with a few files, where docs/page.md holds the text under test on its third line.
make_tree() {
    rm -rf "$scratch"
    mkdir -p "$scratch/docs/empty" "$scratch/include/graze/core"
    : > "$scratch/include/graze/core/vec3.hpp"
    printf '# Read me\n\n## Two words, `code`\n' > "$scratch/README.md"
    printf '# Page\n\n%s\n' "$1" > "$scratch/docs/page.md"
}

rejects() {
    make_tree "$1"
    if report=$("$here/doc_references.sh" "$scratch" 2>&1); then
        echo "accepted, but should not: $1"
        failures=$((failures + 1))
    elif ! printf '%s\n' "$report" | grep -q -F 'docs/page.md:3: '; then
        echo "rejected without naming docs/page.md:3: $report"
        failures=$((failures + 1))
    fi
}

accepts() {
    make_tree "$1"
    if ! report=$("$here/doc_references.sh" "$scratch" 2>&1); then
        echo "rejected, but should not: $1: $report"
        failures=$((failures + 1))
    fi
}

rejects 'see `docs/no_such_page.md`'
rejects 'see `README.md` and `graze/core/vec4.hpp`'
rejects 'in `vec4.hpp`'
rejects 'the folder `include/graze/cellar`'
rejects '[text](no_such_page.md)'
rejects 'the empty folder `docs/empty`'
rejects '[good](page.md) and [bad](../include/vec3.hpp)'
rejects '[text](../README.md#no-such-heading)'
rejects '[text](#no-such-heading)'
rejects '![picture](picture.svg)'
rejects '<img src="picture.svg">'
rejects '[name]: no_such_page.md'

accepts 'see `README.md`, `./README.md`, `vec3.hpp`, `graze/core/vec3.hpp` and `include/graze/core`'
accepts '[text](../README.md), [text](../README.md#two-words-code), [text](#page)'
accepts '[text](https://example.org/no_such_page.md) and `https://example.org/x.md`'
accepts 'the choice `vf/ee`, the file `build/release/made.cpp`, the pattern `src/<room>/*.cpp`'
accepts '```sh
cat docs/no_such_page.md `no_such_page.md`
```'

[ "$failures" -eq 0 ]
