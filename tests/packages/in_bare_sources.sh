#!/usr/bin/env bash
# What bare_sources.sh does inside of the bare system; /trial/graze holds the sources.
set -euo pipefail
cd /trial

say() { echo "== $*"; }
logged() { "$@" > step.log 2>&1 || { tail -20 step.log; exit 1; }; }
# block LANGUAGE FILE: the first block of code of that language.
block() { awk -v fence="^\`\`\`$1\$" '/^```$/ && on { exit } on { print } $0 ~ fence { on = 1 }' "$2"; }
apt_get() { logged apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends "$@"; }
apt_get update
apt_get install git ca-certificates

say "the demo of the README, which installs what it needs"
logged graze/demo.sh --quick
tail -n 1 step.log
[[ -s graze/build/demo/pictures/bench.html ]]

say "CMake: build, install, find_package()"
logged cmake -S graze -B build -DCMAKE_BUILD_TYPE=Release -DGRAZE_BUILD_TOOLS=OFF -DGRAZE_BUILD_TESTS=OFF \
    -DGRAZE_BUILD_EXAMPLES=OFF -DGRAZE_BUILD_VERIFY=OFF
logged cmake --build build --parallel "$(nproc)"
logged cmake --install build --prefix /trial/installed
mkdir app
block cpp graze/README.md > app/main.cpp
cat > app/CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.20)
project(app CXX)
find_package(graze 0.1 REQUIRED COMPONENTS mesh)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE graze::mesh)
END
logged cmake -S app -B app/build -DCMAKE_PREFIX_PATH=/trial/installed
logged cmake --build app/build
app/build/app | tee app.out
grep -q '^contact, first at t in \[0.666666666667, 0.666666666667\]' app.out

say "Python: pip install . into an empty environment"
# What docs/python.md lists and the demo did not install.
apt_get install libeigen3-dev libpng-dev pybind11-dev python3-dev python3-numpy python3-pip python3-venv
logged python3 -m venv --system-site-packages venv
(cd graze && logged ../venv/bin/pip install .)
block python graze/python/README.md > first.py
venv/bin/python first.py
venv/bin/python -c 'import graze; print(graze.__version__, graze.__file__); assert "/trial/venv/" in graze.__file__'

say "npm"
if [[ -d npm_package ]]; then
    apt_get install nodejs npm
    bash graze/tests/packages/npm_package.sh npm_package
else
    echo "no npm package was built: left out"
fi
say "the sources build, install and work"
