// Levels and random numbers for tests of sweeps.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>
#include <vector>

#include "graze/slide/level.hpp"

namespace graze::slide::test {

template <class Real>
using Triangles = std::vector<std::array<Vec<Real>, 3>>;

template <class Real>
Level<Real> level_of(const Triangles<Real>& triangles, FaceMarks marks = {}) {
    std::vector<Vec<Real>> positions;
    std::vector<std::array<std::uint32_t, 3>> faces;
    for (const auto& t : triangles) {
        const auto first = static_cast<std::uint32_t>(positions.size());
        positions.insert(positions.end(), t.begin(), t.end());
        faces.push_back({first, first + 1, first + 2});
    }
    Level<Real> level;
    EXPECT_TRUE(level.add_part(positions, faces, std::span(&marks, 1)).has_value());
    return level;
}

struct Random {
    std::mt19937_64 engine;

    double between(double a, double b) {
        return std::uniform_real_distribution<double>(a, b)(engine);
    }
    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); }
    Vec3 in_cube(double half) {
        return {between(-half, half), between(-half, half), between(-half, half)};
    }
    Vec3 unit() {
        while (true) {
            const Vec3 v = in_cube(1.0);
            const double length = norm(v);
            if (length > 0.1 && length < 1.0) return (1.0 / length) * v;
        }
    }
};

}  // namespace graze::slide::test
