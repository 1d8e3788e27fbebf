#include <gtest/gtest.h>

#include <random>

#include "energy_differences.hpp"
#include "graze/sim/cloth_shapes.hpp"
#include "graze/sim/shapes.hpp"

namespace graze::sim {
namespace {

struct Patch {
    Model model;
    State start;
};

// A sheet and a strand; the start of the step is off the rest, so that damping acts.
Patch patch(double damping, double poisson = 0.3) {
    ModelBuilder builder("patch");
    ClothMaterial cloth;
    cloth.young = 300.0;
    cloth.poisson = poisson;
    cloth.bending = 0.02;
    cloth.damping = damping;
    builder.add_cloth(sheet({1.0, 0.7, 3, 2}), cloth);
    StrandMaterial fibre;
    fibre.bending = 0.3;
    fibre.damping = damping;
    const std::vector<Vec3> points = {{0, 0, 1}, {0.3, 0, 1}, {0.5, 0.1, 1}, {0.9, 0.1, 1.2}};
    builder.add_strand(points, fibre);
    Patch p{builder.finish(), {}};
    p.start = start_state(p.model);
    return p;
}

std::vector<Vec3> jiggled(std::vector<Vec3> x, double by, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> d(-by, by);
    for (Vec3& p : x)
        p += Vec3{d(random), d(random), d(random)};
    return x;
}

Eigen::VectorXd total_gradient(const Model& model, const State& start, std::span<const Vec3> x) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * x.size()));
    for (const auto& energy : cloth_energies(model, start)) {
        for (std::size_t e = 0; e < energy->element_count(); ++e) {
            ElementDerivatives d;
            energy->derivatives(e, x, d);
            const auto v = energy->vertices(e);
            for (std::size_t i = 0; i < v.size(); ++i)
                sum.segment<3>(3 * v[i]) += d.gradient.segment<3>(static_cast<Eigen::Index>(3 * i));
        }
    }
    return sum;
}

TEST(ClothEnergyTest, HasTheGradientOfItsValue) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        for (const double damping : {0.0, 0.02}) {
            Patch p = patch(damping);
            p.start.x = jiggled(p.start.x, 0.05, seed + 100);
            const std::vector<Vec3> x = jiggled(p.model.rest, 0.05, seed);
            for (const auto& energy : cloth_energies(p.model, p.start))
                expect_gradient_of_value(*energy, x, 1e-6, 1e-5);
        }
    }
}

TEST(ClothEnergyTest, HasAPositiveHessianHoweverItIsCrumpled) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        const Patch p = patch(0.01);
        const std::vector<Vec3> x = jiggled(p.model.rest, 0.4, seed);
        for (const auto& energy : cloth_energies(p.model, p.start)) {
            for (std::size_t e = 0; e < energy->element_count(); ++e) {
                ElementDerivatives d;
                energy->derivatives(e, x, d);
                const auto rows = static_cast<Eigen::Index>(3 * energy->vertices(e).size());
                const Eigen::MatrixXd h = d.hessian.topLeftCorner(rows, rows);
                const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(h);
                const double largest = h.cwiseAbs().maxCoeff();
                EXPECT_LE((h - h.transpose()).cwiseAbs().maxCoeff(), 1e-12 * largest);
                EXPECT_GE(solved.eigenvalues()(0), -1e-10 * largest);
            }
        }
    }
}

TEST(ClothEnergyTest, HasTheHessianOfItsGradientUnderTension) {
    const Patch p = patch(0.0);
    std::vector<Vec3> x = p.model.rest;
    for (Vec3& v : x)
        v = {1.2 * v.x, 1.1 * v.y, v.z};
    const auto energies = cloth_energies(p.model, p.start);
    expect_hessian_of_gradient(*energies[0], x, 1e-6, 1e-6);
}

TEST(ClothEnergyTest, RestsWithoutForce) {
    const Patch p = patch(0.05);
    EXPECT_LT(total_gradient(p.model, p.start, p.model.rest).cwiseAbs().maxCoeff(), 1e-11);
    for (const auto& energy : cloth_energies(p.model, p.start))
        EXPECT_NEAR(total_value(*energy, p.model.rest, 1), 0.0, 1e-25);
}

TEST(ClothEnergyTest, DoesNotChangeUnderRigidMotions) {
    const Patch p = patch(0.0);
    const std::vector<Vec3> x = jiggled(p.model.rest, 0.1, 7);
    std::vector<Vec3> y;
    for (const Vec3& v : x)
        y.push_back(placed(v, {{0.48, 0.6, 0.64}, 2.1, {3, -2, 5}}));
    for (const auto& energy : cloth_energies(p.model, p.start)) {
        for (std::size_t e = 0; e < energy->element_count(); ++e)
            EXPECT_NEAR(energy->value(e, x), energy->value(e, y),
                        1e-11 * (1.0 + energy->value(e, x)));
    }
}

TEST(ClothEnergyTest, PushesNothingAsAWhole) {
    const Patch p = patch(0.02);
    const Eigen::VectorXd g = total_gradient(p.model, p.start, jiggled(p.model.rest, 0.2, 3));
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (Eigen::Index i = 0; i < g.size(); i += 3)
        sum += g.segment<3>(i);
    EXPECT_LT(sum.norm(), 1e-10 * g.cwiseAbs().maxCoeff() * static_cast<double>(g.size()));
}

TEST(ClothEnergyTest, BendsEitherWayAlike) {
    ModelBuilder builder("hinge");
    ClothMaterial cloth;
    cloth.bending = 1.0;
    builder.add_cloth({{{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}}, {{0, 1, 2}, {1, 0, 3}}},
                      cloth);
    const Model model = builder.finish();
    const auto energies = cloth_energies(model, start_state(model));
    for (const double angle : {0.1, 0.7, 2.0, 3.1}) {
        std::vector<Vec3> up = model.rest;
        up[2] = {0.5, std::cos(angle), std::sin(angle)};
        std::vector<Vec3> down = up;
        down[2].z = -down[2].z;
        // 3 |e|^2 / (A1 + A2) = 3.
        EXPECT_NEAR(energies[1]->value(0, up), 1.5 * angle * angle, 1e-12);
        EXPECT_NEAR(energies[1]->value(0, down), 1.5 * angle * angle, 1e-12);
    }
}

TEST(ClothEnergyTest, StaysFiniteWhereATriangleHasNoArea) {
    const Patch p = patch(0.01);
    const std::vector<Vec3> x(p.model.rest.size(), Vec3{1, 2, 3});
    EXPECT_TRUE(total_gradient(p.model, p.start, x).allFinite());
}

}  // namespace
}  // namespace graze::sim
