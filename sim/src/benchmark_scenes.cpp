// Scenes of the kind that the queries of Wang et al. 2021 come from (section 4.1): heads that collide,
// and the small ones in which Erleben (2018) attacks contact generation, simulated. All geometry is our
// own, and as exactly aligned as it is there: edges on edges, tips on tips, faces in one plane.
// (`graze generate` has the small ones as motions that nothing reacts to.)
#include <array>
#include <bit>
#include <span>
#include <string>
#include <utility>

#include "graze/sim/shapes.hpp"

namespace graze::sim {
namespace {

constexpr double kHalfWidth = 1.0 / 6.0;   // of spikes and wedges, which are 1 high
constexpr double kHalfLength = 1.0 / 3.0;  // of the ridge of a wedge
constexpr double kGrooveDepth = 1.0 / 8.0;
constexpr double kHoleDepth = 1.0 / 4.0;

// How often solids of a few tetrahedra are cut: once for each doubling of the resolution.
int cuts(const SceneSize& size) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(size.elements(1)))) - 1;
}
TetrahedralMesh spike(const SceneSize& size, double height) {
    return refined(solid_spike(kHalfWidth, height), cuts(size));
}
TetrahedralMesh wedge(const SceneSize& size, double height) {
    return refined(solid_wedge(kHalfLength, kHalfWidth, height), cuts(size));
}
// Its lower side at z = 0.
TetrahedralMesh cube(const SceneSize& size) {
    const int cells = size.elements(1);
    return placed(solid_block({0.5, 0.5, 0.5}, {cells, cells, cells}),
                  {.translation = {0.0, 0.0, 0.5}});
}

// --- What rests ----------------------------------------------------------------------------------

SurfaceMesh large_floor() {
    return plane_surface(5.0, 5.0, 1, 1);
}

// A groove along y with straight walls down to its bottom line.
SurfaceMesh groove() {
    SurfaceMesh mesh = plane_surface(1.0, 1.0, 8, 2);
    for (Vec3& p : mesh.positions)
        if (p.x == 0.0) p.z = -kGrooveDepth;
    return mesh;
}

// A plate with a hole of the shape of a pyramid upside down.
SurfaceMesh plate_with_hole() {
    SurfaceMesh mesh = plane_surface(1.0, 1.0, 4, 4);
    for (Vec3& p : mesh.positions)
        if (p.x == 0.0 && p.y == 0.0) p.z = -kHoleDepth;
    return mesh;
}

// --- The small scenes ----------------------------------------------------------------------------

struct Start {
    double height = 0.1;  // [m] of the gap
    Vec3 velocity{0.0, 0.0, -1.0};
};

// A hard body, which touches at height 0, over one that rests.
Model one_on_another(std::string name, const SurfaceMesh& resting, const TetrahedralMesh& moving,
                     const Start& start) {
    ModelBuilder builder(std::move(name));
    builder.add_obstacle(resting);
    const std::size_t first = builder.model().rest.size();
    const ElasticMaterial hard{.young = 2e6, .poisson = 0.3, .density = 1000.0};
    builder.add_elastic(placed(moving, {.translation = {0.0, 0.0, start.height}}), hard);
    Model model = builder.finish();
    model.start_velocity.resize(first);
    model.start_velocity.resize(model.rest.size(), start.velocity);
    model.solver.dt = 0.01;
    model.frames = 50;
    return model;
}

Model cliff_edges(const SceneSize& size) {
    // The side of the block leads down and outward from the square on which the cube lands.
    SurfaceMesh block = placed(block_surface({0.5, 0.5, 0.5}, 1), {.translation = {0, 0, -0.5}});
    for (Vec3& p : block.positions)
        if (p.z < -0.5) p = {1.5 * p.x, 1.5 * p.y, p.z};
    return one_on_another("cliff-edges", block, cube(size), {});
}

Model internal_edges(const SceneSize& size) {
    const SurfaceMesh floor = placed(plane_surface(1.0, 1.0, 2, 2), {.translation = {0.25, 0, 0}});
    return one_on_another("internal-edges", floor, cube(size), {});
}

Model spikes(const SceneSize& size) {
    return one_on_another("spikes", surface_of(solid_spike(kHalfWidth, -1.0)), spike(size, 1.0),
                          {});
}

Model wedges(const SceneSize& size) {
    return one_on_another("wedges", surface_of(solid_wedge(kHalfLength, kHalfWidth, -1.0)),
                          wedge(size, 1.0), {});
}

Model spike_wedge(const SceneSize& size) {
    return one_on_another("spike-wedge", surface_of(solid_wedge(kHalfLength, kHalfWidth, -1.0)),
                          spike(size, 1.0), {});
}

constexpr Start kSliding{0.01, {2.0, 0.0, -0.5}};

Model sliding_spike(const SceneSize& size) {
    return one_on_another("sliding-spike", large_floor(), spike(size, 1.0), kSliding);
}

Model sliding_wedge(const SceneSize& size) {
    return one_on_another("sliding-wedge", large_floor(), wedge(size, 1.0), kSliding);
}

Model spike_crack(const SceneSize& size) {
    return one_on_another("spike-crack", groove(), spike(size, 1.0),
                          {0.05 - kGrooveDepth, {2.0, 0.0, -0.5}});
}

Model wedge_crack(const SceneSize& size) {
    return one_on_another("wedge-crack", groove(), wedge(size, 1.0),
                          {0.05 - kGrooveDepth, {2.0, 0.0, -0.5}});
}

Model spike_hole(const SceneSize& size) {
    return one_on_another("spike-hole", plate_with_hole(), spike(size, 1.0),
                          {0.05 - kHoleDepth, {2.0, 0.0, -0.5}});
}

// --- Heads ---------------------------------------------------------------------------------------

// By sequential quadratic programming, as there. Forehead against forehead, a little off.
Model colliding_heads(const SceneSize& size) {
    ModelBuilder builder("colliding-heads");
    const ElasticMaterial soft{.young = 1e5, .poisson = 0.4, .density = 1000.0};
    const TetrahedralMesh head = solid_head(size.elements(12, 8));
    const Placement left{{0, 1, 0}, 0.5, {-0.5, 0.02, 0.0}, 0.4};
    const Placement mirrored{{0, 0, 1}, 3.0, {}, 1.0};
    const std::array<TetrahedralMesh, 2> both = {placed(head, left),
                                                 placed(placed(head, left), mirrored)};
    Model& model = builder.model();
    for (std::size_t i = 0; i < both.size(); ++i) {
        builder.add_elastic(both[i], soft);
        model.start_velocity.resize(model.rest.size(), Vec3{i == 0 ? 3.0 : -3.0, 0.0, 0.0});
    }
    model.gravity = {};
    model.contact.response = ContactResponse::Sqp;
    model.solver.dt = 0.01;
    model.frames = 36;
    return builder.finish();
}

constexpr std::array<NamedScene, 11> kBenchmarkScenes = {{
    {"colliding-heads", "two soft heads with horns collide", colliding_heads},
    {"cliff-edges", "a cube falls on a block with the same square on top", cliff_edges},
    {"internal-edges", "a cube falls on the edges inside of a floor", internal_edges},
    {"spikes", "a pyramid falls on another, tip on tip", spikes},
    {"wedges", "a roof falls on another, ridge on ridge", wedges},
    {"spike-wedge", "a pyramid falls on a roof, tip on ridge", spike_wedge},
    {"sliding-spike", "a pyramid slides on its tip over two large triangles", sliding_spike},
    {"sliding-wedge", "a roof slides on its ridge over two large triangles", sliding_wedge},
    {"spike-crack", "the tip of a pyramid runs against the wall of a groove", spike_crack},
    {"wedge-crack", "the ridge of a roof runs against the wall of a groove", wedge_crack},
    {"spike-hole", "the tip of a pyramid runs against the wall of a hole", spike_hole},
}};

}  // namespace

std::span<const NamedScene> benchmark_scenes() noexcept {
    return kBenchmarkScenes;
}

}  // namespace graze::sim
