#!/usr/bin/env bash
# Builds the Debian packages into build/package/packages and checks them with lintian.
#   scripts/package.sh [--no-site] [--no-build]
#     --no-site    without graze-doc
#     --no-build   package what build/package holds
# GRAZE_CMAKE_ARGS: more arguments of CMake. GRAZE_JOBS: how many things to do at once. Errors of lintian are errors.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
site=yes build=yes
while [[ $# -gt 0 ]]; do
    case $1 in
        --no-site) site=no ;;
        --no-build) build=no ;;
        *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift
done
scripts/setup.sh --for package
folder=${GRAZE_PACKAGE_BUILD:-build/package}
site_dir=
if [[ $site == yes ]]; then site_dir=$PWD/build/site/html; fi
# shellcheck disable=SC2086  # a list of arguments
cmake --preset package -B "$folder" -DGRAZE_SITE_DIR="$site_dir" ${GRAZE_CMAKE_ARGS:-} --log-level=WARNING > /dev/null
[[ $build == no ]] || cmake --build "$folder" --parallel "${GRAZE_JOBS:-$(nproc)}"
[[ $site == no ]] || scripts/site.sh --tool "$PWD/$folder/bin/graze"

rm -rf "$folder/packages"
# The umask decides about the permissions of folders; packages say 755.
(umask 022 && cd "$folder" && cpack -G DEB > cpack.log 2>&1) || { tail -20 "$folder/cpack.log"; exit 1; }
rm -rf "$folder/packages/_CPack_Packages"
ls -l "$folder/packages"
lintian --fail-on error "$folder"/packages/*.deb
