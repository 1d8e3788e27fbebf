// Scenes: built in by name, or from JSON (docs/sim.md).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/sim/model.hpp"

namespace graze::sim {

struct SceneSize {
    // > 0: factor of the number of elements along each edge of things; 1 is small enough for tests.
    double resolution = 1.0;
    // round(resolution * count), at least `least`.
    [[nodiscard]] int elements(int count, int least = 1) const noexcept;
};

struct NamedScene {
    std::string_view name;
    std::string_view summary;  // one line
    Model (*make)(const SceneSize& size);
};
// [rad] by which the plane of `sliding-block` is rotated around the y axis: +x leads down.
inline constexpr double kSlidingSlope = 0.35;
[[nodiscard]] std::span<const NamedScene> elastic_scenes() noexcept;
[[nodiscard]] std::span<const NamedScene> cloth_scenes() noexcept;
// Those that the queries of the benchmark of Wang et al. 2021 come from, with geometry of our own.
[[nodiscard]] std::span<const NamedScene> benchmark_scenes() noexcept;
// All, in the order of the help page.
[[nodiscard]] std::vector<NamedScene> all_scenes();

// A built-in scene. Error: there is none of this name (InvalidInput), with those that there are.
[[nodiscard]] Expected<Model> make_scene(std::string_view name, const SceneSize& size = {});

// {"scene": NAME, ...} or {"bodies": [...], ...}; files of meshes are named relative to the folder.
// Errors name the member, as 'contact.friction' or 'bodies[2].radius'; so do members that there are not.
[[nodiscard]] Expected<Model> scene_from_json(std::string_view text,
                                              const std::filesystem::path& folder = {});

// --- To build models with ------------------------------------------------------------------------

struct TetrahedralMesh {
    std::vector<Vec3> positions;
    std::vector<std::array<std::uint32_t, 4>> tetrahedra;  // of positive volume
};
struct SurfaceMesh {
    std::vector<Vec3> positions;
    std::vector<FaceIndices> faces;
};

// The faces that belong to one tetrahedron, outward.
[[nodiscard]] std::vector<FaceIndices> boundary_faces(
    std::span<const std::array<std::uint32_t, 4>> tetrahedra);

// Collects bodies; vertices are numbered in the order of the calls. finish() makes masses, surface
// and hinges complete.
class ModelBuilder {
public:
    explicit ModelBuilder(std::string name);
    // Each returns the number of the first vertex of the new body.
    std::uint32_t add_elastic(const TetrahedralMesh& mesh, const ElasticMaterial& material);
    std::uint32_t add_obstacle(const SurfaceMesh& mesh);
    // Hinges are made for all edges with two triangles. radius: the thickness to either side.
    std::uint32_t add_cloth(const SurfaceMesh& mesh, const ClothMaterial& material,
                            double radius = 0.0);
    // A polyline.
    std::uint32_t add_strand(std::span<const Vec3> points, const StrandMaterial& material,
                             double radius = 0.0);
    [[nodiscard]] Model& model() noexcept { return model_; }
    // Requires: indices as of the meshes that were added.
    [[nodiscard]] Model finish();

private:
    std::uint32_t add_vertices(std::span<const Vec3> positions, double radius, bool is_fixed);

    Model model_;
    std::vector<FaceIndices> faces_;
    std::vector<EdgeIndices> loose_edges_;
    std::uint32_t bodies_ = 0;
};

}  // namespace graze::sim
