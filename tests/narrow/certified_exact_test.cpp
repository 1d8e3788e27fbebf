// The last tier of `certified` against the oracle, with which it shares no code: same verdict, same
// bits of the first time, on every family, for every kind, for every end of the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graze/dataset/embedded.hpp"
#include "graze/dataset/generate.hpp"
#include "graze/dataset/hex_float.hpp"
#include "graze/dataset/query_sets.hpp"
#include "narrow/certified/exact_contact.hpp"
#include "oracle_method.hpp"

namespace graze {
namespace {

using certified::ExactContact;
using dataset::Family;
using dataset::QueryRecord;

constexpr std::uint64_t kQueriesPerFamily = 1000;
constexpr std::uint64_t kWildQueries = 40;  // exact truth is slow there

ExactContact exact_contact(const QueryRecord& record, QueryKind kind, double t_max, double width) {
    const auto ask = [&]<class Motion>(std::type_identity<Motion>) {
        return certified::exact_first_contact(dataset::motion_of<Motion>(record), t_max, width);
    };
    switch (kind) {
        case QueryKind::VertexFace:
            return ask(std::type_identity<VertexFaceMotion>{});
        case QueryKind::EdgeEdge:
            return ask(std::type_identity<EdgeEdgeMotion>{});
        case QueryKind::VertexVertex:
            return ask(std::type_identity<VertexVertexMotion>{});
        case QueryKind::VertexEdge:
            break;
    }
    return ask(std::type_identity<VertexEdgeMotion>{});
}

oracle::Truth truth_of(const QueryRecord& record, QueryKind kind) {
    return oracle::first_contact(tools::oracle_query(record, kind));
}

// All that exact_first_contact guarantees. The truth [L, U] is the exact time, or the neighbouring
// doubles around it: a double is <= the exact time iff it is <= L, and >= it iff it is >= U.
void expect_guarantee(const ExactContact& found, const oracle::Truth& truth, double t_max,
                      double width) {
    const bool contact = truth.state == oracle::State::Contact && truth.toi_upper <= t_max;
    ASSERT_NE(truth.state, oracle::State::Invalid);
    ASSERT_EQ(found.contact, contact) << "t_max " << t_max;
    if (!contact) {
        EXPECT_EQ(found, (ExactContact{false, kInfinity, kInfinity}));
        return;
    }
    EXPECT_LE(found.lower, truth.toi_lower);
    EXPECT_GE(found.upper, truth.toi_upper);
    EXPECT_LE(found.upper, t_max);
    EXPECT_EQ(found.lower > 0.0, truth.toi_lower > 0.0);
    EXPECT_TRUE(found.lower < found.upper || truth.toi_lower == truth.toi_upper);
    EXPECT_EQ(found.upper > 0.0, truth.toi_upper > 0.0);
    const bool neighbours = std::nextafter(found.lower, 2.0) >= found.upper;
    EXPECT_TRUE(neighbours || found.upper - found.lower <= width);
    // Halving down to neighbouring doubles meets every double on the way.
    if (width == 0.0) {
        EXPECT_EQ(found.lower, truth.toi_lower);
        EXPECT_EQ(found.upper, truth.toi_upper);
    }
}

// Ends of the step at which the verdict turns, and others.
std::vector<double> interesting_ends(const oracle::Truth& truth, std::mt19937_64& rng) {
    std::vector<double> ends = {1.0, 0.5, 0.0, std::uniform_real_distribution<>(0.0, 1.0)(rng)};
    if (truth.state != oracle::State::Contact) return ends;
    for (const double t : {truth.toi_lower, truth.toi_upper}) {
        for (const double end : {std::nextafter(t, -1.0), t, std::nextafter(t, 2.0)}) {
            if (end >= 0.0 && end <= 1.0) ends.push_back(end);
        }
    }
    return ends;
}

void expect_exact(const QueryRecord& record, QueryKind kind, std::mt19937_64& rng) {
    SCOPED_TRACE(std::string(short_name(kind)) + "\n" + dataset::to_hex(record, kind));
    const oracle::Truth truth = truth_of(record, kind);
    for (const double t_max : interesting_ends(truth, rng)) {
        for (const double width : {0.0, 1e-9, 1.0}) {
            expect_guarantee(exact_contact(record, kind, t_max, width), truth, t_max, width);
        }
    }
}

class CertifiedExactFamilies : public ::testing::TestWithParam<Family> {};

TEST_P(CertifiedExactFamilies, AgreeWithTheOracleForEveryKindAndEveryEndOfTheStep) {
    std::mt19937_64 rng(20250101);
    const std::uint64_t count = GetParam() == Family::Wild ? kWildQueries : kQueriesPerFamily;
    for (const QueryKind kind : kAllQueryKinds) {
        for (std::uint64_t seed = 0; seed < count; ++seed) {
            expect_exact(dataset::generate(GetParam(), kind, seed), kind, rng);
            if (HasFailure()) return;
        }
    }
}

std::string family_name(const ::testing::TestParamInfo<Family>& info) {
    std::string name(dataset::name(info.param));
    std::erase(name, '-');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Generated, CertifiedExactFamilies,
                         ::testing::ValuesIn(dataset::kAllFamilies), family_name);

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

// n / d and two more fractions a little above, all three within 2^-75 of each other: the neighbour
// n' / d' with n' d - n d' = 1, and between them (n + n') / (d + d').
std::array<std::array<std::int64_t, 2>, 3> close_fractions(std::mt19937_64& rng) {
    std::uniform_int_distribution<std::int64_t> pick(std::int64_t{1} << 39, std::int64_t{1} << 40);
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
        // n x = 1 modulo d; n' d - n d' = 1 needs n d' = -1.
        const std::int64_t e = ((-x) % d + d) % d;
        if (r != 1 || e < (std::int64_t{1} << 38)) continue;
        __extension__ typedef __int128 Wide;
        const auto m = static_cast<std::int64_t>((Wide{n} * e + 1) / d);
        return {{{n, d}, {n + m, d + e}, {m, e}}};
    }
}

// Corners p_i with coordinate k = C_ki l_k(t), l_k = n_k - d_k t: f is det(C) l_0 l_1 l_2. Where l_j
// vanishes, the weights of the origin are column j of K, C the adjugate of K: contact iff that
// column has no two opposite signs.
struct ClusterMotion {
    std::array<MovingPoint, 3> corners{};
    bool contact = false;
    explicit ClusterMotion(std::mt19937_64& rng) {
        const auto lines = close_fractions(rng);
        std::array<std::array<std::int64_t, 3>, 3> k{};
        for (auto& row : k) {
            for (auto& entry : row)
                entry = static_cast<std::int64_t>(rng() % 7) - 3;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                const std::size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3,
                                  d = (j + 2) % 3;
                const double cofactor =
                    static_cast<double>(k[a][c] * k[b][d] - k[a][d] * k[b][c]);  // C_ji
                const auto [n, m] = lines[j];
                corners[i].start[j] = cofactor * static_cast<double>(n);
                corners[i].end[j] = cofactor * static_cast<double>(n - m);
            }
        }
        const auto det = [&] {
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < 3; ++i)
                sum += k[0][i] * (k[1][(i + 1) % 3] * k[2][(i + 2) % 3] -
                                  k[1][(i + 2) % 3] * k[2][(i + 1) % 3]);
            return sum;
        }();
        for (std::size_t j = 0; j < 3; ++j) {
            const auto [low, high] = std::minmax({k[0][j], k[1][j], k[2][j]});
            contact = contact || low >= 0 || high <= 0;
        }
        regular = det != 0;
    }
    bool regular = false;  // K has an inverse; otherwise the weights above say nothing
};

// Roots that no double separates, of which only some are contacts: told apart by signs alone.
TEST(CertifiedExact, TellsApartTimesThatNoDoubleSeparates) {
    std::mt19937_64 rng(20250101);
    int contacts = 0;
    int misses = 0;
    for (int i = 0; i < 300; ++i) {
        const ClusterMotion motion(rng);
        const auto& [p, q, r] = motion.corners;
        const QueryRecord face{{MovingPoint{}, p, q, r}, {}, {}};
        if (motion.regular) {
            const ExactContact found = exact_contact(face, QueryKind::VertexFace, 1.0, 0.0);
            EXPECT_EQ(found.contact, motion.contact);
            EXPECT_EQ(found.upper, std::nextafter(found.lower, kInfinity));
            ++(motion.contact ? contacts : misses);
        }
        expect_exact(face, QueryKind::VertexFace, rng);
        // The parallelogram with corners p, q and r: b_0 is the origin, exact in doubles.
        const auto minus = [](const MovingPoint& a, const MovingPoint& b) {
            return MovingPoint{a.start - b.start, a.end - b.end};
        };
        const QueryRecord edges{{minus({}, p), minus({}, q), MovingPoint{}, minus(r, p)}, {}, {}};
        expect_exact(edges, QueryKind::EdgeEdge, rng);
        if (HasFailure()) return;
    }
    EXPECT_GT(contacts, 50);
    EXPECT_GT(misses, 20);
}

// Orders of the corners that leave the primitives what they are.
std::vector<std::array<std::size_t, 4>> symmetries(QueryKind kind) {
    switch (kind) {
        case QueryKind::VertexFace:
            return {{0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1}};
        case QueryKind::EdgeEdge:
            return {{1, 0, 2, 3}, {0, 1, 3, 2}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 0, 1}};
        case QueryKind::VertexVertex:
            return {{1, 0, 2, 3}};
        case QueryKind::VertexEdge:
            break;
    }
    return {{0, 2, 1, 3}};
}

TEST_P(CertifiedExactFamilies, GiveTheSameBitsForEveryOrderOfTheCornersAndAnyUnitOfAnAxis) {
    for (const QueryKind kind : kAllQueryKinds) {
        for (std::uint64_t seed = 0; seed < (GetParam() == Family::Wild ? 20 : 200); ++seed) {
            const QueryRecord record = dataset::generate(GetParam(), kind, seed);
            const ExactContact found = exact_contact(record, kind, 1.0, 0.0);
            for (const auto& order : symmetries(kind)) {
                QueryRecord other = record;
                for (std::size_t i = 0; i < order.size(); ++i)
                    other.corners[i] = record.corners[order[i]];
                EXPECT_EQ(exact_contact(other, kind, 1.0, 0.0), found);
            }
            QueryRecord mixed = record;
            QueryRecord reversed = record;
            for (std::size_t i = 0; i < corner_count(kind); ++i) {
                std::swap(mixed.corners[i].start.x, mixed.corners[i].start.z);
                std::swap(mixed.corners[i].end.x, mixed.corners[i].end.z);
                std::swap(reversed.corners[i].start, reversed.corners[i].end);
                if (GetParam() == Family::Wild) continue;  // 2^40 might overflow there
                mixed.corners[i].start.y *= -0x1p40;
                mixed.corners[i].end.y *= -0x1p40;
            }
            EXPECT_EQ(exact_contact(mixed, kind, 1.0, 0.0), found);
            EXPECT_EQ(exact_contact(reversed, kind, 1.0, 0.0).contact, found.contact);
        }
    }
}

TEST(CertifiedExact, AgreesWithTheEmbeddedTruthBitByBit) {
    std::size_t queries = 0;
    for (const dataset::EmbeddedSet& set : dataset::embedded_sets()) {
        auto stream = dataset::open_embedded(set);
        ASSERT_TRUE(stream) << stream.error().message;
        for (;;) {
            const auto record = (*stream)->next();
            ASSERT_TRUE(record) << record.error().message;
            if (!record->has_value()) break;
            const ExactContact found = exact_contact(**record, set.kind, 1.0, 0.0);
            EXPECT_EQ(found.contact, *(*record)->truth);
            EXPECT_EQ(found.lower, (*record)->first_time->lower);
            EXPECT_EQ(found.upper, (*record)->first_time->upper);
            ++queries;
        }
    }
    EXPECT_GT(queries, 300U);
}

TEST(CertifiedExact, AgreesWithTheBenchmarkSamples) {
    const std::filesystem::path folder =
        std::filesystem::path(GRAZE_SOURCE_DIR) / ".." / "shared" / "data" / "ccd-queries";
    if (!std::filesystem::is_directory(folder)) {
        GTEST_SKIP() << "no benchmark samples at " << folder;
    }
    const auto sets = dataset::find_query_sets(folder);
    ASSERT_TRUE(sets) << sets.error().message;
    std::size_t judged = 0;
    for (const dataset::QuerySet& set : *sets) {
        const auto records = dataset::read_all(set.source);
        ASSERT_TRUE(records) << records.error().message;
        const std::size_t stride = set.group == "handcrafted" ? 1 : 10;
        for (std::size_t i = 0; i < records->size(); i += stride) {
            const ExactContact found = exact_contact((*records)[i], set.source.kind, 1.0, 1e-9);
            EXPECT_EQ(found.contact, *(*records)[i].truth) << set.scene << " #" << i;
            ++judged;
        }
    }
    EXPECT_GT(judged, 5000U);
}

}  // namespace
}  // namespace graze
