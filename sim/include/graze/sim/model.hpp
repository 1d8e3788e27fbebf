// What is simulated: values alone, without any behaviour.
//
// One list of vertices for everything: elastic bodies, cloth, strands and obstacles. Units are those
// of the scene (metres, kilograms, seconds in the built-in ones); nothing depends on their size.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "graze/core/vec3.hpp"
#include "graze/mesh/topology.hpp"

namespace graze::sim {

// --- Elastic bodies ------------------------------------------------------------------------------

enum class Elasticity : std::uint8_t {
    StableNeoHookean,   // Smith, de Goes and Kim 2018: finite for flattened and inverted elements
    StVenantKirchhoff,  // cheap; soft under strong compression
};

struct ElasticMaterial {
    Elasticity model = Elasticity::StableNeoHookean;
    double young = 1e5;     // [pressure] > 0
    double poisson = 0.4;   // in (-1, 0.5)
    double density = 1000;  // [mass / volume] > 0
    friend bool operator==(const ElasticMaterial&, const ElasticMaterial&) = default;
};

// Positive volume at rest: (v1 - v0) x (v2 - v0) . (v3 - v0) > 0.
struct Tetrahedron {
    std::array<std::uint32_t, 4> v{};
    std::uint32_t material = 0;  // of Model::elastic_materials
};

// --- Cloth and strands ---------------------------------------------------------------------------

struct ClothMaterial {
    double young = 5e3;         // [force / length] > 0: of the membrane, thickness included
    double poisson = 0.3;       // in (-1, 1)
    double bending = 1e-4;      // [energy] >= 0: of the hinges
    double damping = 0.0;       // [time] >= 0: of stretching and bending alike
    double area_density = 0.2;  // [mass / area] > 0
    friend bool operator==(const ClothMaterial&, const ClothMaterial&) = default;
};

struct ClothTriangle {
    FaceIndices v{};
    std::uint32_t material = 0;  // of Model::cloth_materials
};

// Two triangles on an edge: v[0], v[1] are its ends, v[2], v[3] the vertices opposite to it.
struct Hinge {
    std::array<std::uint32_t, 4> v{};
    std::uint32_t material = 0;  // of Model::cloth_materials
};

struct StrandMaterial {
    double stretch = 1e2;          // [force] >= 0: per unit of strain
    double bending = 1e-4;         // [energy length] >= 0
    double damping = 0.0;          // [time] >= 0
    double length_density = 1e-2;  // [mass / length] > 0
    friend bool operator==(const StrandMaterial&, const StrandMaterial&) = default;
};

struct StrandEdge {
    EdgeIndices v{};
    std::uint32_t material = 0;  // of Model::strand_materials
};

// Two consecutive edges: v[1] is the vertex between them.
struct StrandBend {
    std::array<std::uint32_t, 3> v{};
    std::uint32_t material = 0;  // of Model::strand_materials
};

// --- Motion that is prescribed --------------------------------------------------------------------

// The rigid motion of a script at one time: start positions are rotated by `angle` around the axis
// through the pivot, then translated.
struct ScriptKey {
    double time = 0.0;
    Vec3 translation{};
    double angle = 0.0;  // radians
    friend bool operator==(const ScriptKey&, const ScriptKey&) = default;
};

// Vertices that follow keys, linearly between them; before the first and after the last key they
// rest. After `release` they are free.
struct Script {
    std::vector<std::uint32_t> vertices;  // ascending
    Vec3 pivot{};
    Vec3 axis{0.0, 0.0, 1.0};     // of length 1
    std::vector<ScriptKey> keys;  // ascending in time, at least one
    double release = std::numeric_limits<double>::infinity();
    friend bool operator==(const Script&, const Script&) = default;
};

// --- Contact -------------------------------------------------------------------------------------

enum class ContactResponse : std::uint8_t {
    Barrier,   // barrier potential and an intersection-free line search
    Sqp,       // sequential quadratic programming with the active set of Algorithm 3
    Impulses,  // repulsions, impulses from CCD and rigid impact zones: cloth and strands
};

// Which line search the barrier is used with.
enum class LineSearchKind : std::uint8_t {
    Graze,      // line_search(): keeps a fraction of the distance, proves the positions
    Published,  // Algorithm 4 of Wang et al. 2021
    Plain,      // 0.8 of the first time of impact that the method reports, as many simulators do
    Zero,       // the first time of impact itself: the formulation F = 0, which gets stuck
};

struct ContactOptions {
    ContactResponse response = ContactResponse::Barrier;
    LineSearchKind line_search = LineSearchKind::Graze;
    std::string method = "certified";  // of the continuous detection; any of `graze methods`
    double tolerance = 1e-6;           // delta of methods that have one
    // [length] where the barrier, or the offset of the constraints, begins; 0: 1e-3 of the diagonal
    // of the moving vertices at rest.
    double distance = 0.0;
    // Factor > 0 of the barrier's stiffness, which is made of the stiffest material.
    double stiffness = 1.0;
    double friction = 0.0;  // coefficient >= 0
    // [length / time] > 0: slower than this, contacts stick; 0: 1e-3 diagonals per second.
    double friction_speed = 0.0;
    int friction_iterations = 1;  // >= 1: how often normal forces and tangents are updated per step
    // Sqp: a step that would come into contact is shortened to where it is proved free of it. False: it
    // is taken as it is, as published.
    bool fail_safe = true;
    friend bool operator==(const ContactOptions&, const ContactOptions&) = default;
};

struct SolverOptions {
    double dt = 0.01;         // [time] > 0, of one step
    int steps_per_frame = 1;  // >= 1
    int max_iterations = 60;  // >= 1, of Newton's method, per step
    // Newton's method ends where no vertex moves by more than this fraction of the diagonal.
    double newton_tolerance = 1e-5;
    friend bool operator==(const SolverOptions&, const SolverOptions&) = default;
};

// --- The model -----------------------------------------------------------------------------------

struct Model {
    std::string name;
    std::vector<Vec3> rest;            // by vertex
    std::vector<Vec3> start;           // by vertex, where it differs from `rest`; else empty
    std::vector<Vec3> start_velocity;  // by vertex, or empty: zero
    std::vector<double> mass;          // by vertex, >= 0; 0 only where the vertex is never free
    std::vector<std::uint32_t> body;   // by vertex: number of its body
    std::vector<std::uint8_t> fixed;   // by vertex: never moves (obstacles are such bodies)
    std::vector<double> radius;   // by vertex [length] >= 0, or empty: thickness to either side
    std::vector<Script> scripts;  // no vertex is in two of them, or fixed

    std::vector<ElasticMaterial> elastic_materials;
    std::vector<Tetrahedron> tetrahedra;
    std::vector<ClothMaterial> cloth_materials;
    std::vector<ClothTriangle> cloth_triangles;
    std::vector<Hinge> hinges;
    std::vector<StrandMaterial> strand_materials;
    std::vector<StrandEdge> strand_edges;
    std::vector<StrandBend> strand_bends;

    // All that collides: surfaces of bodies, cloth, strands, obstacles. Of Model::rest.size() vertices.
    MeshTopology surface;

    Vec3 gravity{0.0, 0.0, -9.81};
    ContactOptions contact;
    SolverOptions solver;
    int frames = 12;  // that the scene is meant to run for
    // Where pictures show something beside the start and what scripts move; or empty.
    std::vector<Vec3> in_view;
};

struct State {
    std::vector<Vec3> x;
    std::vector<Vec3> v;
    double time = 0.0;
    std::uint64_t frame = 0;
    friend bool operator==(const State&, const State&) = default;
};

[[nodiscard]] State start_state(const Model& model);

// An error names the field and the index of what is inconsistent: sizes, indices, ranges.
[[nodiscard]] Expected<void> check_model(const Model& model);

// Diagonal of the box of all vertices that are not fixed, at rest: the size that tolerances are
// fractions of.
[[nodiscard]] double model_size(const Model& model);
[[nodiscard]] double contact_distance(const Model& model);  // ContactOptions::distance, resolved

// The vertices that are fixed or scripted at a time: 1, else 0.
[[nodiscard]] std::vector<std::uint8_t> prescribed(const Model& model, double time);
// Moves those of `x` that are scripted at that time to where their scripts put them.
void apply_scripts(const Model& model, double time, std::vector<Vec3>& x);

// --- Statistics ----------------------------------------------------------------------------------

// Of one step or one frame; sums over steps, except where stated.
struct FrameStats {
    std::uint64_t frame = 0;
    std::uint64_t steps = 0;
    std::uint64_t iterations = 0;  // of Newton, of the SQP, of the impact passes
    std::uint64_t tested = 0;      // pairs that the continuous detection tested
    std::uint64_t positive = 0;    // pairs that it reported
    std::uint64_t contacts =
        0;  // pairs within the contact distance at the end (largest of the steps)
    std::uint64_t fail_safes =
        0;                    // steps in which the last resort (rigid zones, stopping) was needed
    std::uint64_t stuck = 0;  // steps that ended without convergence and without progress
    std::uint64_t unfinished =
        0;                       // steps that ended by the number of iterations, not by convergence
    std::uint64_t inverted = 0;  // tetrahedra turned inside out at the end (largest of the steps)
    std::uint64_t checked = 0;   // steps whose motions and end were tested exactly
    // With a check: pairs that intersect at the ends of steps, and contacts during accepted motions,
    // both exact.
    std::uint64_t intersections = 0;
    std::uint64_t crossings = 0;
    double least_distance =
        std::numeric_limits<double>::infinity();  // smallest of the steps; estimate
    double kinetic_energy = 0.0;                  // at the end
    double seconds = 0.0;
    double seconds_detection = 0.0;

    void add(const FrameStats& step);
};

// Tetrahedra whose volume has another sign than at rest, or none.
[[nodiscard]] std::uint64_t inverted_tetrahedra(const Model& model, std::span<const Vec3> x);

}  // namespace graze::sim
