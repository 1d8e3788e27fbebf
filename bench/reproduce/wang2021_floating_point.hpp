// Items of Wang et al. 2021 about methods in floating point: Table 3, appendices B and C, and the
// published forms of methods beside the mended ones.
#pragma once

#include "reproduce/item.hpp"

namespace graze::app {

// Table 3 and appendix E: false positives and negatives of FPRF (`floating-point-roots`) and of
// methods with a minimum separation, over eta = d. The ground truth is about touching.
[[nodiscard]] Expected<Reproduction> reproduce_table_3(const ReproduceOptions& options);

// Appendix B and Figure 14: the hourglass that published root parity misses.
[[nodiscard]] Expected<Reproduction> reproduce_appendix_b(const ReproduceOptions& options);

// Appendix C: two examples that Bernstein sign classification fails on, with the coefficients that
// the first one has.
[[nodiscard]] Expected<Reproduction> reproduce_appendix_c(const ReproduceOptions& options);

// Table 1's RP, TCCD and BSC: the published form of each beside the mended one.
[[nodiscard]] Expected<Reproduction> reproduce_published_methods(const ReproduceOptions& options);

}  // namespace graze::app
