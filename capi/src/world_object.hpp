// What the handle of a world stands for.
#pragma once

#include <variant>

#include "graze/slide.hpp"
#include "handles.hpp"

namespace graze::capi {

struct WorldObject {
    static constexpr HandleKind kHandle = HandleKind::World;
    static constexpr const char* kName = "world";
    InUse in_use;
    std::variant<slide::World<double>, slide::World<float>> searched;
};

}  // namespace graze::capi
