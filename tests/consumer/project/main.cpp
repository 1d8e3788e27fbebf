// A vertex that falls through a triangle: the smallest program that uses the library.
#include <cstdio>
#include <graze/ccd.hpp>

int main() {
    const graze::VertexFaceMotion motion{
        .vertex = {.start = {0.25, 0.25, 1.0}, .end = {0.25, 0.25, -1.0}},
        .face = {{{{0, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}, {{0, 1, 0}, {0, 1, 0}}}}};
    const graze::CcdResult result = graze::ccd(motion);
    if (result.verdict != graze::Verdict::Contact || result.toi_lower > 0.5 ||
        result.toi_upper < 0.5) {
        std::fprintf(stderr, "expected a contact at 0.5, got %s in [%g, %g]\n",
                     graze::name(result.verdict).data(), result.toi_lower, result.toi_upper);
        return 1;
    }
    return 0;
}
