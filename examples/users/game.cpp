// Games: a ball of radius 0.5 walks over two triangles and against a wall; one call per frame.
#include <cstdio>
#include <graze/slide.hpp>
#include <vector>

using namespace graze;

int main() {
    slide::Level<float> level;
    const std::vector<Vec3f> points{{-9, 0, -9}, {9, 0, -9}, {9, 0, 9}, {-9, 0, 9},
                                    {2, 0, -9},  {2, 5, -9}, {2, 0, 9}};
    const std::vector<slide::Level<float>::Face> faces{{0, 2, 1}, {0, 3, 2}, {4, 5, 6}};
    if (!level.add_part(points, faces)) return 1;
    const slide::Shape<float> ball{{0.5F, 0.5F, 0.5F}};
    Vec3f position{0, 1, 0};
    const Vec3f velocity{2, -3, 0.5F};
    for (int frame = 0; frame < 120; ++frame) {
        const auto climbed =
            slide::move_and_climb(level, ball, position, (1 / 60.0F) * velocity, {});
        position = climbed.moved.position;  // outside of every triangle, proved: gap_proved
        if (!climbed.moved.gap_proved) return 1;
    }
    std::printf("%g %g %g\n", position.x, position.y, position.z);
    return position.x < 1.5F && position.y > 0.5F ? 0 : 1;
}
