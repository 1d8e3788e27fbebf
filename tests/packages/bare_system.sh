#!/usr/bin/env bash
# Tries the Debian packages as a newcomer does, in a Debian 12 that holds nothing else: install, run the tool, read a man
# page, complete in three shells, write pages of the viewer, do the tutorials, build a project by CMake and one by pkg-config,
# programs in C, import the module, purge; then nothing may be left. bare_debian.sh says what it needs.
#   tests/packages/bare_system.sh [FOLDER OF .deb]      default: build/package/packages
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/packages/bare_debian.sh
packages=$(realpath "${1:-build/package/packages}")
[[ -n $(find "$packages" -name '*.deb') ]] || { echo "bare_system: no packages in $packages"; exit 2; }

make_bare_debian
mkdir "$bare/packages"
cp "$packages"/*.deb "$bare/packages/"
cp -r docs/tutorials tests/tutorials/run_tutorial.sh capi/examples python/README.md "$bare/trial/"
in_bare_debian in_bare_system.sh
echo "the packages install, work and leave nothing behind"
