// The proofs of near-inl.hpp against rationals, right at their thresholds: a direction, one that
// rotates and a witness claim nothing that is not true of the exact numbers, and they claim it
// nearly as soon as it is.
// Defends G-CERTIFIED-4 (docs/GUARANTEES.md).
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "certified_tiers.hpp"
#include "core/exact_reference.hpp"

namespace graze::certified {
namespace {

using Exact = std::array<mpq_class, 3>;
using ExactVertices = std::array<Exact, 4>;

mpq_class times(const Exact& a, const Exact& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Exact exact_direction(const source::Direction& n) {
    return {mpq_class(n.x), mpq_class(n.y), mpq_class(n.z)};
}
Exact exact_blend(const Exact& a, const Exact& b, const mpq_class& t) {
    Exact r;
    for (std::size_t k = 0; k < 3; ++k)
        r[k] = (1 - t) * a[k] + t * b[k];
    return r;
}

class AdvanceSource {
public:
    explicit AdvanceSource(std::uint64_t seed) : source_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * std::ldexp(static_cast<double>(source_.bits() >> 11), -53);
    }
    int integer(int low, int high) { return source_.integer(low, high); }
    Vec3 point(double low, double high, double offset) {
        return {offset + between(-1, 1), offset + between(-1, 1), offset + between(low, high)};
    }
    // One above the other, with full significands, near or far from the origin.
    EdgeEdgeMotion edges() {
        const double offset = integer(0, 1) == 0 ? 0.0 : between(-1e3, 1e3);
        const auto high = [&] { return MovingPoint{point(1, 3, offset), point(1, 3, offset)}; };
        const auto low = [&] { return MovingPoint{point(-1, 0, offset), point(-1, 0, offset)}; };
        return {{high(), high()}, {low(), low()}};
    }
    source::Direction direction() {
        return {between(-0.5, 0.5), between(-0.5, 0.5), between(0.5, 1.0)};
    }
    double small() { return std::ldexp(between(1, 2), integer(-50, -20)); }
    // Close to a plane across n, on either side of it, so that n.D is a sum in which nearly all
    // cancels: d is far below the terms, and only the error term protects.
    EdgeEdgeMotion grazing(const source::Direction& n, double height) {
        const auto point = [&](double at) {
            const double x = between(-1, 1);
            const double y = between(-1, 1);
            return Vec3{x, y, (at * height - n.x * x - n.y * y) / n.z};
        };
        const auto high = [&] { return MovingPoint{point(between(1, 2)), point(between(1, 2))}; };
        const auto low = [&] { return MovingPoint{point(-between(0, 1)), point(-between(0, 1))}; };
        return {{high(), high()}, {low(), low()}};
    }
    source::Direction nearby(const source::Direction& n, double by) {
        return {n.x + by * between(-0.1, 0.1), n.y + by * between(-0.1, 0.1),
                n.z + by * between(-0.1, 0.1)};
    }
    // Edges that cross in their middles, but for `by`.
    EdgeEdgeMotion crossing(double by) {
        const auto edge = [&]() -> std::array<MovingPoint, 2> {
            const Vec3 v = point(-1, 1, 0.0);
            const Vec3 w = point(-1, 1, 0.0);
            const Vec3 e = by * point(-1, 1, 0.0);
            return {MovingPoint{v, w}, MovingPoint{e - v, e - w}};
        };
        return {edge(), edge()};
    }

private:
    exact::DoubleSource source_;
};

// The query with d = 1, and the exact numbers behind it.
struct Attacked {
    source::NearQuery q;
    ExactVertices start;
    ExactVertices end;
};
Attacked attacked(const EdgeEdgeMotion& motion, Norm norm) {
    Attacked a;
    const source::Ends raw = source::vertices_of(motion);
    const source::Quad largest = source::largest_of(source::extent_of(raw));
    const double scale =
        source::normalising_scale(std::max({largest.v[0], largest.v[1], largest.v[2]}));
    source::Ends scaled{};
    source::scale_by(source::all(scale), raw, scaled);
    a.q.hull.shape = source::kParallelogram;
    a.q.hull.m = largest * source::all(scale);
    source::set_vertices(a.q.hull, scaled);
    a.q.d = 1.0;
    a.q.norm = norm;
    const std::array<MovingPoint, 4> vertices = {motion.edge_a[0], motion.edge_a[1],
                                                 motion.edge_b[0], motion.edge_b[1]};
    const auto differences = differences_of(QueryKind::EdgeEdge);
    for (std::size_t i = 0; i < 4; ++i) {
        const MovingPoint& plus = vertices[differences[i].plus];
        const MovingPoint& minus = vertices[differences[i].minus];
        for (std::size_t k = 0; k < 3; ++k) {
            a.start[i][k] = (mpq_class(plus.start[k]) - minus.start[k]) * scale;
            a.end[i][k] = (mpq_class(plus.end[k]) - minus.end[k]) * scale;
        }
    }
    return a;
}

// By how much n separates at time t is > d |n|? Squares are compared in the Euclidean norm.
bool is_beyond(const Attacked& a, const Exact& n, const mpq_class& t) {
    mpq_class least = times(n, exact_blend(a.start[0], a.end[0], t));
    for (std::size_t i = 1; i < 4; ++i)
        least = std::min(least, mpq_class(times(n, exact_blend(a.start[i], a.end[i], t))));
    const mpq_class d(a.q.d);
    if (a.q.norm == Norm::Max) return least > d * (abs(n[0]) + abs(n[1]) + abs(n[2]));
    return least > 0 && least * least > d * d * times(n, n);
}

// What n separates by, about, at time t.
double distance_along(const Attacked& a, const source::Direction& n, double t) {
    const Exact e = exact_direction(n);
    double least = kInfinity;
    for (std::size_t i = 0; i < 4; ++i)
        least = std::min(least, times(e, exact_blend(a.start[i], a.end[i], t)).get_d());
    const double length = a.q.norm == Norm::Max ? std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z)
                                                : std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    return least / length;
}

constexpr std::array<Norm, 2> kTwoNorms = {Norm::Euclidean, Norm::Max};
constexpr int kAdvanceCases = 3000;

// A sample with any direction: candidates are not to be relied on.
source::Sample sample_with(const Attacked& a, double t, const source::Direction& n) {
    source::Sample sample{};
    sample.t = t;
    sample.d = source::vertices_at(a.q.hull, t);
    const double length = source::dual_length(a.q, n);
    const double inverse = 1.0 / length;
    sample.n = {n.x * inverse, n.y * inverse, n.z * inverse};
    source::set_height(a.q, sample);
    return sample;
}

TEST(CertifiedAdvance, ADirectionClaimsNothingThatIsNotTrue) {
    AdvanceSource source(1);
    for (const Norm norm : kTwoNorms) {
        int claims = 0;
        int unclaimed = 0;
        for (int i = 0; i < kAdvanceCases; ++i) {
            const source::Direction any = source.direction();
            const bool grazes = i % 2 == 0;
            Attacked a =
                attacked(grazes ? source.grazing(any, source.small()) : source.edges(), norm);
            const source::Direction n = sample_with(a, 0.0, any).n;
            const double d = std::min(distance_along(a, n, 0.0), distance_along(a, n, 1.0));
            a.q.d = d + (grazes ? source.integer(-20, 2) : source.integer(-50, 4)) * 0x1p-53;
            if (!(a.q.d > 0.0)) continue;
            const source::Span span = source::free_span(source::heights_of(a.q, n));
            const Exact e = exact_direction(n);
            const bool is_true = is_beyond(a, e, 0) && is_beyond(a, e, 1);
            const bool is_claimed = span.begin < 0.0 && span.end > 1.0;
            ASSERT_TRUE(is_true || !is_claimed) << i;
            ASSERT_EQ(source::is_free(source::heights_of(a.q, n)), is_claimed) << i;
            claims += is_claimed ? 1 : 0;
            unclaimed += is_true && !is_claimed ? 1 : 0;
            for (const double t : {span.begin * (1.0 + 0x1p-52), span.end * (1.0 - 0x1p-52)}) {
                if (!(t > 0.0 && t < 1.0 && span.begin < span.end)) continue;
                ASSERT_TRUE(is_beyond(a, e, mpq_class(t))) << i;
            }
        }
        EXPECT_GT(claims, kAdvanceCases / 4);
        EXPECT_GT(unclaimed, 0) << "not attacked at its threshold";
    }
}

TEST(CertifiedAdvance, ADirectionThatRotatesClaimsNothingThatIsNotTrue) {
    AdvanceSource source(2);
    for (const Norm norm : kTwoNorms) {
        int claims = 0;
        int failures = 0;
        for (int i = 0; i < kAdvanceCases; ++i) {
            const bool grazes = i % 2 == 0;
            const source::Direction base = source.direction();
            const double height = source.small();
            Attacked a = attacked(grazes ? source.grazing(base, height) : source.edges(), norm);
            const double from = source.between(0.0, 0.5);
            const double to = source.between(0.5, 1.0);
            source::Sample first =
                sample_with(a, from, grazes ? source.nearby(base, height) : source.direction());
            source::Sample last =
                sample_with(a, to, grazes ? source.nearby(base, height) : source.direction());
            const double part = source.integer(0, 2) == 0 ? 1.0 : source.between(0.0, 1.0);
            // The least d at which a claim could be false: that of the ends of the part.
            const source::Direction n = {(1.0 - part) * first.n.x + part * last.n.x,
                                         (1.0 - part) * first.n.y + part * last.n.y,
                                         (1.0 - part) * first.n.z + part * last.n.z};
            a.q.d = std::min(distance_along(a, first.n, from),
                             distance_along(a, n, from + part * (to - from))) +
                    (grazes ? source.integer(-16, 2) : source.integer(-40, 4)) * 0x1p-53;
            if (!(a.q.d > 0.0)) continue;
            source::set_height(a.q, first);
            source::set_height(a.q, last);
            const source::Turning bound = source::turning(first, last);
            const bool is_claimed =
                part == 1.0 ? source::is_positive(bound) : source::is_positive_until(bound, part);
            claims += is_claimed ? 1 : 0;
            failures += is_claimed ? 0 : 1;
            if (!is_claimed) continue;
            for (const double step : {0.0, 0.25, 0.5, 0.75, 1.0}) {
                const mpq_class tau = mpq_class(part) * step;
                const mpq_class t = from + tau * (mpq_class(to) - from);
                ASSERT_TRUE(is_beyond(
                    a, exact_blend(exact_direction(first.n), exact_direction(last.n), tau), t))
                    << i;
            }
            ASSERT_LE(mpq_class(source::time_at(from, to, part)),
                      from + mpq_class(part) * (mpq_class(to) - from));
        }
        EXPECT_GT(claims, kAdvanceCases / 20);
        EXPECT_GT(failures, kAdvanceCases / 20) << "not attacked at its threshold";
    }
}

void expect_equal(const source::Quad& a, const source::Quad& b) {
    for (std::size_t k = 0; k < 4; ++k)
        ASSERT_EQ(a.v[k], b.v[k]);
}

// The proof over the whole step reuses what its two directions were tested with.
TEST(CertifiedAdvance, RotationOverTheWholeStepIsThatBetweenItsEnds) {
    AdvanceSource source(4);
    for (const Norm norm : kTwoNorms) {
        for (int i = 0; i < kAdvanceCases / 10; ++i) {
            const Attacked a = attacked(source.edges(), norm);
            const source::Sample first = sample_with(a, 0.0, source.direction());
            const source::Sample last = sample_with(a, 1.0, source.direction());
            const source::Turning between = source::turning(first, last);
            const source::Turning over = source::turning_over_step(source::heights_of(a.q, first.n),
                                                                   source::heights_of(a.q, last.n));
            expect_equal(over.b0, between.b0);
            expect_equal(over.b1, between.b1);
            expect_equal(over.b2, between.b2);
        }
    }
}

// From the other side a sample is that of the opposite direction, heights included: proofs rely on them.
TEST(CertifiedAdvance, TheHeightsOfASampleAreThoseOfItsDirection) {
    AdvanceSource source(7);
    for (const Norm norm : kTwoNorms) {
        for (int i = 0; i < kAdvanceCases / 10; ++i) {
            const Attacked a = attacked(source.edges(), norm);
            const source::Sample by = sample_with(a, 0.25, source.direction());
            source::Sample flipped = sample_with(a, 0.5, source.direction());
            const bool is_flipped = source::is_opposite(by, flipped);
            ASSERT_EQ(source::orient(a.q, by, flipped), is_flipped);
            expect_equal(flipped.height, source::along(flipped.n, flipped.d));
            const source::Sample normal = source::with_normal(a.q, flipped);
            expect_equal(normal.height, source::along(normal.n, normal.d));
            ASSERT_EQ(normal.least, source::threshold(a.q, normal.n));
            const Exact n = exact_direction(normal.n);
            const mpq_class sum = abs(n[0]) + abs(n[1]) + abs(n[2]);
            const mpq_class square = norm == Norm::Max ? mpq_class(sum * sum) : times(n, n);
            ASSERT_LE(square, 1 + 11 * mpq_class(0x1p-53)) << "(1 + 5.1u)^2";
        }
    }
}

TEST(CertifiedAdvance, TheFirstOfFourBitsIsThatOfATable) {
    for (unsigned mask = 1; mask < 16; ++mask)
        EXPECT_EQ(source::first_bit(mask), std::countr_zero(mask));
}

TEST(CertifiedAdvance, APointOfASideHasWeightsOfItsTwoVertices) {
    for (int side = 0; side < 4; ++side) {
        for (const double fraction : {0.0, 0.25, 0.5, 1.0}) {
            const source::Quad weights = source::weights_on_side(side, fraction);
            for (int k = 0; k < 4; ++k) {
                const double expected = k == side             ? 1.0 - fraction
                                        : k == (side + 1) % 4 ? fraction
                                                              : 0.0;
                EXPECT_EQ(weights.v[static_cast<std::size_t>(k)], expected) << side << " " << k;
            }
        }
    }
}

// A span begins before what is free already, or it does not count; the end of the step likewise.
TEST(CertifiedAdvance, SpansCountOnlyWhereTheyMeetWhatIsFree) {
    AdvanceSource source(5);
    const Attacked a = attacked(source.edges(), Norm::Euclidean);
    const FastSeparationOptions options{};
    const auto heights = [](double start, double end) {
        return source::Heights{source::all(start), source::all(end), 1.0};
    };
    source::Advance search(a.q, options);
    search.early = 0.25;
    EXPECT_FALSE(source::is_free_by_spans(search, heights(0.0, 3.0)));  // free after 1/3
    EXPECT_EQ(search.early, 0.25);
    EXPECT_NEAR(search.last, 1.0 / 3.0, 1e-15);
    EXPECT_GE(search.last, 1.0 / 3.0);
    EXPECT_FALSE(source::is_free_by_spans(search, heights(1.5, -0.5)));  // free before 1/4
    EXPECT_LE(search.early, 0.25);
    EXPECT_FALSE(source::is_free_by_spans(search, heights(1.0, 1.0)));  // at the threshold: nothing
    EXPECT_TRUE(source::is_free_by_spans(search, heights(2.0, 0.0)));   // free before 1/2
}

// What was proved of the sample beyond the contact is nothing that the sample in its place has.
TEST(CertifiedAdvance, AWitnessIsForgottenWithTheSampleThatItBelongsTo) {
    AdvanceSource source(6);
    const Attacked a = attacked(source.edges(), Norm::Euclidean);
    const FastSeparationOptions options{};
    source::Advance search(a.q, options);
    search.samples[0] = sample_with(a, 0.25, {0.0, 0.0, 1.0});
    search.samples[1] = sample_with(a, 0.75, {0.0, 0.0, 1.0});  // within d, on the other side
    search.samples[2] = sample_with(a, 0.5, {0.0, 0.0, -1.0});  // comes around to that side, free
    search.count = 3;
    search.path[0] = &search.samples[0];
    search.other = &search.samples[1];
    search.beyond = 0.75;
    search.flips = 1;
    search.has_witness = true;
    source::add_to_path(search, search.samples[2]);
    ASSERT_EQ(search.other, &search.samples[0]);
    EXPECT_FALSE(search.has_witness) << "a free sample would be taken for a contact";
    EXPECT_EQ(search.beyond, 2.0);
}

TEST(CertifiedAdvance, AWitnessIsAsNearAsIsClaimed) {
    AdvanceSource source(3);
    for (const Norm norm : kTwoNorms) {
        int claims = 0;
        int unclaimed = 0;
        for (int i = 0; i < kAdvanceCases; ++i) {
            const bool crosses = i % 2 == 0;
            const double by = source.small();
            Attacked a = attacked(crosses ? source.crossing(by) : source.edges(), norm);
            const double t = source.between(0.0, 1.0);
            std::array<double, 4> w{};
            mpq_class total = 0;
            for (double& weight : w) {
                weight = crosses ? 0.7 + by * source.between(0.0, 1.0)
                                 : std::ldexp(source.between(0.0, 1.0), source.integer(-30, 30));
                total += weight;
            }
            Exact p = {0, 0, 0};
            for (std::size_t k = 0; k < 4; ++k) {
                const Exact at = exact_blend(a.start[k], a.end[k], t);
                for (std::size_t axis = 0; axis < 3; ++axis)
                    p[axis] += w[k] * at[axis] / total;
            }
            const double length = norm == Norm::Max
                                      ? std::max({std::fabs(p[0].get_d()), std::fabs(p[1].get_d()),
                                                  std::fabs(p[2].get_d())})
                                      : std::sqrt(times(p, p).get_d());
            a.q.d = length + (crosses ? source.integer(-2, 24) : source.integer(-8, 60)) * 0x1p-53;
            if (!(a.q.d > 0.0)) continue;
            const mpq_class d(a.q.d);
            const bool is_true = norm == Norm::Max
                                     ? abs(p[0]) <= d && abs(p[1]) <= d && abs(p[2]) <= d
                                     : times(p, p) <= d * d;
            const bool is_claimed = source::is_within(a.q, t, source::quad(w[0], w[1], w[2], w[3]));
            ASSERT_TRUE(is_true || !is_claimed) << i;
            claims += is_claimed ? 1 : 0;
            unclaimed += is_true && !is_claimed ? 1 : 0;
        }
        EXPECT_GT(claims, kAdvanceCases / 20);
        EXPECT_GT(unclaimed, 0) << "not attacked at its threshold";
    }
}

}  // namespace
}  // namespace graze::certified
