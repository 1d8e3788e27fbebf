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
