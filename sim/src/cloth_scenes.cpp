#include "graze/sim/scene.hpp"

namespace graze::sim {

std::span<const NamedScene> cloth_scenes() noexcept {
    return {};
}

}  // namespace graze::sim
