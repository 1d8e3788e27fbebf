// What `graze rigid` found, as JSON and as text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.hpp"
#include "graze/rigid/contact.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/pixels.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/raster.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "graze/rigid/start_state.hpp"
#include "graze/rigid/step.hpp"

namespace graze::app {

enum class RigidMode : std::uint8_t { Chords, Pixels, Robust, Certified };
// "chords", "pixels", "robust", "certified".
[[nodiscard]] std::string_view name(RigidMode mode) noexcept;
[[nodiscard]] std::optional<RigidMode> rigid_mode_named(std::string_view text) noexcept;

struct RigidOutcome {
    RigidMode mode = RigidMode::Chords;
    rigid::PairStep step;
    rigid::ScrewMotion screw;  // of B in the frame of A
    rigid::StartState start = rigid::StartState::Unresolved;
    rigid::ImpactResult first;
    double time_width = 0.0;  // [fraction of the step] that was requested for the bracket
    std::vector<rigid::Contact>
        collisions;                   // sorted by time, in the coordinates that were asked for
    std::vector<std::size_t> groups;  // the first collision of each; empty: not asked for
    std::optional<bool> is_complete;  // of the certified mode; never of pixels, which may miss any
    std::optional<rigid::RasterStatistics> raster;
    std::optional<rigid::PixelStatistics> pixels;
    bool is_local = false;  // positions and normals are in the frame of A, not in the world
    double seconds_first = 0.0;
    double seconds_collisions = 0.0;
};

struct NamedSurface {
    std::string file;
    const rigid::Polyhedron* surface = nullptr;
    std::size_t dropped_faces = 0;   // of the file: fewer than three different corners
    std::size_t reversed_faces = 0;  // by --orient
};
using SurfacePair = std::array<NamedSurface, 2>;

// What a user should know before trusting the result, one line each: large turns, surfaces that are
// not as they should be, bodies that are not apart at the start.
[[nodiscard]] std::vector<std::string> warnings_of(const SurfacePair& surfaces,
                                                   const RigidOutcome& outcome);

[[nodiscard]] Json outcome_json(const SurfacePair& surfaces, const RigidOutcome& outcome);
// The lines about the first contact.
[[nodiscard]] std::string first_text(const RigidOutcome& outcome);
[[nodiscard]] std::string outcome_text(const SurfacePair& surfaces, const RigidOutcome& outcome);

}  // namespace graze::app
