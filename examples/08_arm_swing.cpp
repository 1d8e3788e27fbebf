// An arm swings by half a turn past two posts, in one step. A sweep that takes the convex hull of
// the arm's two ends is wrong twice: it misses the post that the arm runs into, and it hits the one
// that stands at the pivot, where the arm never is. The certified search knows the true path.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "graze/rigid/impact.hpp"

namespace {

using graze::Vec3;
namespace rigid = graze::rigid;

struct Box {
    Vec3 low;
    Vec3 high;
};

rigid::RigidBody body_of(const Box& box) {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back({(i & 1) != 0 ? box.high.x : box.low.x,
                           (i & 2) != 0 ? box.high.y : box.low.y,
                           (i & 4) != 0 ? box.high.z : box.low.z});
    const std::vector<std::uint32_t> faces = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                              2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    const std::vector<std::uint32_t> counts(6, 4);
    auto surface = rigid::Polyhedron::build(corners, counts, faces);
    if (!surface) std::abort();
    return rigid::RigidBody(std::move(*surface));
}

// The arm lies along x and turns about z. Half a turn takes it to its mirror image, so the hull of
// both is a box, too.
const Box kArm{{0.5, -0.125, -0.125}, {2.0, 0.125, 0.125}};
const Box kHull{{-2.0, -0.125, -0.125}, {2.0, 0.125, 0.125}};

bool hull_hits(const Box& post) {
    return post.low.x <= kHull.high.x && kHull.low.x <= post.high.x && post.low.y <= kHull.high.y &&
           kHull.low.y <= post.high.y;
}

// Half a turn about z, as exact as numbers can say it: w = 0.
const rigid::PairStep kSwing{{{}, {}}, {{}, {{0.0, 0.0, 0.0, 1.0}, {}}}};

rigid::ImpactResult swing_past(const Box& post) {
    return rigid::first_impact(body_of(post), body_of(kArm), kSwing);
}

void print(const char* what, const Box& post, const rigid::ImpactResult& found) {
    std::printf("%s: hull sweep says %s, ", what, hull_hits(post) ? "hit" : "miss");
    if (found.verdict == graze::Verdict::Separated) {
        std::printf("proved free\n");
    } else {
        std::printf("proved contact at t in [%.12f, %.12f]\n", found.toi_lower, found.toi_upper);
    }
}

}  // namespace

int main() {
    const Box beside{{-0.25, 1.0, -1.0}, {0.25, 1.5, 1.0}};    // in the way, at a right angle
    const Box behind{{-0.25, -1.5, -1.0}, {0.25, -1.0, 1.0}};  // on the side the arm does not take
    const Box at_pivot{{-0.25, -0.25, -1.0}, {0.25, 0.25, 1.0}};  // nearer to the axis than the arm
    const rigid::ImpactResult hit = swing_past(beside);
    const rigid::ImpactResult other_way = swing_past(behind);
    const rigid::ImpactResult pivot = swing_past(at_pivot);
    print("post beside the pivot", beside, hit);
    print("post on the other side", behind, other_way);
    print("post at the pivot", at_pivot, pivot);

    // The leading edge of the arm, 0.125 off its middle, meets the corner (0.25, 1) of the post.
    const bool as_expected = hit.verdict == graze::Verdict::Contact && hit.toi_lower > 0.3 &&
                             hit.toi_upper < 0.5 && !hull_hits(beside) &&
                             other_way.verdict == graze::Verdict::Separated &&
                             pivot.verdict == graze::Verdict::Separated && hull_hits(at_pivot);
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
