// A vertex falls towards a triangle at rest: does it touch within the step, when first, and how far
// may it go?

#include <cstdio>
#include <cstdlib>

#include "graze/ccd.hpp"

namespace {

// The vertex starts at height 1 above the middle of the triangle and ends at `end_height`.
graze::VertexFaceMotion fall_to(double end_height) {
    const auto at_rest = [](graze::Vec3 p) { return graze::MovingPoint{p, p}; };
    return {.vertex = {.start = {0.25, 0.25, 1.0}, .end = {0.25, 0.25, end_height}},
            .face = {at_rest({0, 0, 0}), at_rest({1, 0, 0}), at_rest({0, 1, 0})}};
}

// Separated is a proof. Anything else means "go no further than toi_lower".
double safe_fraction(const graze::CcdResult& result) {
    return result.verdict == graze::Verdict::Separated ? 1.0 : result.toi_lower;
}

void print(const char* what, const graze::CcdResult& result) {
    std::printf("%s: %s, safe fraction of the step %.12g\n", what,
                graze::name(result.verdict).data(), safe_fraction(result));
}

}  // namespace

int main() {
    const graze::CcdResult stops_above = graze::ccd(fall_to(0.5));
    const graze::CcdResult falls_through = graze::ccd(fall_to(-0.5));

    print("stops above", stops_above);
    print("falls through", falls_through);

    // From height 1 to -0.5 the plane of the triangle is reached after two thirds of the step.
    const bool as_expected = stops_above.verdict == graze::Verdict::Separated &&
                             falls_through.verdict == graze::Verdict::Contact &&
                             falls_through.toi_lower <= 2.0 / 3.0 &&
                             falls_through.toi_upper >= 2.0 / 3.0;
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
