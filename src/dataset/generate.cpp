// Contacts are built exactly, on an integer grid:
//   at the time t* = k / 2^m the contact point P lies in both primitives, with barycentric weights
//   in eighths and edge vectors that are multiples of 8; each corner x has a velocity V, a multiple
//   of 2^m, so that start = x - t* V and end = x + (1 - t*) V are integers.
// All of it stays below 2^40, so that the arithmetic and the conversion to double are exact;
// scaling by powers of two keeps it so.
#include "graze/dataset/generate.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace graze::dataset {
namespace {

// SplitMix64 (Steele, Lea and Flood 2014): std distributions differ between standard libraries.
class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t bits() noexcept {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    // In [low, high].
    std::int64_t integer(std::int64_t low, std::int64_t high) noexcept {
        const auto span = static_cast<std::uint64_t>(high - low) + 1;
        return low + static_cast<std::int64_t>(bits() % span);
    }
    bool chance(int one_in) noexcept { return integer(1, one_in) == 1; }
    // In [-1, 1), 53 bits.
    double uniform() noexcept { return static_cast<double>(bits() >> 11) * 0x1p-52 - 1.0; }

private:
    std::uint64_t state_;
};

struct GridVector {
    std::array<std::int64_t, 3> c{};

    friend GridVector operator+(const GridVector& a, const GridVector& b) noexcept {
        return {{a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2]}};
    }
    friend GridVector operator-(const GridVector& a, const GridVector& b) noexcept {
        return {{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
    }
    friend GridVector operator*(std::int64_t s, const GridVector& a) noexcept {
        return {{s * a.c[0], s * a.c[1], s * a.c[2]}};
    }
};

GridVector grid_vector(Random& random, std::int64_t size) noexcept {
    return {
        {random.integer(-size, size), random.integer(-size, size), random.integer(-size, size)}};
}

constexpr std::int64_t kEighths = 8;  // denominators of barycentric weights
constexpr int kTimeBits = 6;          // t* is a multiple of 2^-6
constexpr std::int64_t kTimeUnits = std::int64_t{1} << kTimeBits;

using GridMotion = std::array<std::array<GridVector, 2>, 4>;  // [corner][start, end]

// A contact that holds exactly at t*: where each corner is then, and how it moves.
struct Blueprint {
    std::int64_t time = 0;  // t* in units of 2^-kTimeBits
    std::array<GridVector, 4> at_contact{};
    std::array<GridVector, 4> velocity{};  // in units of 2^kTimeBits per step
};

GridMotion motion_of(const Blueprint& plan) noexcept {
    GridMotion motion;
    for (std::size_t c = 0; c < 4; ++c) {
        motion[c][0] = plan.at_contact[c] - plan.time * plan.velocity[c];
        motion[c][1] = plan.at_contact[c] + (kTimeUnits - plan.time) * plan.velocity[c];
    }
    return motion;
}

// Edge vectors of the primitives; what a family bends to make them degenerate.
struct Shape {
    GridVector first;   // f1 - f0, or a1 - a0, or e1 - e0, in units of 8
    GridVector second;  // f2 - f0, or b1 - b0, in units of 8
};

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

// Half of the blueprints stay contacts; in the others the first corner is pushed off.
void sometimes_push_off(Blueprint& plan, Random& random) noexcept {
    if (random.chance(2)) return;
    plan.at_contact[0] = plan.at_contact[0] + grid_vector(random, 3);
}

double to_double(std::int64_t value) noexcept {
    return static_cast<double>(value);
}

QueryRecord record_of(const GridMotion& motion, QueryKind kind, int exponent) noexcept {
    QueryRecord record;
    for (std::size_t c = 0; c < corner_count(kind); ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            record.corners[c].start[k] = std::ldexp(to_double(motion[c][0].c[k]), exponent);
            record.corners[c].end[k] = std::ldexp(to_double(motion[c][1].c[k]), exponent);
        }
    }
    return record;
}

int random_exponent(Random& random) noexcept {
    return static_cast<int>(random.integer(-30, 10));
}

QueryRecord ordinary(QueryKind kind, Random& random) noexcept {
    QueryRecord record;
    for (std::size_t c = 0; c < corner_count(kind); ++c) {
        MovingPoint& corner = record.corners[c];
        corner.start = {random.uniform(), random.uniform(), random.uniform()};
        corner.end = {random.uniform(), random.uniform(), random.uniform()};
    }
    // Three random points and a vertex seldom meet: let the first corner cross from above to below.
    if (random.chance(2)) {
        record.corners[0].start = {0.5 * random.uniform(), 0.5 * random.uniform(), 1.0};
        record.corners[0].end = {0.5 * random.uniform(), 0.5 * random.uniform(), -1.0};
    }
    return record;
}

QueryRecord boundary(QueryKind kind, Random& random) noexcept {
    const Blueprint plan = contact_blueprint(kind, random_shape(random), random);
    return record_of(motion_of(plan), kind, random_exponent(random));
}

double moved_by_ulps(double value, int steps) noexcept {
    const double towards = steps < 0 ? -1.0 : 1.0;
    for (int i = 0; i < std::abs(steps); ++i) {
        value = std::nextafter(value, towards * std::numeric_limits<double>::max());
    }
    return value;
}

QueryRecord near_contact(QueryKind kind, Random& random) noexcept {
    QueryRecord record = boundary(kind, random);
    const auto last = static_cast<std::int64_t>(corner_count(kind)) - 1;
    MovingPoint& corner = record.corners[static_cast<std::size_t>(random.integer(0, last))];
    double& coordinate =
        (random.chance(2) ? corner.start
                          : corner.end)[static_cast<std::size_t>(random.integer(0, 2))];
    const int steps = static_cast<int>(random.integer(1, 3));
    coordinate = moved_by_ulps(coordinate, random.chance(2) ? steps : -steps);
    return record;
}

QueryRecord small_integers(QueryKind kind, Random& random) noexcept {
    GridMotion motion;
    for (auto& corner : motion) {
        for (GridVector& end : corner)
            end = grid_vector(random, 2);
    }
    return record_of(motion, kind, 0);
}

// A shear x += a y, y += b z, z += c x with small integers: hides axis-aligned structure, keeps the
// truth (contact is invariant under linear maps).
GridVector sheared(GridVector v, const std::array<std::int64_t, 3>& shear) noexcept {
    v.c[0] += shear[0] * v.c[1];
    v.c[1] += shear[1] * v.c[2];
    v.c[2] += shear[2] * v.c[0];
    return v;
}

void shear_all(GridMotion& motion, Random& random) noexcept {
    if (random.chance(3)) return;
    const GridVector s = grid_vector(random, 2);
    for (auto& corner : motion) {
        for (GridVector& end : corner)
            end = sheared(end, s.c);
    }
}

QueryRecord flat(QueryKind kind, Random& random) noexcept {
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

QueryRecord multiple_roots(QueryKind kind, Random& random) noexcept {
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

QueryRecord zero_area(QueryKind kind, Random& random) noexcept {
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

QueryRecord parallel(QueryKind kind, Random& random) noexcept {
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

QueryRecord unmoving(QueryKind kind, Random& random) noexcept {
    Blueprint plan = contact_blueprint(kind, random_shape(random), random);
    plan.velocity.fill(random.chance(2) ? GridVector{} : grid_vector(random, 8));
    sometimes_push_off(plan, random);
    return record_of(motion_of(plan), kind, random_exponent(random));
}

QueryRecord coincident(QueryKind kind, Random& random) noexcept {
    GridMotion motion = motion_of(contact_blueprint(kind, random_shape(random), random));
    const auto last = static_cast<std::int64_t>(corner_count(kind)) - 1;
    const std::int64_t copies = random.integer(1, 3);
    for (std::int64_t i = 0; i < copies; ++i) {
        const auto from = static_cast<std::size_t>(random.integer(0, last));
        const auto to = static_cast<std::size_t>(random.integer(0, last));
        if (random.chance(3)) {
            motion[to][1] = motion[from][1];  // the corners meet at the end only
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

QueryRecord wild(QueryKind kind, Random& random) noexcept {
    if (random.chance(3)) {
        QueryRecord record;
        for (std::size_t c = 0; c < corner_count(kind); ++c) {
            for (std::size_t k = 0; k < 3; ++k) {
                record.corners[c].start[k] = any_finite_double(random);
                record.corners[c].end[k] = any_finite_double(random);
            }
        }
        return record;
    }
    // An exact contact (or nearly one) whose axes are stretched by powers of two. Grid values are
    // below 2^12, so that the products stay finite and, as multiples of 2^-1074, exact.
    QueryRecord record =
        record_of(motion_of(contact_blueprint(kind, random_shape(random), random)), kind, 0);
    for (std::size_t k = 0; k < 3; ++k) {
        const int exponent = static_cast<int>(random.integer(-1074, 1000));
        for (std::size_t c = 0; c < corner_count(kind); ++c) {
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
    QueryRecord (*make)(QueryKind, Random&) noexcept;
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

QueryRecord generate(Family family, QueryKind kind, std::uint64_t seed) noexcept {
    // Family and kind choose another stream, so that equal seeds are not related.
    const auto stream = static_cast<std::uint64_t>(family) * 8 + static_cast<std::uint64_t>(kind);
    Random random(seed * 0xd1342543de82ef95U + stream * 0x2545f4914f6cdd1dU + 1);
    return entry_of(family).make(kind, random);
}

}  // namespace graze::dataset
