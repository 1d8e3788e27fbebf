// Worlds to slide and walk through: parts that stand or move, what moves among them, and how; from JSON (docs/FORMATS.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/pose.hpp"
#include "graze/slide/sweep.hpp"

namespace graze::app {

// The member "shape" of a part.
enum class SlideObstacle : std::uint8_t { Mesh, Sphere, Capsule, Box, HeightField };

// What parts are instances of. Of what is no mesh positions and faces are what pages draw.
struct SlideWorldMesh {
    std::vector<Vec3> positions;  // scaled
    std::vector<std::array<std::uint32_t, 3>> faces;
    bool one_sided = false;
    SlideObstacle kind = SlideObstacle::Mesh;
    Vec3 size{};                    // [length] radius, half height; half extents of a box; spacing
    std::uint32_t columns = 0;      // of a height field
    std::vector<double> heights{};  // row by row; NaN: a hole

    // As many as the world has.
    [[nodiscard]] std::size_t face_count() const noexcept;
};

struct SlideKeyframe {
    double time = 0.0;  // [s]
    Pose pose;
};

// Either velocities or keyframes; neither: it stands.
struct SlidePartMotion {
    Vec3 velocity;                         // [length / s] of the pivot
    Vec3 angular_velocity;                 // [rad / s]
    Vec3 pivot;                            // of the mesh
    std::vector<SlideKeyframe> keyframes;  // times increase
    bool repeats = false;                  // then the last pose is the first one

    [[nodiscard]] bool is_moving() const noexcept;
};

struct SlideWorldPart {
    std::string name;
    std::size_t mesh = 0;  // of SlideWorldFile::meshes
    Pose pose;
    std::uint32_t layers = 0xffff'ffffU;
    SlidePartMotion motion;
};
// Where the part is after so many seconds, of unit rotation.
[[nodiscard]] Pose pose_after(const SlideWorldPart& part, double seconds);

struct SlideMoverSettings {
    slide::Shape<double> shape;
    bool has_shape = false;
    std::optional<Vec3> start;  // of the centre; of a character its lowest point
    double skin = 0.0;          // [length] 0: the default of its shape
    std::uint32_t layers = 0xffff'ffffU;
};

// Zeros: the defaults of slide::CharacterOptions.
struct SlideCharacterSettings {
    double slope_degrees = 45.0;  // the steepest that it walks on
    double step_height = 0.0;     // [length]
    double snap_distance = 0.0;   // [length]
    bool stops_at_ledges = false;
};

// What is requested in one frame.
struct SlideStep {
    Vec3 displacement;             // [length] of a character: without gravity
    double jump = 0.0;             // [length / s] upwards, where it stands; a character alone
    std::optional<double> height;  // [length] of the body from here on; a character alone
};

struct SlideWorldFile {
    std::string name;
    double time_step = 1.0 / 60.0;  // [s] of a frame
    Vec3 up{0, 1, 0};
    Vec3 gravity{0, -9.81, 0};  // [length / s^2] of a character
    std::vector<SlideWorldMesh> meshes;
    std::vector<SlideWorldPart> parts;
    SlideMoverSettings mover;
    SlideCharacterSettings character;
    std::vector<SlideStep> steps;
    bool has_steps = false;
};

inline constexpr std::size_t kMaxWorldBytes = std::size_t{1} << 26;
inline constexpr std::size_t kMaxWorldParts = 100'000;
inline constexpr std::size_t kMaxWorldFrames = 1'000'000;
inline constexpr std::size_t kMaxKeyframes = 100'000;

// Errors begin with `name` and state the place: no JSON (line and column), a member that is missing, is there
// twice, is of another kind or not known, numbers out of range, too many of something, files of meshes
// (relative to `folder`) that cannot be read.
[[nodiscard]] Expected<SlideWorldFile> parse_slide_world(std::string_view text,
                                                         const std::string& name,
                                                         const std::filesystem::path& folder);
[[nodiscard]] Expected<SlideWorldFile> read_slide_world(const std::filesystem::path& path);

}  // namespace graze::app
