// Items of Linahan, Improving the numerical robustness of sphere swept collision detection: what
// their functions share.
#pragma once

#include "graze/verify/slide_measure.hpp"
#include "graze/verify/slide_snag.hpp"
#include "reproduce/item.hpp"

namespace graze::app::linahan {

[[nodiscard]] Expected<Reproduction> partitioning(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> response_steps(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> table_1(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> sliding_plane(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> figure_2(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> figure_3(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> figure_4(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> table_2(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> parameters(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> robustness(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> snagging(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> tolerance(const ReproduceOptions& options);

// One mover over one level of the project.
struct LevelRun {
    generate::LevelId level = generate::LevelId::ObtuseCorner;
    slide::MoverKind mover = slide::MoverKind::Linahan;
    verify::Precision precision = verify::Precision::Float;  // the numbers of the paper
    double skin = 0.0;                                       // [radii] 0: the default
    double shift = 0.0;  // [radii] of the level from the origin, along each axis
};
// The level of the run; with quick few moves and a small terrain.
[[nodiscard]] generate::LevelScene scene_of(const LevelRun& run, const ReproduceOptions& options);
[[nodiscard]] Expected<verify::SlideMeasures> measured_run(const LevelRun& run,
                                                           const ReproduceOptions& options);

// "0", "3.1e-05": a length or a fraction.
[[nodiscard]] std::string short_number(double value);
// "0.46 %".
[[nodiscard]] std::string percent_text(double fraction);
// "12 of 345".
[[nodiscard]] std::string count_of_total(std::uint64_t count, std::uint64_t total);
// An item that was told to stop returns this.
[[nodiscard]] Error stopped_item();

}  // namespace graze::app::linahan
