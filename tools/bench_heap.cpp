#include "bench_heap.hpp"

namespace graze::tools {
namespace {

HeapProbe installed_probe;

}  // namespace

void set_heap_probe(HeapProbe probe) noexcept {
    installed_probe = probe;
}

HeapProbe heap_probe() noexcept {
    return installed_probe;
}

}  // namespace graze::tools
