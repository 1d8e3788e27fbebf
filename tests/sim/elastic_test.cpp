#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "graze/sim/scene.hpp"
#include "sim/energy_differences.hpp"

namespace graze::sim {
namespace {

TetrahedralMesh one_tetrahedron() {
    return {{{0, 0, 0}, {1, 0.1, 0}, {0.2, 1.1, 0}, {0.1, 0.3, 0.9}}, {{0, 1, 2, 3}}};
}

Model elastic_model(Elasticity kind) {
    ModelBuilder builder("test");
    ElasticMaterial material;
    material.model = kind;
    material.young = 100.0;
    material.poisson = 0.3;
    builder.add_elastic(one_tetrahedron(), material);
    return builder.finish();
}

std::vector<Vec3> disturbed(const std::vector<Vec3>& rest, double size, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-size, size);
    std::vector<Vec3> x = rest;
    for (Vec3& p : x)
        p += Vec3{uniform(random), uniform(random), uniform(random)};
    return x;
}

class ElasticEnergy : public testing::TestWithParam<Elasticity> {};
INSTANTIATE_TEST_SUITE_P(Both, ElasticEnergy,
                         testing::Values(Elasticity::StableNeoHookean,
                                         Elasticity::StVenantKirchhoff));

TEST_P(ElasticEnergy, VanishesAtRestAndUnderRigidMotion) {
    const Model model = elastic_model(GetParam());
    const auto energies = elastic_energies(model);
    ASSERT_EQ(energies.size(), 1u);
    std::vector<Vec3> x = model.rest;
    for (Vec3& p : x)
        p = Vec3{-p.y, p.x, p.z} + Vec3{3, 4, 5};
    for (const auto& positions : {model.rest, x}) {
        ElementDerivatives d;
        energies[0]->derivatives(0, positions, d);
        EXPECT_NEAR(energies[0]->value(0, positions), 0.0, 1e-12);
        EXPECT_LE(d.gradient.cwiseAbs().maxCoeff(), 1e-11);
    }
}

TEST_P(ElasticEnergy, HasTheDerivativesOfItsValue) {
    const Model model = elastic_model(GetParam());
    const auto energies = elastic_energies(model);
    for (unsigned seed = 0; seed < 8; ++seed) {
        const auto x = disturbed(model.rest, 0.02 + 0.03 * seed, seed);
        expect_gradient_of_value(*energies[0], x, 1e-5, 1e-6);
        expect_hessian_of_gradient(*energies[0], x, 1e-5, 1e-5);
    }
}

TEST_P(ElasticEnergy, IsFiniteAndProjectedWhereTheElementIsInverted) {
    const Model model = elastic_model(GetParam());
    const auto energies = elastic_energies(model);
    std::vector<Vec3> x = model.rest;
    x[3].z = -0.8;
    expect_gradient_of_value(*energies[0], x, 1e-5, 1e-6);
    expect_hessian_of_gradient(*energies[0], x, 1e-5, 1e-5);
}

// Of a tetrahedron whose edges at rest are the axes: F is made of its edges, and rows and columns of the
// last three vertices are those of F times the volume, 1/6.
class UnitTetrahedron {
public:
    explicit UnitTetrahedron(Elasticity kind) : model_(model_of(kind)) {
        energy_ = std::move(elastic_energies(model_).front());
    }
    [[nodiscard]] ElementDerivatives at(const Eigen::Matrix3d& f) const {
        std::vector<Vec3> x(4);
        for (int k = 0; k < 3; ++k)
            x[static_cast<std::size_t>(k) + 1] = {f(0, k), f(1, k), f(2, k)};
        ElementDerivatives d;
        energy_->derivatives(0, x, d);
        return d;
    }
    // Central differences of the gradient, projected by a numerical decomposition.
    [[nodiscard]] Eigen::MatrixXd projected_differences(const Eigen::Matrix3d& f) const {
        constexpr double kStep = 1e-5;
        Eigen::MatrixXd differences(9, 9);
        for (int c = 0; c < 9; ++c) {
            Eigen::Matrix3d above = f;
            Eigen::Matrix3d below = f;
            above(c % 3, c / 3) += kStep;
            below(c % 3, c / 3) -= kStep;
            differences.col(c) =
                (at(above).gradient - at(below).gradient).tail<9>() / (2.0 * kStep);
        }
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
            0.5 * (differences + differences.transpose()));
        return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).asDiagonal() *
               solver.eigenvectors().transpose();
    }
    void expect_projected(const Eigen::Matrix3d& f) const {
        const Eigen::MatrixXd closed = at(f).hessian.bottomRightCorner<9, 9>();
        const Eigen::MatrixXd numeric = projected_differences(f);
        const double size = 1.0 + numeric.cwiseAbs().maxCoeff();
        EXPECT_LE((closed - numeric).cwiseAbs().maxCoeff(), 2e-6 * size) << f;
    }

private:
    static Model model_of(Elasticity kind) {
        ModelBuilder builder("unit");
        ElasticMaterial material;
        material.model = kind;
        material.young = 2.0;
        material.poisson = 0.35;
        builder.add_elastic({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}},
                            material);
        return builder.finish();
    }
    Model model_;
    std::unique_ptr<Energy> energy_;
};

TEST_P(ElasticEnergy, IsProjectedInClosedFormAsByANumericalDecomposition) {
    const UnitTetrahedron element(GetParam());
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (int i = 0; i < 300; ++i) {
        // From nearly rigid to nothing alike, every second one of the other orientation.
        const double size = std::exp2(-10.0 + 0.04 * i);
        Eigen::Matrix3d f = Eigen::Matrix3d::Identity();
        if (i % 2 == 1) f(2, 2) = -1.0;
        f += size * Eigen::Matrix3d::NullaryExpr([&] { return uniform(random); });
        element.expect_projected(f);
    }
}

TEST_P(ElasticEnergy, IsProjectedWhereStretchesAreEqualOrZero) {
    const UnitTetrahedron element(GetParam());
    const Eigen::Matrix3d turned =
        Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, -2) / 3.0).toRotationMatrix();
    for (const Eigen::Vector3d& s :
         {Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(0.6, 0.6, 0.6), Eigen::Vector3d(0.5, 0.5, 2),
          Eigen::Vector3d(1, 1, 0), Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 0, 0),
          Eigen::Vector3d(1, 1, -1), Eigen::Vector3d(-0.5, -0.5, -0.5),
          Eigen::Vector3d(1, 1e-9, -1e-12), Eigen::Vector3d(2, 1e-170, 1e-200)}) {
        element.expect_projected(s.asDiagonal());
        element.expect_projected(turned * s.asDiagonal());
        element.expect_projected(turned * s.asDiagonal() * turned * turned);
    }
}

TEST_P(ElasticEnergy, AgreesWithLinearElasticityForSmallStrains) {
    const Model model = elastic_model(GetParam());
    const auto energies = elastic_energies(model);
    constexpr double kStrain = 1e-4;
    std::vector<Vec3> x = model.rest;
    for (Vec3& p : x)
        p.x *= 1.0 + kStrain;
    const double mu = 100.0 / 2.6;
    const double lambda = 100.0 * 0.3 / (1.3 * 0.4);
    const std::vector<Vec3>& r = model.rest;
    const double volume = dot(cross(r[1] - r[0], r[2] - r[0]), r[3] - r[0]) / 6.0;
    const double linear = volume * kStrain * kStrain * (mu + 0.5 * lambda);
    EXPECT_NEAR(energies[0]->value(0, x), linear, 1e-3 * linear);
}

TEST(NewtonSystemTest, HasTheSameBitsForAnyNumberOfThreads) {
    ModelBuilder builder("many");
    for (int i = 0; i < 300; ++i)
        builder.add_elastic(one_tetrahedron(), {});
    const Model model = builder.finish();
    const auto energies = elastic_energies(model);
    const auto x = disturbed(model.rest, 0.1, 5);
    NewtonSystem one(model.fixed, 1);
    NewtonSystem four(model.fixed, 4);
    one.add(*energies[0], 0.5, x);
    four.add(*energies[0], 0.5, x);
    EXPECT_EQ(one.gradient(), four.gradient());
    EXPECT_EQ((one.hessian() - four.hessian()).norm(), 0.0);
    EXPECT_EQ(total_value(*energies[0], x, 1), total_value(*energies[0], x, 4));
}

TEST(NewtonSystemTest, MovesPrescribedVerticesToTheRightSide) {
    Model model = elastic_model(Elasticity::StableNeoHookean);
    const auto energies = elastic_energies(model);
    const auto x = disturbed(model.rest, 0.05, 1);
    model.fixed[2] = 1;
    std::vector<Vec3> moved(4);
    moved[2] = {0.1, -0.2, 0.3};
    NewtonSystem still(model.fixed, 1);
    NewtonSystem moving(model.fixed, 1);
    still.add(*energies[0], 1.0, x);
    moving.add(*energies[0], 1.0, x, moved);
    ElementDerivatives d;
    energies[0]->derivatives(0, x, d);
    const Eigen::Vector3d step(0.1, -0.2, 0.3);
    const Eigen::Vector3d expected = d.hessian.block<3, 3>(9, 6) * step;
    EXPECT_TRUE((moving.gradient() - still.gradient()).tail<3>().isApprox(expected, 1e-12));
}

}  // namespace
}  // namespace graze::sim
