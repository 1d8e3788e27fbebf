// Deformable meshes in a time step, for those who write simulations: the one header to include.
//
// A mesh is one list of vertices for everything that may collide. Vertices move along straight lines
// from `start` to `end`; t in [0, 1] is the fraction of the step.
//
//   MeshStepper::create(positions, edges, faces)        made once, kept from step to step
//   make_topology(vertex_count, faces, loose_edges)     the same in two steps, with
//   MeshStepper stepper(topology)                       what the mesh consists of
//   stepper.first_impact(start, end, options)           whether and when anything collides
//   stepper.all_impacts(start, end, options)            every pair that collides, and which is first
//   stepper.stream_impacts(start, end, sink, options)   the same to a function, while they are found
//   stepper.candidates(start, end, inflation, options)  pairs that can meet, for many searches of a line
//   stepper.refit(candidates, start, end, ...)          the same for the next line
//   largest_safe_step(stepper, start, end, options)     positions that are proved to be reached freely
//   line_search(stepper, start, end, energy, options)   the same, with a lower energy
//   largest_safe_step(stepper, path), line_search(stepper, path, energy)   along an x(alpha) of yours
//   published_line_search(...)                          Algorithm 4 of Wang et al. 2021, to compare
//   free_fractions(), free_radii()                      how far each vertex may move on its own
//   active_set(stepper, start, end, options)            contacts as constraints
//   contact_of(topology, start, end, impact)            point, normal and features of an impact
//   stepper.intersections(x), stepper.clearance(x, reach)   is a state valid, and how near are things
//
// docs/meshes.md says which call answers which question, what its answer proves and what it costs.
// Matrices of Eigen: graze/mesh/eigen.hpp.
#pragma once

#include "graze/mesh/active_set.hpp"
#include "graze/mesh/candidates.hpp"
#include "graze/mesh/contact.hpp"
#include "graze/mesh/curved_path.hpp"
#include "graze/mesh/input.hpp"
#include "graze/mesh/line_search.hpp"
#include "graze/mesh/published_line_search.hpp"
#include "graze/mesh/safe_step.hpp"
#include "graze/mesh/step.hpp"
#include "graze/mesh/topology.hpp"
#include "graze/mesh/vertex_bounds.hpp"
#include "graze/surface/defects.hpp"
