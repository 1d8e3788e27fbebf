#include "graze/generate/grounds.hpp"

#include "generate/grid_contact.hpp"

namespace graze::generate {
namespace {

// In [0, 1), a multiple of 2^-53.
double fraction(Random& random) noexcept {
    return static_cast<double>(random.bits() >> 11) * 0x1p-53;
}

bool coin(Random& random) noexcept {
    return (random.bits() & 1U) == 0;
}

std::size_t cells_between(double from, double to, double side) noexcept {
    return static_cast<std::size_t>((to - from) / side) + 2;
}

}  // namespace

void add_quad(LevelPart& part, const std::array<Vec3, 4>& quad, bool first_diagonal) {
    const auto i = static_cast<std::uint32_t>(part.positions.size());
    part.positions.insert(part.positions.end(), quad.begin(), quad.end());
    if (first_diagonal)
        part.faces.insert(part.faces.end(), {{i, i + 1, i + 2}, {i, i + 2, i + 3}});
    else
        part.faces.insert(part.faces.end(), {{i, i + 1, i + 3}, {i + 1, i + 2, i + 3}});
}

void add_open_box(LevelPart& part, const Vec3& low, const Vec3& high, bool first_diagonal) {
    const auto at = [&](int x, int y, int z) {
        return Vec3{x != 0 ? high.x : low.x, y != 0 ? high.y : low.y, z != 0 ? high.z : low.z};
    };
    add_quad(part, {at(0, 1, 0), at(0, 1, 1), at(1, 1, 1), at(1, 1, 0)}, first_diagonal);
    add_quad(part, {at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0)}, first_diagonal);
    add_quad(part, {at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)}, first_diagonal);
    add_quad(part, {at(0, 0, 0), at(0, 1, 0), at(1, 1, 0), at(1, 0, 0)}, first_diagonal);
    add_quad(part, {at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)}, first_diagonal);
}

LevelPart facetted_ground(const GroundRectangle& rectangle, double side, double highest,
                          std::uint64_t seed) {
    Random random(seed);
    const std::size_t columns = cells_between(rectangle.from_x, rectangle.to_x, side);
    const std::size_t rows = cells_between(rectangle.from_z, rectangle.to_z, side);
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < columns; ++i) {
        for (std::size_t k = 0; k < rows; ++k)
            points.push_back({rectangle.from_x + side * static_cast<double>(i),
                              highest * fraction(random),
                              rectangle.from_z + side * static_cast<double>(k)});
    }
    LevelPart part;
    for (std::size_t i = 0; i + 1 < columns; ++i) {
        for (std::size_t k = 0; k + 1 < rows; ++k) {
            const std::size_t at = i * rows + k;
            add_quad(part, {points[at], points[at + 1], points[at + rows + 1], points[at + rows]},
                     coin(random));
        }
    }
    return part;
}

LevelPart box_ground(const GroundRectangle& rectangle, const BoxGround& boxes, std::uint64_t seed) {
    Random random(seed);
    const auto off = [&](double most) {
        return most > 0.0 ? most * (fraction(random) - 0.5) : 0.0;
    };
    const auto line = [&](double from, std::size_t i) {
        return from + boxes.side * static_cast<double>(i);
    };
    const std::size_t columns = cells_between(rectangle.from_x, rectangle.to_x, boxes.side);
    const std::size_t rows = cells_between(rectangle.from_z, rectangle.to_z, boxes.side);
    LevelPart part;
    for (std::size_t i = 0; i < columns; ++i) {
        for (std::size_t k = 0; k < rows; ++k) {
            const double x = line(rectangle.from_x, i) + off(boxes.most_seam);
            const double z = line(rectangle.from_z, k) + off(boxes.most_seam);
            const double next_x = line(rectangle.from_x, i + 1) + off(boxes.most_seam);
            const double next_z = line(rectangle.from_z, k + 1) + off(boxes.most_seam);
            const bool first_diagonal = coin(random);
            const double top = off(boxes.most_step);
            add_open_box(part, {x, -boxes.side, z}, {next_x, top, next_z}, first_diagonal);
        }
    }
    return part;
}

}  // namespace graze::generate
