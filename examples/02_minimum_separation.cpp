// A cloth corner comes down on an edge and has to stop while there is still air between them:
// minimum separation in the max-norm, with a budget of checks and the tolerance that was reached.

#include <cstdio>
#include <cstdlib>

#include "graze/narrow/tight_inclusion.hpp"

namespace {

constexpr double kThickness = 0.01;

// Two crossing edges; one falls from height 1 to height `end_height` above the other.
graze::EdgeEdgeMotion fall_to(double end_height) {
    const auto at_rest = [](graze::Vec3 p) { return graze::MovingPoint{p, p}; };
    return {.edge_a = {graze::MovingPoint{{-1, 0, 1}, {-1, 0, end_height}},
                       graze::MovingPoint{{1, 0, 1}, {1, 0, end_height}}},
            .edge_b = {at_rest({0, -1, 0}), at_rest({0, 1, 0})}};
}

}  // namespace

int main() {
    graze::TightInclusionOptions options;
    options.query.min_separation = kThickness;
    options.query.norm = graze::Norm::Max;
    options.query.max_checks = 100'000;

    const graze::CcdResult rests = graze::tight_inclusion(fall_to(0.02), options);
    const graze::CcdResult enters = graze::tight_inclusion(fall_to(-1.0), options);
    // The gap of 1 closes to 0.01 after 0.99 / 2 of the step.
    std::printf("stays above: %s\n", graze::name(rests.verdict).data());
    std::printf("comes too near: %s, free until t = %.9f, within %g of the thickness then\n",
                graze::name(enters.verdict).data(), enters.toi_lower, enters.tolerance);

    const bool as_expected = rests.verdict == graze::Verdict::Separated &&
                             enters.verdict == graze::Verdict::Contact &&
                             enters.toi_lower <= 0.495 && enters.toi_lower > 0.4949;
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
