// Degenerate motions whose first contact is plain to see, and times that no double separates.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "narrow/certified_exact_check.hpp"

namespace graze {
namespace {

MovingPoint still(const Vec3& at) {
    return {at, at};
}
MovingPoint path(const Vec3& start, const Vec3& end) {
    return {start, end};
}

// A degenerate motion whose first time is plain to see. No time: no contact.
struct PlainCase {
    const char* what;
    QueryKind kind;
    std::array<MovingPoint, 4> corners;
    std::optional<double> first;
};

constexpr Vec3 kO{0, 0, 0};
constexpr Vec3 kX{1, 0, 0};
constexpr Vec3 kY{0, 1, 0};

// A point falls from z = 1 through the face O X Y, at this place.
PlainCase fall(const char* what, double x, double y, std::optional<double> first) {
    return {what,
            QueryKind::VertexFace,
            {path({x, y, 1}, {x, y, -1}), still(kO), still(kX), still(kY)},
            first};
}

// The corners of the face, as seen from the vertex, are the rows: each coordinate a number or the
// moving value 1 - 2 t, written as 'm'.
PlainCase seen(const char* what, const std::array<const char*, 3>& rows,
               std::optional<double> first) {
    PlainCase result{what, QueryKind::VertexFace, {}, first};
    for (std::size_t i = 0; i < 3; ++i) {
        MovingPoint corner{};
        for (std::size_t k = 0; k < 3; ++k) {
            const char c = rows[i][k];
            const double value = c == 'm' ? 1.0 : c == '-' ? -1.0 : c - '0';
            corner.start[k] = value;
            corner.end[k] = c == 'm' ? -value : value;
        }
        result.corners[i + 1] = corner;
    }
    return result;
}

std::vector<PlainCase> vertex_face_cases() {
    constexpr QueryKind kKind = QueryKind::VertexFace;
    const double above_half = std::nextafter(0.5, 1.0);
    return {
        fall("inside", 0.25, 0.25, 0.5),
        fall("on a corner", 0, 0, 0.5),
        fall("on an edge", 0.5, 0.5, 0.5),
        fall("one unit beyond the edge", 0.5, above_half, {}),
        fall("on the line of an edge, beyond it", 2, 0, {}),
        {"touches at the end",
         kKind,
         {path({0.25, 0.25, 1}, {0.25, 0.25, 0}), still(kO), still(kX), still(kY)},
         1.0},
        {"misses the end by one unit",
         kKind,
         {path({0.25, 0.25, 1}, {0.25, 0.25, 0x1p-1074}), still(kO), still(kX), still(kY)},
         {}},
        {"leaves from the start",
         kKind,
         {path({0.25, 0.25, 0}, {0.25, 0.25, 1}), still(kO), still(kX), still(kY)},
         0.0},
        {"slides in the plane, inside at the start",
         kKind,
         {path({0.25, 0.25, 0}, {5, 5, 0}), still(kO), still(kX), still(kY)},
         0.0},
        {"slides in the plane through an edge",
         kKind,
         {path({1.75, 0.25, 0}, {-0.25, 0.25, 0}), still(kO), still(kX), still(kY)},
         0.5},
        {"slides in the plane to a corner",
         kKind,
         {path({2, 0, 0}, {1, 0, 0}), still(kO), still(kX), still(kY)},
         1.0},
        {"slides past a corner",
         kKind,
         {path({1, 1, 0}, {2, -1, 0}), still(kO), still(kX), still(kY)},
         {}},
        {"still, inside", kKind, {still({0.25, 0.5, 0}), still(kO), still(kX), still(kY)}, 0.0},
        {"still, outside in the plane",
         kKind,
         {still({1, 1, 0}), still(kO), still(kX), still(kY)},
         {}},
        {"face without area",
         kKind,
         {path({1.5, 0, 1}, {1.5, 0, -1}), still(kO), still(kX), still({2, 0, 0})},
         0.5},
        {"beyond a face without area",
         kKind,
         {path({2.5, 0, 1}, {2.5, 0, -1}), still(kO), still(kX), still({2, 0, 0})},
         {}},
        {"face is a point",
         kKind,
         {path({0, 0, 1}, {0, 0, -1}), still(kO), still(kO), still(kO)},
         0.5},
        {"everything is one point", kKind, {still(kX), still(kX), still(kX), still(kX)}, 0.0},
        seen("triple root, face a point there", {"m00", "0m0", "00m"}, 0.5),
        seen("double root, face an edge there", {"m00", "0m0", "001"}, 0.5),
        seen("double root, face a point elsewhere", {"m01", "0m1", "001"}, {}),
        seen("double root, face a line through the vertex", {"m01", "0m1", "00-"}, 0.5),
        seen("double root, face a line beside the vertex", {"m01", "0m1", "101"}, {}),
    };
}

std::vector<PlainCase> edge_edge_cases() {
    constexpr QueryKind kKind = QueryKind::EdgeEdge;
    const MovingPoint o = still(kO);
    const MovingPoint x = still({4, 0, 0});
    const auto falls = [](double px, double py) { return path({px, py, 1}, {px, py, -1}); };
    return {
        {"cross inside", kKind, {o, x, falls(2, -1), falls(2, 1)}, 0.5},
        {"end on inside", kKind, {o, x, falls(2, 0), falls(2, 1)}, 0.5},
        {"end on end", kKind, {o, x, falls(4, 0), falls(5, 1)}, 0.5},
        {"beyond the end by one unit",
         kKind,
         {o, x, falls(std::nextafter(4.0, 5.0), -1), falls(std::nextafter(4.0, 5.0), 1)},
         {}},
        {"parallel, overlap", kKind, {o, x, falls(3, 0), falls(5, 0)}, 0.5},
        {"parallel, end to end", kKind, {o, x, falls(4, 0), falls(5, 0)}, 0.5},
        {"parallel, collinear apart", kKind, {o, x, falls(5, 0), falls(6, 0)}, {}},
        {"parallel beside", kKind, {o, x, falls(1, 1), falls(2, 1)}, {}},
        {"collinear, meet at the end",
         kKind,
         {o, x, path({6, 0, 0}, {4, 0, 0}), path({9, 0, 0}, {7, 0, 0})},
         1.0},
        {"collinear, overlap from the start",
         kKind,
         {o, x, path({3, 0, 0}, {9, 0, 0}), path({5, 0, 0}, {9, 0, 0})},
         0.0},
        {"flat, crossing at the start",
         kKind,
         {o, x, path({1, -1, 0}, {9, 9, 0}), path({1, 1, 0}, {9, 9, 0})},
         0.0},
        {"flat, end runs into the inside",
         kKind,
         {o, x, path({1, 1, 0}, {1, -1, 0}), path({1, 3, 0}, {1, 1, 0})},
         0.5},
        {"flat, inside runs into the end",
         kKind,
         {o, x, path({6, -1, 0}, {2, -1, 0}), path({6, 1, 0}, {2, 1, 0})},
         0.5},
        {"edge without length", kKind, {o, x, falls(3, 0), falls(3, 0)}, 0.5},
        {"edge without length, beyond", kKind, {o, x, falls(5, 0), falls(5, 0)}, {}},
        {"both without length", kKind, {o, o, falls(0, 0), falls(0, 0)}, 0.5},
        {"an edge shrinks to a point that is hit",
         kKind,
         {path({-1, 0, 0}, {1, 0, 0}), path({1, 0, 0}, {-1, 0, 0}), falls(0, 0), falls(0, 0)},
         0.5},
        {"still, crossing", kKind, {o, x, still({1, 1, 0}), still({1, -1, 0})}, 0.0},
        {"still, apart", kKind, {o, x, still({1, 1, 0}), still({1, 2, 0})}, {}},
    };
}

std::vector<PlainCase> lower_cases() {
    constexpr QueryKind kEdge = QueryKind::VertexEdge;
    constexpr QueryKind kPoint = QueryKind::VertexVertex;
    const MovingPoint falls = path({0, 0, 1}, {0, 0, -1});
    return {
        {"on the inside of an edge", kEdge, {falls, still({-1, 0, 0}), still(kX)}, 0.5},
        {"on its end", kEdge, {falls, still(kO), still(kX)}, 0.5},
        {"on its line", kEdge, {falls, still(kX), still({2, 0, 0})}, {}},
        {"along its line from outside",
         kEdge,
         {path({2, 0, 0}, {0, 0, 0}), still(kO), still(kX)},
         0.5},
        {"along its line from inside",
         kEdge,
         {path({0.5, 0, 0}, {9, 0, 0}), still(kO), still(kX)},
         0.0},
        {"edge is a point", kEdge, {falls, still(kO), still(kO)}, 0.5},
        {"points meet", kPoint, {falls, still(kO)}, 0.5},
        {"points pass", kPoint, {falls, still({0x1p-1074, 0, 0})}, {}},
        {"points meet at the end", kPoint, {path(kO, kX), path(kY, kX)}, 1.0},
        {"points are one", kPoint, {falls, falls}, 0.0},
    };
}

TEST(CertifiedExact, GivesThePlainAnswerOnEveryDegenerateMotion) {
    std::mt19937_64 rng(20250101);
    for (const auto& cases : {vertex_face_cases(), edge_edge_cases(), lower_cases()}) {
        for (const PlainCase& c : cases) {
            SCOPED_TRACE(c.what);
            const QueryRecord record{c.corners, {}, {}};
            const double time = c.first.value_or(kInfinity);
            EXPECT_EQ(exact_contact(record, c.kind, 1.0, 0.0),
                      (ExactContact{c.first.has_value(), time, time}));
            expect_exact(record, c.kind, rng);
        }
    }
}

// A coordinate that goes from start to end through zero.
struct Crossing {
    double start;
    double end;
};
using Crossings = std::array<Crossing, 3>;

Crossing crossing_at(std::int64_t n, std::int64_t d) {  // at n / d
    return {static_cast<double>(n), static_cast<double>(n - d)};
}

// Times n / d, n' / d' with n' d - n d' = 1, and (n + n') / (d + d') between them: all three within
// 2^-75 of each other.
Crossings crossings_between_doubles(std::mt19937_64& rng) {
    constexpr std::int64_t kLeast = std::int64_t{1} << 39;
    std::uniform_int_distribution<std::int64_t> pick(kLeast, 2 * kLeast);
    for (;;) {
        const std::int64_t d = pick(rng);
        const std::int64_t n = pick(rng) % d;
        // Extended Euclid: r = n x modulo d at every step.
        std::int64_t r = d, next_r = n, x = 0, next_x = 1;
        while (next_r != 0) {
            const std::int64_t q = r / next_r;
            r = std::exchange(next_r, r - q * next_r);
            x = std::exchange(next_x, x - q * next_x);
        }
        // n x = 1 modulo d, where r = 1; n' d - n d' = 1 needs n d' = -1 modulo d.
        const std::int64_t e = ((-x) % d + d) % d;
        if (r != 1 || e < kLeast / 2) continue;
        // n and e are not negative.
        const auto m = static_cast<std::int64_t>(static_cast<std::uint64_t>(
            (signed_product(n, e) + 1U) / static_cast<std::uint64_t>(d)));
        return {crossing_at(n, d), crossing_at(n + m, d + e), crossing_at(m, e)};
    }
}

// From far away to the other side of the origin: just before t = 1, within 2^-97.
Crossings crossings_before_end(std::mt19937_64& rng) {
    Crossings result = {{{0x1p100, -1}, {0x1p100, -2}, {0x1p100, -5}}};
    std::shuffle(result.begin(), result.end(), rng);
    return result;
}

// The way back: after t = 0, below the smallest double.
Crossings crossings_after_start(std::mt19937_64& rng) {
    Crossings result = {{{0x1p-1074, -8}, {0x3p-1074, -8}, {0x7p-1074, -8}}};
    std::shuffle(result.begin(), result.end(), rng);
    return result;
}

// The same, so close together that no double separates them backwards from the end, either.
Crossings close_crossings_before_end(std::mt19937_64& rng) {
    Crossings result = crossings_between_doubles(rng);
    for (Crossing& crossing : result) {
        const double n = crossing.start;
        const double d = n - crossing.end;
        crossing = {0x1p60 * d, -n};  // 1 - n / (2^60 d + n)
    }
    return result;
}

using Matrix = std::array<std::array<std::int64_t, 3>, 3>;

Matrix small_matrix(std::mt19937_64& rng) {
    Matrix result{};
    for (auto& row : result) {
        for (auto& entry : row)
            entry = static_cast<std::int64_t>(rng() % 7) - 3;
    }
    return result;
}

std::int64_t cofactor(const Matrix& m, std::size_t i, std::size_t j) {
    const std::size_t a = (i + 1) % 3;
    const std::size_t b = (i + 2) % 3;
    const std::size_t c = (j + 1) % 3;
    const std::size_t d = (j + 2) % 3;
    return m[a][c] * m[b][d] - m[a][d] * m[b][c];
}

// Corners with coordinate j = C_ij l_j(t), C the cofactors of K and l_j the crossings, so that
// f = det(C) l_0 l_1 l_2. Where l_j vanishes, column j of K holds the weights of the origin.
std::array<MovingPoint, 3> cluster_corners(const Matrix& k, const Crossings& crossings) {
    std::array<MovingPoint, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            const auto factor = static_cast<double>(cofactor(k, i, j));
            corners[i].start[j] = factor * crossings[j].start;
            corners[i].end[j] = factor * crossings[j].end;
        }
    }
    return corners;
}

// Contact at some crossing: a column without two opposite signs. Requires: K has an inverse.
bool has_contact(const Matrix& k) {
    for (std::size_t j = 0; j < 3; ++j) {
        const auto [low, high] = std::minmax({k[0][j], k[1][j], k[2][j]});
        if (low >= 0 || high <= 0) return true;
    }
    return false;
}

bool has_inverse(const Matrix& k) {
    return k[0][0] * cofactor(k, 0, 0) + k[0][1] * cofactor(k, 0, 1) +
               k[0][2] * cofactor(k, 0, 2) !=
           0;
}

MovingPoint minus(const MovingPoint& a, const MovingPoint& b) {
    return {a.start - b.start, a.end - b.end};
}

// Three roots that no double separates, of which only some are contacts.
void expect_told_apart(Crossings (*crossings)(std::mt19937_64&)) {
    std::mt19937_64 rng(20250101);
    int contacts = 0;
    int misses = 0;
    for (int i = 0; i < 100 && !::testing::Test::HasFailure(); ++i) {
        const Matrix k = small_matrix(rng);
        if (!has_inverse(k)) continue;
        const auto [p, q, r] = cluster_corners(k, crossings(rng));
        const QueryRecord face{{MovingPoint{}, p, q, r}, {}, {}};
        const ExactContact found = exact_contact(face, QueryKind::VertexFace, 1.0, 0.0);
        EXPECT_EQ(found.contact, has_contact(k));
        EXPECT_EQ(found.upper, std::nextafter(found.lower, kInfinity));
        ++(found.contact ? contacts : misses);
        expect_exact(face, QueryKind::VertexFace, rng);
        // The parallelogram with three corners p, q and r; b_0 is the origin.
        const QueryRecord edges{{minus({}, p), minus({}, q), MovingPoint{}, minus(r, p)}, {}, {}};
        expect_exact(edges, QueryKind::EdgeEdge, rng);
    }
    EXPECT_GT(contacts, 30);
    EXPECT_GT(misses, 10);
}

TEST(CertifiedExact, TellsApartTimesBetweenTwoNeighbouringDoubles) {
    expect_told_apart(&crossings_between_doubles);
}

TEST(CertifiedExact, TellsApartTimesAfterTheLastDoubleBeforeTheEnd) {
    expect_told_apart(&crossings_before_end);
}

TEST(CertifiedExact, TellsApartTimesBySignsWhereNoClockDoes) {
    expect_told_apart(&close_crossings_before_end);
}

TEST(CertifiedExact, TellsApartTimesBelowTheSmallestDouble) {
    expect_told_apart(&crossings_after_start);
}

}  // namespace
}  // namespace graze
