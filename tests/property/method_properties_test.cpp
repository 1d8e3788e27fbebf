// What must hold of every method, the oracle included, whatever the query. RapidCheck shrinks a
// failure to a small one; its seed is fixed in tests/CMakeLists.txt and printed with a failure.
// Defends G-SAFE-4 (docs/GUARANTEES.md).
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "graze/narrow/method.hpp"
#include "graze/verify/methods.hpp"

namespace graze {
namespace {

using EdgeCorners = std::array<MovingPoint, 4>;

// Coordinates in -32..32: degenerate queries are common, and scaling them by 2^k is exact.
rc::Gen<double> coordinate() {
    return rc::gen::map(rc::gen::inRange(-32, 33), [](int n) { return static_cast<double>(n); });
}

rc::Gen<EdgeCorners> four_corners() {
    return rc::gen::map(rc::gen::container<std::array<double, 24>>(coordinate()),
                        [](const std::array<double, 24>& c) {
                            EdgeCorners corners;
                            for (std::size_t i = 0; i < 4; ++i) {
                                corners[i].start = {c[6 * i], c[6 * i + 1], c[6 * i + 2]};
                                corners[i].end = {c[6 * i + 3], c[6 * i + 4], c[6 * i + 5]};
                            }
                            return corners;
                        });
}

template <class Change>
EdgeCorners changed(EdgeCorners corners, const Change& change) {
    for (MovingPoint& corner : corners) {
        change(corner.start);
        change(corner.end);
    }
    return corners;
}

// Enough for most queries with small integers; the others end early, which is an answer, too.
constexpr std::uint64_t kChecks = 2'000;

CcdResult vertex_face(const Method& method, const EdgeCorners& corners,
                      const CcdOptions& options = {.max_checks = kChecks}) {
    return run(method, motion_from_vertices<VertexFaceMotion>(corners), options);
}
CcdResult edge_edge(const Method& method, const EdgeCorners& corners,
                    const CcdOptions& options = {.max_checks = kChecks}) {
    return run(method, motion_from_vertices<EdgeEdgeMotion>(corners), options);
}

bool is_proved(const Guarantee& guarantee, Verdict verdict) {
    if (verdict == Verdict::Separated) return guarantee.no_false_negatives;
    return verdict == Verdict::Contact && guarantee.no_false_positives;
}

// Two answers to the same question: no proof may stand against another.
bool agree(const Method& method, const CcdResult& a, const CcdResult& b) {
    return a.verdict == b.verdict || !is_proved(method.guarantee, a.verdict) ||
           !is_proved(method.guarantee, b.verdict);
}

template <class Property>
void for_every_method(const Property& property) {
    const MethodRegistry registry = verify::all_methods();
    for (const Method& method : registry.all()) {
        SCOPED_TRACE(method.name);
        EXPECT_TRUE(rc::check([&] { property(method, *four_corners()); }));
    }
}

TEST(MethodProperties, ScalingAllLengthsByAPowerOfTwoChangesNoBit) {
    for_every_method([](const Method& method, const EdgeCorners& corners) {
        if (!method.guarantee.scale_invariant) return;
        const int exponent = *rc::gen::inRange(-900, 900);
        const EdgeCorners scaled = changed(corners, [&](Vec3& p) {
            for (std::size_t k = 0; k < 3; ++k)
                p[k] = std::ldexp(p[k], exponent);
        });
        CcdOptions options;
        options.max_checks = kChecks;
        CcdOptions scaled_options = options;
        scaled_options.distance_tolerance = std::ldexp(options.distance_tolerance, exponent);
        const auto expect_same = [&](CcdResult found, const CcdResult& expected) {
            found.tolerance = std::ldexp(found.tolerance, -exponent);
            RC_ASSERT(found == expected);
        };
        expect_same(vertex_face(method, scaled, scaled_options),
                    vertex_face(method, corners, options));
        expect_same(edge_edge(method, scaled, scaled_options), edge_edge(method, corners, options));
    });
}

TEST(MethodProperties, PermutedCornersNeverGetOppositeProofs) {
    for_every_method([](const Method& method, const EdgeCorners& c) {
        RC_ASSERT(
            agree(method, vertex_face(method, c), vertex_face(method, {c[0], c[2], c[3], c[1]})));
        RC_ASSERT(agree(method, edge_edge(method, c), edge_edge(method, {c[2], c[3], c[0], c[1]})));
        RC_ASSERT(agree(method, edge_edge(method, c), edge_edge(method, {c[1], c[0], c[2], c[3]})));
    });
}

TEST(MethodProperties, MirroredAndReversedMotionsNeverGetOppositeProofs) {
    for_every_method([](const Method& method, const EdgeCorners& corners) {
        const EdgeCorners mirrored = changed(corners, [](Vec3& p) { p = {p.y, -p.z, p.x}; });
        EdgeCorners reversed = corners;
        for (MovingPoint& corner : reversed)
            std::swap(corner.start, corner.end);
        for (const EdgeCorners& other : {mirrored, reversed}) {
            RC_ASSERT(agree(method, vertex_face(method, corners), vertex_face(method, other)));
            RC_ASSERT(agree(method, edge_edge(method, corners), edge_edge(method, other)));
        }
    });
}

// If the two motions of a cut step are both proved free, so is no contact in the whole: a contact
// of the whole lies in one of the halves. Halving integer motions is exact.
TEST(MethodProperties, AContactOfTheWholeStepIsNotLostByCuttingIt) {
    for_every_method([](const Method& method, const EdgeCorners& corners) {
        EdgeCorners first = corners;
        EdgeCorners second = corners;
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec3 middle = 0.5 * (corners[i].start + corners[i].end);
            first[i].end = middle;
            second[i].start = middle;
        }
        const bool halves_free = edge_edge(method, first).verdict == Verdict::Separated &&
                                 edge_edge(method, second).verdict == Verdict::Separated;
        const bool whole_touches = edge_edge(method, corners).verdict == Verdict::Contact;
        RC_ASSERT(!(halves_free && whole_touches && method.guarantee.no_false_positives &&
                    method.guarantee.no_false_negatives));
    });
}

}  // namespace
}  // namespace graze
