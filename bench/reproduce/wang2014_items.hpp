// The items of Wang 2014 that are measured or computed; wang2014_items() lists them with the others.
#pragma once

#include "reproduce/item.hpp"

namespace graze::app::wang2014 {

// Constants (wang2014_constants.cpp).
[[nodiscard]] Expected<Reproduction> tolerances(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> error_constants(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> precisions(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> solvers(const ReproduceOptions& options);

// Measurements (wang2014_measured.cpp).
[[nodiscard]] Expected<Reproduction> false_positive_distance(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> unit_cube(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> exact_approach(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> bounds(const ReproduceOptions& options);
[[nodiscard]] Expected<Reproduction> safety(const ReproduceOptions& options);

// Bars with a label before and a text after each, on a linear or (for values > 0) a logarithmic axis:
// complete in itself.
struct LabelledBar {
    std::string label;
    double value = 0.0;
    std::string text;
};
enum class BarAxis : std::uint8_t { Linear, Logarithmic };
[[nodiscard]] std::string labelled_bars(const std::string& title,
                                        const std::vector<LabelledBar>& bars, BarAxis axis);

}  // namespace graze::app::wang2014
