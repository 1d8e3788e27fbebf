// The proofs of separation_bounds.hpp against rationals, right at their thresholds: whatever they
// claim is true of the exact numbers, and they claim it nearly as soon as it is.
#include "narrow/certified/separation_bounds.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/exact_reference.hpp"

namespace graze::certified {
namespace {

using ExactVec = std::array<mpq_class, 3>;
using ExactCorners = std::array<ExactVec, kHullCorners>;

ExactVec exact(const Vec3& v) {
    return {mpq_class(v.x), mpq_class(v.y), mpq_class(v.z)};
}
ExactVec blend(const ExactVec& a, const ExactVec& b, const mpq_class& t) {
    ExactVec r;
    for (std::size_t k = 0; k < 3; ++k)
        r[k] = (1 - t) * a[k] + t * b[k];
    return r;
}
mpq_class dot(const ExactVec& a, const ExactVec& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
mpq_class norm_one(const ExactVec& a) {
    return abs(a[0]) + abs(a[1]) + abs(a[2]);
}

// The exact scaled differences at time t.
ExactCorners exact_corners(const SeparationQuery& q, const mpq_class& t) {
    const mpq_class scale = mpq_class(q.scale.before) * q.scale.first * q.scale.second;
    ExactCorners c;
    for (std::size_t i = 0; i < kHullCorners; ++i) {
        const CornerPair& pair = q.pairs.corner[i];
        const ExactVec plus = blend(exact(pair.plus->start), exact(pair.plus->end), t);
        const ExactVec minus = blend(exact(pair.minus->start), exact(pair.minus->end), t);
        for (std::size_t k = 0; k < 3; ++k)
            c[i][k] = (plus[k] - minus[k]) * scale;
    }
    return c;
}
mpq_class least_along(const ExactVec& n, const ExactCorners& c) {
    mpq_class least = dot(n, c[0]);
    for (std::size_t i = 1; i < kHullCorners; ++i)
        least = std::min(least, mpq_class(dot(n, c[i])));
    return least;
}

// Is least > d |n|, for the dual norm? Exact: squares are compared for the Euclidean one.
bool exceeds(const mpq_class& least, const ExactVec& n, double d, Norm norm) {
    if (norm == Norm::Max) return least > mpq_class(d) * norm_one(n);
    return least > 0 && least * least > mpq_class(d) * d * dot(n, n);
}

// Primitives of coordinates with full significands, apart along z, near or far from the origin.
class Source {
public:
    explicit Source(std::uint64_t seed) : source_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * std::ldexp(static_cast<double>(source_.bits() >> 11), -53);
    }
    int integer(int low, int high) { return source_.integer(low, high); }
    Vec3 direction() { return {between(-0.75, 0.75), between(-0.75, 0.75), between(1.0, 2.0)}; }
    EdgeEdgeMotion edges() {
        const double offset = integer(0, 1) == 0 ? 0.0 : between(-1e3, 1e3);
        const auto point = [&](double height) {
            return Vec3{offset + between(-1, 1), offset + between(-1, 1), offset + height};
        };
        const auto high = [&] { return MovingPoint{point(between(2, 4)), point(between(2, 4))}; };
        const auto low = [&] { return MovingPoint{point(between(-1, 0)), point(between(-1, 0))}; };
        return {{high(), high()}, {low(), low()}};
    }
    // A vertex that slides closely along a plane across n, so that n . D is a sum in which nearly
    // all cancels: d is far below the rounding of its terms' sum, and only the error term protects.
    VertexFaceMotion grazing(const Vec3& n) {
        const double height = std::ldexp(between(1, 2), integer(-48, -20));
        const auto point = [&] {
            const double x = between(-1, 1);
            const double y = between(-1, 1);
            return Vec3{x, y, (between(1, 2) * height - n.x * x - n.y * y) / n.z};
        };
        const auto corner = [&] { return MovingPoint{point(), point()}; };
        return {MovingPoint{}, {corner(), corner(), corner()}};
    }

private:
    exact::DoubleSource source_;
};

CcdOptions options_with(double d, Norm norm) {
    return {.min_separation = d, .norm = norm};
}

struct Counts {
    int claimed = 0;
    int true_but_unclaimed = 0;
    int asked = 0;
};

constexpr std::array<Norm, 2> kNorms = {Norm::Euclidean, Norm::Max};

// `error` is what separates the claim from the truth: about that many roundings of the sizes.
double with_doubt(const SeparationQuery& q, double d, double roundings) {
    return d / q.scale.first / q.scale.second + roundings * 0x1p-53;
}

// Asks the fixed direction right at its threshold.
template <class Motion>
void ask_fixed(const Motion& motion, const Vec3& n, Norm norm, int roundings, Counts& counts) {
    const CornerPairs pairs = corner_pairs(motion);
    const SeparationQuery plain = *scaled_query(pairs, options_with(1.0, norm));
    const ExactVec exact_n = exact(n);
    const mpq_class least = std::min(least_along(exact_n, exact_corners(plain, 0)),
                                     least_along(exact_n, exact_corners(plain, 1)));
    if (least <= 0) return;
    const double length = norm == Norm::Max ? norm_one(n) : std::sqrt(norm_sq(n));
    const double d = with_doubt(plain, least.get_d() / length, roundings);
    if (!(d > 0.0)) return;
    const SeparationQuery q = *scaled_query(pairs, options_with(d, norm));
    const FreeSpan span = free_along(q, n);
    const bool claims = span.begin < 0.0 && span.end > 1.0;
    const bool is_true = exceeds(least, exact_n, q.reach_lower, norm);
    ASSERT_TRUE(is_true || !claims);
    counts.claimed += claims ? 1 : 0;
    counts.true_but_unclaimed += is_true && !claims ? 1 : 0;
    ++counts.asked;
    // Where it ends sooner, all is well until then.
    if (span.begin >= 0.0 || !(span.end > 0.0)) return;
    const mpq_class before = mpq_class(std::min(span.end, 1.0)) * mpq_class(1.0 - 0x1p-53);
    const mpq_class then = least_along(exact_n, exact_corners(q, before));
    ASSERT_TRUE(exceeds(then, exact_n, q.reach_lower, norm));
}

TEST(CertifiedSeparationBounds, AFixedDirectionProvesWhatIsTrueUpToTheLastRoundings) {
    Source source(20250701);
    for (const Norm norm : kNorms) {
        Counts counts;
        for (int i = 0; i < 10'000; ++i) {
            const Vec3 n = *normalised(source.direction());
            ask_fixed(source.edges(), n, norm, source.integer(-96, 8), counts);
            ask_fixed(source.grazing(n), n, norm, source.integer(-16, 2), counts);
            ASSERT_FALSE(HasFatalFailure()) << i;
        }
        std::cout << counts.asked << " asked, " << counts.claimed << " claimed, "
                  << counts.true_but_unclaimed << " true but not claimed\n";
        EXPECT_GT(counts.claimed, counts.asked / 20);
    }
}

// Exact Bernstein coefficients of the gap along a turning direction, less d times those of the
// length: a positive minimum proves. In the max-norm, where lengths are rational.
struct TurningAsk {
    double t0 = 0.0;
    double t1 = 1.0;
    Vec3 n0;
    Vec3 n1;
};
template <class Motion>
void ask_turning(const Motion& motion, const TurningAsk& ask, int roundings, Counts& counts) {
    const CornerPairs pairs = corner_pairs(motion);
    const SeparationQuery plain = *scaled_query(pairs, options_with(1.0, Norm::Max));
    const ExactVec m0 = exact(ask.n0);
    const ExactVec m1 = exact(ask.n1);
    const ExactCorners c0 = exact_corners(plain, mpq_class(ask.t0));
    const ExactCorners c1 = exact_corners(plain, mpq_class(ask.t1));
    mpq_class exact_d = std::min(mpq_class(least_along(m0, c0) / norm_one(m0)),
                                 mpq_class(least_along(m1, c1) / norm_one(m1)));
    for (std::size_t k = 0; k < kHullCorners; ++k) {
        const mpq_class middle = (dot(m0, c1[k]) + dot(m1, c0[k])) / (norm_one(m0) + norm_one(m1));
        exact_d = std::min(exact_d, middle);
    }
    const double d = with_doubt(plain, exact_d.get_d(), roundings);
    if (!(exact_d > 0 && d > 0.0)) return;
    const SeparationQuery q = *scaled_query(pairs, options_with(d, Norm::Max));
    const HullCorners at0 = corners_at(q, ask.t0);
    const HullCorners at1 = corners_at(q, ask.t1);
    const double until = free_between(q, {ask.t0, at0, ask.n0}, {ask.t1, at1, ask.n1});
    const bool is_true = exact_d > mpq_class(q.reach_lower);
    ASSERT_TRUE(is_true || until < ask.t1);
    counts.claimed += until >= ask.t1 ? 1 : 0;
    counts.true_but_unclaimed += is_true && until < ask.t1 ? 1 : 0;
    ++counts.asked;
}

TEST(CertifiedSeparationBounds, ATurningDirectionProvesWhatIsTrueUpToTheLastRoundings) {
    Source source(20250702);
    Counts counts;
    for (int i = 0; i < 10'000; ++i) {
        TurningAsk ask{source.between(0.0, 0.5), source.between(0.5, 1.0),
                       *normalised(source.direction()), *normalised(source.direction())};
        ask_turning(source.edges(), ask, source.integer(-128, 8), counts);
        const VertexFaceMotion close = source.grazing(ask.n0);
        ask.n1 = (1.0 + 0x1p-52 * source.integer(0, 3)) * ask.n0;
        ask_turning(close, ask, source.integer(-24, 2), counts);
        ASSERT_FALSE(HasFatalFailure()) << i;
    }
    std::cout << counts.asked << " asked, " << counts.claimed << " claimed, "
              << counts.true_but_unclaimed << " true but not claimed\n";
    EXPECT_GT(counts.claimed, counts.asked / 20);
}

// Where the proof ends before the time asked for, the gap is positive until then: at sampled times,
// of all three shapes that the coefficients can have.
TEST(CertifiedSeparationBounds, ATurningDirectionEndsBeforeItsGapDoes) {
    Source source(20250703);
    int partial = 0;
    int nearly_sharp = 0;
    for (int i = 0; i < 8'000; ++i) {
        const EdgeEdgeMotion motion = source.edges();
        const double d = source.between(0.5, 4.0);
        const SeparationQuery q = *scaled_query(corner_pairs(motion), options_with(d, Norm::Max));
        const Vec3 n0 = *normalised(source.direction());
        const Vec3 n1 = *normalised(source.direction());
        const HullCorners at0 = corners_at(q, 0.0);
        const HullCorners at1 = corners_at(q, 1.0);
        const double until = free_between(q, {0.0, at0, n0}, {1.0, at1, n1});
        if (!(until > 0.0)) continue;
        partial += until < 1.0 ? 1 : 0;
        const auto gap_at = [&](const mpq_class& t) -> mpq_class {
            const ExactVec n = blend(exact(n0), exact(n1), t);
            return least_along(n, exact_corners(q, t)) - mpq_class(q.reach_lower) * norm_one(n);
        };
        for (const double share : {0.25, 0.5, 0.75, 0.9375, 1.0 - 0x1p-53}) {
            ASSERT_GT(gap_at(mpq_class(until) * share), 0) << i << ' ' << share;
        }
        nearly_sharp += until < 1.0 && gap_at(std::min(mpq_class(1), mpq_class(2 * until))) <= 0;
    }
    EXPECT_GT(partial, 500);
    EXPECT_GT(nearly_sharp, partial / 4);
}

// The exact point that the weights name, its coordinates without their signs.
ExactVec exact_witness(const SeparationQuery& q, double t, const Weights& w) {
    const ExactCorners c = exact_corners(q, mpq_class(t));
    ExactVec p;
    mpq_class total = 0;
    for (std::size_t k = 0; k < kHullCorners; ++k) {
        total += w[k];
        for (std::size_t axis = 0; axis < 3; ++axis)
            p[axis] += w[k] * c[k][axis];
    }
    for (mpq_class& coordinate : p)
        coordinate = abs(coordinate) / total;
    return p;
}

// Returns whether the witness is proved to be within d, for d right at its distance.
template <class Motion>
bool ask_witness(const Motion& motion, double t, const Weights& w, Norm norm, int roundings) {
    const CornerPairs pairs = corner_pairs(motion);
    const SeparationQuery plain = *scaled_query(pairs, options_with(1.0, norm));
    const ExactVec p = exact_witness(plain, t, w);
    const mpq_class most = std::max({p[0], p[1], p[2]});
    const mpq_class square = dot(p, p);
    const double length = norm == Norm::Max ? most.get_d() : std::sqrt(square.get_d());
    const double d = with_doubt(plain, length, roundings);
    if (!(d > 0.0)) return false;
    const SeparationQuery q = *scaled_query(pairs, options_with(d, norm));
    const double excess = excess_upper(q, t, w);
    const mpq_class reach = mpq_class(q.reach_lower) + mpq_class(excess);
    EXPECT_TRUE(norm == Norm::Max ? most <= reach : square <= reach * reach);
    EXPECT_LT(excess, 0x1p-46);
    return excess == 0.0;
}

TEST(CertifiedSeparationBounds, AWitnessIsAsNearAsItSays) {
    Source source(20250704);
    for (const Norm norm : kNorms) {
        int within = 0;
        for (int i = 0; i < 10'000; ++i) {
            const double t = source.between(0.0, 1.0);
            const Weights any = {source.between(0, 1), source.between(0, 1), source.between(0, 1),
                                 source.between(0, 1)};
            within += ask_witness(source.edges(), t, any, norm, source.integer(-24, 24)) ? 1 : 0;
            const VertexFaceMotion close = source.grazing(*normalised(source.direction()));
            const SeparationQuery q = *scaled_query(corner_pairs(close), options_with(1.0, norm));
            const Weights best = nearest_point(q.pairs.shape, corners_at(q, t)).weights;
            within += ask_witness(close, t, best, norm, source.integer(-1, 12)) ? 1 : 0;
            ASSERT_FALSE(HasFailure()) << i;
        }
        std::cout << within << " proved to be within d\n";
        EXPECT_GT(within, 500);
    }
}

}  // namespace
}  // namespace graze::certified
