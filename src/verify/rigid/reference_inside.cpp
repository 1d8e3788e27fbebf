// Inside and outside, depth, and single events: by brute force, in double.
#include <cmath>

#include "graze/verify/rigid_reference.hpp"
#include "graze/verify/rigid_reference_bodies.hpp"

namespace graze::rigid::reference {
namespace {

// Parity of the crossings of a ray. The direction has no relation to any model.
bool is_inside(const Vector64& point, const std::vector<Triangle64>& surface) {
    const Vector64 far = point + 1e3 * Vector64{0.5377, 0.2149, 0.8153};
    bool inside = false;
    for (const Triangle64& t : surface)
        if (pierces(point, far, t, 0.0, 0.0)) inside = !inside;
    return inside;
}

std::vector<Triangle64> surface_of(const Polyhedron& body, const RigidMap<double>& map) {
    std::vector<Triangle64> result;
    for (const auto& t : body.triangles()) {
        const auto at = [&](std::size_t i) { return map(widen<double>(body.positions()[t[i]])); };
        result.push_back({at(0), at(1), at(2)});
    }
    return result;
}

constexpr RigidMap<double> kRest{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};

double distance_to(const Vector64& point, const std::vector<Triangle64>& surface) {
    double best_sq = std::numeric_limits<double>::infinity();
    for (const Triangle64& t : surface) {
        const Vector64 gap = between(point, t);
        best_sq = std::min(best_sq, dot(gap, gap));
    }
    return std::sqrt(best_sq);
}

struct Ball64 {
    Vector64 centre;
    double radius;
};

double deepest_edge_point(const Polyhedron& body, const RigidMap<double>& map,
                          const std::vector<Triangle64>& other, const Ball64& around_other) {
    constexpr int kParts = 8;
    double deepest = 0.0;
    for (const PolyhedronEdge& e : body.edges()) {
        const Vector64 from = map(widen<double>(body.positions()[e.from]));
        const Vector64 to = map(widen<double>(body.positions()[e.to]));
        for (int k = 0; k <= kParts; ++k) {
            const Vector64 p = from + k / double{kParts} * (to - from);
            if (length(p - around_other.centre) <= around_other.radius && is_inside(p, other))
                deepest = std::max(deepest, distance_to(p, other));
        }
    }
    return deepest;
}

}  // namespace

bool one_inside_other_at_start(const Pair& pair) {
    const Bodies& bodies = pair.bodies();
    const MapAtTime pose = bodies.map_at(0);
    const auto a = surface_of(bodies.a, kRest);
    const auto b = surface_of(bodies.b, pose.map);
    return is_inside(a[0][0], b) || is_inside(b[0][0], a);
}

double depth_est(const Pair& pair, double from, double to, int times) {
    const Bodies& bodies = pair.bodies();
    const auto a = surface_of(bodies.a, kRest);
    double deepest = 0.0;
    for (int k = 1; k <= times; ++k) {
        const MapAtTime pose = bodies.map_at(from + (to - from) * k / times);
        const auto b = surface_of(bodies.b, pose.map);
        const Ball64 around_a{bodies.tree_a[0].centre, bodies.tree_a[0].radius};
        const Ball64 around_b{pose.map(bodies.tree_b[0].centre), bodies.tree_b[0].radius};
        deepest = std::max({deepest, deepest_edge_point(bodies.a, kRest, b, around_b),
                            deepest_edge_point(bodies.b, pose.map, a, around_a)});
    }
    return deepest;
}

}  // namespace graze::rigid::reference
