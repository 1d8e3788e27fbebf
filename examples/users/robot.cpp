// Robots: does a part that swings through 90 degrees hit a fixture? Proved for the curved path.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <graze/io/rigid_body.hpp>
#include <graze/rigid.hpp>

using namespace graze;

int main() {
    std::ofstream("part.obj")
        << "v 1 0 0\nv 2 0 0\nv 1 .2 0\nv 1 0 .2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const auto part = io::read_body("part.obj");
    if (!part) return std::fprintf(stderr, "%s\n", part.error().message.c_str()), 1;
    const double half = std::sqrt(0.5);
    const Pose start{}, end{.rotation = {half, 0, 0, half}};  // about z
    const Pose fixture{.translation = {0, 0, 0.05}};
    const auto result =
        rigid::first_impact(part->body, part->body,
                            {rigid::BodyStep::between(end, start), rigid::BodyStep::rest(fixture)});
    std::printf("%s, first in [%.9g, %.9g] of the motion\n", name(result.verdict).data(),
                result.toi_lower, result.toi_upper);
    return result.verdict == Verdict::Contact ? 0 : 1;
}
