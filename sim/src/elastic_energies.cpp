// Tetrahedra of constant strain. With F = D_s D_m^-1 (edges now, edges at rest) the energy of an element
// is its volume times a density psi(F), F = sum_i x_i w_i^T with constant weights w_i. So the gradient at
// vertex i is V P w_i, P the stress, and the Hessian is that of psi between two weights.
//
// Both densities are isotropic: psi is a function of the signed singular values s of F = U diag(s) V^T
// (U and V rotations). Then the Hessian is known in closed form in the frame of U and V (Smith et al.
// 2019, "Analytic eigensystems for isotropic distortion energies"): a 3 x 3 block A_ab = d2 psi / ds_a ds_b
// of stretches, and for each pair of axes a, b the eigenvalues
//   twist  (psi_a + psi_b) / (s_a + s_b)  of (U e_a e_b^T V^T - U e_b e_a^T V^T) / sqrt 2,
//   flip   (psi_a - psi_b) / (s_a - s_b)  of (U e_a e_b^T V^T + U e_b e_a^T V^T) / sqrt 2,
// both polynomials here, without a division. The nearest matrix without negative eigenvalues is that of
// the projected block and of the larger of 0 and each of the six.
#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "graze/core/elementary.hpp"
#include "graze/sim/energy.hpp"

namespace graze::sim {
namespace {

using Matrix3 = Eigen::Matrix3d;
using Vector3 = Eigen::Vector3d;

// Second derivatives of a density by the singular values. Of a pair of axes: at the number of the third.
struct StretchHessian {
    Matrix3 stretches;
    Vector3 twist;
    Vector3 flip;
};

// By columns the derivatives of the determinant.
Matrix3 cofactors(const Matrix3& f) {
    Matrix3 g;
    g << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
    return g;
}

struct Lame {
    double mu = 0.0;
    double lambda = 0.0;
};
Lame lame(const ElasticMaterial& material) {
    const double e = material.young;
    const double nu = material.poisson;
    return {e / (2.0 * (1.0 + nu)), e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))};
}

// psi = mu/2 (|F|^2 - 3) + lambda/2 (det F - alpha)^2 - mu/2 log(|F|^2 + 1), with the parameters changed
// so that small strains agree with linear elasticity (Smith et al. 2018, section 3.4), and less its
// value at rest. The stress vanishes at rest: mu (1 - 1/4) + lambda (1 - alpha) = 0.
struct StableNeoHookean {
    double mu;
    double lambda;
    double alpha;
    double at_rest;

    explicit StableNeoHookean(const ElasticMaterial& material) {
        const Lame linear = lame(material);
        mu = 4.0 / 3.0 * linear.mu;
        lambda = linear.lambda + 5.0 / 6.0 * linear.mu;
        alpha = 1.0 + 0.75 * mu / lambda;
        at_rest = 0.5 * lambda * (1.0 - alpha) * (1.0 - alpha) - 0.5 * mu * logarithm(4.0);
    }
    [[nodiscard]] double value(const Matrix3& f) const {
        const double ic = f.squaredNorm();
        const double j = f.determinant() - alpha;
        return 0.5 * mu * (ic - 3.0) + 0.5 * lambda * j * j - 0.5 * mu * logarithm(ic + 1.0) -
               at_rest;
    }
    [[nodiscard]] Matrix3 stress(const Matrix3& f) const {
        const double j = f.determinant() - alpha;
        return mu * (1.0 - 1.0 / (f.squaredNorm() + 1.0)) * f + lambda * j * cofactors(f);
    }
    // psi_a = c s_a + lambda (J - alpha) s_b s_d, c = mu (1 - 1 / (|s|^2 + 1)).
    [[nodiscard]] StretchHessian hessian(const Vector3& s) const {
        const double ic = s.squaredNorm();
        const double c = mu * (1.0 - 1.0 / (ic + 1.0));
        const Vector3 g(s(1) * s(2), s(2) * s(0), s(0) * s(1));
        const Vector3 pressure = lambda * (s(0) * g(0) - alpha) * s;
        StretchHessian h;
        h.stretches =
            (2.0 * mu / ((ic + 1.0) * (ic + 1.0))) * s * s.transpose() + lambda * g * g.transpose();
        for (int a = 0; a < 3; ++a) {
            h.stretches(a, a) += c;
            h.stretches((a + 1) % 3, (a + 2) % 3) += pressure(a);
            h.stretches((a + 2) % 3, (a + 1) % 3) += pressure(a);
        }
        h.twist = Vector3::Constant(c) + pressure;
        h.flip = Vector3::Constant(c) - pressure;
        return h;
    }
};

// psi = mu |E|^2 + lambda/2 tr(E)^2, E = (F^T F - I) / 2.
struct StVenantKirchhoff {
    Lame parameters;

    explicit StVenantKirchhoff(const ElasticMaterial& material) : parameters(lame(material)) {}
    [[nodiscard]] static Matrix3 strain(const Matrix3& f) {
        return 0.5 * (f.transpose() * f - Matrix3::Identity());
    }
    [[nodiscard]] double value(const Matrix3& f) const {
        const Matrix3 e = strain(f);
        return parameters.mu * e.squaredNorm() + 0.5 * parameters.lambda * e.trace() * e.trace();
    }
    [[nodiscard]] Matrix3 stress(const Matrix3& f) const {
        const Matrix3 e = strain(f);
        return f * (2.0 * parameters.mu * e + parameters.lambda * e.trace() * Matrix3::Identity());
    }
    // psi_a = s_a (2 mu e_a + lambda tr), e_a = (s_a^2 - 1) / 2, tr their sum.
    [[nodiscard]] StretchHessian hessian(const Vector3& s) const {
        const auto [mu, lambda] = parameters;
        const double trace = 0.5 * (s.squaredNorm() - 3.0);
        StretchHessian h;
        h.stretches = lambda * s * s.transpose();
        for (int a = 0; a < 3; ++a) {
            const double b = s((a + 1) % 3);
            const double d = s((a + 2) % 3);
            h.stretches(a, a) += mu * (3.0 * s(a) * s(a) - 1.0) + lambda * trace;
            h.twist(a) = lambda * trace + mu * (b * b - b * d + d * d - 1.0);
            h.flip(a) = lambda * trace + mu * (b * b + b * d + d * d - 1.0);
        }
        return h;
    }
};

// F = U diag(s) V^T with rotations U and V; s of either sign.
struct Stretches {
    Matrix3 u = Matrix3::Identity();
    Matrix3 v = Matrix3::Identity();
    Vector3 s = Vector3::Zero();
};

// Columns p and q of a and v rotated so that those of a become perpendicular; false where they are.
bool make_perpendicular(Matrix3& a, Matrix3& v, int p, int q) {
    constexpr double kRightAngle = 0x1p-50;  // cosine: some roundings of a sum of three terms
    const double pp = a.col(p).squaredNorm();
    const double qq = a.col(q).squaredNorm();
    const double pq = a.col(p).dot(a.col(q));
    if (!(std::fabs(pq) > kRightAngle * std::sqrt(pp * qq))) return false;
    const double zeta = (qq - pp) / (2.0 * pq);
    const double t = std::copysign(1.0 / (std::fabs(zeta) + std::sqrt(1.0 + zeta * zeta)), zeta);
    const double c = 1.0 / std::sqrt(1.0 + t * t);
    for (Matrix3* m : {&a, &v}) {
        const Vector3 of_p = m->col(p);
        const Vector3 of_q = m->col(q);
        m->col(p) = c * of_p - (c * t) * of_q;
        m->col(q) = (c * t) * of_p + c * of_q;
    }
    return true;
}

// By rotations from the right (Hestenes 1958), which converge quadratically: no sum loses what is small
// beside something large. Basic operations alone, so the same bits everywhere.
Stretches stretches_of(const Matrix3& f) {
    constexpr int kMostSweeps = 24;
    Stretches out;
    Matrix3 a = f;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        bool is_rotated = make_perpendicular(a, out.v, 0, 1);
        is_rotated = make_perpendicular(a, out.v, 0, 2) || is_rotated;
        is_rotated = make_perpendicular(a, out.v, 1, 2) || is_rotated;
        if (!is_rotated) break;
    }
    // The shortest column last; an exchange with a sign leaves V a rotation.
    const auto exchange_if_longer = [&](int p, int q) {
        if (!(a.col(q).squaredNorm() > a.col(p).squaredNorm())) return;
        for (Matrix3* m : {&a, &out.v}) {
            const Vector3 of_p = m->col(p);
            m->col(p) = m->col(q);
            m->col(q) = -of_p;
        }
    };
    exchange_if_longer(0, 1);
    exchange_if_longer(1, 2);
    exchange_if_longer(0, 1);
    out.s(0) = a.col(0).norm();
    if (!(out.s(0) > 0.0)) return out;
    out.u.col(0) = a.col(0) / out.s(0);
    out.s(1) = a.col(1).norm();
    out.u.col(1) =
        out.s(1) > 0.0 ? Vector3(a.col(1) / out.s(1)) : Vector3(out.u.col(0).unitOrthogonal());
    out.u.col(2) = out.u.col(0).cross(out.u.col(1));
    out.s(2) = out.u.col(2).dot(a.col(2));
    return out;
}

bool is_positive(const Matrix3& m) {
    const double second = m(0, 0) * m(1, 1) - m(0, 1) * m(0, 1);
    return m(0, 0) > 0.0 && second > 0.0 && m.determinant() > 0.0;
}

void project(StretchHessian& h) {
    h.twist = h.twist.cwiseMax(0.0);
    h.flip = h.flip.cwiseMax(0.0);
    if (is_positive(h.stretches)) return;
    const Eigen::SelfAdjointEigenSolver<Matrix3> solver(h.stretches);
    const Matrix3& vectors = solver.eigenvectors();
    h.stretches = vectors * solver.eigenvalues().cwiseMax(0.0).asDiagonal() * vectors.transpose();
}

// Of two vertices with weights a and b, in the frame of U and V.
Matrix3 block_between(const StretchHessian& h, const Vector3& a, const Vector3& b) {
    Matrix3 m;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const int k = (i + 2) % 3;
        m(i, i) = h.stretches(i, i) * a(i) * b(i) + 0.5 * ((h.twist(k) + h.flip(k)) * a(j) * b(j) +
                                                           (h.twist(j) + h.flip(j)) * a(k) * b(k));
        const double mixed = 0.5 * (h.flip(i) - h.twist(i));
        m(j, k) = h.stretches(j, k) * a(j) * b(k) + mixed * a(k) * b(j);
        m(k, j) = h.stretches(j, k) * a(k) * b(j) + mixed * a(j) * b(k);
    }
    return m;
}

Vector3 to_eigen(const Vec3& p) {
    return {p.x, p.y, p.z};
}

Matrix3 edges_of(std::span<const Vec3> x, const std::array<std::uint32_t, 4>& v) {
    Matrix3 m;
    for (int k = 0; k < 3; ++k)
        m.col(k) = to_eigen(x[v[static_cast<std::size_t>(k) + 1]] - x[v[0]]);
    return m;
}

struct RestShape {
    std::array<std::uint32_t, 4> v{};
    Matrix3 inverse;
    double volume = 0.0;
    std::uint32_t density = 0;
};

template <class Density>
class TetrahedronEnergy final : public Energy {
public:
    TetrahedronEnergy(const Model& model, Elasticity kind) {
        std::vector<std::uint32_t> number(model.elastic_materials.size());
        for (std::size_t m = 0; m < number.size(); ++m) {
            number[m] = static_cast<std::uint32_t>(densities_.size());
            if (model.elastic_materials[m].model == kind)
                densities_.emplace_back(model.elastic_materials[m]);
        }
        for (const Tetrahedron& t : model.tetrahedra) {
            if (model.elastic_materials[t.material].model != kind) continue;
            const Matrix3 rest = edges_of(model.rest, t.v);
            shapes_.push_back({t.v, rest.inverse(), rest.determinant() / 6.0, number[t.material]});
        }
    }

    [[nodiscard]] std::size_t element_count() const noexcept override { return shapes_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> vertices(std::size_t element) const override {
        return shapes_[element].v;
    }
    [[nodiscard]] double value(std::size_t element, std::span<const Vec3> x) const override {
        const RestShape& shape = shapes_[element];
        return shape.volume * densities_[shape.density].value(edges_of(x, shape.v) * shape.inverse);
    }
    void derivatives(std::size_t element, std::span<const Vec3> x,
                     ElementDerivatives& out) const override {
        const RestShape& shape = shapes_[element];
        const Density& density = densities_[shape.density];
        const Matrix3 f = edges_of(x, shape.v) * shape.inverse;
        const Matrix3 stress = shape.volume * density.stress(f);
        const Stretches frame = stretches_of(f);
        StretchHessian h = density.hessian(frame.s);
        project(h);
        // Rows w_1..3 are those of the inverse, and w_0 = -(w_1 + w_2 + w_3).
        Eigen::Matrix<double, 4, 3> w;
        w.bottomRows<3>() = shape.inverse;
        w.row(0) = -shape.inverse.colwise().sum();
        const Eigen::Matrix<double, 4, 3> rotated = w * frame.v;
        for (int i = 0; i < 4; ++i) {
            out.gradient.segment<3>(3 * i) = stress * w.row(i).transpose();
            for (int j = 0; j <= i; ++j) {
                const Matrix3 inner = block_between(h, rotated.row(i), rotated.row(j));
                const Matrix3 block = shape.volume * (frame.u * inner * frame.u.transpose());
                out.hessian.template block<3, 3>(3 * i, 3 * j) = block;
                out.hessian.template block<3, 3>(3 * j, 3 * i) = block.transpose();
            }
        }
    }

private:
    std::vector<RestShape> shapes_;
    std::vector<Density> densities_;
};

}  // namespace

std::vector<std::unique_ptr<Energy>> elastic_energies(const Model& model) {
    std::vector<std::unique_ptr<Energy>> energies;
    auto stable =
        std::make_unique<TetrahedronEnergy<StableNeoHookean>>(model, Elasticity::StableNeoHookean);
    if (stable->element_count() > 0) energies.push_back(std::move(stable));
    auto classic = std::make_unique<TetrahedronEnergy<StVenantKirchhoff>>(
        model, Elasticity::StVenantKirchhoff);
    if (classic->element_count() > 0) energies.push_back(std::move(classic));
    return energies;
}

}  // namespace graze::sim
