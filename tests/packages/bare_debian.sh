#!/usr/bin/env bash
# A Debian 12 that holds nothing else, as a folder to change the root to; sourced by bare_system.sh and bare_sources.sh.
# Needs root, mmdebstrap and a mirror of Debian. GRAZE_BARE_SYSTEM: a tar file of the bare system, made where it is not there
# (default: build/bare_debian12.tar).

# make_bare_debian: unpacks it, names the folder in $bare, and removes it when the script ends.
make_bare_debian() {
    local image=${GRAZE_BARE_SYSTEM:-build/bare_debian12.tar}
    [[ $(id -u) -eq 0 ]] || { echo "$(basename "$0"): run by root (chroot)"; exit 2; }
    if [[ ! -f $image ]]; then
        mkdir -p "$(dirname "$image")"
        mmdebstrap --variant=minbase --format=tar bookworm "$image.part"
        mv "$image.part" "$image"
    fi
    bare=$(mktemp -d)
    trap remove_bare_debian EXIT
    tar -xf "$image" -C "$bare" --exclude='./dev/*'
    mount -t proc proc "$bare/proc" 2> /dev/null || true
    cp /etc/resolv.conf "$bare/etc/resolv.conf"
    mkdir -p "$bare/dev" "$bare/trial"
    [[ -e $bare/dev/null ]] || mknod -m 666 "$bare/dev/null" c 1 3
    [[ -e $bare/dev/urandom ]] || mknod -m 666 "$bare/dev/urandom" c 1 9
}

remove_bare_debian() {
    umount "$bare/proc" 2> /dev/null || true
    rm -rf "$bare"
}

# in_bare_debian SCRIPT: runs a script of this folder inside, with nothing of the environment.
in_bare_debian() {
    cp "$(dirname "${BASH_SOURCE[0]}")/$1" "$bare/trial/"
    chroot "$bare" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive bash "/trial/$1"
}
