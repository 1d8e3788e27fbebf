// Tetrahedra of constant strain. With F = D_s D_m^-1 (edges now, edges at rest) the energy of an element
// is its volume times a density psi(F); vec(F), column by column, is linear in the positions:
// vec(F) = B x with a constant 9 x 12 matrix B. So gradient = V B^T P and Hessian = V B^T H B, and H is
// projected in the nine dimensions of F.
#include <Eigen/Dense>
#include <cmath>

#include "graze/core/elementary.hpp"
#include "graze/sim/energy.hpp"

namespace graze::sim {
namespace {

using Matrix3 = Eigen::Matrix3d;
using Vector9 = Eigen::Matrix<double, 9, 1>;
using Matrix9 = Eigen::Matrix<double, 9, 9>;

struct DensityDerivatives {
    Vector9 stress;
    Matrix9 hessian;
};

Matrix3 skew(const Eigen::Vector3d& a) {
    Matrix3 m;
    m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
    return m;
}

Vector9 vec(const Matrix3& m) {
    return Eigen::Map<const Vector9>(m.data());
}

Vector9 determinant_gradient(const Matrix3& f) {
    Vector9 g;
    g << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
    return g;
}

Matrix9 determinant_hessian(const Matrix3& f) {
    Matrix9 h = Matrix9::Zero();
    const Matrix3 a = skew(f.col(0));
    const Matrix3 b = skew(f.col(1));
    const Matrix3 c = skew(f.col(2));
    h.block<3, 3>(0, 3) = -c;
    h.block<3, 3>(0, 6) = b;
    h.block<3, 3>(3, 0) = c;
    h.block<3, 3>(3, 6) = -a;
    h.block<3, 3>(6, 0) = -b;
    h.block<3, 3>(6, 3) = a;
    return h;
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
    void derivatives(const Matrix3& f, DensityDerivatives& out) const {
        const double ic = f.squaredNorm();
        const double j = f.determinant() - alpha;
        const Vector9 g = determinant_gradient(f);
        const double factor = mu * (1.0 - 1.0 / (ic + 1.0));
        out.stress = factor * vec(f) + lambda * j * g;
        out.hessian = factor * Matrix9::Identity() + lambda * j * determinant_hessian(f);
        out.hessian += (2.0 * mu / ((ic + 1.0) * (ic + 1.0))) * vec(f) * vec(f).transpose();
        out.hessian += lambda * g * g.transpose();
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
    void derivatives(const Matrix3& f, DensityDerivatives& out) const {
        const auto [mu, lambda] = parameters;
        const Matrix3 e = strain(f);
        const Matrix3 s = 2.0 * mu * e + lambda * e.trace() * Matrix3::Identity();
        out.stress = vec(f * s);
        for (int k = 0; k < 9; ++k) {
            Matrix3 df = Matrix3::Zero();
            df(k % 3, k / 3) = 1.0;
            const Matrix3 de = 0.5 * (df.transpose() * f + f.transpose() * df);
            const Matrix3 ds = 2.0 * mu * de + lambda * de.trace() * Matrix3::Identity();
            out.hessian.col(k) = vec(df * s + f * ds);
        }
    }
};

void project_nine(Matrix9& matrix) {
    Matrix12 padded;
    padded.topLeftCorner<9, 9>() = 0.5 * (matrix + matrix.transpose());
    project_positive(padded, 9);
    matrix = padded.topLeftCorner<9, 9>();
}

Eigen::Vector3d to_eigen(const Vec3& p) {
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
        DensityDerivatives d;
        densities_[shape.density].derivatives(edges_of(x, shape.v) * shape.inverse, d);
        project_nine(d.hessian);
        // F = sum_i x_i w_i^T with rows w_1..3 of the inverse and w_0 = -(w_1 + w_2 + w_3).
        Eigen::Matrix<double, 4, 3> w;
        w.bottomRows<3>() = shape.inverse;
        w.row(0) = -shape.inverse.colwise().sum();
        Eigen::Matrix<double, 9, 12> b = Eigen::Matrix<double, 9, 12>::Zero();
        for (int i = 0; i < 4; ++i)
            for (int column = 0; column < 3; ++column)
                for (int k = 0; k < 3; ++k)
                    b(3 * column + k, 3 * i + k) = w(i, column);
        out.gradient = shape.volume * (b.transpose() * d.stress);
        out.hessian = shape.volume * (b.transpose() * d.hessian * b);
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
