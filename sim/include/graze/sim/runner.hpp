// A whole run: frames in, files and statistics out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graze/core/stop.hpp"
#include "graze/sim/model.hpp"
#include "graze/sim/response.hpp"

namespace graze::sim {

enum class FrameFormat : std::uint8_t { Obj, Ply };

struct RunOptions {
    std::uint64_t frames = 0;   // after the start, which is frame 0
    std::filesystem::path out;  // folder, made where it is missing; empty: nothing is written
    FrameFormat format = FrameFormat::Obj;
    // Every accepted motion and the end of every step are tested exactly, and counted. What that takes
    // is not among the seconds of the statistics.
    bool check = false;
    // Continues from the last state in `out` before which all are there and whole; begins anew where
    // there is none at all.
    bool resume = false;
    bool pictures = false;          // frame_000012.png and the page index.html; needs `out`
    std::filesystem::path queries;  // folder of query files with exact ground truth; empty: none
    unsigned threads = 1;           // 0: all cores; results do not depend on it
    // As in ResponseOptions.
    std::optional<Method> method{};
    MotionObserver proposals{};
    StopToken stop{};
    std::function<void(const FrameStats&)> on_frame{};  // after each frame; or empty
    // Hears of the state that the run begins or continues with, and of that after each frame; or empty.
    std::function<Expected<void>(const State&, const FrameStats&)> on_state{};
    // Hears of every motion that is accepted, as ResponseOptions::observer; or empty.
    std::function<Expected<void>(std::span<const Vec3> start, std::span<const Vec3> end)>
        on_motion{};
};

struct RunReport {
    std::vector<FrameStats> frames;  // of this run and of those that it continues
    FrameStats total;
    State end;
    std::uint64_t resumed_at = 0;  // the frame that was read; 0: begun anew
};

// Files of `out`, each whole or not there: frame_000000.obj (or .ply; every surface and strand), and
// frame_000000.state (positions, velocities, statistics; docs/sim.md). A run that was ended at any
// point and resumed gives the same bits as one that was not.
// Errors: those of make_response(); a start that is in contact (InvalidInput); files that cannot be
// written; a state of another model (InvalidInput); a first state that is missing or damaged where
// others are there (CannotRead); Cancelled.
[[nodiscard]] Expected<RunReport> run(const Model& model, const RunOptions& options);

// Pairs of elements that intersect or touch at these positions: exact.
[[nodiscard]] Expected<std::uint64_t> intersections_at(const Model& model, std::span<const Vec3> x,
                                                       unsigned threads = 1);

// --- Its parts -----------------------------------------------------------------------------------

// A number that models with the same bits share.
[[nodiscard]] std::uint64_t model_checksum(const Model& model);

struct StoredState {
    State state;
    FrameStats stats;
};
// The bytes of a state file, and back. Errors: damaged, cut short, or of another model.
[[nodiscard]] std::vector<unsigned char> to_bytes(const StoredState& stored, std::uint64_t model);
[[nodiscard]] Expected<StoredState> state_from_bytes(std::span<const unsigned char> bytes,
                                                     std::uint64_t model, std::size_t vertices);

// The surface at these positions as the text of an OBJ or the bytes of a PLY file; vertices inside of
// bodies are left out.
[[nodiscard]] std::string frame_text(const Model& model, std::span<const Vec3> x,
                                     FrameFormat format);

}  // namespace graze::sim
