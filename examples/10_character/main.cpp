// A character walks through a small yard: up a kerb, along a wall, down a ramp. It is an ellipsoid
// that never gets into the level, and after every frame a gap is proved to be there.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "character.hpp"

namespace slide = graze::slide;

namespace {

using Vector = graze::Vec3f;

// Ground in the plane y = 0, a plateau 0.25 higher from x = 2 to x = 6, a ramp down to x = 9, and a
// wall along z = 1.5. Triangles need not fit together: there is no topology to keep.
slide::Level<float> make_yard() {
    std::vector<Vector> points;
    std::vector<slide::Level<float>::Face> faces;
    const auto quad = [&](Vector a, Vector b, Vector c, Vector d) {
        const auto first = static_cast<std::uint32_t>(points.size());
        points.insert(points.end(), {a, b, c, d});
        faces.push_back({first, first + 1, first + 2});
        faces.push_back({first, first + 2, first + 3});
    };
    quad({-5, 0, -5}, {2, 0, -5}, {2, 0, 5}, {-5, 0, 5});
    quad({2, 0, -5}, {2, 0.25F, -5}, {2, 0.25F, 5}, {2, 0, 5});
    quad({2, 0.25F, -5}, {6, 0.25F, -5}, {6, 0.25F, 5}, {2, 0.25F, 5});
    quad({6, 0.25F, -5}, {9, -0.75F, -5}, {9, -0.75F, 5}, {6, 0.25F, 5});
    quad({9, -0.75F, -5}, {15, -0.75F, -5}, {15, -0.75F, 5}, {9, -0.75F, 5});
    quad({-5, -1, 1.5F}, {15, -1, 1.5F}, {15, 3, 1.5F}, {-5, 3, 1.5F});
    slide::Level<float> level;
    if (!level.add_part(points, faces)) std::exit(EXIT_FAILURE);
    return level;
}

}  // namespace

int main() {
    const slide::Level<float> level = make_yard();
    Character<float> character(level, {{0.4F, 0.9F, 0.4F}}, {-3, 1.5F, 0}, 0.35F);
    constexpr float kFrame = 1.0F / 60.0F;
    double least_gap = HUGE_VAL;
    for (int frame = 0; frame < 420; ++frame) {
        // Forward, and a little towards the wall, along which it slides.
        character.step({2.0F, 0.0F, 0.5F}, kFrame);
        least_gap = std::fmin(least_gap, character.gap());
        if (frame % 60 == 59) {
            const Vector& at = character.position();
            std::printf("%d s: x %6.3f  y %6.3f  z %6.3f  %s\n", frame / 60 + 1, double{at.x},
                        double{at.y}, double{at.z}, character.on_ground() ? "" : "in the air");
        }
    }
    std::printf("climbed in %d frames, least gap %.6f\n", character.climb_frames(), least_gap);
    const Vector& end = character.position();
    const bool arrived = end.x > 10.0F && end.y < 0.3F && character.on_ground();
    return arrived && character.climb_frames() >= 1 && least_gap > 0.0 ? EXIT_SUCCESS
                                                                       : EXIT_FAILURE;
}
