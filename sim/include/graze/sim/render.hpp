// Pictures of a scene: a software z-buffer for triangles and strands, and PNG files.
//
// For reports: nothing that a simulation computes depends on it. One thread, no state; the same
// input gives the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"
#include "graze/surface/faces.hpp"

namespace graze::sim {

using Colour = std::array<double, 3>;  // red, green, blue in [0, 1], as a screen shows them

// One of some twelve colours that are told from each other easily; repeats after them.
[[nodiscard]] Colour body_colour(std::size_t body) noexcept;

struct DrawnMesh {
    std::span<const Vec3> positions;
    std::span<const FaceIndices> faces;
    std::span<const EdgeIndices> strands = {};  // edges of no face: drawn as ribbons
    std::span<const std::uint32_t> body = {};   // by vertex, or empty: one body
    std::span<const Colour> colours = {};       // by body; body_colour() where it has none
    double strand_width = 0.0;                  // [length]; 0: a 400th of the picture's height
};

// Where the picture is taken from. The picture's height spans `field_of_view`.
struct Camera {
    Vec3 eye;
    Vec3 target;
    Vec3 up{0.0, 0.0, 1.0};
    double field_of_view = 0.6;  // [rad], > 0 and < pi
};

// Sees all positions, in a picture that is `aspect` times as wide as high, from this direction (from the scene to the eye; any length but 0).
// Without positions: the unit ball.
[[nodiscard]] Camera fitted_camera(std::span<const Vec3> positions, const Vec3& direction,
                                   const Vec3& up = {0.0, 0.0, 1.0}, double aspect = 4.0 / 3.0);

struct RenderOptions {
    std::uint32_t width = 640;   // [pixels], 1 to 16384
    std::uint32_t height = 480;  // [pixels], 1 to 16384
    std::uint32_t samples = 2;   // along each side of a pixel, 1 to 8
    Colour background{0.93, 0.94, 0.96};
    bool shadows = true;
    // Height along the camera's `up`: a floor, drawn under the scene. None: none.
    std::optional<double> floor = std::nullopt;
    Colour floor_colour{0.80, 0.81, 0.83};
    // Direction to the light; any length but 0.
    Vec3 light{0.35, -0.5, 0.9};
};

struct Image {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> rgb;  // rows from the top, three bytes per pixel

    [[nodiscard]] std::array<std::uint8_t, 3> pixel(std::uint32_t x, std::uint32_t y) const {
        const std::size_t at = 3 * (std::size_t{y} * width + x);
        return {rgb[at], rgb[at + 1], rgb[at + 2]};
    }
};

// Triangles behind the eye, or across it, are left out, as are those with a position that is not
// finite. Requires: indices below positions.size(). Errors: InvalidOption, a size out of its range.
[[nodiscard]] Expected<Image> render(const DrawnMesh& mesh, const Camera& camera,
                                     const RenderOptions& options = {});

// The bytes of a PNG file, eight bits per channel.
[[nodiscard]] Expected<std::vector<std::uint8_t>> to_png(const Image& image);
// The same as a file, which appears whole or not at all.
[[nodiscard]] Expected<void> write_png(const std::filesystem::path& path, const Image& image);

}  // namespace graze::sim
