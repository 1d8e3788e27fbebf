#include "impulses.hpp"

#include <gtest/gtest.h>

#include <random>

#include "impact_zones.hpp"

namespace graze::sim::detail {
namespace {

struct Random {
    std::mt19937 engine{20261116};
    std::uniform_real_distribution<double> d{-1.0, 1.0};
    double operator()() { return d(engine); }
    Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }
};

ContactPair pair_at(double u, double v, const Vec3& normal) {
    return {{0, 1, 2, 3}, {1.0, u + v - 1.0, -u, -v}, (1.0 / norm(normal)) * normal};
}

TEST(ImpulsesTest, ConserveMomentumAndSeparate) {
    Random random;
    for (int round = 0; round < 200; ++round) {
        const ContactPair pair = pair_at(0.4, 0.3, random.vector());
        std::vector<double> mass;
        std::vector<double> inverse;
        std::vector<Vec3> v;
        for (int i = 0; i < 4; ++i) {
            mass.push_back(0.1 + std::fabs(random()));
            inverse.push_back(1.0 / mass.back());
            v.push_back(random.vector());
        }
        Vec3 before{};
        double energy_before = 0.0;
        for (std::size_t i = 0; i < 4; ++i) {
            before += mass[i] * v[i];
            energy_before += mass[i] * norm_sq(v[i]);
        }
        separate(pair, 0.0, 0.3, inverse, v);
        Vec3 after{};
        double energy_after = 0.0;
        for (std::size_t i = 0; i < 4; ++i) {
            after += mass[i] * v[i];
            energy_after += mass[i] * norm_sq(v[i]);
        }
        EXPECT_LT(norm(after - before), 1e-14);
        EXPECT_GE(dot(pair.normal, relative(pair, v)), -1e-14);
        EXPECT_LE(energy_after, energy_before + 1e-14);
    }
}

TEST(ImpulsesTest, LeaveAloneWhatSeparatesAlready) {
    const ContactPair pair = pair_at(0.2, 0.2, {0, 0, 1});
    std::vector<Vec3> v = {{1, 0, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const std::vector<Vec3> same = v;
    const std::vector<double> inverse(4, 1.0);
    EXPECT_EQ(separate(pair, 0.0, 1.0, inverse, v), 0.0);
    EXPECT_EQ(v, same);
}

TEST(ImpulsesTest, MoveNothingOfInfiniteMass) {
    const ContactPair pair = pair_at(0.2, 0.2, {0, 0, 1});
    std::vector<Vec3> v = {{0, 0, -1}, {0, 0, 2}, {0, 0, 2}, {0, 0, 2}};
    const std::vector<double> inverse = {1.0, 0.0, 0.0, 0.0};
    EXPECT_DOUBLE_EQ(separate(pair, 0.0, 0.0, inverse, v), 3.0);
    EXPECT_EQ(v[1], (Vec3{0, 0, 2}));
    EXPECT_NEAR(v[0].z, 2.0, 1e-15);
    std::vector<Vec3> stuck = {{0, 0, -1}, {}, {}, {}};
    EXPECT_EQ(separate(pair, 0.0, 0.0, std::vector<double>(4, 0.0), stuck), 0.0);
}

TEST(ImpulsesTest, FrictionSlowsByNoMoreThanItsCoefficientAllows) {
    const ContactPair pair = pair_at(0.25, 0.25, {0, 0, 1});
    const std::vector<double> inverse = {1.0, 0.0, 0.0, 0.0};
    std::vector<Vec3> fast = {{10, 0, -1}, {}, {}, {}};
    separate(pair, 0.0, 0.5, inverse, fast);
    EXPECT_NEAR(fast[0].x, 9.5, 1e-14);
    std::vector<Vec3> slow = {{0.1, 0, -1}, {}, {}, {}};
    separate(pair, 0.0, 0.5, inverse, slow);
    EXPECT_NEAR(slow[0].x, 0.0, 1e-15);
}

TEST(ImpactZonesTest, DoNotDependOnTheOrderOfJoins) {
    ImpactZones a(10);
    a.join(7, 3);
    a.join(5, 9);
    a.join(3, 5);
    a.join(0, 1);
    ImpactZones b(10);
    b.join(1, 0);
    b.join(9, 3);
    b.join(5, 7);
    b.join(7, 9);
    const std::vector<std::vector<std::uint32_t>> expected = {{0, 1}, {3, 5, 7, 9}};
    EXPECT_EQ(a.zones(), expected);
    EXPECT_EQ(b.zones(), expected);
    EXPECT_TRUE(ImpactZones(3).zones().empty());
}

TEST(ImpactZonesTest, MoveRigidlyWithTheMomentumTheyHad) {
    Random random;
    for (int round = 0; round < 50; ++round) {
        std::vector<std::uint32_t> zone;
        std::vector<Vec3> x;
        std::vector<Vec3> d;
        std::vector<double> mass;
        for (std::uint32_t i = 0; i < 6; ++i) {
            zone.push_back(i);
            x.push_back(random.vector());
            d.push_back(0.3 * random.vector());
            mass.push_back(0.2 + std::fabs(random()));
        }
        const std::vector<Vec3> end = rigid_end(zone, x, d, mass);
        Vec3 before{};
        Vec3 after{};
        for (std::size_t i = 0; i < 6; ++i) {
            before += mass[i] * d[i];
            after += mass[i] * (end[i] - x[i]);
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_NEAR(norm(end[i] - end[j]), norm(x[i] - x[j]), 1e-13);
        }
        EXPECT_LT(norm(after - before), 1e-13);
    }
}

TEST(ImpactZonesTest, KeepARotationThatIsOneAlready) {
    const std::vector<Vec3> x = {{1, 0, 0}, {-1, 0, 0}, {0, 2, 0}, {0, -2, 0}};
    const double angle = 1e-3;
    std::vector<Vec3> d;
    for (const Vec3& p : x)
        d.push_back(angle * cross(Vec3{0, 0, 1}, p));
    const std::vector<double> mass(4, 1.0);
    const std::vector<std::uint32_t> zone = {0, 1, 2, 3};
    const std::vector<Vec3> end = rigid_end(zone, x, d, mass);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_LT(norm(end[i] - x[i] - d[i]), 2e-6);
}

TEST(ImpactZonesTest, TranslateWhatHasNoExtent) {
    const std::vector<Vec3> x = {{1, 0, 0}, {2, 0, 0}, {4, 0, 0}};
    const std::vector<Vec3> d = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    const std::vector<double> mass(3, 2.0);
    const std::vector<std::uint32_t> line = {0, 1, 2};
    const std::vector<Vec3> end = rigid_end(line, x, d, mass);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_LT(norm(end[i] - x[i] - d[i]), 1e-14);
    const std::vector<std::uint32_t> point = {1};
    EXPECT_EQ(rigid_end(point, x, d, mass)[0], x[1] + d[1]);
}

}  // namespace
}  // namespace graze::sim::detail
