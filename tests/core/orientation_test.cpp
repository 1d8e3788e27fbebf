// Defends G-RIGID-2 (docs/GUARANTEES.md).
#include "graze/core/orientation.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <random>

namespace graze {
namespace {

using ExactVector = std::array<mpq_class, 3>;

ExactVector difference(const Vec3& p, const Vec3& q) {
    return {mpq_class(p.x) - mpq_class(q.x), mpq_class(p.y) - mpq_class(q.y),
            mpq_class(p.z) - mpq_class(q.z)};
}

int reference_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
    const ExactVector u = difference(b, a);
    const ExactVector v = difference(c, a);
    const ExactVector w = difference(p, a);
    const mpq_class det = u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
                          u[2] * (v[0] * w[1] - v[1] * w[0]);
    return sgn(det);
}

class PlaneSide : public testing::Test {
protected:
    double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(engine_); }
    double any_size() {
        const int exponent = std::uniform_int_distribution<int>(-1070, 1020)(engine_);
        return std::ldexp(uniform(), exponent);
    }
    Vec3 point() { return {uniform(), uniform(), uniform()}; }

    void expect_right(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
        const int sign = reference_side(a, b, c, p);
        EXPECT_EQ(plane_side(a, b, c, p), sign);
        EXPECT_EQ(plane_side(b, a, c, p), -sign);
        EXPECT_EQ(plane_side(b, c, a, p), sign);
        seen_[static_cast<std::size_t>(sign + 1)] += 1;
    }

    std::mt19937_64 engine_{20};
    std::array<int, 3> seen_{};
};

TEST_F(PlaneSide, IsThatOfTheDeterminantOfRandomPoints) {
    for (int i = 0; i < 5000; ++i)
        expect_right(point(), point(), point(), point());
}

// Points that are in the plane but for roundings: the filter must not decide wrongly.
TEST_F(PlaneSide, IsExactNextToThePlane) {
    for (int i = 0; i < 5000; ++i) {
        const Vec3 a = point();
        const Vec3 b = point();
        const Vec3 c = point();
        const double s = uniform();
        const double t = uniform();
        const double size = std::ldexp(1.0, std::uniform_int_distribution<int>(-290, 290)(engine_));
        const Vec3 p = a + s * (b - a) + t * (c - a);
        expect_right(size * a, size * b, size * c, size * p);
    }
    EXPECT_GT(seen_[0], 1000);
    EXPECT_GT(seen_[2], 1000);
    // On the plane exactly: whole numbers.
    const auto whole = [&] {
        return static_cast<double>(std::uniform_int_distribution<int>(-9, 9)(engine_));
    };
    for (int i = 0; i < 2000; ++i) {
        const Vec3 a = {whole(), whole(), whole()};
        const Vec3 u = {whole(), whole(), whole()};
        const Vec3 v = {whole(), whole(), whole()};
        expect_right(a, a + u, a + v, a + whole() * u + whole() * v);
    }
    EXPECT_GT(seen_[1], 1500);
}

TEST_F(PlaneSide, IsExactAtEverySize) {
    for (int i = 0; i < 2000; ++i) {
        std::array<Vec3, 4> p;
        for (Vec3& q : p)
            q = {any_size(), any_size(), any_size()};
        expect_right(p[0], p[1], p[2], p[3]);
    }
    const double most = 0x1.fffffffffffffp+1023;
    const double least = 0x1p-1074;
    expect_right({most, 0, 0}, {-most, most, 0}, {0, -most, least}, {least, most, -most});
    expect_right({least, 0, 0}, {0, least, 0}, {0, 0, least}, {0, 0, 0});
    expect_right({0, 0, 0}, {most, 0, 0}, {0, least, 0}, {0, 0, least});
}

}  // namespace
}  // namespace graze
