// Common to the searches of the reference: trees of balls, the motion in three precisions.
#pragma once

#include <cstdint>
#include <vector>

#include "graze/rigid/polyhedron.hpp"
#include "graze/verify/rigid_reference_pairs.hpp"

namespace graze::rigid::reference {

struct Ball {
    Vector64 centre;
    double radius = 0.0;
    std::uint32_t left = 0;  // children, by index; both 0 for a leaf
    std::uint32_t right = 0;
    std::uint32_t triangle = 0;  // of a leaf
    [[nodiscard]] bool is_leaf() const { return left == right; }
};
// Each ball holds the balls below it; the first is the root.
std::vector<Ball> ball_tree(const Polyhedron& body);

using Extended = long double;

struct MapAtTime {
    Extended t = 0;
    RigidMap<double> map;
    RigidMap<Extended> map_extended;
};

struct Bodies {
    Bodies(const Polyhedron& first, const Polyhedron& second);
    void set(const PairStep& step);
    [[nodiscard]] MapAtTime map_at(Extended t) const;

    template <class Real>
    [[nodiscard]] Triangle<Real> triangle_a(std::uint32_t i) const {
        return corners<Real>(a, i);
    }
    template <class Real>
    [[nodiscard]] Triangle<Real> triangle_b(std::uint32_t i) const {
        return corners<Real>(b, i);
    }
    [[nodiscard]] Triangle64 placed_triangle_b(const MapAtTime& pose, std::uint32_t i) const {
        const auto t = triangle_b<double>(i);
        return {pose.map(t[0]), pose.map(t[1]), pose.map(t[2])};
    }
    // The error of vertices and their projections.
    template <class Real>
    [[nodiscard]] Real doubt() const {
        return roundings<Real>() * Real(size);
    }
    template <class Real>
    [[nodiscard]] Real speed_doubt() const {
        return roundings<Real>() * Real(speed + angle * size);
    }

    const Polyhedron& a;
    const Polyhedron& b;
    std::vector<Ball> tree_a;
    std::vector<Ball> tree_b;
    RelativeMotion<Real50> motion_168_bits;
    RelativeMotion<Extended> motion_extended;
    RelativeMotion<double> motion;
    double angle = 0.0;
    double size = 0.0;   // bounds every coordinate that occurs
    double speed = 0.0;  // bounds the speed of every point of B

private:
    template <class Real>
    static Triangle<Real> corners(const Polyhedron& body, std::uint32_t i) {
        const auto& t = body.triangles()[i];
        const auto p = body.positions();
        return {widen<Real>(p[t[0]]), widen<Real>(p[t[1]]), widen<Real>(p[t[2]])};
    }
};

}  // namespace graze::rigid::reference
