#!/usr/bin/env bash
# Installs what the project needs from the packages of Debian 12 (or a distribution with the same names).
#   scripts/setup.sh [--for demo|test|fuzz|dev|site|package|platforms]
#     demo   build and run the command line tool
#     test   demo, and build and run the tests (default)
#     fuzz   the libFuzzer targets
#     dev    everything: test, fuzz, clang builds, clang-tidy, micro benchmarks
#     site   the documentation site (scripts/site.sh)
#     package  Debian packages (scripts/package.sh), and a bare system to try them in
#     platforms  the other compilers, and emulators, of scripts/platforms.sh
# Does nothing, quickly, where all is there. GRAZE_SKIP_SETUP=1 skips it altogether.
set -euo pipefail

readonly for_demo=(build-essential cmake ninja-build
    libboost-dev libcli11-dev libfmt-dev libgmp-dev libtbb-dev nlohmann-json3-dev zlib1g-dev)
readonly for_test=("${for_demo[@]}" git clang-format pkgconf
    libeigen3-dev libgmock-dev libgtest-dev libopenmpi-dev libpng-dev librapidcheck-dev liburdfdom-dev openmpi-bin
    pybind11-dev python3-dev python3-numpy python3-pytest python3-hypothesis
    python3-build python3-pip python3-setuptools python3-venv python3-wheel
    mypy python3-matplotlib
    nodejs npm emscripten chromium)
readonly for_fuzz=("${for_demo[@]}" clang libclang-rt-14-dev libeigen3-dev libpng-dev liburdfdom-dev)
readonly for_dev=("${for_test[@]}" "${for_fuzz[@]}" clang-tidy libbenchmark-dev
    libompl-dev libsuitesparse-dev)
readonly for_site=(doxygen furo libjs-mathjax node-normalize.css python3-myst-parser python3-sphinx)
readonly for_platforms=(build-essential cmake make libboost-dev clang-14 clang-19 emscripten nodejs qemu-user wine64
    g++-aarch64-linux-gnu g++-arm-linux-gnueabihf g++-i686-linux-gnu g++-mingw-w64-x86-64-posix g++-riscv64-linux-gnu)
readonly for_package=("${for_test[@]}" "${for_site[@]}" dpkg-dev fakeroot file lintian man-db mmdebstrap)

say() { echo "setup: $*" >&2; }

usage() {
    sed -n '2,11s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}

packages_for() {
    case $1 in
        demo) echo "${for_demo[@]}" ;;
        test) echo "${for_test[@]}" ;;
        fuzz) echo "${for_fuzz[@]}" ;;
        dev) echo "${for_dev[@]}" ;;
        site) echo "${for_site[@]}" ;;
        package) echo "${for_package[@]}" ;;
        platforms) echo "${for_platforms[@]}" ;;
        *) usage ;;
    esac
}

# Those of the given packages that are not installed, one a line.
missing_packages() {
    # dpkg-query also complains, and fails, about packages it has never heard of.
    { dpkg-query -W -f='${binary:Package} ${db:Status-Status}\n' "$@" 2> /dev/null || true; } \
        | awk -v wanted="$*" '
            { sub(/:.*/, "", $1); if ($2 == "installed") here[$1] = 1 }
            END {
                count = split(wanted, names, " ")
                for (i = 1; i <= count; i++) if (!(names[i] in here) && !seen[names[i]]++) print names[i]
            }'
}

# Those of the given packages whose program is not here already, in a package of another name: Node.js of
# other sources brings npm, and does not go with Debian's.
without_programs_here() {
    local package
    for package in "$@"; do
        case $package in
            nodejs) command -v node > /dev/null || echo "$package" ;;
            npm) command -v npm > /dev/null || echo "$package" ;;
            *) echo "$package" ;;
        esac
    done
}

# Where there is no apt, CMake finds the libraries or says which one it misses.
without_apt() {
    say "this is not a Debian system: install by hand, under whatever names they have here:"
    say "  $*"
    local tool
    for tool in cmake ninja c++; do
        if ! command -v "$tool" > /dev/null; then
            say "'$tool' is not on the PATH"
            exit 1
        fi
    done
    say "going on with what CMake finds"
}

install_packages() {
    local as_root=()
    if [[ $(id -u) -ne 0 ]]; then
        if ! command -v sudo > /dev/null; then
            say "missing packages, and neither root nor sudo to install them; have this run by root:"
            say "  apt-get install $*"
            say "or set GRAZE_SKIP_SETUP=1 if the libraries are here in another way"
            exit 1
        fi
        as_root=(sudo)
    fi
    say "installing $*"
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "$@"
}

# The packages of web/package-lock.json. Without them, or a network to get them from, all but the page
# for a browser is built.
install_web_packages() {
    local web
    web=$(cd "$(dirname "${BASH_SOURCE[0]}")/../web" && pwd)
    command -v npm > /dev/null || return 0
    [[ ! $web/node_modules/.package-lock.json -nt $web/package-lock.json ]] || return 0
    say "npm ci in web/"
    (cd "$web" && npm ci --ignore-scripts > /dev/null) || say "npm ci failed: the page for a browser will not be built"
}

main() {
    local purpose=test packages missing
    while [[ $# -gt 0 ]]; do
        case $1 in
            --for) purpose=${2:-}; shift 2 || usage ;;
            *) usage ;;
        esac
    done
    packages=$(packages_for "$purpose") || exit 2
    [[ ${GRAZE_SKIP_SETUP:-} != 1 ]] || return 0
    # The lists hold names without spaces.
    # shellcheck disable=SC2086
    if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
        without_apt $packages
        return
    fi
    # shellcheck disable=SC2046,SC2086
    missing=$(without_programs_here $(missing_packages $packages))
    # shellcheck disable=SC2086
    [[ -z $missing ]] || install_packages $missing
    case $purpose in
        test | dev | package) install_web_packages ;;
    esac
}

main "$@"
