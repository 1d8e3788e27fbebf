#include "rigid/nearest_faces.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "graze/narrow/contact_point.hpp"
#include "graze/narrow/motion.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "rigid/witness.hpp"

namespace graze::rigid::detail {
namespace {

// The triangles of one face, in the world. Polyhedron cuts face after face, so those of one face
// follow each other, and their faces ascend.
std::vector<Triangle> transformed_face(const Polyhedron& surface, std::uint32_t face,
                                       const Pose& pose) {
    std::vector<Triangle> transformed;
    const auto triangles = surface.triangles();
    std::size_t first = 0;
    for (std::size_t end = triangles.size(); first < end;) {
        const std::size_t middle = first + (end - first) / 2;
        if (surface.face_of_triangle(middle) < face) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    for (std::size_t i = first; i < triangles.size() && surface.face_of_triangle(i) == face; ++i) {
        const auto& [u, v, w] = triangles[i];
        const auto positions = surface.positions();
        transformed.push_back(
            {apply(pose, positions[u]), apply(pose, positions[v]), apply(pose, positions[w])});
    }
    return transformed;
}

MovingPoint resting(const Vec3& x) {
    return {x, x};
}

// Keeps the nearer of both. All of this file is an estimate of where a proved contact is.
void take(NearestPoints& nearest, const ContactPoint& found, bool is_swapped) {
    if (!(found.distance_upper < nearest.distance)) return;
    nearest.distance = found.distance_upper;
    nearest.on_a = is_swapped ? found.on_b : found.on_a;
    nearest.on_b = is_swapped ? found.on_a : found.on_b;
    nearest.normal = found.normal;
}

// Estimated distances of pairs of features, for the choice of those that are worth a careful look.
double estimated_gap(const Vec3& x, const Triangle& face) {
    return norm_sq(x - nearest_on_triangle(x, face));
}
double estimated_gap(const std::array<Vec3, 2>& a, const std::array<Vec3, 2>& b) {
    const Witness at = nearest_of_segments(a[0], a[1], b[0], b[1]);
    return norm_sq(at.a - at.b);
}

// Calls visit(vertex, triangle, is_swapped) and visit(edge, edge) for all features of two triangles.
template <class VisitVertex, class VisitEdges>
void visit_features(const Triangle& a, const Triangle& b, const VisitVertex& visit_vertex,
                    const VisitEdges& visit_edges) {
    for (const Vec3& x : a)
        visit_vertex(x, b, false);
    for (const Vec3& x : b)
        visit_vertex(x, a, true);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            visit_edges(std::array{a[i], a[(i + 1) % 3]}, std::array{b[k], b[(k + 1) % 3]});
}

// Estimated squares of the distances of all features of all triangles, in the order of visits, and one
// that only those near the nearest ones are within: estimates are off by a few ulps of the coordinates,
// and a little more is allowed for.
struct Estimates {
    std::vector<double> squares;
    double limit = kInfinity;
};
Estimates estimates_of(const std::vector<Triangle>& all_a, const std::vector<Triangle>& all_b) {
    constexpr std::size_t kFeatures = 15;
    Estimates result;
    result.squares.reserve(kFeatures * all_a.size() * all_b.size());
    double least = kInfinity;
    double size = 0.0;
    const auto add = [&](double square) {
        least = std::min(least, square);
        result.squares.push_back(square);
    };
    for (const Triangle& a : all_a) {
        for (const Triangle& b : all_b) {
            size = std::max(size, norm_max(a[0] - b[0]));
            visit_features(
                a, b,
                [&](const Vec3& x, const Triangle& face, bool) { add(estimated_gap(x, face)); },
                [&](const std::array<Vec3, 2>& e, const std::array<Vec3, 2>& f) {
                    add(estimated_gap(e, f));
                });
        }
    }
    const double rounding = 0x1p-40 * size;
    result.limit = least * (1.0 + 0x1p-20) + rounding * rounding;
    return result;
}

// `next`: the estimates from the first feature of the two triangles on; moved behind the last.
void take_triangles(NearestPoints& nearest, const Triangle& a, const Triangle& b,
                    std::vector<double>::const_iterator& next, double limit) {
    visit_features(
        a, b,
        [&](const Vec3& x, const Triangle& face, bool is_swapped) {
            if (*next++ > limit) return;
            const VertexFaceMotion motion{resting(x),
                                          {resting(face[0]), resting(face[1]), resting(face[2])}};
            take(nearest, contact_point(motion, 0.0), is_swapped);
        },
        [&](const std::array<Vec3, 2>& e, const std::array<Vec3, 2>& f) {
            if (*next++ > limit) return;
            const EdgeEdgeMotion motion{{resting(e[0]), resting(e[1])},
                                        {resting(f[0]), resting(f[1])}};
            take(nearest, contact_point(motion, 0.0), false);
        });
}

// The displacement of a point of B relative to the same point of A, from poses a and b to the end.
Vec3 relative_displacement(const PairStep& step, const Pose& a, const Pose& b, const Vec3& x) {
    const Vec3 with_a = apply(step.a.end, apply(inverse(a), x));
    const Vec3 with_b = apply(step.b.end, apply(inverse(b), x));
    return with_b - with_a;
}

}  // namespace

// Over all pairs of their triangles: vertices against triangles both ways, and edges against edges. Most
// pairs of features are too far from each other to be the nearest: estimates show that.
NearestPoints nearest_of_faces(const Polyhedron& a, std::uint32_t face_a, const Pose& pose_a,
                               const Polyhedron& b, std::uint32_t face_b, const Pose& pose_b) {
    const std::vector<Triangle> all_a = transformed_face(a, face_a, pose_a);
    const std::vector<Triangle> all_b = transformed_face(b, face_b, pose_b);
    const Estimates estimates = estimates_of(all_a, all_b);
    auto next = estimates.squares.begin();
    NearestPoints nearest;
    for (const Triangle& of_a : all_a)
        for (const Triangle& of_b : all_b)
            take_triangles(nearest, of_a, of_b, next, estimates.limit);
    return nearest;
}

NearestPoints nearest_of_triangles(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b,
                                   double within) {
    NearestPoints nearest;
    nearest.distance = within;
    const Estimates estimates = estimates_of({a}, {b});
    auto next = estimates.squares.begin();
    take_triangles(nearest, a, b, next, estimates.limit);
    return nearest;
}

// At toi_lower the surfaces are disjoint by proof, and the gap is what the bracket's width leaves.
// Points that are as good as one have no direction: then across them, against the motion.
void estimate_contact(ImpactResult& found, const Polyhedron& a, const Polyhedron& b,
                      const PairStep& step) {
    Contact& contact = found.contact;
    if (!contact.has_features()) return;
    contact.time = std::clamp(found.toi_lower, 0.0, 1.0);
    contact.time_lower = found.toi_lower;
    contact.time_upper = found.toi_upper;
    const Pose pose_a = world_pose_a(step, contact.time);
    const Pose pose_b = world_pose_b(step, contact.time);
    const NearestPoints nearest = nearest_of_faces(a, contact.a, pose_a, b, contact.b, pose_b);
    contact.point = 0.5 * (nearest.on_a + nearest.on_b);
    const Vec3 across = nearest.on_b - nearest.on_a;
    const double length = norm(across);
    constexpr double kRoundingErrors = 0x1p-40;
    if (length > kRoundingErrors * (a.radius() + b.radius())) {
        contact.normal = (1.0 / length) * across;
        return;
    }
    const bool is_along =
        dot(nearest.normal, relative_displacement(step, pose_a, pose_b, contact.point)) > 0.0;
    contact.normal = is_along ? -nearest.normal : nearest.normal;
}

}  // namespace graze::rigid::detail
