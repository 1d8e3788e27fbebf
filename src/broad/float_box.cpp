#include "graze/broad/float_box.hpp"

#include <cmath>

namespace graze {

FloatMap<3> float_map_around(const Box& scene) noexcept {
    FloatMap<3> map;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(scene.lower[axis] <= scene.upper[axis])) continue;
        map.middle[axis] = 0.5 * scene.lower[axis] + 0.5 * scene.upper[axis];
        const double half = 0.5 * scene.upper[axis] - 0.5 * scene.lower[axis];
        // Never subnormal, never above 2^1022.
        if (half > 0.0)
            map.scale[axis] = std::ldexp(1.0, std::clamp(-std::ilogb(half), -1022, 1022));
    }
    // One scale for all axes, that of the widest one, so that extents compare.
    const double scale = std::min({map.scale[0], map.scale[1], map.scale[2]});
    map.scale = {scale, scale, scale};
    return map;
}

}  // namespace graze
