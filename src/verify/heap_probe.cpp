#include "graze/verify/heap_probe.hpp"

namespace graze::verify {
namespace {

HeapProbe installed_probe;

}  // namespace

void set_heap_probe(HeapProbe probe) noexcept {
    installed_probe = probe;
}

HeapProbe heap_probe() noexcept {
    return installed_probe;
}

}  // namespace graze::verify
