#!/usr/bin/env bash
# Sets up, builds the command line tool and compares the methods on the data set that is built into it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

build_tool() {
    if command -v ccache > /dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
    cmake --preset demo --log-level=WARNING > /dev/null
    cmake --build --preset demo --parallel "${GRAZE_JOBS:-$(nproc)}"
}

say_what_next() {
    cat << END

That was: build/demo/tools/graze bench
Next:
  build/demo/tools/graze --help         what else the tool does
  build/demo/tools/graze query --help   put your own queries to a method
  ./test.sh                             build and run the tests
  README.md                             how to use the library in your own project
END
}

main() {
    cd "$root"
    scripts/setup.sh --for demo
    build_tool
    build/demo/tools/graze bench "$@"
    say_what_next
}

main "$@"
