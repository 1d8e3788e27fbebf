// Bodies and random poses that the tests of the module share.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "graze/generate/models.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid::test {

inline Polyhedron body_of(const io::PolygonMesh& mesh) {
    auto body = Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
    if (!body) ADD_FAILURE() << body.error().message;
    return std::move(body).value();
}

inline Polyhedron built(std::vector<Vec3> positions,
                        const std::vector<std::vector<std::uint32_t>>& faces) {
    std::vector<std::uint32_t> counts;
    std::vector<std::uint32_t> corners;
    for (const auto& f : faces) {
        counts.push_back(static_cast<std::uint32_t>(f.size()));
        corners.insert(corners.end(), f.begin(), f.end());
    }
    auto shape = Polyhedron::build(std::move(positions), counts, corners);
    EXPECT_TRUE(shape.has_value());
    return std::move(*shape);
}

// A polygon of the xy plane, counterclockwise, drawn out along z to +-depth. Vertex i is corner i
// at -depth, vertex n + i the same at +depth; face i runs from corner i to the next one.
inline Polyhedron prism(const std::vector<std::pair<double, double>>& polygon, double depth) {
    const auto n = static_cast<std::uint32_t>(polygon.size());
    std::vector<Vec3> p;
    for (const double z : {-depth, depth})
        for (const auto& [x, y] : polygon)
            p.push_back({x, y, z});
    std::vector<std::vector<std::uint32_t>> faces;
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t j = (i + 1) % n;
        faces.push_back({i, j, n + j, n + i});
    }
    std::vector<std::uint32_t> back;
    std::vector<std::uint32_t> front;
    for (std::uint32_t i = 0; i < n; ++i) {
        back.push_back(n - 1 - i);
        front.push_back(n + i);
    }
    faces.push_back(back);
    faces.push_back(front);
    return built(p, faces);
}

inline Polyhedron box(const Vec3& low, const Vec3& high) {
    return built(
        {{low.x, low.y, low.z},
         {high.x, low.y, low.z},
         {high.x, high.y, low.z},
         {low.x, high.y, low.z},
         {low.x, low.y, high.z},
         {high.x, low.y, high.z},
         {high.x, high.y, high.z},
         {low.x, high.y, high.z}},
        {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 4, 7, 3}, {1, 2, 6, 5}});
}

inline PairStep shift_of_b(const Vec3& from, const Vec3& to) {
    PairStep step;
    step.b.start.translation = from;
    step.b.end.translation = to;
    return step;
}

// The mesh moved and stretched: corner by corner, s x + shift.
inline io::PolygonMesh moved(io::PolygonMesh mesh, double s, const Vec3& shift = {}) {
    for (Vec3& p : mesh.positions)
        p = s * p + shift;
    return mesh;
}

// Both meshes as one; `turned` reverses the faces of the second.
inline io::PolygonMesh joined(io::PolygonMesh first, const io::PolygonMesh& second,
                              bool turned = false) {
    const auto offset = static_cast<std::uint32_t>(first.positions.size());
    first.positions.insert(first.positions.end(), second.positions.begin(), second.positions.end());
    for (std::size_t f = 0; f < second.polygons.size(); ++f) {
        const auto face = second.polygons[f];
        for (std::size_t i = 0; i < face.size(); ++i)
            first.polygons.add_corner(offset + face[turned ? face.size() - 1 - i : i]);
        first.polygons.close();
    }
    return first;
}

class RandomPoses {
public:
    explicit RandomPoses(unsigned seed) : engine_(seed) {}

    double normal() { return normal_(engine_); }
    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    int integer(int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(engine_);
    }
    Vec3 vector() { return {normal(), normal(), normal()}; }
    Quaternion rotation() { return normalised({normal(), normal(), normal(), normal()}); }
    Pose pose() { return {rotation(), vector()}; }

private:
    std::mt19937_64 engine_;
    std::normal_distribution<double> normal_;
};

}  // namespace graze::rigid::test
