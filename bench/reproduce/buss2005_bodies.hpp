// Bodies and steps that several items of Buss 2005 share.
#pragma once

#include <stdexcept>
#include <utility>
#include <vector>

#include "graze/core/pose.hpp"
#include "graze/generate/models.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/raster.hpp"
#include "graze/rigid/step.hpp"

namespace graze::app::buss {

// Of a model of our own.
[[nodiscard]] inline rigid::Polyhedron body_of(const io::PolygonMesh& mesh) {
    auto body = rigid::Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
    if (!body) throw std::runtime_error(body.error().message);  // the item fails, others are made
    return std::move(*body);
}

// A polygon of the xy plane, counterclockwise, drawn out along z to +-depth. Vertex i is corner i
// at -depth, vertex n + i the same at +depth; face i runs from corner i to the next one.
[[nodiscard]] rigid::Polyhedron prism(const std::vector<std::pair<double, double>>& polygon,
                                      double depth);

// examples/poses/two_tori.json: B rests, tilted; A comes from below and in front, and ends above
// and behind.
[[nodiscard]] rigid::PairStep two_tori_step();

// All collisions in the world, by time.
[[nodiscard]] Expected<std::vector<rigid::Contact>> collisions_in_world(
    const rigid::Polyhedron& a, const rigid::Polyhedron& b, const rigid::PairStep& step,
    const rigid::RasterOptions& options = {});

// B comes from the side, rotates on its path by up to 45 degrees, and goes into A; both are the
// same shape. By number.
[[nodiscard]] rigid::PairStep colliding_step(const rigid::Polyhedron& shape, int index);

}  // namespace graze::app::buss
