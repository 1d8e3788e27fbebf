#include "rigid/nearest_faces.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "graze/narrow/contact_point.hpp"
#include "graze/narrow/motion.hpp"
#include "graze/rigid/screw_motion.hpp"

namespace graze::rigid::detail {
namespace {

using Triangle = std::array<Vec3, 3>;

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

// How far the boxes of two sets of points are from each other, in the max-norm: a lower bound of
// the distance of what they span, but for an ulp, which kSure pays for.
template <std::size_t kA, std::size_t kB>
double gap_of_boxes(const std::array<Vec3, kA>& a, const std::array<Vec3, kB>& b) {
    double gap = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto less = [axis](const Vec3& x, const Vec3& y) { return x[axis] < y[axis]; };
        const auto [low_a, high_a] = std::minmax_element(a.begin(), a.end(), less);
        const auto [low_b, high_b] = std::minmax_element(b.begin(), b.end(), less);
        gap = std::max({gap, (*low_b)[axis] - (*high_a)[axis], (*low_a)[axis] - (*high_b)[axis]});
    }
    return gap;
}
constexpr double kSure = 1.0 + 0x1p-40;

void take_vertices(NearestPoints& nearest, const Triangle& vertices, const Triangle& face,
                   bool is_swapped) {
    for (const Vec3& x : vertices) {
        if (gap_of_boxes(std::array{x}, face) > kSure * nearest.distance) continue;
        take(nearest,
             contact_point(VertexFaceMotion{resting(x),
                                            {resting(face[0]), resting(face[1]), resting(face[2])}},
                           0.0),
             is_swapped);
    }
}

void take_edges(NearestPoints& nearest, const std::array<Vec3, 2>& a,
                const std::array<Vec3, 2>& b) {
    if (gap_of_boxes(a, b) > kSure * nearest.distance) return;
    take(nearest,
         contact_point(
             EdgeEdgeMotion{{resting(a[0]), resting(a[1])}, {resting(b[0]), resting(b[1])}}, 0.0),
         false);
}

// Most pairs of features are too far from each other to be the nearest: their boxes prove that.
void take_triangles(NearestPoints& nearest, const Triangle& a, const Triangle& b) {
    if (gap_of_boxes(a, b) > kSure * nearest.distance) return;
    take_vertices(nearest, a, b, false);
    take_vertices(nearest, b, a, true);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            take_edges(nearest, {a[i], a[(i + 1) % 3]}, {b[k], b[(k + 1) % 3]});
}

// The displacement of a point of B relative to the same point of A, from poses a and b to the end.
Vec3 relative_displacement(const PairStep& step, const Pose& a, const Pose& b, const Vec3& x) {
    const Vec3 with_a = apply(step.a.end, apply(inverse(a), x));
    const Vec3 with_b = apply(step.b.end, apply(inverse(b), x));
    return with_b - with_a;
}

}  // namespace

// Over all pairs of their triangles: vertices against triangles both ways, and edges against edges.
NearestPoints nearest_of_faces(const Polyhedron& a, std::uint32_t face_a, const Pose& pose_a,
                               const Polyhedron& b, std::uint32_t face_b, const Pose& pose_b) {
    NearestPoints nearest;
    for (const Triangle& of_a : transformed_face(a, face_a, pose_a))
        for (const Triangle& of_b : transformed_face(b, face_b, pose_b))
            take_triangles(nearest, of_a, of_b);
    return nearest;
}

NearestPoints nearest_of_triangles(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b,
                                   double within) {
    NearestPoints nearest;
    nearest.distance = within;
    take_triangles(nearest, a, b);
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
