// What `graze mesh` found, as JSON, text, tables and a picture.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/mesh/step.hpp"
#include "graze/surface/defects.hpp"

namespace graze::app {

struct MeshOutcome {
    bool is_all = true;           // false: only the first impact was looked for
    std::vector<Impact> impacts;  // in the order of kind, a, b; the first one alone if !is_all
    std::optional<Impact> first;
    double toi_lower = kInfinity;  // [0, toi_lower) is free
    double toi_upper = kInfinity;  // contact at or before it is proved
    StepWork work;
    std::optional<StepBounds> bounds;  // of --bound
    SurfaceDefects defects;            // of the files
    std::size_t welded = 0;            // vertices that have become one with another
    std::vector<std::string> warnings;
    double seconds_read = 0.0;
    double seconds_check = 0.0;   // looking for defects, and welding
    double seconds_output = 0.0;  // bounds, tables and pictures
    double seconds_total = 0.0;
};
// Contact where one is proved; unresolved where something else keeps the step from being free.
[[nodiscard]] Verdict verdict_of(const MeshOutcome& outcome) noexcept;

inline constexpr std::string_view kPairColumns = "kind,a,b,toi_lower,toi_upper";
inline constexpr std::string_view kBoundColumns = "vertex,radius,fraction";

// The fields that are about the mesh and its impacts.
[[nodiscard]] Json outcome_json(const MeshTopology& mesh, const MeshOutcome& outcome);
[[nodiscard]] std::string outcome_text(const MeshTopology& mesh, const MeshOutcome& outcome);

// One line an impact, one line a vertex; without the columns' names.
[[nodiscard]] std::string pair_lines(const std::vector<Impact>& impacts);
[[nodiscard]] std::string bound_lines(std::span<const double> radii,
                                      std::span<const double> fractions);

// By vertex: when the first of its impacts may begin, infinity where it has none.
[[nodiscard]] std::vector<double> first_times(const MeshTopology& mesh,
                                              const std::vector<Impact>& impacts);
// From dark red (0) to yellow (t_max); light grey for infinity.
[[nodiscard]] std::array<std::uint8_t, 3> colour_of(double time, double t_max);
// The mesh at its start as a PLY file, with colour and time of each vertex.
[[nodiscard]] std::string contact_picture(const io::MeshPair& pair,
                                          const std::vector<double>& times, double t_max);

}  // namespace graze::app
