// Pairs that planes leave out of a search for the first impact: never one that touches.
// Defends G-MESH-3 (docs/GUARANTEES.md).
#include "mesh/plane_culling.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "graze/narrow/certified.hpp"
#include "graze/narrow/query_kind.hpp"
#include "mesh/axis_culling.hpp"

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
        std::array<std::array<double, 3>, 3> matrix{};
        for (auto& row : matrix)
            for (double& entry : row)
                entry = integer(1 << 22);
        const auto map = [&](const Vec3& p) {
            Vec3 q;
            for (std::size_t k = 0; k < 3; ++k)
                q[k] = scale * (matrix[k][0] * p.x + matrix[k][1] * p.y + matrix[k][2] * p.z);
            return q;
        };
        const bool at_rest = random_() % 4 == 0;
        std::array<MovingPoint, 4> points;
        for (MovingPoint& point : points) {
            point.start = map({integer(2), integer(2), integer(2)});
            point.end = at_rest ? point.start : map({integer(2), integer(2), integer(2)});
        }
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

}  // namespace
}  // namespace graze
