#include "generate/grid_contact.hpp"

#include <cmath>

namespace graze::generate {
namespace {

// A weight in eighths; ends of the range are as likely as all the inside together.
std::int64_t weight(Random& random, std::int64_t most = kEighths) noexcept {
    if (most == 0 || random.chance(4)) return 0;
    if (random.chance(3)) return most;
    return random.integer(0, most);
}

std::array<GridVector, 4> corners_at_contact(QueryKind kind, const Shape& shape, Random& random) {
    const GridVector p = grid_vector(random, 64);
    const std::int64_t u = weight(random);
    switch (kind) {
        case QueryKind::VertexVertex:
            return {p, p, {}, {}};
        case QueryKind::VertexEdge: {
            return {p, p - u * shape.first, p + (kEighths - u) * shape.first, {}};
        }
        case QueryKind::EdgeEdge: {
            const std::int64_t v = weight(random);
            return {p - u * shape.first, p + (kEighths - u) * shape.first, p - v * shape.second,
                    p + (kEighths - v) * shape.second};
        }
        case QueryKind::VertexFace:
            break;
    }
    const std::int64_t v = weight(random, kEighths - u);
    const GridVector f0 = p - (u * shape.first + v * shape.second);
    return {p, f0, f0 + kEighths * shape.first, f0 + kEighths * shape.second};
}

std::int64_t contact_time(Random& random) noexcept {
    if (random.chance(5)) return 0;
    if (random.chance(4)) return kTimeUnits;
    return random.integer(1, kTimeUnits - 1);
}

double to_double(std::int64_t value) noexcept {
    return static_cast<double>(value);
}

}  // namespace

GridVector grid_vector(Random& random, std::int64_t size) noexcept {
    return {
        {random.integer(-size, size), random.integer(-size, size), random.integer(-size, size)}};
}

GridMotion motion_of(const Blueprint& plan) noexcept {
    GridMotion motion;
    for (std::size_t c = 0; c < 4; ++c) {
        motion[c][0] = plan.at_contact[c] - plan.time * plan.velocity[c];
        motion[c][1] = plan.at_contact[c] + (kTimeUnits - plan.time) * plan.velocity[c];
    }
    return motion;
}

Shape random_shape(Random& random) noexcept {
    return {grid_vector(random, 8), grid_vector(random, 8)};
}

Blueprint contact_blueprint(QueryKind kind, const Shape& shape, Random& random) noexcept {
    Blueprint plan;
    plan.time = contact_time(random);
    plan.at_contact = corners_at_contact(kind, shape, random);
    for (GridVector& v : plan.velocity)
        v = grid_vector(random, 8);
    return plan;
}

void sometimes_push_off(Blueprint& plan, Random& random) noexcept {
    if (random.chance(2)) return;
    plan.at_contact[0] = plan.at_contact[0] + grid_vector(random, 3);
}

io::QueryRecord record_of(const GridMotion& motion, QueryKind kind, int exponent) noexcept {
    io::QueryRecord record;
    for (std::size_t c = 0; c < vertex_count(kind); ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            record.corners[c].start[k] = std::ldexp(to_double(motion[c][0].c[k]), exponent);
            record.corners[c].end[k] = std::ldexp(to_double(motion[c][1].c[k]), exponent);
        }
    }
    return record;
}

}  // namespace graze::generate
