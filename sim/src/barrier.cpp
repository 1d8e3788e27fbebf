#include "graze/sim/barrier.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "graze/core/elementary.hpp"
#include "graze/sim/response.hpp"

namespace graze::sim {
namespace {

std::array<Vec3, 4> corners_of(const ContactPair& pair, std::span<const Vec3> x) {
    std::array<Vec3, 4> corners{};
    const auto vertices = pair.vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i)
        corners[i] = x[vertices[i]];
    return corners;
}

// True where one coordinate alone shows that the elements are farther apart than `reach`, which most
// candidates of folded cloth are: a twentieth of the work that their nearest points are. Wider than the
// reach by more than rounding errors, so that it never decides otherwise than the distance does.
bool is_beyond(const ContactPair& pair, const std::array<Vec3, 4>& corners, double reach) {
    constexpr double kSpare = 1.001;
    const std::size_t first = pair.kind == QueryKind::EdgeEdge ? 2 : 1;
    const std::size_t count = vertex_count(pair.kind);
    for (std::size_t k = 0; k < 3; ++k) {
        double low_a = corners[0][k];
        double high_a = low_a;
        for (std::size_t i = 1; i < first; ++i) {
            low_a = std::min(low_a, corners[i][k]);
            high_a = std::max(high_a, corners[i][k]);
        }
        double low_b = corners[first][k];
        double high_b = low_b;
        for (std::size_t i = first + 1; i < count; ++i) {
            low_b = std::min(low_b, corners[i][k]);
            high_b = std::max(high_b, corners[i][k]);
        }
        if (low_a - high_b > kSpare * reach || low_b - high_a > kSpare * reach) return true;
    }
    return false;
}

double sine_squared(const std::array<Vec3, 4>& x) {
    return norm_sq(cross(x[1] - x[0], x[3] - x[2]));
}

// m(c) = (2 - c / e) c / e below e, 1 above.
struct Mollifier {
    double value = 1.0;
    double first = 0.0;
    double second = 0.0;
};
Mollifier mollifier(double c, double e) {
    if (c >= e) return {};
    const double r = c / e;
    return {(2.0 - r) * r, 2.0 * (1.0 - r) / e, -2.0 / (e * e)};
}

// Of c = |e0 x e1|^2 = |e0|^2 |e1|^2 - (e0 . e1)^2 over the four vertices of the edges.
void cross_derivatives(const std::array<Vec3, 4>& x, Vector12& gradient, Matrix12& hessian) {
    const Vec3 d0 = x[1] - x[0];
    const Vec3 d1 = x[3] - x[2];
    const Eigen::Vector3d e0(d0.x, d0.y, d0.z);
    const Eigen::Vector3d e1(d1.x, d1.y, d1.z);
    const double product = e0.dot(e1);
    const Eigen::Matrix3d identity = Eigen::Matrix3d::Identity();
    const Eigen::Vector3d g0 = 2.0 * (e1.squaredNorm() * e0 - product * e1);
    const Eigen::Vector3d g1 = 2.0 * (e0.squaredNorm() * e1 - product * e0);
    const Eigen::Matrix3d h00 = 2.0 * (e1.squaredNorm() * identity - e1 * e1.transpose());
    const Eigen::Matrix3d h11 = 2.0 * (e0.squaredNorm() * identity - e0 * e0.transpose());
    const Eigen::Matrix3d h01 =
        4.0 * e0 * e1.transpose() - 2.0 * e1 * e0.transpose() - 2.0 * product * identity;
    gradient << -g0, g0, -g1, g1;
    // e = x_end - x_begin: signs by vertex.
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            const double sign = (i % 2 == j % 2) ? 1.0 : -1.0;
            const Eigen::Matrix3d h =
                i < 2 ? (j < 2 ? h00 : h01) : (j < 2 ? Eigen::Matrix3d(h01.transpose()) : h11);
            hessian.block<3, 3>(3 * i, 3 * j) = sign * h;
        }
}

double largest_radius(const Model& model, std::span<const std::uint32_t> vertices) {
    double largest = 0.0;
    for (const std::uint32_t v : vertices)
        largest = std::max(largest, model.radius[v]);
    return largest;
}

ContactPair pair_of(const Model& model, QueryKind kind, const IndexPair& pair) {
    ContactPair out;
    out.kind = kind;
    out.v = vertices_of_pair(model.surface, kind, pair.first, pair.second);
    if (kind == QueryKind::EdgeEdge) {
        // A tenth of a percent of the square of the area that perpendicular edges span at rest.
        constexpr double kParallel = 1e-3;
        out.parallel = kParallel * norm_sq(model.rest[out.v[1]] - model.rest[out.v[0]]) *
                       norm_sq(model.rest[out.v[3]] - model.rest[out.v[2]]);
    }
    out.thickness = thickness_of(model, out);
    return out;
}

// f(y) of the smoothed friction, f'(y) / y and f''(y).
struct Smoothed {
    double value = 0.0;
    double first_over = 0.0;
    double second = 0.0;
};
Smoothed smoothed(double y, double slip) {
    if (y >= slip) return {y, 1.0 / y, 0.0};
    const double r = y / slip;
    return {slip * (r * r - r * r * r / 3.0 + 1.0 / 3.0), (2.0 - r) / slip, 2.0 * (1.0 - r) / slip};
}

std::vector<FrictionContact> contacts_of_barrier(const BarrierEnergy& barrier,
                                                 std::span<const Vec3> at) {
    std::vector<FrictionContact> contacts;
    for (std::size_t e = 0; e < barrier.element_count(); ++e) {
        const ContactPair& pair = barrier.pairs()[e];
        const ClosestPoints points = closest_points(pair.kind, corners_of(pair, at));
        contacts.push_back({pair, points.weight, points.difference, barrier.normal_force(e, at)});
    }
    return contacts;
}

}  // namespace

BarrierValue barrier(double s) noexcept {
    if (s >= 1.0) return {};
    if (!(s > 0.0)) return {kInfinity, -kInfinity, kInfinity};
    const double l = logarithm(s);
    const double d = s - 1.0;
    return {-d * d * l, -2.0 * d * l - d * d / s, -2.0 * l - 4.0 * d / s + d * d / (s * s)};
}

std::array<std::uint32_t, 4> vertices_of_pair(const MeshTopology& mesh, QueryKind kind,
                                              std::uint32_t a, std::uint32_t b) {
    switch (kind) {
        case QueryKind::VertexFace:
            return {a, mesh.faces[b][0], mesh.faces[b][1], mesh.faces[b][2]};
        case QueryKind::EdgeEdge:
            return {mesh.edges[a][0], mesh.edges[a][1], mesh.edges[b][0], mesh.edges[b][1]};
        case QueryKind::VertexEdge:
            return {a, mesh.edges[b][0], mesh.edges[b][1], 0};
        case QueryKind::VertexVertex:
            break;
    }
    return {a, b, 0, 0};
}

double thickness_of(const Model& model, const ContactPair& pair) {
    if (model.radius.empty()) return 0.0;
    const std::size_t first_count = pair.kind == QueryKind::EdgeEdge ? 2 : 1;
    return largest_radius(model, pair.vertices().first(first_count)) +
           largest_radius(model, pair.vertices().subspan(first_count));
}

double friction_slip(const Model& model, double model_size) {
    constexpr double kSpeedInSizes = 1e-3;
    const double speed = model.contact.friction_speed > 0.0 ? model.contact.friction_speed
                                                            : kSpeedInSizes * model_size;
    return speed * model.solver.dt;
}

std::vector<ContactPair> contact_pairs(const Model& model, const Candidates& candidates) {
    std::vector<ContactPair> pairs;
    pairs.reserve(candidates.size());
    const std::vector<std::uint8_t> inside = interior_vertices(model);
    for (const QueryKind kind : kAllQueryKinds)
        for (const IndexPair& pair : candidates.pairs(kind)) {
            const ContactPair contact = pair_of(model, kind, pair);
            const auto vertices = contact.vertices();
            const bool is_fixed = std::all_of(vertices.begin(), vertices.end(),
                                              [&](std::uint32_t v) { return model.fixed[v] != 0; });
            const bool is_inside = kind == QueryKind::VertexFace && inside[pair.first] != 0;
            if (!is_fixed && !is_inside) pairs.push_back(contact);
        }
    return pairs;
}

double BarrierEnergy::value(std::size_t element, std::span<const Vec3> x) const {
    const ContactPair& pair = pairs_[element];
    const auto corners = corners_of(pair, x);
    if (is_beyond(pair, corners, reach(pair))) return 0.0;
    const ClosestPoints points = closest_points(pair.kind, corners);
    const double s = (points.squared - pair.thickness * pair.thickness) / scale(pair);
    if (s >= 1.0) return 0.0;
    if (!(s > 0.0)) return kInfinity;
    const double faded =
        pair.parallel > 0.0 ? mollifier(sine_squared(corners), pair.parallel).value : 1.0;
    return stiffness_ * faded * barrier(s).value;
}

void BarrierEnergy::derivatives(std::size_t element, std::span<const Vec3> x,
                                ElementDerivatives& out) const {
    const ContactPair& pair = pairs_[element];
    const auto corners = corners_of(pair, x);
    const ClosestPoints points = closest_points(pair.kind, corners);
    const double over = 1.0 / scale(pair);
    const BarrierValue b = barrier((points.squared - pair.thickness * pair.thickness) * over);
    Vector12 g;
    Matrix12 h;
    squared_distance_derivatives(points, corners, g, h);
    const double first = b.first * over;
    const double second = b.second * over * over;
    out.gradient = first * g;
    out.hessian = second * g * g.transpose() + first * h;
    const double c = pair.parallel > 0.0 ? sine_squared(corners) : 0.0;
    if (c < pair.parallel) {
        const Mollifier m = mollifier(c, pair.parallel);
        Vector12 cg;
        Matrix12 ch;
        cross_derivatives(corners, cg, ch);
        const Vector12 mg = m.first * cg;
        const Matrix12 mixed = mg * out.gradient.transpose();
        out.hessian = m.value * out.hessian + mixed + mixed.transpose() +
                      b.value * (m.second * cg * cg.transpose() + m.first * ch);
        out.gradient = m.value * out.gradient + b.value * mg;
    }
    out.gradient *= stiffness_;
    out.hessian *= stiffness_;
    project_positive(out.hessian, static_cast<int>(3 * vertex_count(pair.kind)));
}

BarrierEnergy BarrierEnergy::active_at(std::span<const Vec3> x) const {
    std::vector<ContactPair> active;
    for (const ContactPair& pair : pairs_) {
        const auto corners = corners_of(pair, x);
        if (is_beyond(pair, corners, reach(pair))) continue;
        const double squared = closest_points(pair.kind, corners).squared;
        if (squared - pair.thickness * pair.thickness < scale(pair)) active.push_back(pair);
    }
    return {std::move(active), distance_, stiffness_};
}

double BarrierEnergy::least_distance(std::span<const Vec3> x) const {
    double least = distance_;
    for (const ContactPair& pair : pairs_) {
        const auto corners = corners_of(pair, x);
        if (is_beyond(pair, corners, reach(pair))) continue;
        const double squared = closest_points(pair.kind, corners).squared;
        least = std::min(least, std::sqrt(squared) - pair.thickness);
    }
    return least;
}

double BarrierEnergy::normal_force(std::size_t element, std::span<const Vec3> x) const {
    const ContactPair& pair = pairs_[element];
    const auto corners = corners_of(pair, x);
    const double squared = closest_points(pair.kind, corners).squared;
    const double over = 1.0 / scale(pair);
    const BarrierValue b = barrier((squared - pair.thickness * pair.thickness) * over);
    const double faded =
        pair.parallel > 0.0 ? mollifier(sine_squared(corners), pair.parallel).value : 1.0;
    return -stiffness_ * faded * b.first * over * 2.0 * std::sqrt(squared);
}

FrictionEnergy::FrictionEnergy(std::span<const FrictionContact> contacts,
                               std::span<const Vec3> start, double coefficient, double slip)
    : start_(start), slip_(slip) {
    for (const FrictionContact& given : contacts) {
        Contact contact;
        contact.pair = given.pair;
        contact.limit = coefficient * given.force;
        if (!(contact.limit > 0.0) || !is_finite(contact.limit)) continue;
        contact.weight = given.weight;
        const Eigen::Vector3d n =
            Eigen::Vector3d(given.normal.x, given.normal.y, given.normal.z).normalized();
        contact.tangents.col(0) = n.unitOrthogonal();
        contact.tangents.col(1) = n.cross(contact.tangents.col(0));
        contacts_.push_back(contact);
    }
}

FrictionEnergy::FrictionEnergy(const BarrierEnergy& barrier, std::span<const Vec3> at,
                               std::span<const Vec3> start, double coefficient, double slip)
    : FrictionEnergy(contacts_of_barrier(barrier, at), start, coefficient, slip) {}

Eigen::Vector2d FrictionEnergy::slide(const Contact& contact, std::span<const Vec3> x) const {
    Vec3 moved{};
    const auto vertices = contact.pair.vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i)
        moved += contact.weight[i] * (x[vertices[i]] - start_[vertices[i]]);
    return contact.tangents.transpose() * Eigen::Vector3d(moved.x, moved.y, moved.z);
}

double FrictionEnergy::value(std::size_t element, std::span<const Vec3> x) const {
    const Contact& contact = contacts_[element];
    return contact.limit * smoothed(slide(contact, x).norm(), slip_).value;
}

void FrictionEnergy::derivatives(std::size_t element, std::span<const Vec3> x,
                                 ElementDerivatives& out) const {
    const Contact& contact = contacts_[element];
    const Eigen::Vector2d u = slide(contact, x);
    const double y = u.norm();
    const Smoothed f = smoothed(y, slip_);
    // Eigenvalues f'(y) / y and f''(y): neither is negative.
    Eigen::Matrix2d h = f.first_over * Eigen::Matrix2d::Identity();
    if (y > 0.0) h += (f.second - f.first_over) / (y * y) * (u * u.transpose());
    const Eigen::Vector3d force = contact.limit * f.first_over * (contact.tangents * u);
    const Eigen::Matrix3d stiffness =
        contact.limit * (contact.tangents * h * contact.tangents.transpose());
    for (int i = 0; i < 4; ++i) {
        const double a = contact.weight[static_cast<std::size_t>(i)];
        out.gradient.segment<3>(3 * i) = a * force;
        for (int j = 0; j < 4; ++j)
            out.hessian.block<3, 3>(3 * i, 3 * j) =
                (a * contact.weight[static_cast<std::size_t>(j)]) * stiffness;
    }
}

}  // namespace graze::sim
