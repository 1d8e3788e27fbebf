// The figures of Buss 2005 that show something measurable.
#pragma once

#include "reproduce/item.hpp"

namespace graze::app {

[[nodiscard]] Expected<Reproduction> reproduce_buss_figure_2(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_figure_4(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_figure_5(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_doppeling(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_figure_12(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_figure_13(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> reproduce_buss_figure_14(const ReproduceOptions& options);

}  // namespace graze::app
