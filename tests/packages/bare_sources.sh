#!/usr/bin/env bash
# Tries the sources of the last commit as a newcomer does, in a Debian 12 that holds nothing but git: the demo of the README;
# build and install by CMake as docs/build.md says, and the program of the README by find_package(); `pip install .` into an
# empty environment, and the first example of python/README.md; and the npm package, where it was built, by Node.js.
# bare_debian.sh says what it needs; takes 10 to 20 minutes of two cores.
#   tests/packages/bare_sources.sh [FOLDER OF THE NPM PACKAGE]      default: build/release/web/package
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/packages/bare_debian.sh
npm_package=${1:-build/release/web/package}

make_bare_debian
mkdir "$bare/trial/graze"
git archive HEAD | tar -x -C "$bare/trial/graze"
if [[ -d $npm_package ]]; then cp -rL "$npm_package" "$bare/trial/npm_package"; fi
in_bare_debian in_bare_sources.sh
