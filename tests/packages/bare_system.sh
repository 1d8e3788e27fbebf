#!/usr/bin/env bash
# Tries the Debian packages as a newcomer does, in a Debian 12 that holds nothing else: install, run the tool, read a man
# page, complete in three shells, write pages of the viewer, do the tutorials, build a project by CMake and one by pkg-config,
# programs in C, import the module, purge; then nothing may be left. Needs root, mmdebstrap and a mirror of Debian.
#   tests/packages/bare_system.sh [FOLDER OF .deb]      default: build/package/packages
# GRAZE_BARE_SYSTEM: a tar file of the bare system, made where it is not there (default: build/bare_debian12.tar).
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
packages=$(realpath "${1:-build/package/packages}")
image=${GRAZE_BARE_SYSTEM:-build/bare_debian12.tar}
[[ $(id -u) -eq 0 ]] || { echo "bare_system: run by root (chroot)"; exit 2; }
[[ -n $(find "$packages" -name '*.deb') ]] || { echo "bare_system: no packages in $packages"; exit 2; }

if [[ ! -f $image ]]; then
    mkdir -p "$(dirname "$image")"
    mmdebstrap --variant=minbase --format=tar bookworm "$image.part"
    mv "$image.part" "$image"
fi
bare=$(mktemp -d)
leave() {
    umount "$bare/proc" 2> /dev/null || true
    rm -rf "$bare"
}
trap leave EXIT
tar -xf "$image" -C "$bare" --exclude='./dev/*'
mount -t proc proc "$bare/proc" 2> /dev/null || true
cp /etc/resolv.conf "$bare/etc/resolv.conf"
mkdir -p "$bare/dev"
[[ -e $bare/dev/null ]] || mknod -m 666 "$bare/dev/null" c 1 3
[[ -e $bare/dev/urandom ]] || mknod -m 666 "$bare/dev/urandom" c 1 9
mkdir "$bare/packages" "$bare/trial"
cp "$packages"/*.deb "$bare/packages/"
cp -r docs/tutorials tests/tutorials/run_tutorial.sh capi/examples "$bare/trial/"
cp tests/packages/in_bare_system.sh "$bare/trial/"

chroot "$bare" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive bash /trial/in_bare_system.sh
echo "the packages install, work and leave nothing behind"
