// Membrane, hinges and strands. Each Hessian is positive semidefinite by construction: a sum of
// products J^T C J with a positive C, and a geometric term of which only the positive part is kept.
#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "graze/core/elementary.hpp"
#include "graze/sim/energy.hpp"

namespace graze::sim {
namespace {

using Matrix2 = Eigen::Matrix2d;
using Matrix32 = Eigen::Matrix<double, 3, 2>;
using Vector3 = Eigen::Vector3d;

Vector3 to_eigen(const Vec3& v) {
    return {v.x, v.y, v.z};
}

// --- Membrane: St. Venant-Kirchhoff with plane stress ----------------------------------------------

struct MembraneElement {
    FaceIndices v{};
    Matrix2 to_rest;  // (rest edges in the plane of the triangle)^-1
    double area = 0.0;
    double lambda = 0.0;   // [force / length]
    double mu = 0.0;       // [force / length]
    double viscous = 0.0;  // damping / dt: weight of the same energy of the change in the step
    Matrix2 strain_at_start = Matrix2::Zero();
};

Matrix32 deformation(const MembraneElement& e, std::span<const Vec3> x) {
    Matrix32 edges;
    edges.col(0) = to_eigen(x[e.v[1]] - x[e.v[0]]);
    edges.col(1) = to_eigen(x[e.v[2]] - x[e.v[0]]);
    return edges * e.to_rest;
}

Matrix2 green_strain(const Matrix32& f) {
    return 0.5 * (f.transpose() * f - Matrix2::Identity());
}

double strain_energy(const MembraneElement& e, const Matrix2& strain) {
    return e.mu * strain.squaredNorm() + 0.5 * e.lambda * strain.trace() * strain.trace();
}

Matrix2 stress_of(const MembraneElement& e, const Matrix2& strain) {
    return 2.0 * e.mu * strain + e.lambda * strain.trace() * Matrix2::Identity();
}

Matrix2 positive_part(const Matrix2& symmetric) {
    const Eigen::SelfAdjointEigenSolver<Matrix2> solved(symmetric);
    return solved.eigenvectors() * solved.eigenvalues().cwiseMax(0.0).asDiagonal() *
           solved.eigenvectors().transpose();
}

class Membrane final : public Energy {
public:
    Membrane(const Model& model, const State& start) {
        elements_.reserve(model.cloth_triangles.size());
        for (const ClothTriangle& t : model.cloth_triangles)
            elements_.push_back(made(model, t, start));
    }
    [[nodiscard]] std::size_t element_count() const noexcept override { return elements_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> vertices(std::size_t element) const override {
        return elements_[element].v;
    }
    [[nodiscard]] double value(std::size_t element, std::span<const Vec3> x) const override {
        const MembraneElement& e = elements_[element];
        const Matrix2 strain = green_strain(deformation(e, x));
        double density = strain_energy(e, strain);
        if (e.viscous > 0.0) density += e.viscous * strain_energy(e, strain - e.strain_at_start);
        return e.area * density;
    }
    // gradient = A B^T vec(F S), B the derivative of F by positions.
    // Hessian  = A B^T (dE^T C dE + S) B, with the positive part of S: exact under tension.
    void derivatives(std::size_t element, std::span<const Vec3> x,
                     ElementDerivatives& out) const override {
        const MembraneElement& e = elements_[element];
        const Matrix32 f = deformation(e, x);
        const Matrix2 strain = green_strain(f);
        Matrix2 stress = stress_of(e, strain);
        if (e.viscous > 0.0) stress += e.viscous * stress_of(e, strain - e.strain_at_start);
        // F = sum of x_i times row i of `shape`.
        Eigen::Matrix<double, 3, 2> shape;
        shape.row(1) = e.to_rest.row(0);
        shape.row(2) = e.to_rest.row(1);
        shape.row(0) = -shape.row(1) - shape.row(2);
        const Matrix32 piola = f * stress;
        const Matrix2 kept = positive_part(stress);
        for (int i = 0; i < 3; ++i)
            out.gradient.segment<3>(3 * i) = e.area * piola * shape.row(i).transpose();
        // The three strains (E11, E22, 2 E12) by positions.
        Eigen::Matrix<double, 3, 9> by_x;
        for (int i = 0; i < 3; ++i) {
            by_x.block<1, 3>(0, 3 * i) = shape(i, 0) * f.col(0).transpose();
            by_x.block<1, 3>(1, 3 * i) = shape(i, 1) * f.col(1).transpose();
            by_x.block<1, 3>(2, 3 * i) =
                shape(i, 0) * f.col(1).transpose() + shape(i, 1) * f.col(0).transpose();
        }
        Eigen::Matrix3d c;
        c << e.lambda + 2.0 * e.mu, e.lambda, 0.0, e.lambda, e.lambda + 2.0 * e.mu, 0.0, 0.0, 0.0,
            e.mu;
        out.hessian.topLeftCorner<9, 9>() =
            (e.area * (1.0 + e.viscous)) * (by_x.transpose() * c * by_x);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                const double s = e.area * (shape.row(i) * kept * shape.row(j).transpose())(0, 0);
                out.hessian.block<3, 3>(3 * i, 3 * j).diagonal().array() += s;
            }
        }
    }

private:
    static MembraneElement made(const Model& model, const ClothTriangle& t, const State& start) {
        const ClothMaterial& m = model.cloth_materials[t.material];
        MembraneElement e;
        e.v = t.v;
        const Vector3 a = to_eigen(model.rest[t.v[1]] - model.rest[t.v[0]]);
        const Vector3 b = to_eigen(model.rest[t.v[2]] - model.rest[t.v[0]]);
        const Vector3 along = a.normalized();
        const double across = (b - b.dot(along) * along).norm();
        Matrix2 rest;
        rest << a.norm(), b.dot(along), 0.0, across;
        e.area = 0.5 * a.norm() * across;
        e.to_rest = rest.inverse();
        e.lambda = m.young * m.poisson / (1.0 - m.poisson * m.poisson);
        e.mu = 0.5 * m.young / (1.0 + m.poisson);
        e.viscous = m.damping / model.solver.dt;
        e.strain_at_start = green_strain(deformation(e, start.x));
        return e;
    }

    std::vector<MembraneElement> elements_;
};

// --- Hinges ------------------------------------------------------------------------------------

struct HingeElement {
    std::array<std::uint32_t, 4> v{};
    double stiffness = 0.0;  // [energy] bending * 3 |e|^2 / (area of both triangles at rest)
    double rest_angle = 0.0;
    double viscous = 0.0;
    double angle_at_start = 0.0;
};

double angle_difference(double a, double b) {
    return std::remainder(a - b, 2.0 * std::numbers::pi);
}

struct HingeGeometry {
    double angle = 0.0;  // 0: flat; its sign is that of the fold about the edge
    Vector12 gradient = Vector12::Zero();
};

// Zero, with a zero gradient, where a triangle or the edge has no size.
HingeGeometry hinge_geometry(const std::array<std::uint32_t, 4>& v, std::span<const Vec3> x) {
    const Vector3 p0 = to_eigen(x[v[0]]);
    const Vector3 p1 = to_eigen(x[v[1]]);
    const Vector3 p2 = to_eigen(x[v[2]]);
    const Vector3 p3 = to_eigen(x[v[3]]);
    const Vector3 edge = p1 - p0;
    const Vector3 na = (p0 - p2).cross(p1 - p2);
    const Vector3 nb = (p1 - p3).cross(p0 - p3);
    const double length = edge.norm();
    const double a_sq = na.squaredNorm();
    const double b_sq = nb.squaredNorm();
    HingeGeometry g;
    if (!(length > 0.0) || !(a_sq > 0.0) || !(b_sq > 0.0)) return g;
    g.angle = arc_tangent(na.cross(nb).dot(edge) / length, na.dot(nb));
    const Vector3 ga = na / a_sq;
    const Vector3 gb = nb / b_sq;
    g.gradient.segment<3>(0) =
        -((p2 - p1).dot(edge) / length * ga + (p3 - p1).dot(edge) / length * gb);
    g.gradient.segment<3>(3) =
        (p2 - p0).dot(edge) / length * ga + (p3 - p0).dot(edge) / length * gb;
    g.gradient.segment<3>(6) = -length * ga;
    g.gradient.segment<3>(9) = -length * gb;
    return g;
}

class Hinges final : public Energy {
public:
    Hinges(const Model& model, const State& start) {
        elements_.reserve(model.hinges.size());
        for (const Hinge& h : model.hinges)
            elements_.push_back(made(model, h, start));
    }
    [[nodiscard]] std::size_t element_count() const noexcept override { return elements_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> vertices(std::size_t element) const override {
        return elements_[element].v;
    }
    [[nodiscard]] double value(std::size_t element, std::span<const Vec3> x) const override {
        const HingeElement& e = elements_[element];
        const double angle = hinge_geometry(e.v, x).angle;
        const double bent = angle_difference(angle, e.rest_angle);
        const double moved = angle_difference(angle, e.angle_at_start);
        return 0.5 * e.stiffness * (bent * bent + e.viscous * moved * moved);
    }
    // The Hessian without the second derivative of the angle (Gauss-Newton).
    void derivatives(std::size_t element, std::span<const Vec3> x,
                     ElementDerivatives& out) const override {
        const HingeElement& e = elements_[element];
        const HingeGeometry g = hinge_geometry(e.v, x);
        const double slope = angle_difference(g.angle, e.rest_angle) +
                             e.viscous * angle_difference(g.angle, e.angle_at_start);
        out.gradient = (e.stiffness * slope) * g.gradient;
        out.hessian = (e.stiffness * (1.0 + e.viscous)) * (g.gradient * g.gradient.transpose());
    }

private:
    static HingeElement made(const Model& model, const Hinge& h, const State& start) {
        const ClothMaterial& m = model.cloth_materials[h.material];
        const auto& r = model.rest;
        const Vec3 edge = r[h.v[1]] - r[h.v[0]];
        const double areas = 0.5 * (norm(cross(edge, r[h.v[2]] - r[h.v[0]])) +
                                    norm(cross(edge, r[h.v[3]] - r[h.v[0]])));
        HingeElement e;
        e.v = h.v;
        e.stiffness = areas > 0.0 ? m.bending * 3.0 * norm_sq(edge) / areas : 0.0;
        e.rest_angle = hinge_geometry(h.v, r).angle;
        e.viscous = m.damping / model.solver.dt;
        e.angle_at_start = hinge_geometry(h.v, start.x).angle;
        return e;
    }

    std::vector<HingeElement> elements_;
};

// --- Strands -----------------------------------------------------------------------------------

// stiffness / 2 (|sum of weight times position| - rest)^2: stretching of an edge (two vertices), and
// bending between two edges (three), whose vector is the difference of the edges by rest lengths.
struct SpringElement {
    std::array<std::uint32_t, 3> v{};
    std::array<double, 3> weight{};
    std::uint32_t count = 2;
    double stiffness = 0.0;
    double rest = 0.0;
    double viscous = 0.0;
    double length_at_start = 0.0;
};

Vec3 spring_vector(const SpringElement& e, std::span<const Vec3> x) {
    Vec3 sum{};
    for (std::size_t i = 0; i < e.count; ++i)
        sum += e.weight[i] * x[e.v[i]];
    return sum;
}

class Springs final : public Energy {
public:
    Springs(const Model& model, const State& start) {
        for (const StrandEdge& s : model.strand_edges)
            elements_.push_back(completed(stretch_of(model, s), model, start));
        for (const StrandBend& b : model.strand_bends)
            elements_.push_back(completed(bend_of(model, b), model, start));
    }
    [[nodiscard]] std::size_t element_count() const noexcept override { return elements_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> vertices(std::size_t element) const override {
        return std::span(elements_[element].v).first(elements_[element].count);
    }
    [[nodiscard]] double value(std::size_t element, std::span<const Vec3> x) const override {
        const SpringElement& e = elements_[element];
        const double length = norm(spring_vector(e, x));
        const double stretched = length - e.rest;
        const double moved = length - e.length_at_start;
        return 0.5 * e.stiffness * (stretched * stretched + e.viscous * moved * moved);
    }
    void derivatives(std::size_t element, std::span<const Vec3> x,
                     ElementDerivatives& out) const override {
        const SpringElement& e = elements_[element];
        const Vector3 b = to_eigen(spring_vector(e, x));
        const double length = b.norm();
        const Vector3 u = length > 0.0 ? Vector3(b / length) : Vector3::Zero();
        const double slope = length - e.rest + e.viscous * (length - e.length_at_start);
        // slope / length; its limit where both vanish, at a straight bend.
        const double across = length > 0.0 ? std::max(0.0, slope / length) : 1.0 + e.viscous;
        Eigen::Matrix3d h = across * Eigen::Matrix3d::Identity();
        h += (1.0 + e.viscous - across) * (u * u.transpose());
        const auto count = static_cast<int>(e.count);
        for (int i = 0; i < count; ++i) {
            const double wi = e.weight[static_cast<std::size_t>(i)];
            out.gradient.segment<3>(3 * i) = (e.stiffness * slope * wi) * u;
            for (int j = 0; j < count; ++j) {
                const double wj = e.weight[static_cast<std::size_t>(j)];
                out.hessian.block<3, 3>(3 * i, 3 * j) = (e.stiffness * wi * wj) * h;
            }
        }
    }

private:
    static SpringElement stretch_of(const Model& model, const StrandEdge& s) {
        const StrandMaterial& m = model.strand_materials[s.material];
        const double length = norm(model.rest[s.v[1]] - model.rest[s.v[0]]);
        SpringElement e;
        e.v = {s.v[0], s.v[1], 0};
        e.weight = {-1.0, 1.0, 0.0};
        e.stiffness = m.stretch / length;
        e.viscous = m.damping / model.solver.dt;
        return e;
    }
    static SpringElement bend_of(const Model& model, const StrandBend& b) {
        const StrandMaterial& m = model.strand_materials[b.material];
        const double l0 = norm(model.rest[b.v[1]] - model.rest[b.v[0]]);
        const double l1 = norm(model.rest[b.v[2]] - model.rest[b.v[1]]);
        SpringElement e;
        e.v = b.v;
        e.count = 3;
        e.weight = {1.0 / l0, -1.0 / l0 - 1.0 / l1, 1.0 / l1};
        e.stiffness = 2.0 * m.bending / (l0 + l1);
        e.viscous = m.damping / model.solver.dt;
        return e;
    }
    static SpringElement completed(SpringElement e, const Model& model, const State& start) {
        e.rest = norm(spring_vector(e, model.rest));
        e.length_at_start = norm(spring_vector(e, start.x));
        return e;
    }

    std::vector<SpringElement> elements_;
};

}  // namespace

std::vector<std::unique_ptr<Energy>> cloth_energies(const Model& model, const State& start) {
    std::vector<std::unique_ptr<Energy>> energies;
    if (!model.cloth_triangles.empty())
        energies.push_back(std::make_unique<Membrane>(model, start));
    if (!model.hinges.empty()) energies.push_back(std::make_unique<Hinges>(model, start));
    if (!model.strand_edges.empty() || !model.strand_bends.empty())
        energies.push_back(std::make_unique<Springs>(model, start));
    return energies;
}

}  // namespace graze::sim
