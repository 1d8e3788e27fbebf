// The fast tiers of certified against the oracle: whatever they decide is right, they decide the
// same on every instruction set, and each of them is reached.
// Defends G-CERTIFIED-1, G-CERTIFIED-2, G-CERTIFIED-3, G-CERTIFIED-5 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/verify/exact_check.hpp"
#include "graze/verify/oracle_method.hpp"
#include "narrow/certified/fast_tiers.hpp"

namespace graze::certified {
namespace {

using generate::Family;
using io::QueryRecord;
using State = FastAnswer::State;

template <class Motion>
FastAnswer ask(const QueryRecord& record, const FastOptions& options, InstructionSet set) {
    return fast_tiers<Motion>(set)(io::motion_of<Motion>(record), options);
}
FastAnswer ask(QueryKind kind, const QueryRecord& record, const FastOptions& options = {},
               InstructionSet set = best_instruction_set()) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return ask<Motion>(record, options, set);
    });
}

bool same(const FastAnswer& a, const FastAnswer& b) {
    return a.state == b.state && a.tier == b.tier && a.lower == b.lower && a.upper == b.upper;
}

// Nothing, or what is wrong with an answer.
std::string fault(const FastAnswer& found, const CcdResult& truth, const FastOptions& options) {
    if (found.state == State::Open) return "";
    const bool touches = truth.verdict == Verdict::Contact;
    if (touches != (found.state == State::Contact)) return "wrong verdict";
    if (!touches) return "";
    if (!(found.lower <= truth.toi_lower && found.upper >= truth.toi_upper)) return "wrong bracket";
    if (!(found.upper <= options.t_max)) return "a bracket beyond t_max";
    if (!(found.upper - found.lower <= options.time_width)) return "a bracket that is too wide";
    if (truth.toi_lower > 0.0 && !(found.lower > 0.0)) return "no progress";
    return "";
}

struct Sums {
    std::map<Tier, int> tiers;
    int open = 0;
    int asked = 0;
};

void judge(QueryKind kind, const QueryRecord& record, const FastOptions& options, Sums& sums) {
    const FastAnswer found = ask(kind, record, options);
    for (const InstructionSet set : kAllInstructionSets) {
        ASSERT_TRUE(same(found, ask(kind, record, options, set))) << name(set) << '\n'
                                                                  << io::to_hex(record, kind);
    }
    ++sums.asked;
    if (found.state == State::Open) {
        ++sums.open;
        return;
    }
    ++sums.tiers[found.tier];
    const oracle::Truth exact = oracle::first_contact(verify::oracle_query(record, kind));
    const std::string wrong = fault(found, verify::result_up_to(exact, options.t_max), options);
    ASSERT_EQ(wrong, "") << "tier " << static_cast<int>(found.tier) << '\n'
                         << io::to_hex(record, kind);
}

TEST(CertifiedFast, DecidesRightlyOrNotAtAllInEveryFamily) {
    Sums sums;
    for (const Family family : generate::kAllFamilies) {
        const std::uint64_t count = family == Family::Wild ? 40 : 300;
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < count; ++seed) {
                SCOPED_TRACE(std::string(generate::name(family)) + " #" + std::to_string(seed));
                judge(kind, generate::query(family, kind, seed), {}, sums);
            }
        }
    }
    for (const Tier tier :
         {Tier::Axis, Tier::Coincident, Tier::Normal, Tier::Cubic, Tier::Plane, Tier::Slabs}) {
        EXPECT_GT(sums.tiers[tier], 20) << static_cast<int>(tier);
    }
    EXPECT_GT(sums.open, 20);
}

TEST(CertifiedFast, HonoursTheEndOfTheTimeInterval) {
    Sums sums;
    for (const Family family : {Family::Ordinary, Family::SmallIntegers, Family::Boundary}) {
        for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge}) {
            for (std::uint64_t seed = 0; seed < 150; ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                const oracle::Truth exact =
                    oracle::first_contact(verify::oracle_query(record, kind));
                std::array<double, 5> ends = {0.0, 0.25, 0.5, 0.75, 1.0};
                if (exact.state == oracle::State::Contact) {
                    ends = {exact.toi_lower, exact.toi_upper, std::nextafter(exact.toi_upper, 0.0),
                            std::min(1.0, std::nextafter(exact.toi_upper, 2.0)), 0.5};
                }
                for (const double t_max : ends)
                    judge(kind, record, {t_max, 1e-9}, sums);
            }
        }
    }
    EXPECT_GT(sums.asked - sums.open, sums.asked / 4);
}

// The first primitive stays in a coordinate plane; corners of the second are in it, or off it on
// one side, at each end for itself.
QueryRecord with_corners_in_a_plane(QueryKind kind, std::uint64_t seed) {
    constexpr std::array kFamilies = {Family::SmallIntegers, Family::Ordinary, Family::Near};
    QueryRecord record = generate::query(kFamilies[seed % 3], kind, seed);
    const std::size_t axis = seed / 3 % 3;
    const double side = seed / 9 % 2 == 0 ? 1.0 : -1.0;
    const double plane = seed / 18 % 2 == 0 ? 0.0 : 0.625;
    const std::size_t staying = kind == QueryKind::EdgeEdge ? 2 : 1;
    std::uint64_t choices = (seed * 0x9e3779b97f4a7c15U) >> 40;
    for (std::size_t i = 0; i < vertex_count(kind); ++i) {
        for (Vec3* p : {&record.corners[i].start, &record.corners[i].end}) {
            const bool is_off = i >= staying && choices % 2 == 1;
            if (i >= staying) choices /= 2;
            (*p)[axis] = is_off ? plane + side * (0.125 + std::abs((*p)[axis])) : plane;
        }
    }
    return record;
}

TEST(CertifiedFast, IsRightWhereCornersStayInACoordinatePlane) {
    Sums sums;
    for (const QueryKind kind : kAllQueryKinds) {
        for (std::uint64_t seed = 0; seed < 2000; ++seed) {
            SCOPED_TRACE(std::string(short_name(kind)) + " #" + std::to_string(seed));
            judge(kind, with_corners_in_a_plane(kind, seed), {}, sums);
        }
    }
    EXPECT_GT(sums.tiers[Tier::Plane], sums.asked / 4);
}

// Queries one unit in the last place, or a few, from a change of verdict: corners of contacts are
// nudged.
TEST(CertifiedFast, IsNotFooledByNudgedContacts) {
    Sums sums;
    for (const Family family : {Family::Near, Family::Boundary, Family::Flat, Family::Parallel,
                                Family::MultipleRoots, Family::ZeroArea}) {
        for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge}) {
            for (std::uint64_t seed = 1000; seed < 1150; ++seed) {
                QueryRecord record = generate::query(family, kind, seed);
                for (std::uint64_t nudge = 0; nudge < 6; ++nudge) {
                    MovingPoint& corner = record.corners[(seed + nudge) % 4];
                    double& x = corner.start[(seed + 2 * nudge) % 3];
                    double& y = corner.end[(seed + nudge) % 3];
                    x = std::nextafter(x, nudge % 2 == 0 ? kInfinity : -kInfinity);
                    y = y * (1.0 + static_cast<double>(nudge) * 0x1p-48);
                    judge(kind, record, {}, sums);
                }
            }
        }
    }
    EXPECT_GT(sums.asked - sums.open, 300);
}

// Offsets blow up the rounding errors of the differences, and axes may have very different sizes.
TEST(CertifiedFast, IsRightFarFromTheOriginAndForAxesOfAnySize) {
    Sums sums;
    for (const Family family : {Family::Ordinary, Family::Near, Family::SmallIntegers}) {
        for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge}) {
            for (std::uint64_t seed = 0; seed < 200; ++seed) {
                QueryRecord record = generate::query(family, kind, seed);
                const int k = static_cast<int>(seed % 9) * 60 - 240;
                for (MovingPoint& corner : record.corners) {
                    for (Vec3* p : {&corner.start, &corner.end}) {
                        p->x = std::ldexp(p->x, k);
                        p->y = p->y + (seed % 2 == 0 ? 1000.0 : 1e9);
                        p->z = std::ldexp(p->z, -2 * k);
                    }
                }
                judge(kind, record, {}, sums);
            }
        }
    }
    EXPECT_GT(sums.asked - sums.open, sums.asked / 3);
}

FastAnswer ask_with_separation(QueryKind kind, const QueryRecord& record,
                               const FastSeparationOptions& options) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        const Motion motion = io::motion_of<Motion>(record);
        const FastAnswer found = fast_separation<Motion>(best_instruction_set())(motion, options);
        for (const InstructionSet set : kAllInstructionSets)
            EXPECT_TRUE(same(fast_separation<Motion>(set)(motion, options), found)) << name(set);
        return found;
    });
}

// The largest d for which a proof is claimed, to the last bit; 0 if there is none.
double largest_claim(QueryKind kind, const QueryRecord& record, Norm norm) {
    std::uint64_t low = 1;  // as bits of positive doubles, which are in the order of their values
    std::uint64_t high = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max());
    const auto claims = [&](std::uint64_t bits) {
        const FastSeparationOptions options{.d = std::bit_cast<double>(bits), .norm = norm};
        return ask_with_separation(kind, record, options).state == State::Separated;
    };
    if (!claims(low)) return 0.0;
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (claims(middle) ? low : high) = middle;
    }
    return std::bit_cast<double>(low);
}

TEST(CertifiedFast, ClaimsNoSeparationThatIsNotThere) {
    int claims = 0;
    int near_claims = 0;
    for (const Family family : generate::kAllFamilies) {
        const std::uint64_t count = family == Family::Wild ? 10 : 40;
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < count; ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                SCOPED_TRACE(std::string(generate::name(family)) + " #" + std::to_string(seed) +
                             io::to_hex(record, kind));
                for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
                    const double d = largest_claim(kind, record, norm);
                    if (d == 0.0) continue;
                    const auto truth = [&](double distance) {
                        return verify::exact_answer(
                            {kind, record, {.min_separation = distance, .norm = norm}});
                    };
                    ASSERT_EQ(truth(d).verdict, Verdict::Separated);
                    ++claims;
                    const bool is_near = truth(d * (1.0 + 0x1p-40)).verdict == Verdict::Contact;
                    near_claims += is_near ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(claims, 200);
    EXPECT_GT(near_claims, 20) << "nothing was attacked near its limit";
}

// Nothing, or what is wrong with an answer with a separation.
std::string fault(QueryKind kind, const QueryRecord& record, const FastAnswer& found,
                  const FastSeparationOptions& o) {
    if (found.state == State::Open) return "";
    const oracle::Query query = verify::oracle_query(record, kind);
    const oracle::Truth exact = oracle::first_within(query, o.d, verify::oracle_norm(o.norm));
    return fault(found, verify::result_up_to(exact, o.t_max), {o.t_max, o.time_width});
}

struct SeparationSums {
    int asked = 0;
    int open = 0;
    int separated = 0;
    int contacts = 0;
    int by_slabs = 0;
};

void judge_separation(QueryKind kind, const QueryRecord& record, const FastSeparationOptions& o,
                      SeparationSums& sums) {
    const FastAnswer found = ask_with_separation(kind, record, o);
    ASSERT_EQ(fault(kind, record, found, o), "")
        << (o.norm == Norm::Max ? "max " : "euclidean ") << io::to_hex(o.d) << ' '
        << io::to_hex(found.lower) << ' ' << io::to_hex(found.upper) << '\n'
        << short_name(kind) << '\n'
        << io::to_hex(record, kind);
    ++sums.asked;
    sums.open += found.state == State::Open ? 1 : 0;
    sums.separated += found.state == State::Separated ? 1 : 0;
    sums.contacts += found.state == State::Contact ? 1 : 0;
    sums.by_slabs += found.state != State::Open && found.tier == Tier::Slabs ? 1 : 0;
}

// Separations of every size, ends of the step and widths of the bracket.
void judge_separations(std::span<const Family> families, std::uint64_t count,
                       SeparationSums& sums) {
    for (const Family family : families) {
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < (family == Family::Wild ? count / 4 : count);
                 ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
                    for (const double d : {1e-12, 1e-4, 0.125, 1.0}) {
                        FastSeparationOptions o{.d = d, .norm = norm};
                        if (seed % 3 == 1) o.t_max = 0.4375;
                        if (seed % 4 == 2) o.time_width = 1e-3;
                        if (seed % 4 == 3) o.time_width = 1e-13;
                        judge_separation(kind, record, o, sums);
                        if (testing::Test::HasFatalFailure()) return;
                    }
                }
            }
        }
    }
}

// The separation is the least distance of the whole step or a few ulps away from it, where
// every bound counts; and so is the distance at the start, where a line search stands.
void judge_separations_at_the_edge(std::span<const Family> families, std::uint64_t count,
                                   SeparationSums& sums) {
    for (const Family family : families) {
        if (family == Family::Wild) continue;
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < count; ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                QueryRecord rests = record;
                for (MovingPoint& vertex : rests.corners)
                    vertex.end = vertex.start;
                for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
                    for (const QueryRecord* at :
                         {&record, static_cast<const QueryRecord*>(&rests)}) {
                        const oracle::DistanceBracket least = oracle::minimum_distance(
                            verify::oracle_query(*at, kind), verify::oracle_norm(norm));
                        if (!(least.lower > 0x1p-30)) continue;
                        const double unit = least.upper - least.lower;
                        for (const double units :
                             {-1e9, -300.0, -10.0, -1.0, 0.0, 1.0, 10.0, 1e6}) {
                            const double d = least.upper + units * unit;
                            if (!(d > 0.0)) continue;
                            judge_separation(kind, record, {.d = d, .norm = norm}, sums);
                            if (testing::Test::HasFatalFailure()) return;
                        }
                    }
                }
            }
        }
    }
}

constexpr std::array<Family, 5> kSomeFamilies = {Family::Ordinary, Family::SmallIntegers,
                                                 Family::Near, Family::Parallel, Family::FewUlps};

TEST(CertifiedFast, DecidesSeparationsRightlyOrNotAtAll) {
    SeparationSums sums;
    judge_separations(kSomeFamilies, 3, sums);
    std::cout << sums.asked << " asked, " << sums.open << " open, " << sums.by_slabs
              << " by slabs\n";
    EXPECT_GT(sums.separated, sums.asked / 8);
    EXPECT_GT(sums.contacts, sums.asked / 8);
    EXPECT_LT(sums.open, sums.asked / 2);
}

TEST(CertifiedFast, DecidesRightlyWhereTheSeparationIsTheLeastDistanceOrThatOfTheStart) {
    SeparationSums sums;
    judge_separations_at_the_edge(std::span(kSomeFamilies).first(2), 1, sums);
    std::cout << sums.asked << " asked, " << sums.open << " open, " << sums.by_slabs
              << " by slabs\n";
    EXPECT_GT(sums.by_slabs, sums.asked / 8);
}

TEST(CertifiedFastAttack, DecidesSeparationsRightlyOrNotAtAll) {
    SeparationSums sums;
    judge_separations(generate::kAllFamilies, 60, sums);
    judge_separations_at_the_edge(generate::kAllFamilies, 12, sums);
    std::cout << sums.asked << " asked, " << sums.open << " open, " << sums.by_slabs
              << " by slabs\n";
}

}  // namespace
}  // namespace graze::certified
