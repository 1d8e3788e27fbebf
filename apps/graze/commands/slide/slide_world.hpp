// `graze slide --world` and `--character`: a shape or a character goes through a world of parts that stand or move.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/slide_world_file.hpp"
#include "graze/slide/ride.hpp"
#include "graze/verify/slide_run.hpp"
#include "pictures/view_document.hpp"

namespace graze::app {
using namespace verify;

// The parts of a frame that an exact check gives.
struct WorldCheck {
    double penetration = 0.0;   // [length] exactly 0 iff there is none
    bool keeps_skin = true;     // exactly
    std::optional<double> gap;  // [length] rounded; none where nothing is within 4 skins
};

struct WorldFrame {
    double time = 0.0;  // [s] at its end
    Vec3 position;      // of the centre
    slide::StopReason stopped = slide::StopReason::Blocked;
    int iterations = 0;
    double skin = 0.0;  // [length] as used
    bool gap_proved = false;
    std::vector<Touch> touches;

    slide::RideOutcome ride = slide::RideOutcome::Unmoved;  // what moving parts did
    double ride_time = 1.0;  // [of the frame] up to which that is proved
    double overlap = 0.0;    // [length] crushed: at most so deep at the end of the frame

    // Of a character.
    Vec3 feet;
    bool on_ground = false;
    Touch ground;  // where on_ground
    std::vector<std::string_view> events;

    std::optional<WorldCheck> check;
    std::uint64_t ns = 0;  // of the processor
};

// A part as a page shows it.
struct WorldPartPicture {
    std::vector<Vec3> positions;
    std::vector<std::array<std::uint32_t, 3>> faces;
    bool is_moving = false;
    std::vector<Pose> poses;  // of a moving one: at the start, then after each frame
};

struct WorldOutcome {
    Precision precision = Precision::Double;
    // As rounded to the precision.
    Vec3 radii;
    Vec3 half_axis;
    SideAxes side_axes{};
    Vec3 start;  // of the centre
    double skin = 0.0;
    std::size_t faces = 0;
    std::size_t faces_not_checked = 0;  // one-sided ones
    std::vector<WorldFrame> frames;
    std::vector<WorldPartPicture> pictures;  // where they were asked for

    [[nodiscard]] std::size_t proved_count() const noexcept;
    // Frames whose proof an exact check contradicts: none, or there is a defect.
    [[nodiscard]] std::size_t contradicted_count() const noexcept;
    [[nodiscard]] double max_penetration() const noexcept;
};

struct WorldRunOptions {
    Precision precision = Precision::Double;
    bool is_character = false;
    bool check = false;
    bool pictures = false;
};

// Requires: a start. Errors: those of World; a number beyond the largest float; a stop.
[[nodiscard]] Expected<WorldOutcome> run_world(const SlideWorldFile& file,
                                               const WorldRunOptions& options, Progress& progress);

[[nodiscard]] Json world_json(const SlideWorldFile& file, const WorldRunOptions& options,
                              const WorldOutcome& outcome);
// With its header.
[[nodiscard]] std::string world_csv(const SlideWorldFile& file, const WorldOutcome& outcome);
[[nodiscard]] std::string world_text(const SlideWorldFile& file, const WorldRunOptions& options,
                                     const WorldOutcome& outcome);
// Requires: pictures.
[[nodiscard]] ViewObject world_view(const SlideWorldFile& file, const WorldOutcome& outcome);

}  // namespace graze::app
