#include "generate/family_special.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace graze::generate {
namespace {

GridVector cross(const GridVector& a, const GridVector& b) noexcept {
    return {{a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2],
             a.c[0] * b.c[1] - a.c[1] * b.c[0]}};
}

std::int64_t dot(const GridVector& a, const GridVector& b) noexcept {
    return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

GridVector non_zero_vector(Random& random, std::int64_t size) noexcept {
    GridVector v = grid_vector(random, size);
    if (v.c[0] == 0 && v.c[1] == 0 && v.c[2] == 0) v.c[0] = 1;
    return v;
}

// A vector strictly on the side of n.
GridVector towards(const GridVector& n, std::int64_t size, Random& random) noexcept {
    const GridVector v = grid_vector(random, size);
    const std::int64_t along = dot(v, n);
    return along > 0 ? v : along < 0 ? -1 * v : n;
}

std::size_t corners_of_first(QueryKind kind) noexcept {
    return kind == QueryKind::EdgeEdge ? 2 : 1;
}

// Coordinates permuted and mirrored.
GridVector turned(const GridVector& v, const std::array<std::size_t, 3>& axes) noexcept {
    return {{v.c[axes[0]], v.c[axes[1]], v.c[axes[2]]}};
}

std::array<std::size_t, 3> random_axes(Random& random) noexcept {
    std::array<std::size_t, 3> axes = {0, 1, 2};
    std::swap(axes[2], axes[static_cast<std::size_t>(random.integer(0, 2))]);
    std::swap(axes[1], axes[static_cast<std::size_t>(random.integer(0, 1))]);
    return axes;
}

}  // namespace

double moved_by_ulps(double value, int steps) noexcept {
    const double direction = steps < 0 ? -1.0 : 1.0;
    for (int i = 0; i < std::abs(steps); ++i) {
        value = std::nextafter(value, direction * std::numeric_limits<double>::max());
    }
    return value;
}

void shear_all(GridMotion& motion, Random& random) noexcept {
    if (random.chance(3)) return;
    const GridVector s = grid_vector(random, 2);
    for (auto& corner : motion) {
        for (GridVector& end : corner) {
            end.c[0] += s.c[0] * end.c[1];
            end.c[1] += s.c[1] * end.c[2];
            end.c[2] += s.c[2] * end.c[0];
        }
    }
}

// At t* vertex 0 of each primitive is at P, and the plane through P with normal n separates all
// others: the first primitive's are strictly above, the second's strictly below. The first moves
// rigidly, with a velocity v and n.v <= 0 against the second, so that before t* it is higher, or as
// high and elsewhere: t* is the first time (0 if v = 0), and P the only common point. A miss slides
// (n.v = 0) and is lifted by n.
io::QueryRecord point_point(QueryKind kind, Random& random) noexcept {
    Blueprint plan;
    plan.time = random.chance(5) ? 0 : random.integer(1, kTimeUnits);
    const GridVector p = grid_vector(random, 64);
    const GridVector n = non_zero_vector(random, 3);
    const GridVector drift = grid_vector(random, 4);
    const bool slides = random.chance(2);
    const GridVector v = slides ? cross(n, grid_vector(random, 4)) : -1 * towards(n, 8, random);
    const GridVector lift = slides && random.chance(2) ? n : GridVector{};
    const std::size_t split = corners_of_first(kind);
    for (std::size_t c = 0; c < 4; ++c) {
        const bool meets = c == 0 || c == split;
        const GridVector other = meets ? GridVector{} : kEighths * towards(n, 8, random);
        plan.at_contact[c] = c < split ? p + other + lift : p - other;
        plan.velocity[c] = c < split ? drift + v : drift;
    }
    return record_of(motion_of(plan), kind, random_exponent(random));
}

namespace {

// Corners that meet, up to rounding, on the border of a primitive if `on_border`, else inside.
std::array<Vec3, 4> full_precision_meeting(QueryKind kind, bool on_border,
                                           Random& random) noexcept {
    const Vec3 p = random_vector(random);
    const Vec3 e = random_vector(random);
    const Vec3 g = random_vector(random);
    const double inner = 0.5 + 0.5 * random.uniform();
    const double border = random.chance(2) ? 0.0 : 1.0;
    const double u = on_border ? border : 0.5 + 0.5 * random.uniform();
    if (kind == QueryKind::EdgeEdge) {
        return {p - u * e, p + (1.0 - u) * e, p - inner * g, p + (1.0 - inner) * g};
    }
    // u = 0 and u = 1: the weights of f1 and f2 sum to one, or that of f1 is zero.
    const double w1 = u * inner;
    const double w2 = on_border && u == 0.0 ? inner : u * (1.0 - inner);
    const Vec3 f0 = p - (w1 * e + w2 * g);
    return {p, f0, f0 + e, f0 + g};
}

// Points and vertices on edges meet exactly or not at all: they start anywhere and end together.
io::QueryRecord ends_together(QueryKind kind, Random& random) noexcept {
    io::QueryRecord record;
    for (std::size_t c = 0; c < vertex_count(kind); ++c)
        record.corners[c] = {random_vector(random), random_vector(random)};
    record.corners[0].end = record.corners[1].end;
    return record;
}

}  // namespace

// Coordinates of full precision whose exact contact is lost in rounding: the primitives pass at a
// border of one of them, or arrive just at an end of the step.
io::QueryRecord few_ulps(QueryKind kind, Random& random) noexcept {
    io::QueryRecord record;
    if (kind == QueryKind::VertexVertex || kind == QueryKind::VertexEdge) {
        record = ends_together(kind, random);
    } else {
        const bool on_border = random.chance(2);
        const double end = random.chance(3) ? 0.0 : 1.0;
        const double t = on_border ? 0.5 + 0.5 * random.uniform() : end;
        const std::array<Vec3, 4> meeting = full_precision_meeting(kind, on_border, random);
        for (std::size_t c = 0; c < 4; ++c) {
            const Vec3 v = random_vector(random);
            record.corners[c] = {meeting[c] - t * v, meeting[c] + (1.0 - t) * v};
        }
    }
    MovingPoint& moved = record.corners[static_cast<std::size_t>(random.integer(0, 1))];
    double& coordinate = moved.end[static_cast<std::size_t>(random.integer(0, 2))];
    coordinate = moved_by_ulps(coordinate, static_cast<int>(random.integer(-2, 2)));
    return record;
}

// The common plane z = alpha(t) x + beta y + gamma(t) tilts and travels. Each vertex keeps its x,
// so that alpha(t) x is linear in t as a path has to be; contact in (x, y) is contact in space.
io::QueryRecord coplanar(QueryKind kind, Random& random) noexcept {
    Blueprint plan = contact_blueprint(kind, random_shape(random), random);
    for (GridVector& v : plan.velocity)
        v.c[0] = 0;
    sometimes_push_off(plan, random);
    GridMotion motion = motion_of(plan);
    const std::int64_t beta = random.integer(-2, 2);
    const std::array<std::size_t, 3> axes = random_axes(random);
    for (std::size_t end = 0; end < 2; ++end) {
        const std::int64_t alpha = random.integer(-3, 3);
        const std::int64_t gamma = random.integer(-99, 99);
        for (auto& corner : motion) {
            GridVector& x = corner[end];
            x.c[2] = alpha * x.c[0] + beta * x.c[1] + gamma;
            x = turned(x, axes);
        }
    }
    return record_of(motion, kind, random_exponent(random));
}

namespace {

// Where the moving vertex is at t = eighth / 8. Requires: both ends are multiples of 8.
GridVector at_eighth(const std::array<GridVector, 2>& ends, std::int64_t eighth) noexcept {
    GridVector x = (kEighths - eighth) * ends[0] + eighth * ends[1];
    for (std::int64_t& coordinate : x.c)
        coordinate /= kEighths;
    return x;
}

// A point of the second primitive, whose vertices are `first` to `last`, at t = eighth / 8, with
// weights in eighths; a border is likely. Requires: all ends are multiples of 64.
GridVector point_of(const GridMotion& motion, std::size_t first, std::size_t last,
                    std::int64_t eighth, Random& random) noexcept {
    GridVector sum;
    std::int64_t rest = kEighths;
    for (std::size_t c = first; c <= last; ++c) {
        const std::int64_t weight = c == last ? rest : random.integer(0, rest);
        sum = sum + weight * at_eighth(motion[c], eighth);
        rest -= weight;
    }
    for (std::int64_t& coordinate : sum.c)
        coordinate /= kEighths;
    return sum;
}

}  // namespace

// The last two vertices exchange positions while their primitive travels: at t = 1/2 they coincide and
// their path sweeps a patch that crosses itself. The other primitive rests where it is met at some
// eighth of the step, or next to that. Two points exchange positions, or just miss.
io::QueryRecord hourglass(QueryKind kind, Random& random) noexcept {
    constexpr std::int64_t kUnit = kEighths * kEighths;
    const std::size_t last = vertex_count(kind) - 1;
    const std::size_t split = corners_of_first(kind);
    const GridVector travel = kUnit * grid_vector(random, 4);
    GridMotion motion;
    for (std::size_t c = split; c <= last; ++c) {
        const GridVector x = kUnit * grid_vector(random, 4);
        motion[c] = {x + travel, x - travel};
    }
    const GridVector off = random.chance(2) ? GridVector{} : grid_vector(random, 99);
    if (kind == QueryKind::VertexVertex) {
        motion[0] = {motion[1][1], motion[1][0] + off};
    } else {
        std::swap(motion[last][1], motion[last - 1][1]);
        const GridVector q = point_of(motion, split, last, random.integer(0, kEighths), random);
        const GridVector edge = split == 2 ? grid_vector(random, 40) : GridVector{};
        const std::int64_t u = random.integer(0, kEighths);
        motion[0].fill(q + off - u * edge);
        if (split == 2) motion[1].fill(q + off + (kEighths - u) * edge);
    }
    shear_all(motion, random);
    return record_of(motion, kind, random_exponent(random));
}

namespace {

using Points = std::array<Vec3, 4>;  // p v1 v2 v3
struct Example {
    Points start;
    Points end;
};

// The examples of Wang et al. 2021 ("A large scale benchmark and an inclusion-based algorithm for
// continuous collision detection"), appendices B and C: an hourglass (contact at 0.9), a cubic with
// an inflection (no contact), and motion within one plane (contact at 7/29 up to rounding).
constexpr std::array<Example, 3> kExamples = {{
    {{{{0.1, 0.1, 0.1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}},
     {{{0.1, 0.1, 0.1}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}}}},
    {{{{1, 1, 0}, {0, 0, 5}, {2, 0, 2}, {0, 1, 0}}},
     {{{1, 1, 0}, {0, 0, -1}, {0, 0, -2}, {0, 7, 0}}}},
    {{{{1, 0.5, 1}, {0, 0.57, 1}, {1, 0.57, 1}, {1, 1.57, 1}}},
     {{{1, 0.5, 1}, {0, 0.28, 1}, {1, 0.28, 1}, {1, 1.28, 1}}}},
}};

// One coordinate moves a few ulps up or down, or by a 64th of the example's unit; or none does.
void nudge(io::QueryRecord& record, QueryKind kind, Random& random) noexcept {
    const auto last = static_cast<std::int64_t>(vertex_count(kind)) - 1;
    MovingPoint& corner = record.corners[static_cast<std::size_t>(random.integer(0, last))];
    Vec3& end = random.chance(2) ? corner.start : corner.end;
    double& coordinate = end[static_cast<std::size_t>(random.integer(0, 2))];
    const std::int64_t size = random.integer(-3, 3);
    if (random.chance(3)) return;
    coordinate = random.chance(2) ? moved_by_ulps(coordinate, static_cast<int>(size))
                                  : coordinate + static_cast<double>(size) / 64.0;
}

void exchange_ends(io::QueryRecord& record) noexcept {
    for (MovingPoint& corner : record.corners)
        std::swap(corner.start, corner.end);
}

}  // namespace

// Axes exchanged, mirrored and scaled by a power of two; the face's vertices permuted cyclically; time reversed:
// each is exact and keeps the truth. Then one coordinate may be nudged.
io::QueryRecord appendix(QueryKind kind, Random& random) noexcept {
    const Example& example = kExamples[static_cast<std::size_t>(random.integer(0, 2))];
    const std::array<std::size_t, 3> axes = random_axes(random);
    const auto turn = static_cast<std::size_t>(random.integer(0, 2));
    const int exponent = random.chance(2) ? 0 : random_exponent(random);
    io::QueryRecord record;
    for (std::size_t c = 0; c < vertex_count(kind); ++c) {
        const std::size_t from = c == 0 ? 0 : 1 + (c - 1 + turn) % 3;
        record.corners[c] = {example.start[from], example.end[from]};
    }
    nudge(record, kind, random);
    const std::uint64_t mirrored = random.bits();
    for (std::size_t c = 0; c < vertex_count(kind); ++c) {
        const MovingPoint from = record.corners[c];
        for (std::size_t k = 0; k < 3; ++k) {
            const double scale = std::ldexp((mirrored >> k & 1U) != 0 ? -1.0 : 1.0, exponent);
            record.corners[c].start[k] = scale * from.start[axes[k]];
            record.corners[c].end[k] = scale * from.end[axes[k]];
        }
    }
    if (random.chance(2)) exchange_ends(record);
    return record;
}

}  // namespace graze::generate
