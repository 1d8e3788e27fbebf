// Equations, tables and claims in the text of Buss 2005.
#pragma once

#include "reproduce/item.hpp"

namespace graze::app {

[[nodiscard]] Expected<Reproduction> reproduce_buss_open_bodies(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_fast_cars(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_screw_motion(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_error_table(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_properness(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_screen(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_early_stop(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_growth(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_time_order(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_robustness(const ReproduceOptions& options);

}  // namespace graze::app
