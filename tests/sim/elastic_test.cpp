#include <gtest/gtest.h>

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
