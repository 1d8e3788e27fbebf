// A vertex that stays above a triangle: the smallest program that uses the library.
#include <cstdio>
#include <graze/narrow/box_separation.hpp>

int main() {
    const graze::VertexFaceMotion motion{
        .vertex = {.start = {0.25, 0.25, 2.0}, .end = {0.25, 0.25, 1.0}},
        .face = {{{{0, 0, 0}, {0, 0, 0.5}}, {{1, 0, 0}, {1, 0, 0.5}}, {{0, 1, 0}, {0, 1, 0.5}}}}};
    const graze::CcdResult result = graze::box_separation(motion);
    if (result.verdict != graze::Verdict::Separated) {
        std::fprintf(stderr, "expected separated, got %s\n", graze::name(result.verdict).data());
        return 1;
    }
    return 0;
}
