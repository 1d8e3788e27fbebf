// Pairs that planes and normals leave out of a search: never one that touches.
// Defends G-MESH-1, G-MESH-3 (docs/GUARANTEES.md).
#include "mesh/plane_culling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <vector>

#include "graze/narrow/certified.hpp"
#include "graze/narrow/query_kind.hpp"
#include "mesh/axis_culling.hpp"
#include "mesh/normal_culling.hpp"

namespace graze {
namespace {

using mesh_detail::PairVertices;

// A mesh of four vertices whose only pair of the kind is 0 with 0, in the order of vertices(motion).
template <class Motion>
MeshTopology mesh_of_pair() {
    if constexpr (Motion::kKind == QueryKind::EdgeEdge)
        return *make_topology(4, {}, std::vector<EdgeIndices>{{0, 1}, {2, 3}});
    return *make_topology(4, std::vector<FaceIndices>{{1, 2, 3}});
}
template <class Motion>
IndexPair the_pair() {
    return Motion::kKind == QueryKind::EdgeEdge ? IndexPair{0, 1} : IndexPair{0, 0};
}

struct Culled {
    bool by_this_machine = false;
    bool by_any = false;
};
template <class Motion>
Culled culled_up_to(const std::array<MovingPoint, 4>& points, double limit) {
    static const MeshTopology mesh = mesh_of_pair<Motion>();
    const std::array<IndexPair, 1> pairs = {the_pair<Motion>()};
    const Vec3 moved = limit * mesh_detail::relative_motion(points);
    std::array<IndexPair, 1> left{};
    const mesh_detail::CulledPairs count =
        mesh_detail::cull_pairs_by_plane<Motion>(mesh, points, pairs, moved, left.data());
    EXPECT_EQ(count.disjoint, 1U);
    return {count.left == 0,
            mesh_detail::are_apart(
                points, PairVertices<Motion>(mesh, pairs[0].first, pairs[0].second), moved)};
}

class Points {
public:
    explicit Points(std::uint64_t seed) : random_(seed) {}

    // Integers under a matrix of large integers: contacts stay what they are, exactly, and cross products
    // have rounding errors that are large beside their height.
    std::array<MovingPoint, 4> of_integers(double scale) {
        const auto map = matrix_of_integers(scale);
        const bool at_rest = random_() % 4 == 0;
        std::array<MovingPoint, 4> points;
        for (MovingPoint& point : points) {
            point.start = map(integers(2));
            point.end = at_rest ? point.start : map(integers(2));
        }
        return points;
    }

    // In one plane, and at rest: a vertex inside of a face, or two edges that halve each other.
    template <class Motion>
    std::array<MovingPoint, 4> touching(double scale) {
        const auto map = matrix_of_integers(scale);
        const Vec3 p = integers(2);
        const Vec3 q = integers(2);
        const Vec3 r = integers(2);
        const bool is_face = Motion::kKind == QueryKind::VertexFace;
        const std::array<Vec3, 4> at = {is_face ? p + q + 2.0 * r : p, is_face ? 4.0 * p : q,
                                        is_face ? 4.0 * q : r, is_face ? 4.0 * r : p + q - r};
        std::array<MovingPoint, 4> points;
        for (std::size_t i = 0; i < 4; ++i)
            points[i].start = points[i].end = map(at[i]);
        return points;
    }

    // Elements of size 1 that pass each other at a distance of 2^-60 to 1, and move by as little.
    std::array<MovingPoint, 4> near_miss(double offset) {
        const double motion = std::ldexp(1.0, -static_cast<int>(random_() % 60));
        const double gap = std::ldexp(1.0, -static_cast<int>(random_() % 60));
        std::array<MovingPoint, 4> points;
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec3 in_plane{real(), real(), (i % 2 == 0 ? gap : 0.0) + 1e-3 * real() * gap};
            const Vec3 by{motion * real(), motion * real(), motion * real()};
            points[i].start = turned(in_plane) + Vec3{offset, offset, offset};
            points[i].end = points[i].start + by;
        }
        return points;
    }

    double real() { return 2.0 * std::ldexp(static_cast<double>(random_() >> 11U), -53) - 1.0; }

private:
    std::function<Vec3(const Vec3&)> matrix_of_integers(double scale) {
        std::array<Vec3, 3> rows{};
        for (Vec3& row : rows)
            row = integers(1 << 22);
        return [rows, scale](const Vec3& p) {
            Vec3 q;
            for (std::size_t k = 0; k < 3; ++k)
                q[k] = scale * (rows[k].x * p.x + rows[k].y * p.y + rows[k].z * p.z);
            return q;
        };
    }
    Vec3 integers(int most) {
        const double x = integer(most);
        const double y = integer(most);
        return {x, y, integer(most)};
    }
    double integer(int most) {
        return static_cast<double>(static_cast<int>(random_() % (2U * unsigned(most) + 1U)) - most);
    }
    static Vec3 turned(const Vec3& p) {
        return {0.8 * p.x - 0.6 * p.z, p.y + 0.1 * p.z, 0.6 * p.x + 0.8 * p.z};
    }
    std::mt19937_64 random_;
};

template <class Motion>
void expect_no_contact_is_left_out(const std::array<MovingPoint, 4>& points, double limit,
                                   std::array<int, 2>& counts) {
    const Culled culled = culled_up_to<Motion>(points, limit);
    CcdOptions options;
    options.t_max = limit;
    const bool touches =
        certify(motion_from_vertices<Motion>(points), options).verdict != Verdict::Separated;
    EXPECT_FALSE(touches && culled.by_this_machine);
    EXPECT_FALSE(touches && culled.by_any);
    counts[0] += touches ? 1 : 0;
    counts[1] += culled.by_this_machine ? 1 : 0;
}

template <class Motion>
void attack(std::uint64_t seed, int count) {
    Points make(seed);
    std::array<int, 2> of_integers{};
    std::array<int, 2> of_misses{};
    for (int i = 0; i < count; ++i) {
        const double limit = std::ldexp(1.0, -(i % 24));
        const double scale = i % 5 == 0   ? 0x1p-1060
                             : i % 5 == 1 ? 0x1p-500
                             : i % 5 == 2 ? 0x1p600
                                          : 1.0;
        expect_no_contact_is_left_out<Motion>(make.of_integers(scale), limit, of_integers);
        const double offset = i % 3 == 0 ? 0.0 : i % 3 == 1 ? 1e6 : -0x1p40;
        expect_no_contact_is_left_out<Motion>(make.near_miss(offset), limit, of_misses);
    }
    EXPECT_GT(of_integers[0], count / 100);
    EXPECT_GT(of_misses[1], count / 20);
}

TEST(PlaneCulling, LeavesOutNothingThatTouchesUpToTheLimit) {
    attack<EdgeEdgeMotion>(1, 20000);
    attack<VertexFaceMotion>(2, 20000);
}

TEST(PlaneCulling, LeavesOutWhatIsFartherThanEverythingMoves) {
    const auto moving = [](const Vec3& p, const Vec3& by) { return MovingPoint{p, p + by}; };
    const Vec3 down{0, 0, -1};
    const std::array<MovingPoint, 4> points = {moving({0.25, 0.25, 1}, down), moving({0, 0, 0}, {}),
                                               moving({1, 0, 0}, {}), moving({0, 1, 0}, {})};
    EXPECT_TRUE(culled_up_to<VertexFaceMotion>(points, 0.999).by_this_machine);
    EXPECT_TRUE(culled_up_to<VertexFaceMotion>(points, 0.999).by_any);
    EXPECT_FALSE(culled_up_to<VertexFaceMotion>(points, 1.0).by_this_machine);
    EXPECT_FALSE(culled_up_to<VertexFaceMotion>(points, 1.0).by_any);
}

TEST(PlaneCulling, ProvesNothingWhereNumbersOverflow) {
    const double most = 1.5e308;
    const std::array<MovingPoint, 4> points = {
        MovingPoint{{0, 0, 1}, {0, 0, 1}}, MovingPoint{{-most, 0, 0}, {-most, 0, 0}},
        MovingPoint{{most, 0, 0}, {most, 0, 0}}, MovingPoint{{0, most, 0}, {0, -most, 0}}};
    EXPECT_FALSE(culled_up_to<VertexFaceMotion>(points, 1.0).by_this_machine);
    EXPECT_FALSE(culled_up_to<VertexFaceMotion>(points, 1.0).by_any);
}

// --- Normals ------------------------------------------------------------------------------------

template <class Motion>
bool is_culled_by_normal(const std::array<MovingPoint, 4>& points, InstructionSet set) {
    static const MeshTopology mesh = mesh_of_pair<Motion>();
    const std::array<IndexPair, 1> pairs = {the_pair<Motion>()};
    std::array<IndexPair, 1> left{};
    return mesh_detail::cull_pairs_by_normal<Motion>(mesh, points, pairs, left.data(), set) == 0;
}

// One term of n.d overflows, and the two that cancel it do not.
TEST(PlaneCulling, ProvesNothingWhereOneTermOverflows) {
    const auto rest = [](const Vec3& p) { return MovingPoint{p, p}; };
    const double m = 0x1.2p342;
    const std::array<MovingPoint, 4> face = {
        MovingPoint{{0x1.806p+340, -0x1.7f4p+339, -0x1.7f4p+339},
                    {0x1.7fap+340, -0x1.80cp+339, -0x1.80cp+339}},
        rest({0, 0, 0}), rest({m, -m, 0}), rest({0, m, -m})};
    EXPECT_FALSE(culled_up_to<VertexFaceMotion>(face, 1.0).by_this_machine);
    EXPECT_FALSE(culled_up_to<VertexFaceMotion>(face, 1.0).by_any);
    EXPECT_FALSE(is_culled_by_normal<VertexFaceMotion>(face, InstructionSet::Portable));
    EXPECT_FALSE(is_culled_by_normal<VertexFaceMotion>(face, best_instruction_set()));
    const double h = 0x1.8p340;
    const std::array<MovingPoint, 4> edges = {rest({h, 0, -h}), rest({-h, 0, h}), rest({-h, h, 0}),
                                              rest({h, -h, 0})};
    EXPECT_FALSE(culled_up_to<EdgeEdgeMotion>(edges, 1.0).by_this_machine);
    EXPECT_FALSE(culled_up_to<EdgeEdgeMotion>(edges, 1.0).by_any);
    EXPECT_FALSE(is_culled_by_normal<EdgeEdgeMotion>(edges, InstructionSet::Portable));
    EXPECT_FALSE(is_culled_by_normal<EdgeEdgeMotion>(edges, best_instruction_set()));
}

template <class Motion>
void expect_no_contact_is_left_out_by_normal(const std::array<MovingPoint, 4>& points,
                                             std::array<int, 2>& counts) {
    const bool culled = is_culled_by_normal<Motion>(points, InstructionSet::Portable);
    EXPECT_EQ(is_culled_by_normal<Motion>(points, best_instruction_set()), culled);
    const bool touches =
        certify(motion_from_vertices<Motion>(points), CcdOptions{}).verdict != Verdict::Separated;
    EXPECT_FALSE(touches && culled);
    counts[0] += touches ? 1 : 0;
    counts[1] += culled ? 1 : 0;
}

template <class Motion>
void attack_normals(std::uint64_t seed, int count) {
    Points make(seed);
    std::array<int, 2> of_integers{};
    std::array<int, 2> of_misses{};
    for (int i = 0; i < count; ++i) {
        const double scale = i % 3 == 0 ? 0x1p-1060 : i % 3 == 1 ? 0x1p600 : 1.0;
        expect_no_contact_is_left_out_by_normal<Motion>(make.of_integers(scale), of_integers);
        expect_no_contact_is_left_out_by_normal<Motion>(make.touching<Motion>(scale), of_integers);
        // Products of about 2^-1050 have some 25 digits.
        expect_no_contact_is_left_out_by_normal<Motion>(make.touching<Motion>(0x1p-374),
                                                        of_integers);
        const double offset = i % 3 == 0 ? 0.0 : i % 3 == 1 ? 1e6 : -0x1p40;
        expect_no_contact_is_left_out_by_normal<Motion>(make.near_miss(offset), of_misses);
    }
    EXPECT_GT(of_integers[0], count / 100);
    EXPECT_GT(of_misses[1], count / 20);
}

TEST(NormalCulling, LeavesOutNothingThatTouches) {
    attack_normals<EdgeEdgeMotion>(3, 20000);
    attack_normals<VertexFaceMotion>(4, 20000);
}

TEST(NormalCulling, LeavesOutWhatStaysOnOneSideOfASlantedPlane) {
    // Down by nearly the height above the plane x + y + z = 1.
    const auto at_rest = [](const Vec3& p) { return MovingPoint{p, p}; };
    std::array<MovingPoint, 4> points = {MovingPoint{{0.5, 0.5, 0.5}, {0.34, 0.34, 0.34}},
                                         at_rest({1, 0, 0}), at_rest({0, 1, 0}),
                                         at_rest({0, 0, 1})};
    for (const InstructionSet set : {InstructionSet::Portable, best_instruction_set()}) {
        points[0].end = {0.34, 0.34, 0.34};
        EXPECT_TRUE(is_culled_by_normal<VertexFaceMotion>(points, set));
        points[0].end = {0.33, 0.33, 0.33};
        EXPECT_FALSE(is_culled_by_normal<VertexFaceMotion>(points, set));
    }
}

TEST(NormalCulling, ProvesNothingWhereNumbersOverflow) {
    const double most = 1.5e308;
    const std::array<MovingPoint, 4> points = {
        MovingPoint{{0, 0, 1}, {0, 0, 1}}, MovingPoint{{-most, 0, 0}, {-most, 0, 0}},
        MovingPoint{{most, 0, 0}, {most, 0, 0}}, MovingPoint{{0, most, 0}, {0, -most, 0}}};
    for (const InstructionSet set : {InstructionSet::Portable, best_instruction_set()}) {
        EXPECT_FALSE(is_culled_by_normal<VertexFaceMotion>(points, set));
        EXPECT_FALSE(is_culled_by_normal<EdgeEdgeMotion>(points, set));
    }
}

// Several pairs at a time, in the place where they are, give what each gives alone.
TEST(NormalCulling, NeighboursDoNotMatter) {
    constexpr std::size_t kPairs = 23;
    Points make(5);
    std::vector<MovingPoint> points;
    std::vector<EdgeIndices> edges;
    for (std::uint32_t i = 0; i < 2 * kPairs; ++i)
        edges.push_back({2 * i, 2 * i + 1});
    std::vector<IndexPair> alone;
    std::vector<IndexPair> pairs;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
        const std::array<MovingPoint, 4> four = make.near_miss(0.0);
        points.insert(points.end(), four.begin(), four.end());
        pairs.push_back({2 * i, 2 * i + 1});
        if (!is_culled_by_normal<EdgeEdgeMotion>(four, InstructionSet::Portable))
            alone.push_back(pairs.back());
    }
    ASSERT_LT(alone.size(), kPairs);
    ASSERT_GT(alone.size(), 0U);
    const MeshTopology mesh = *make_topology(4 * kPairs, {}, edges);
    for (const InstructionSet set : {InstructionSet::Portable, best_instruction_set()}) {
        for (std::size_t count = 0; count <= kPairs; ++count) {
            std::vector<IndexPair> left(pairs.begin(), pairs.begin() + std::ptrdiff_t(count));
            left.resize(mesh_detail::cull_pairs_by_normal<EdgeEdgeMotion>(mesh, points, left,
                                                                          left.data(), set));
            ASSERT_LE(left.size(), alone.size());
            EXPECT_TRUE(std::equal(left.begin(), left.end(), alone.begin()));
            EXPECT_TRUE(count < kPairs || left.size() == alone.size());
        }
    }
}

}  // namespace
}  // namespace graze
