#!/usr/bin/env bash
# Builds the device backend and runs all of its comparisons and timings on this machine's GPU.
#   scripts/gpu_check.sh [--quick] [SCENE.step]...
#     --quick     small scenes and 16 million queries; otherwise 400 million
# Needs nvcc (CUDA 12 or newer) and CMake. What a scene file holds: tests/cuda/scene_file.hpp.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
millions=400
steps=()
case ${1:-} in
    -h | --help) sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    --quick) millions=16; steps=(--quick); shift ;;
esac
if ! command -v nvcc > /dev/null; then
    export PATH=$PATH:/usr/local/cuda/bin
fi
command -v nvcc > /dev/null || { echo "gpu_check: nvcc is not on the PATH" >&2; exit 1; }
cmake --preset cuda > /dev/null
cmake --build --preset cuda --parallel "$(nproc)"
date -u +%Y-%m-%d
build/cuda/bin/device_steps "${steps[@]}" "$@"
build/cuda/bin/device_queries "$millions"
build/cuda/bin/device_pairs "$@"
build/cuda/bin/device_header
build/cuda/bin/device_header_fused
