// Research: a method of your own in every command of graze, against all others and the exact truth.
//   ./research bench --methods midpoint,certified      ./research verify --methods midpoint
#include <graze/tool.hpp>

using namespace graze;

// Claims nothing: looks at the middle of the step alone.
CcdResult midpoint(const void*, const VertexFaceMotion& m, const CcdOptions&) noexcept {
    const auto middle = [](const MovingPoint& p) { return 0.5 * (p.start + p.end); };
    const Vec3 a = middle(m.face[0]), n = cross(middle(m.face[1]) - a, middle(m.face[2]) - a);
    return dot(n, middle(m.vertex) - a) == 0 ? CcdResult{.verdict = Verdict::Contact} : CcdResult{};
}

int main(int argc, char** argv) {
    Method method{.name = "midpoint", .summary = "the middle of the step", .guarantee = {}};
    method.vertex_face.query = midpoint;
    return run_tool(argc, argv, std::array{method});
}
