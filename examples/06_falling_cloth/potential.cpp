#include "potential.hpp"

#include <cmath>

namespace falling_cloth {
namespace {

using graze::Vec3;

constexpr double kStepSq = kTimeStep * kTimeStep;
constexpr double kBarrier = 1e3;  // stiffness

// The barrier of Li et al. 2020: -(d - D)^2 ln(d / D) below D, zero above it, twice differentiable.
struct Barrier {
    double value = 0.0;
    double slope = 0.0;
    double curvature = 0.0;
};
Barrier barrier_at(double d) {
    if (!(d < kNear)) return {};
    const double r = d - kNear;
    const double log = std::log(d / kNear);
    return {-kBarrier * r * r * log, -kBarrier * (2.0 * r * log + r * r / d),
            -kBarrier * (2.0 * log + 4.0 * r / d - r * r / (d * d))};
}

Vec3 gap_of(const NearPair& pair, std::span<const Vec3> x) {
    Vec3 gap;
    for (std::size_t i = 0; i < 4; ++i)
        gap = gap + pair.weight[i] * x[pair.vertex[i]];
    return gap;
}

NearPair near_pair(const graze::MeshTopology& mesh, const graze::Impact& impact,
                   const graze::ContactPoint& at) {
    if (impact.kind == graze::QueryKind::VertexFace) {
        const graze::FaceIndices& f = mesh.faces[impact.b];
        return {{impact.a, f[0], f[1], f[2]}, {1.0, at.u + at.v - 1.0, -at.u, -at.v}};
    }
    // The mesh has no vertex without an edge, so all other pairs are edges.
    const graze::EdgeIndices& a = mesh.edges[impact.a];
    const graze::EdgeIndices& b = mesh.edges[impact.b];
    return {{a[0], a[1], b[0], b[1]}, {1.0 - at.u, at.u, at.v - 1.0, -at.v}};
}

}  // namespace

graze::Expected<std::vector<NearPair>> near_pairs(graze::MeshStepper& stepper,
                                                  std::span<const Vec3> positions,
                                                  graze::StepOptions options) {
    options.query.min_separation = kNear;
    const auto set = graze::active_set(stepper, positions, positions, options);
    if (!set) return set.error();
    std::vector<NearPair> pairs;
    for (const graze::ActiveConstraint& constraint : set->constraints)
        pairs.push_back(near_pair(stepper.topology(), constraint.impact, constraint.contact));
    return pairs;
}

double Potential::operator()(std::span<const Vec3> x) const {
    double inertia = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (scene_.fixed[i] == 0) inertia += 0.5 * kMass * graze::norm_sq(x[i] - goal_[i]);
    double stored = 0.0;
    for (const Spring& s : scene_.springs) {
        const double stretch = graze::norm(x[s.a] - x[s.b]) - s.length;
        stored += 0.5 * s.stiffness * stretch * stretch;
    }
    for (const NearPair& pair : pairs_)
        stored += barrier_at(graze::norm(gap_of(pair, x))).value;
    return inertia + kStepSq * stored;
}

std::vector<Vec3> Potential::descent(std::span<const Vec3> x) const {
    std::vector<Vec3> force(x.size());
    std::vector<double> curvature(x.size(), kMass);
    for (std::size_t i = 0; i < x.size(); ++i)
        force[i] = kMass * (goal_[i] - x[i]);
    // Of a function of sum w x, |w_i| sum |w| times its curvature bounds the row of vertex i.
    for (const Spring& s : scene_.springs) {
        const Vec3 way = x[s.b] - x[s.a];
        const double length = graze::norm(way);
        if (!(length > 0.0)) continue;
        const Vec3 pull = (kStepSq * s.stiffness * (length - s.length) / length) * way;
        force[s.a] = force[s.a] + pull;
        force[s.b] = force[s.b] - pull;
        curvature[s.a] += 2.0 * kStepSq * s.stiffness;
        curvature[s.b] += 2.0 * kStepSq * s.stiffness;
    }
    for (const NearPair& pair : pairs_) {
        const Vec3 gap = gap_of(pair, x);
        const double distance = graze::norm(gap);
        if (!(distance > 0.0)) continue;
        const Barrier barrier = barrier_at(distance);
        for (std::size_t i = 0; i < 4; ++i) {
            const std::uint32_t v = pair.vertex[i];
            force[v] = force[v] - (kStepSq * pair.weight[i] * barrier.slope / distance) * gap;
            curvature[v] += 2.0 * kStepSq * std::fabs(pair.weight[i]) * barrier.curvature;
        }
    }
    for (std::size_t i = 0; i < x.size(); ++i)
        force[i] = scene_.fixed[i] != 0 ? Vec3{} : (1.0 / curvature[i]) * force[i];
    return force;
}

}  // namespace falling_cloth
