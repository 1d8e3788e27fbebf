#include "graze/generate/families.hpp"

#include <bit>
#include <cmath>

#include "generate/family_special.hpp"
#include "generate/grid_contact.hpp"

namespace graze::generate {
namespace {

// Where the vertices are when the primitives meet somewhere inside, up to rounding.
std::array<Vec3, 4> meeting_corners(QueryKind kind, Random& random) noexcept {
    const auto fraction = [&] { return 0.5 + 0.5 * random.uniform(); };
    const Vec3 p = random_vector(random);
    const Vec3 e = random_vector(random);
    const Vec3 g = random_vector(random);
    const double u = fraction();
    if (kind == QueryKind::VertexVertex) return {p, p, {}, {}};
    if (kind == QueryKind::VertexEdge) return {p, p - u * e, p + (1.0 - u) * e, {}};
    const double v = fraction();
    if (kind == QueryKind::EdgeEdge) {
        return {p - u * e, p + (1.0 - u) * e, p - v * g, p + (1.0 - v) * g};
    }
    const Vec3 f0 = p - (u * e + (1.0 - u) * v * g);
    return {p, f0, f0 + e, f0 + g};
}

io::QueryRecord ordinary(QueryKind kind, Random& random) noexcept {
    // Half of them meet at a random time; the others seldom do.
    const bool meets = random.chance(2);
    const std::array<Vec3, 4> meeting = meeting_corners(kind, random);
    const double t = 0.5 + 0.5 * random.uniform();
    io::QueryRecord record;
    for (std::size_t c = 0; c < vertex_count(kind); ++c) {
        const Vec3 v = random_vector(random);
        const Vec3 x = meets ? meeting[c] : random_vector(random);
        record.corners[c] = {x - t * v, x + (1.0 - t) * v};
    }
    return record;
}

io::QueryRecord boundary(QueryKind kind, Random& random) noexcept {
    const Blueprint plan = contact_blueprint(kind, random_shape(random), random);
    return record_of(motion_of(plan), kind, random_exponent(random));
}

io::QueryRecord near_contact(QueryKind kind, Random& random) noexcept {
    io::QueryRecord record = boundary(kind, random);
    const auto last = static_cast<std::int64_t>(vertex_count(kind)) - 1;
    MovingPoint& corner = record.corners[static_cast<std::size_t>(random.integer(0, last))];
    double& coordinate =
        (random.chance(2) ? corner.start
                          : corner.end)[static_cast<std::size_t>(random.integer(0, 2))];
    const int steps = static_cast<int>(random.integer(1, 3));
    coordinate = moved_by_ulps(coordinate, random.chance(2) ? steps : -steps);
    return record;
}

io::QueryRecord small_integers(QueryKind kind, Random& random) noexcept {
    GridMotion motion;
    for (auto& corner : motion) {
        for (GridVector& end : corner)
            end = grid_vector(random, 2);
    }
    return record_of(motion, kind, 0);
}

io::QueryRecord flat(QueryKind kind, Random& random) noexcept {
    Blueprint plan = contact_blueprint(kind, random_shape(random), random);
    sometimes_push_off(plan, random);
    GridMotion motion = motion_of(plan);
    const std::int64_t height = random.integer(-3, 3);
    for (auto& corner : motion) {
        for (GridVector& end : corner)
            end.c[2] = height;
    }
    shear_all(motion, random);
    return record_of(motion, kind, random_exponent(random));
}

// l(t) = slope (t - root), with the root in eighths, as values at the ends: {l(0), l(1)} times 8.
std::array<std::int64_t, 2> linear_factor(std::int64_t root, std::int64_t slope) noexcept {
    return {-slope * root, slope * (kEighths - root)};
}

// Differences D0 = (l0, *, *), D1 = (0, l1, *), D2 = (0, 0, l2): det(D0, D1, D2) = l0 l1 l2.
std::array<std::array<GridVector, 2>, 3> triangular_differences(Random& random) noexcept {
    std::array<std::int64_t, 3> root{};
    for (std::int64_t& r : root)
        r = random.integer(-2, kEighths + 2);
    root[1] = root[0];                        // a double root
    if (random.chance(2)) root[2] = root[0];  // a triple one
    std::array<std::array<GridVector, 2>, 3> d{};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto diagonal = linear_factor(root[i], random.integer(-3, 3));
        for (std::size_t end = 0; end < 2; ++end) {
            d[i][end].c[i] = diagonal[end];
            for (std::size_t k = i + 1; k < 3; ++k)
                d[i][end].c[k] = random.integer(-9, 9);
        }
    }
    return d;
}

io::QueryRecord multiple_roots(QueryKind kind, Random& random) noexcept {
    const auto d = triangular_differences(random);
    GridMotion motion;
    for (std::size_t end = 0; end < 2; ++end) {
        const GridVector base = grid_vector(random, 5);
        motion[0][end] = base;
        if (kind == QueryKind::EdgeEdge) {  // D00, D01, D10 = a0 - b0, a0 - b1, a1 - b0
            motion[2][end] = base - d[0][end];
            motion[3][end] = base - d[1][end];
            motion[1][end] = motion[2][end] + d[2][end];
        } else {
            for (std::size_t i = 0; i < 3; ++i)
                motion[i + 1][end] = base + d[i][end];
        }
    }
    shear_all(motion, random);
    return record_of(motion, kind, random_exponent(random));
}

io::QueryRecord zero_area(QueryKind kind, Random& random) noexcept {
    Shape shape = random_shape(random);
    switch (random.integer(0, 3)) {
        case 0:
            shape.first = {};
            break;
        case 1:
            shape.second = {};
            break;
        case 2:
            shape = {};
            break;
        default:
            shape.second = random.integer(-2, 2) * shape.first;
            break;
    }
    Blueprint plan = contact_blueprint(kind, shape, random);
    // Half of them stay degenerate throughout, the others only at t*.
    if (random.chance(2)) plan.velocity.fill(plan.velocity[1]);
    if (random.chance(2)) plan.velocity[0] = grid_vector(random, 8);
    sometimes_push_off(plan, random);
    return record_of(motion_of(plan), kind, random_exponent(random));
}

io::QueryRecord parallel(QueryKind kind, Random& random) noexcept {
    Shape shape = random_shape(random);
    if (kind == QueryKind::EdgeEdge) shape.second = random.integer(-2, 2) * shape.first;
    Blueprint plan = contact_blueprint(kind, shape, random);
    // One primitive moves rigidly against the other, sometimes along the edge itself.
    const GridVector along = random.integer(-3, 3) * shape.first;
    const GridVector drift = random.chance(2) ? along : grid_vector(random, 8);
    const GridVector common = grid_vector(random, 4);
    plan.velocity = {common + drift, common, common, common};
    if (kind == QueryKind::EdgeEdge) plan.velocity[1] = plan.velocity[0];
    sometimes_push_off(plan, random);
    return record_of(motion_of(plan), kind, random_exponent(random));
}

io::QueryRecord unmoving(QueryKind kind, Random& random) noexcept {
    Blueprint plan = contact_blueprint(kind, random_shape(random), random);
    plan.velocity.fill(random.chance(2) ? GridVector{} : grid_vector(random, 8));
    sometimes_push_off(plan, random);
    return record_of(motion_of(plan), kind, random_exponent(random));
}

io::QueryRecord coincident(QueryKind kind, Random& random) noexcept {
    GridMotion motion = motion_of(contact_blueprint(kind, random_shape(random), random));
    const auto last = static_cast<std::int64_t>(vertex_count(kind)) - 1;
    const std::int64_t copies = random.integer(1, 3);
    for (std::int64_t i = 0; i < copies; ++i) {
        const auto from = static_cast<std::size_t>(random.integer(0, last));
        const auto to = static_cast<std::size_t>(random.integer(0, last));
        if (random.chance(3)) {
            motion[to][1] = motion[from][1];  // the vertices meet at the end only
        } else {
            motion[to] = motion[from];
        }
    }
    return record_of(motion, kind, random_exponent(random));
}

// A finite double of any exponent, subnormals included; zero now and then.
double any_finite_double(Random& random) noexcept {
    if (random.chance(8)) return 0.0;
    const std::uint64_t exponent = static_cast<std::uint64_t>(random.integer(0, 2046)) << 52;
    const std::uint64_t rest = random.bits() & 0x800fffffffffffffU;
    return std::bit_cast<double>(rest | exponent);
}

io::QueryRecord wild(QueryKind kind, Random& random) noexcept {
    if (random.chance(3)) {
        io::QueryRecord record;
        for (std::size_t c = 0; c < vertex_count(kind); ++c) {
            for (std::size_t k = 0; k < 3; ++k) {
                record.corners[c].start[k] = any_finite_double(random);
                record.corners[c].end[k] = any_finite_double(random);
            }
        }
        return record;
    }
    // An exact contact (or nearly one) whose axes are stretched by powers of two. Grid values are
    // below 2^12, so that the products stay finite and, as multiples of 2^-1074, exact.
    io::QueryRecord record =
        record_of(motion_of(contact_blueprint(kind, random_shape(random), random)), kind, 0);
    for (std::size_t k = 0; k < 3; ++k) {
        const int exponent = static_cast<int>(random.integer(-1074, 1000));
        for (std::size_t c = 0; c < vertex_count(kind); ++c) {
            record.corners[c].start[k] = std::ldexp(record.corners[c].start[k], exponent);
            record.corners[c].end[k] = std::ldexp(record.corners[c].end[k], exponent);
        }
    }
    if (random.chance(2)) {
        double& x = record.corners[0].start.x;
        x = moved_by_ulps(x, random.chance(2) ? 1 : -1);
    }
    return record;
}

struct FamilyEntry {
    std::string_view name;
    io::QueryRecord (*make)(QueryKind, Random&) noexcept;
};

// In the order of kAllFamilies.
constexpr std::array<FamilyEntry, kAllFamilies.size()> kFamilies = {{
    {"ordinary", ordinary},
    {"boundary", boundary},
    {"near", near_contact},
    {"small-integers", small_integers},
    {"flat", flat},
    {"multiple-roots", multiple_roots},
    {"zero-area", zero_area},
    {"parallel", parallel},
    {"static", unmoving},
    {"coincident", coincident},
    {"wild", wild},
    {"point-point", point_point},
    {"two-roots", two_roots},
    {"three-roots", three_roots},
    {"few-ulps", few_ulps},
    {"coplanar", coplanar},
    {"hourglass", hourglass},
    {"appendix", appendix},
}};

const FamilyEntry& entry_of(Family family) noexcept {
    return kFamilies[static_cast<std::size_t>(family)];
}

}  // namespace

std::string_view name(Family family) noexcept {
    return entry_of(family).name;
}

std::optional<Family> family_from_name(std::string_view text) noexcept {
    for (const Family family : kAllFamilies) {
        if (name(family) == text) return family;
    }
    return std::nullopt;
}

io::QueryRecord query(Family family, QueryKind kind, std::uint64_t seed) noexcept {
    // Family and kind choose another stream, so that equal seeds are not related.
    const auto stream = static_cast<std::uint64_t>(family) * 8 + static_cast<std::uint64_t>(kind);
    Random random(seed * 0xd1342543de82ef95U + stream * 0x2545f4914f6cdd1dU + 1);
    return entry_of(family).make(kind, random);
}

}  // namespace graze::generate
