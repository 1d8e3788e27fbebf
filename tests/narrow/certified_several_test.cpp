// Proofs with a minimum separation for several queries at a time: what a lane calls separated is so by
// the oracle, the tiers for one query say the same, and no instruction set, neighbour or size of a batch
// changes a bit of an answer.
// Defends G-CERTIFIED-4 (docs/GUARANTEES.md).
#include "narrow/certified/tiers/several-inl.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/exact_reference.hpp"
#include "graze/ccd.hpp"
#include "graze/core/power_of_two.hpp"
#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/distance.hpp"
#include "graze/narrow/query_kind.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::certified {
namespace {

using generate::Family;

constexpr std::array<Norm, 2> kSeveralNorms = {Norm::Euclidean, Norm::Max};

template <class Motion>
struct Asked {
    std::vector<Motion> motions;
    std::vector<double> separations;
    void add(const Motion& motion, double d) {
        if (!(d > 0.0 && d < kInfinity)) return;
        motions.push_back(motion);
        separations.push_back(d);
    }
};

class Numbers {
public:
    explicit Numbers(std::uint64_t seed) : source_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * std::ldexp(static_cast<double>(source_.bits() >> 11), -53);
    }
    int integer(int low, int high) { return source_.integer(low, high); }

private:
    exact::DoubleSource source_;
};

// Primitives up to some distance from each other, flat or not, near the origin or far, that move little
// or much, straight or around each other; all lengths from tiny to huge.
template <class Motion>
Motion moving_pair(Numbers& numbers) {
    const double offset = numbers.integer(0, 2) == 0 ? numbers.between(-1e4, 1e4) : 0.0;
    const double apart = std::exp2(numbers.between(-24.0, 3.0));
    const double moved = std::exp2(numbers.between(-20.0, 2.0));
    const double flat = numbers.integer(0, 3) == 0 ? 0.0 : std::exp2(numbers.between(-30.0, 0.0));
    const double angle = numbers.integer(0, 1) == 0 ? 0.0 : numbers.between(-1.5, 1.5);
    const int power = numbers.integer(0, 7) == 0 ? numbers.integer(-1000, 1000) : 0;
    const Vec3 drift = {moved * numbers.between(-1, 1), moved * numbers.between(-1, 1),
                        moved * numbers.between(-1, 1)};
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    std::array<MovingPoint, 4> points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool is_first = Motion::kKind == QueryKind::VertexFace ? i == 0 : i < 2;
        const Vec3 p = {numbers.between(-1, 1), numbers.between(-1, 1),
                        flat * numbers.between(-1, 1) + (is_first ? apart : 0.0)};
        const Vec3 q = {c * p.x - s * p.z, p.y, s * p.x + c * p.z};
        const Vec3 own = {0.05 * moved * numbers.between(-1, 1), 0.0, 0.0};
        points[i] = {p, (is_first ? q + drift : q) + own};
        for (Vec3* at : {&points[i].start, &points[i].end}) {
            for (std::size_t k = 0; k < 3; ++k)
                (*at)[k] = scaled((*at)[k] + offset, power);
        }
    }
    if constexpr (Motion::kKind == QueryKind::VertexFace) {
        return {points[0], {points[1], points[2], points[3]}};
    } else {
        return {{points[0], points[1]}, {points[2], points[3]}};
    }
}

// Primitives up to four thousand times as large as their distance that lie in two parallel planes and slide along
// them, so that n.D is a sum in which nearly all cancels.
template <class Motion>
Motion sliding_pair(Numbers& numbers) {
    const Vec3 n = {0.48, 0.6, 0.64};
    const Vec3 first = {0.8, -0.64, 0.0};  // across n, but for rounding
    const Vec3 second = {0.0, 0.64, -0.6};
    const double size = std::exp2(numbers.between(0.0, 12.0));
    const double moved = numbers.integer(0, 1) == 0 ? 0.0 : size;
    const auto along_plane = [&](double length) {
        return length * numbers.between(-1, 1) * first + length * numbers.between(-1, 1) * second;
    };
    // A side of the face, or the first edge, is right across the vertex, or one of the other edge.
    const Vec3 ahead = along_plane(size);
    const Vec3 behind = -numbers.between(0.01, 1.0) * ahead;
    const Vec3 beside = along_plane(size);
    const Vec3 drift = along_plane(moved);
    constexpr bool kIsFace = Motion::kKind == QueryKind::VertexFace;
    const std::array<Vec3, 4> at = {kIsFace ? n : n + ahead, kIsFace ? ahead : n + behind,
                                    kIsFace ? behind : Vec3{}, beside};
    std::array<MovingPoint, 4> points;
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = {at[i], i < (kIsFace ? 1U : 2U) ? at[i] + drift : at[i]};
    return motion_from_vertices<Motion>(points);
}

// As a line search asks: d is a little below the distance at the start; and anything else.
template <class Motion>
Asked<Motion> line_searches(std::uint64_t seed, int count, Norm norm) {
    Numbers numbers(seed);
    Asked<Motion> asked;
    for (int i = 0; i < count; ++i) {
        const Motion motion = moving_pair<Motion>(numbers);
        const double distance = distance_lower(motion, norm);
        const double below = 1.0 - std::exp2(numbers.between(-54.0, 0.0));
        asked.add(
            motion,
            distance * (numbers.integer(0, 3) == 0 ? std::exp2(numbers.between(-60, 4)) : below));
    }
    return asked;
}
template <class Motion>
Asked<Motion> families(std::uint64_t seeds, double d) {
    Asked<Motion> asked;
    for (const Family family : generate::kAllFamilies) {
        for (std::uint64_t seed = 0; seed < seeds; ++seed)
            asked.add(io::motion_of<Motion>(generate::query(family, Motion::kKind, seed)), d);
    }
    return asked;
}

template <class Motion>
std::string text_of(const Motion& motion, double d, Norm norm) {
    return std::string(norm == Norm::Max ? "max" : "euclidean") + " d = " + io::to_hex(d) + "\n" +
           io::to_hex(io::record_of(motion), Motion::kKind);
}

struct Decided {
    std::uint64_t asked = 0;
    std::uint64_t separated = 0;  // by lanes
    std::uint64_t by_all = 0;     // by the tiers for one query
    std::uint64_t by_set = 0;     // by instruction sets,
    std::uint64_t of_set = 0;     // of what one lane decides
};

// What one lane in plain C++ decides of queries, each alone, by all that it can ask.
template <class Motion>
std::uint64_t by_one_lane(const Motion* motions, const double* separations, std::size_t count,
                          const FastSeparationOptions& options) {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
        FastSeparationOptions alone = options;
        alone.d = separations[i];
        const bool is_found =
            portable::separated_of<Motion>(motions + i, separations + i, 1, options) != 0U ||
            is_separated_alone(motions[i], alone);
        found |= std::uint64_t{is_found ? 1U : 0U} << i;
    }
    return found;
}

// No instruction set decides what one lane in plain C++ does not, in blocks of any size; and of what lanes
// decide the tiers for one query, and the method, say the same.
template <class Motion>
void expect_same_answers(const Asked<Motion>& asked, Norm norm, double t_max, Decided& decided) {
    const FastSeparation<Motion> one = fast_separation<Motion>(InstructionSet::Portable);
    std::size_t size = 1;
    for (std::size_t first = 0; first < asked.motions.size(); size = size % kMostInBatch + 1) {
        const std::size_t count = std::min(size, asked.motions.size() - first);
        const Motion* const motions = asked.motions.data() + first;
        const double* const separations = asked.separations.data() + first;
        const FastSeparationOptions options{0.0, norm, t_max, 1e-9};
        const std::uint64_t expected = by_one_lane(motions, separations, count, options);
        for (const InstructionSet set : {InstructionSet::Avx2, InstructionSet::Avx512}) {
            const SeparatedBatch<Motion> several = separated_batch<Motion>(set);
            if (several == nullptr) continue;
            // Which tests are asked, and so what is left, may depend on the number of lanes.
            const std::uint64_t found = several(motions, separations, count, options);
            ASSERT_EQ(found & ~expected, 0U) << name(set);
            decided.by_set += static_cast<std::uint64_t>(std::popcount(found));
            decided.of_set += static_cast<std::uint64_t>(std::popcount(expected));
        }
        for (std::size_t i = 0; i < count; ++i) {
            const FastAnswer answer = one(motions[i], {separations[i], norm, t_max, 1e-9});
            const bool is_separated =
                answer.state == FastAnswer::State::Separated ||
                (answer.state == FastAnswer::State::Open &&
                 is_separated_alone(motions[i], {separations[i], norm, t_max, 1e-9}));
            ++decided.asked;
            decided.by_all += is_separated ? 1 : 0;
            if ((expected >> i & 1U) == 0U) continue;
            ++decided.separated;
            ASSERT_TRUE(is_separated) << text_of(motions[i], separations[i], norm);
        }
        first += count;
    }
}
// The public functions: one by one, many with one separation each.
template <class Motion>
void expect_same_results(const Asked<Motion>& asked, Norm norm, double t_max) {
    const Method method = make_certified();
    const CcdOptions options{.norm = norm, .distance_tolerance = 1e-15, .t_max = t_max};
    std::vector<CcdResult> results(asked.motions.size());
    run_batch<Motion>(method, asked.motions, asked.separations, options, results);
    for (std::size_t i = 0; i < results.size(); ++i) {
        CcdOptions one = options;
        one.min_separation = asked.separations[i];
        ASSERT_EQ(run(method, asked.motions[i], one), results[i])
            << text_of(asked.motions[i], asked.separations[i], norm);
    }
}

template <class Motion>
void attack_answers(std::uint64_t seed, int count) {
    Decided decided;
    for (const Norm norm : kSeveralNorms) {
        const Asked<Motion> lines = line_searches<Motion>(seed, count, norm);
        expect_same_answers(lines, norm, 1.0, decided);
        expect_same_answers(lines, norm, 0.5, decided);
        const auto some = static_cast<std::uint64_t>(count / 200);
        for (const double d : {1e-300, 1e-8, 1e-2, 0.5, 2.0, 1e300})
            expect_same_answers(families<Motion>(some, d), norm, 1.0, decided);
    }
    std::cout << decided.asked << " asked, separated " << decided.by_all << ", by lanes "
              << decided.separated << '\n';
    EXPECT_GT(decided.separated, decided.by_all * 7 / 10);
    EXPECT_LE(decided.separated, decided.by_all);
    EXPECT_GE(decided.by_set, decided.of_set * 9 / 10);
}

TEST(CertifiedSeveral, IsSeparatedWhereOneQueryIsWithEveryInstructionSet) {
    attack_answers<VertexFaceMotion>(1, 4000);
    attack_answers<EdgeEdgeMotion>(2, 4000);
}
TEST(CertifiedSeveralAttack, IsSeparatedWhereOneQueryIsWithEveryInstructionSet) {
    for (std::uint64_t seed = 10; seed < 20; ++seed) {
        attack_answers<VertexFaceMotion>(2 * seed, 200'000);
        attack_answers<EdgeEdgeMotion>(2 * seed + 1, 200'000);
    }
}

TEST(CertifiedSeveral, GivesABatchTheBitsOfSingleQueries) {
    for (const Norm norm : kSeveralNorms) {
        for (const double t_max : {1.0, 0.75}) {
            expect_same_results(line_searches<VertexFaceMotion>(3, 1500, norm), norm, t_max);
            expect_same_results(line_searches<EdgeEdgeMotion>(4, 1500, norm), norm, t_max);
            expect_same_results(families<VertexFaceMotion>(4, 0.125), norm, t_max);
            expect_same_results(families<EdgeEdgeMotion>(4, 0.125), norm, t_max);
        }
    }
}

// Of the least distance of the step up to t_max, exact to the last bit, and of what is next to it: never
// separated at or above it, whatever the tiers for one query would say.
struct FoundBelow {
    int queries = 0;
    int separated = 0;
    int alone = 0;
};
// `motion` up to t_max is `asked`.
template <class Motion>
void attack_least_distance(const Motion& asked, const Motion& motion, double t_max, Norm norm,
                           FoundBelow& below) {
    const oracle::DistanceBracket least = oracle::minimum_distance(
        verify::oracle_query(io::record_of(asked), Motion::kKind), verify::oracle_norm(norm));
    if (!(least.lower > 0.0)) return;
    constexpr std::array<double, 12> kUnits = {-1e6, -1e4, -100, -30, -10, -3,
                                               -1,   0,    1,    3,   30,  1000};
    std::vector<double> separations;
    for (const double units : kUnits)
        separations.push_back(least.upper + units * (least.upper - least.lower));
    for (const double d : separations) {
        const bool is_separated = is_separated_alone(motion, {d, norm, t_max, 1e-9});
        EXPECT_FALSE(is_separated && d >= least.upper) << text_of(motion, d, norm);
        below.alone += is_separated ? 1 : 0;
    }
    const std::vector<Motion> motions(separations.size(), motion);
    std::vector<SeparatedBatch<Motion>> all = {&portable::separated_of<Motion>};
    for (const InstructionSet set : {InstructionSet::Avx2, InstructionSet::Avx512}) {
        if (separated_batch<Motion>(set) != nullptr) all.push_back(separated_batch<Motion>(set));
    }
    for (const SeparatedBatch<Motion> several : all) {
        const std::uint64_t found =
            several(motions.data(), separations.data(), motions.size(), {0.0, norm, t_max, 1e-9});
        for (std::size_t k = 0; k < separations.size(); ++k) {
            const bool is_separated = (found >> k & 1U) != 0U;
            if (separations[k] >= least.upper) {
                EXPECT_FALSE(is_separated) << text_of(motion, separations[k], norm);
            }
            below.separated += is_separated ? 1 : 0;
            ++below.queries;
        }
    }
}
template <class Motion>
FoundBelow attack_least_distances(std::uint64_t seed, int count,
                                  Motion (*make)(Numbers&) = &moving_pair<Motion>) {
    Numbers numbers(seed);
    FoundBelow below;
    for (const Norm norm : kSeveralNorms) {
        for (int i = 0; i < count; ++i) {
            const Motion motion = make(numbers);
            attack_least_distance(motion, motion, 1.0, norm, below);
        }
    }
    std::cout << below.queries << " asked, separated " << below.separated << ", alone "
              << below.alone << '\n';
    return below;
}

// The same for steps that are asked about up to 1/2: coordinates of 31 bits, whose means are exact.
template <class Motion>
FoundBelow attack_first_halves(std::uint64_t seed, int count) {
    Numbers numbers(seed);
    FoundBelow below;
    for (const Norm norm : kSeveralNorms) {
        for (int i = 0; i < count; ++i) {
            std::array<MovingPoint, 4> points = vertices(moving_pair<Motion>(numbers));
            double largest = 0.0;
            for (const MovingPoint& point : points)
                largest = std::max({largest, norm_max(point.start), norm_max(point.end)});
            const int unit = std::ilogb(largest) - 30;
            std::array<MovingPoint, 4> halves;
            for (std::size_t k = 0; k < points.size(); ++k) {
                for (Vec3* at : {&points[k].start, &points[k].end}) {
                    for (std::size_t axis = 0; axis < 3; ++axis)
                        (*at)[axis] = scaled(std::nearbyint(scaled((*at)[axis], -unit)), unit);
                }
                halves[k] = {points[k].start, 0.5 * (points[k].start + points[k].end)};
            }
            attack_least_distance(motion_from_vertices<Motion>(halves),
                                  motion_from_vertices<Motion>(points), 0.5, norm, below);
        }
    }
    std::cout << below.queries << " asked, separated " << below.separated << ", alone "
              << below.alone << '\n';
    return below;
}
void expect_some_below(const FoundBelow& below) {
    EXPECT_GT(below.separated, below.queries / 20);
    EXPECT_GT(below.alone, below.queries / 100);
}

TEST(CertifiedSeveral, IsNeverSeparatedAtTheLeastDistanceOrAboveIt) {
    expect_some_below(attack_least_distances<VertexFaceMotion>(5, 60));
    expect_some_below(attack_least_distances<EdgeEdgeMotion>(6, 60));
    attack_least_distances<VertexFaceMotion>(11, 60, &sliding_pair<VertexFaceMotion>);
    attack_least_distances<EdgeEdgeMotion>(12, 60, &sliding_pair<EdgeEdgeMotion>);
}
TEST(CertifiedSeveral, IsNeverSeparatedAtTheLeastDistanceUpToTheEndThatIsAskedFor) {
    expect_some_below(attack_first_halves<VertexFaceMotion>(15, 60));
    expect_some_below(attack_first_halves<EdgeEdgeMotion>(16, 60));
}
TEST(CertifiedSeveralAttack, IsNeverSeparatedAtTheLeastDistanceOrAboveIt) {
    expect_some_below(attack_least_distances<VertexFaceMotion>(7, 5000));
    expect_some_below(attack_least_distances<EdgeEdgeMotion>(8, 5000));
    attack_least_distances<VertexFaceMotion>(13, 5000, &sliding_pair<VertexFaceMotion>);
    attack_least_distances<EdgeEdgeMotion>(14, 5000, &sliding_pair<EdgeEdgeMotion>);
    expect_some_below(attack_first_halves<VertexFaceMotion>(17, 5000));
    expect_some_below(attack_first_halves<EdgeEdgeMotion>(18, 5000));
}

// Integers D whose heights along n = k (2, 3, 6) are all 7 k times the distance asked about, exactly, while
// the products that they are sums of are up to a million times as large: not beyond it.
template <int kCount>
int attack_any_direction(std::uint64_t seed, int count) {
    Numbers numbers(seed);
    int beyond_less = 0;
    for (int i = 0; i < count; ++i) {
        const double k = numbers.integer(1 << 20, 1 << 26);
        const double height = numbers.integer(1, 1 << 20);
        const int size = 1 << numbers.integer(1, 28);
        portable::PackEnds<kCount> d;
        for (portable::PackVertices<kCount>* at : {&d.start, &d.end}) {
            for (portable::PackVector& vertex : at->d) {
                const double p = numbers.integer(-size, size);
                const double q = numbers.integer(-size, size);
                vertex = {{2.0 * height + 3.0 * p},
                          {3.0 * height - 2.0 * p + 2.0 * q},
                          {6.0 * height - q}};
            }
        }
        const portable::PackVector n = {{2.0 * k}, {3.0 * k}, {6.0 * k}};
        const portable::PackVector m = portable::largest_of(portable::extent_of(d));
        const auto is_beyond = [&](double reach) {
            return portable::bits(portable::is_beyond(d, m, portable::same(reach), n)) != 0U;
        };
        EXPECT_FALSE(is_beyond(7.0 * height)) << size;
        beyond_less += is_beyond(6.9 * height) ? 1 : 0;
    }
    return beyond_less;
}
TEST(CertifiedSeveral, IsNotBeyondWhatAllHeightsAlongADirectionAre) {
    EXPECT_GT(attack_any_direction<3>(21, 20'000), 10'000);
    EXPECT_GT(attack_any_direction<4>(22, 20'000), 10'000);
}

// What a lane proves of any two directions and times holds by rationals, up to the largest distance for which it
// is claimed.
using Rationals = std::array<mpq_class, 3>;
mpq_class rational_dot(const Rationals& a, const Rationals& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Rationals rational_blend(const Rationals& a, const Rationals& b, const mpq_class& t) {
    Rationals c;
    for (std::size_t k = 0; k < 3; ++k)
        c[k] = a[k] + t * (b[k] - a[k]);
    return c;
}
template <class Motion>
struct ExactDifferences {
    static constexpr int kCount = portable::kVertices<Motion>;
    std::array<Rationals, kCount> start;
    std::array<Rationals, kCount> end;
    ExactDifferences(const Motion& motion, double scale) {
        const auto points = vertices(motion);
        constexpr bool kIsFace = Motion::kKind == QueryKind::VertexFace;
        constexpr std::array<std::array<std::size_t, 2>, 4> kPairs = {
            {{0, 2}, {1, 2}, {1, 3}, {0, 3}}};
        for (std::size_t i = 0; i < start.size(); ++i) {
            const MovingPoint& plus = points[kIsFace ? i + 1 : kPairs[i][0]];
            const MovingPoint& minus = points[kIsFace ? 0 : kPairs[i][1]];
            for (std::size_t k = 0; k < 3; ++k) {
                start[i][k] = (mpq_class(plus.start[k]) - minus.start[k]) * scale;
                end[i][k] = (mpq_class(plus.end[k]) - minus.end[k]) * scale;
            }
        }
    }
    // Is all farther than d along n at time t?
    [[nodiscard]] bool is_beyond(const Rationals& n, const mpq_class& t, double d,
                                 Norm norm) const {
        const mpq_class one = abs(n[0]) + abs(n[1]) + abs(n[2]);
        const mpq_class square = norm == Norm::Max ? mpq_class(one * one) : rational_dot(n, n);
        for (std::size_t i = 0; i < start.size(); ++i) {
            const mpq_class height = rational_dot(n, rational_blend(start[i], end[i], t));
            if (height <= 0 || height * height <= mpq_class(d) * d * square) return false;
        }
        return true;
    }
};
// The largest distance for which `claims`, which does so below it.
template <class Claims>
double largest_claimed(double above, const Claims& claims) {
    double low = 0.0;
    double high = above;
    for (int i = 0; i < 80; ++i) {
        const double middle = 0.5 * (low + high);
        (claims(middle) ? low : high) = middle;
    }
    return low;
}
template <class Motion>
int attack_directions(std::uint64_t seed, int count, Norm norm) {
    constexpr int kCount = portable::kVertices<Motion>;
    Numbers numbers(seed);
    int sharp = 0;
    for (int i = 0; i < count; ++i) {
        const Motion motion = sliding_pair<Motion>(numbers);
        const double one = 1.0;
        const std::uint8_t lanes[1] = {0};
        const auto q0 = portable::load(portable::Several<Motion>{&motion, &one}, lanes, false);
        portable::PackQuery<kCount> q = portable::scaled_query(q0.raw, q0.extent, q0.d);
        const double scale = q.reach.v;
        const ExactDifferences<Motion> exact(motion, scale);
        const auto direction = [&] {
            const double off = std::exp2(numbers.between(-40.0, -8.0));
            const double side = Motion::kKind == QueryKind::VertexFace ? -1.0 : 1.0;
            const Vec3 n =
                side * Vec3{0.48 + off * numbers.between(-1, 1), 0.6 + off * numbers.between(-1, 1),
                            0.64 + off * numbers.between(-1, 1)};
            const double length = norm == Norm::Max ? norm_one(n) : std::sqrt(norm_sq(n));
            return (1.0 / length) * n;
        };
        const std::array<Vec3, 2> n = {direction(), direction()};
        const bool is_whole = numbers.integer(0, 3) == 0;
        const double first = is_whole ? 0.0 : numbers.between(0.0, 1.0);
        const std::array<double, 2> t = {first, is_whole ? 1.0 : numbers.between(first, 1.0)};
        const auto samples = [&](double d) {
            q.reach = portable::same(d);
            std::array<portable::PackSample<kCount>, 2> two;
            for (std::size_t k = 0; k < 2; ++k) {
                two[k].t = portable::same(t[k]);
                two[k].n = {{n[k].x}, {n[k].y}, {n[k].z}};
                portable::set_heights(q, two[k]);
            }
            return two;
        };
        const double by_rotation = largest_claimed(4.0 * scale, [&](double d) {
            const auto two = samples(d);
            return portable::bits(portable::is_positive(portable::turning(two[0], two[1]))) != 0U;
        });
        const Rationals n0 = {n[0].x, n[0].y, n[0].z};
        const Rationals n1 = {n[1].x, n[1].y, n[1].z};
        for (int k = 0; k <= 8 && by_rotation > 0.0; ++k) {
            const mpq_class tau(k, 8);
            const mpq_class at = t[0] + tau * (mpq_class(t[1]) - t[0]);
            EXPECT_TRUE(exact.is_beyond(rational_blend(n0, n1, tau), at, by_rotation, norm)) << i;
        }
        const double as_it_is = largest_claimed(4.0 * scale, [&](double d) {
            return portable::bits(portable::is_free(samples(d)[0])) != 0U;
        });
        EXPECT_TRUE(as_it_is == 0.0 || (exact.is_beyond(n0, 0, as_it_is, norm) &&
                                        exact.is_beyond(n0, 1, as_it_is, norm)))
            << i;
        // Above that a part of the step.
        const auto two = samples(as_it_is * (1.0 + std::exp2(numbers.between(-50.0, -4.0))));
        const portable::PackSpan span = portable::free_span(two[0]);
        const mpq_class begin = std::max(span.begin.v, 0.0);
        const mpq_class end = std::min(span.end.v, 1.0);
        for (int k = 1; k < 8 && begin < end; ++k) {
            const mpq_class at = begin + (end - begin) * mpq_class(k == 1   ? 0x1p-60
                                                                   : k == 7 ? 1.0 - 0x1p-50
                                                                            : k / 8.0);
            EXPECT_TRUE(exact.is_beyond(n0, at, q.reach.v, norm)) << i;
        }
        sharp += by_rotation > 0.5 * scale / (norm == Norm::Max ? 1.8 : 1.0) ? 1 : 0;
    }
    return sharp;
}
TEST(CertifiedSeveral, ALaneClaimsNothingOfDirectionsThatIsNotTrue) {
    for (const Norm norm : kSeveralNorms) {
        EXPECT_GT(attack_directions<VertexFaceMotion>(31, 1500, norm), 300);
        EXPECT_GT(attack_directions<EdgeEdgeMotion>(32, 1500, norm), 300);
    }
}

TEST(CertifiedSeveral, AnswersOnlyWhatMayBeAsked) {
    Numbers numbers(9);
    std::vector<VertexFaceMotion> motions;
    for (int i = 0; i < 70; ++i)
        motions.push_back(moving_pair<VertexFaceMotion>(numbers));
    motions[3].face[1].end.y = std::numeric_limits<double>::quiet_NaN();
    motions[66].vertex.start.x = kInfinity;
    std::vector<double> separations(motions.size(), 1e-6);
    separations[7] = 0.0;
    separations[8] = -1.0;
    separations[9] = std::numeric_limits<double>::quiet_NaN();
    separations[65] = kInfinity;
    const Method method = make_certified();
    std::vector<CcdResult> results(motions.size());
    run_batch<VertexFaceMotion>(method, motions, separations, {}, results);
    for (std::size_t i = 0; i < motions.size(); ++i)
        EXPECT_EQ(results[i], run(method, motions[i], {.min_separation = separations[i]})) << i;
    EXPECT_EQ(results[9], CcdResult{});
    run_batch<VertexFaceMotion>(method, motions, std::span(separations).first(69), {}, results);
    EXPECT_EQ(results[0], CcdResult{});
    run_batch<VertexFaceMotion>(method, motions, {.min_separation = 1e-6}, results);
    std::vector<CcdResult> others(motions.size());
    ASSERT_TRUE(ccd<VertexFaceMotion>(motions, others, {.min_separation = 1e-6}));
    for (std::size_t i = 0; i < motions.size(); ++i) {
        EXPECT_EQ(results[i], run(method, motions[i], {.min_separation = 1e-6})) << i;
        EXPECT_EQ(others[i], results[i]) << i;
    }
}

// Whoever calls a batch has checked its separations; one that is no number is proved by no lane all the
// same.
TEST(CertifiedSeveral, ALaneWithoutASeparationIsNotSeparated) {
    Numbers numbers(10);
    std::vector<VertexFaceMotion> motions;
    for (int i = 0; i < 16; ++i)
        motions.push_back(moving_pair<VertexFaceMotion>(numbers));
    std::vector<double> separations(motions.size(), 1e-9);
    separations[5] = std::numeric_limits<double>::quiet_NaN();
    for (const InstructionSet set : {InstructionSet::Avx2, InstructionSet::Avx512}) {
        const SeparatedBatch<VertexFaceMotion> several = separated_batch<VertexFaceMotion>(set);
        if (several == nullptr) continue;
        const std::uint64_t found = several(motions.data(), separations.data(), motions.size(),
                                            {0.0, Norm::Euclidean, 1.0, 1e-9});
        EXPECT_EQ(found >> 5U & 1U, 0U);
        EXPECT_NE(found, 0U);
    }
}

}  // namespace
}  // namespace graze::certified
