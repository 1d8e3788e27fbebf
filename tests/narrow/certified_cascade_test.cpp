// The cascade of `certified`: each tier is reached, and whatever a tier says, alone and of queries
// that another would have decided before it, is what the last tier and the oracle say.
// Defends G-CERTIFIED-6 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "graze/core/rounding.hpp"
#include "graze/generate/families.hpp"
#include "graze/narrow/certified.hpp"
#include "narrow/certified/separation.hpp"
#include "narrow/certified/separation_bounds.hpp"
#include "narrow/certified_exact_check.hpp"
#include "narrow/certified_tiers.hpp"

namespace graze::certified {
namespace {

using generate::Family;
using State = FastAnswer::State;

std::string name_of(Tier tier) {
    return std::string(name(tier));
}

// --- Each tier alone ----------------------------------------------------------------------------

struct LoneTier {
    Tier tier;
    std::function<FastAnswer(const Prepared&, const FastOptions&)> answer;
};
FastAnswer separated_if(bool separated, Tier tier) {
    return separated ? FastAnswer{State::Separated, tier, 0.0, 0.0} : FastAnswer{};
}
// Those behind the axes. The polygon has a normal for the first two.
const std::vector<LoneTier>& lone_tiers() {
    static const std::vector<LoneTier> tiers = {
        {Tier::Normal,
         [](const Prepared& p, const FastOptions& /*options*/) {
             const bool found =
                 p.is_polygon() && source::separates(p.hull, source::middle_normal(p.hull));
             return separated_if(found, Tier::Normal);
         }},
        {Tier::Cubic,
         [](const Prepared& p, const FastOptions& options) {
             return p.is_polygon() ? source::by_cubic(p.hull, options) : FastAnswer{};
         }},
        {Tier::Plane,
         [](const Prepared& p, const FastOptions& options) {
             return source::by_planes(p.raw, p.hull, options);
         }},
        {Tier::Slabs, [](const Prepared& p, const FastOptions& /*options*/) {
             return separated_if(source::separated_by_slabs(p.ends, p.is_polygon()), Tier::Slabs);
         }}};
    return tiers;
}

// The truth about [0, t_max]: a time between neighbouring doubles is <= t_max iff the upper one is.
bool touches(const oracle::Truth& truth, double t_max) {
    return truth.state == oracle::State::Contact && truth.toi_upper <= t_max;
}

// Empty, or what is wrong with an answer.
std::string fault(const FastAnswer& found, const oracle::Truth& truth, const FastOptions& options) {
    if (found.state == State::Open) return "";
    const bool contact = touches(truth, options.t_max);
    if (contact != (found.state == State::Contact)) {
        return contact ? "a contact is called separated" : "a miss is called contact";
    }
    if (!contact) return "";
    if (!(found.lower <= truth.toi_lower)) return "the bracket begins late";
    if (!(found.upper >= truth.toi_upper)) return "the bracket ends early";
    if (!(found.upper <= options.t_max)) return "the bracket ends after t_max";
    if (!(found.upper - found.lower <= options.time_width)) return "the bracket is wide";
    if (truth.toi_lower > 0.0 && !(found.lower > 0.0)) return "no progress";
    return "";
}

struct Shares {
    std::map<Tier, int> first;  // who decided, in the cascade
    std::map<Tier, int> alone;  // who could decide alone
    int asked = 0;
};

// Asks the cascade and each tier alone, the exact tier included.
void judge(QueryKind kind, const QueryRecord& record, const oracle::Truth& truth,
           const FastOptions& options, Shares& shares) {
    const auto expect_right = [&](const FastAnswer& found, const std::string& who) {
        ASSERT_EQ(fault(found, truth, options), "") << who << ", t_max " << options.t_max << "\n"
                                                    << short_name(kind) << "\n"
                                                    << io::to_hex(record, kind);
    };
    ++shares.asked;
    const FastAnswer cascade = fast_answer(kind, record, options);
    ++shares.first[cascade.tier];
    expect_right(cascade, "cascade, " + name_of(cascade.tier));
    EXPECT_EQ(cascade.state == State::Open, cascade.tier == Tier::Exact);
    const ExactContact exact = exact_contact(record, kind, options.t_max, options.time_width);
    expect_guarantee(exact, truth, options.t_max, options.time_width);
    const Prepared p = prepared(kind, record);
    if (!p.is_in_range) return;
    for (const LoneTier& lone : lone_tiers()) {
        const FastAnswer found = lone.answer(p, options);
        shares.alone[lone.tier] += found.state == State::Open ? 0 : 1;
        expect_right(found, name_of(lone.tier) + " alone");
    }
}

std::ostream& operator<<(std::ostream& out, const std::map<Tier, int>& counts) {
    for (const auto& [tier, count] : counts)
        out << ' ' << name_of(tier) << ' ' << count;
    return out;
}

constexpr std::array<Tier, 7> kTiers = {Tier::Axis,  Tier::Coincident, Tier::Normal, Tier::Cubic,
                                        Tier::Plane, Tier::Slabs,      Tier::Exact};

std::uint64_t count_of(Family family) {
    return family == Family::Wild ? 20 : 120;
}

TEST(CertifiedCascade, EveryTierIsReachedAndNoneContradictsALaterOne) {
    Shares sums;
    for (const Family family : generate::kAllFamilies) {
        Shares shares;
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < count_of(family); ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                judge(kind, record, truth_of(record, kind), {}, shares);
                ASSERT_FALSE(HasFatalFailure()) << generate::name(family) << " #" << seed;
            }
        }
        std::cout << generate::name(family) << ": first" << shares.first << "; alone"
                  << shares.alone << '\n';
        for (const auto& [tier, count] : shares.first)
            sums.first[tier] += count;
        for (const auto& [tier, count] : shares.alone)
            sums.alone[tier] += count;
    }
    for (const Tier tier : kTiers)
        EXPECT_GT(sums.first[tier], 10) << name_of(tier);
    for (const LoneTier& lone : lone_tiers())
        EXPECT_GT(sums.alone[lone.tier], 50) << name_of(lone.tier);
}

// At t_max around the first time, and with widths that a bracket cannot have.
TEST(CertifiedCascade, NoTierContradictsALaterOneWhereTheTimeIntervalEnds) {
    Shares shares;
    std::mt19937_64 rng(20250811);
    for (const Family family : {Family::Ordinary, Family::SmallIntegers, Family::Near,
                                Family::Boundary, Family::MultipleRoots, Family::Parallel}) {
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 500; seed < 540; ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                const oracle::Truth truth = truth_of(record, kind);
                for (const double t_max : interesting_ends(truth, rng)) {
                    for (const double width : {1e-9, 1e-15, 0x1p-60}) {
                        judge(kind, record, truth, {t_max, width}, shares);
                        ASSERT_FALSE(HasFatalFailure()) << generate::name(family) << " #" << seed;
                    }
                }
            }
        }
    }
    std::cout << "first" << shares.first << "; alone" << shares.alone << '\n';
    EXPECT_GT(shares.first[Tier::Cubic], 200);
}

// --- An example of each tier --------------------------------------------------------------------

struct Example {
    const char* what;
    QueryKind kind;
    std::array<MovingPoint, 4> corners;
    Tier tier;
    bool contact;
};

constexpr MovingPoint rests(const Vec3& p) {
    return {p, p};
}
// A face that no axis separates from what is near it.
constexpr Vec3 kA = {0.0, 0.0, 3.0};
constexpr Vec3 kB = {4.0, 1.0, 0.0};
constexpr Vec3 kC = {1.0, 4.0, 0.5};
// In its plane: inside, and beyond the side from B to C.
constexpr Vec3 kInside = 0.25 * kA + 0.25 * kB + 0.5 * kC;
constexpr Vec3 kBeyond = -0.0625 * kA + 0.5 * kB + 0.5625 * kC;
constexpr Vec3 kUp = {0.5, 0.5, 0.5};

const std::vector<Example>& examples() {
    static const std::vector<Example> all = {
        {"a vertex beside the face",
         QueryKind::VertexFace,
         {rests({5.0, 1.0, 1.0}), rests(kA), rests(kB), rests(kC)},
         Tier::Axis,
         false},
        {"a vertex that begins at a corner",
         QueryKind::VertexFace,
         {MovingPoint{kB, kB + kUp}, rests(kA), rests(kB), rests(kC)},
         Tier::Coincident,
         true},
        {"edges that begin at one point",
         QueryKind::EdgeEdge,
         {MovingPoint{kA, kB}, rests(kC), MovingPoint{kA, kUp}, rests(kInside)},
         Tier::Coincident,
         true},
        {"a vertex that stays above the face",
         QueryKind::VertexFace,
         {MovingPoint{kInside + kUp, kInside + 0.5 * kUp}, rests(kA), rests(kB), rests(kC)},
         Tier::Normal,
         false},
        {"a vertex through the face",
         QueryKind::VertexFace,
         {MovingPoint{kInside + kUp, kInside - 0.75 * kUp}, rests(kA), rests(kB), rests(kC)},
         Tier::Cubic,
         true},
        {"a vertex through the plane, outside the face",
         QueryKind::VertexFace,
         {MovingPoint{kBeyond + kUp, kBeyond - 0.75 * kUp}, rests(kA), rests(kB), rests(kC)},
         Tier::Cubic,
         false},
        {"an edge through another",
         QueryKind::EdgeEdge,
         {rests({-1.0, -1.0, -1.0}), rests({1.0, 1.0, 1.0}),
          MovingPoint{{-1.0, 1.0, 0.5}, {-1.0, 1.0, -0.25}},
          MovingPoint{{1.0, -1.0, 0.5}, {1.0, -1.0, -0.25}}},
         Tier::Cubic,
         true},
        {"a vertex beside an edge",
         QueryKind::VertexEdge,
         {MovingPoint{{0.5, -0.5, 0.0}, {0.5, -0.375, 0.125}}, rests({-1.0, -1.0, -1.0}),
          rests({1.0, 1.0, 1.0})},
         Tier::Slabs,
         false},
        {"in one plane, the vertex passes a corner",
         QueryKind::VertexFace,
         {MovingPoint{{3.0, 0.0, 0.0}, {0.0, 3.0, 0.0}}, rests({-1.0, -1.0, 0.0}),
          rests({1.5, 0.0, 0.0}), rests({0.0, 1.5, 0.0})},
         Tier::Plane,
         false},
        {"in one plane, the vertex enters through a side",
         QueryKind::VertexFace,
         {MovingPoint{{3.0, 0.0, 0.0}, {-2.0, 1.0, 0.0}}, rests({-1.0, -1.0, 0.0}),
          rests({1.5, 0.0, 0.0}), rests({0.0, 1.5, 0.0})},
         Tier::Plane,
         true},
        {"a vertex onto a corner, within the step",
         QueryKind::VertexFace,
         {MovingPoint{kB + kUp, kB - kUp}, rests(kA), rests(kB), rests(kC)},
         Tier::Exact,
         true},
        {"a vertex that ends on the face",
         QueryKind::VertexFace,
         {MovingPoint{kInside + kUp, kInside}, rests(kA), rests(kB), rests(kC)},
         Tier::Exact,
         true},
        {"two vertices that pass each other closely",
         QueryKind::VertexVertex,
         {MovingPoint{{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}}, rests({0x1p-52, 0.0, 0.0})},
         Tier::Exact,
         false},
    };
    return all;
}

TEST(CertifiedCascade, EveryTierHasAnExample) {
    for (const Example& example : examples()) {
        SCOPED_TRACE(example.what);
        QueryRecord record;
        record.corners = example.corners;
        EXPECT_EQ(name_of(fast_answer(example.kind, record).tier), name_of(example.tier));
        const oracle::Truth truth = truth_of(record, example.kind);
        EXPECT_EQ(truth.state == oracle::State::Contact, example.contact);
        Shares shares;
        judge(example.kind, record, truth, {}, shares);
    }
    for (const Tier tier : kTiers) {
        EXPECT_TRUE(std::any_of(examples().begin(), examples().end(), [tier](const Example& e) {
            return e.tier == tier;
        })) << name_of(tier);
    }
}

// --- Minimum separation -------------------------------------------------------------------------

// How an answer with a separation came about, from what it says and from what the first proofs say
// alone.
enum class Way : std::uint8_t {
    Quick,      // the fast tiers decide, before any search
    Axis,       // an axis does, in the search
    Direction,  // one direction does, that of the nearest points
    Turning,    // directions that turn with time do
    Within,     // contact, by a witness within d
    Near,       // contact, by a witness within d + tolerance
    TooFar,     // contact at once: d is above all differences
    Open,       // the checks are spent
};
constexpr std::array<const char*, 8> kWayNames = {"quick",  "axis", "direction", "turning",
                                                  "within", "near", "too far",   "open"};

template <class Motion>
bool axis_separates(const Motion& motion, const CcdOptions& options) {
    const auto query = scaled_query(corner_pairs(motion), options);
    if (!query) return false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const FreeSpan span = free_along_axis(*query, axis);
        if (span.begin < 0.0 && span.end > options.t_max) return true;
    }
    return false;
}

template <class Motion>
Way way_of(const Motion& motion, const CcdOptions& options, const CcdResult& found) {
    switch (found.verdict) {
        case Verdict::Unresolved:
            return Way::Open;
        case Verdict::Separated:
            if (axis_separates(motion, options)) return Way::Axis;
            return found.checks <= 2 ? Way::Direction : Way::Turning;
        case Verdict::Contact:
            break;
    }
    const auto query = scaled_query(corner_pairs(motion), options);
    if (!query || query->reach_lower >= 8.0) return Way::TooFar;
    return found.tolerance == 0.0 ? Way::Within : Way::Near;
}

// All that is promised with a separation; the distance's proof is asked of the oracle again.
template <class Motion>
std::string separation_fault(const Motion& motion, const CcdOptions& options,
                             const CcdResult& found) {
    const oracle::Query query = verify::oracle_query(io::record_of(motion), Motion::kKind);
    const auto first_within = [&](double d) {
        return oracle::first_within(query, d, verify::oracle_norm(options.norm));
    };
    const oracle::Truth truth = first_within(options.min_separation);
    const bool contact = touches(truth, options.t_max);
    if (found.verdict == Verdict::Separated) return contact ? "a contact is called separated" : "";
    if (contact && !(found.toi_lower <= truth.toi_lower)) return "toi_lower is late";
    if (found.verdict == Verdict::Unresolved) return "";
    if (!(found.tolerance <= options.distance_tolerance)) return "the tolerance is large";
    const double reach = add_up(options.min_separation, found.tolerance);
    if (!touches(first_within(reach), found.toi_upper)) return "not as near as it says";
    return "";
}

template <class Motion>
void judge_separation(const QueryRecord& record, const CcdOptions& options,
                      std::map<Way, int>& ways) {
    const Motion motion = io::motion_of<Motion>(record);
    const FastAnswer quick = fast_separation<Motion>(best_instruction_set())(
        motion, {options.min_separation, options.norm, options.t_max, options.time_width});
    const bool is_quick = quick.state != FastAnswer::State::Open;
    ways[Way::Quick] += is_quick ? 1 : 0;
    // The search is asked what it never sees in the cascade, too.
    const CcdResult searched = within_separation(motion, options);
    ++ways[way_of(motion, options, searched)];
    const CcdResult found = certify(motion, options);
    if (!is_quick) {
        EXPECT_EQ(found, searched);
    } else if (quick.state == FastAnswer::State::Separated) {
        EXPECT_EQ(found, separated(found.checks));
    } else {
        EXPECT_EQ(found,
                  (CcdResult{Verdict::Contact, quick.lower, quick.upper, found.checks, 0.0}));
    }
    for (const CcdResult& result : {found, searched}) {
        ASSERT_EQ(separation_fault(motion, options, result), "")
            << kWayNames[static_cast<std::size_t>(way_of(motion, options, result))] << " d "
            << io::to_hex(options.min_separation) << '\n'
            << short_name(Motion::kKind) << '\n'
            << io::to_hex(record, Motion::kKind);
        if (found == searched) break;
    }
}
void judge_separation(QueryKind kind, const QueryRecord& record, const CcdOptions& options,
                      std::map<Way, int>& ways) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return judge_separation<Motion>(record, options, ways);
    });
}

TEST(CertifiedCascade, EveryWayToAnAnswerWithASeparationIsTaken) {
    std::map<Way, int> ways;
    for (const Family family : {Family::Ordinary, Family::SmallIntegers, Family::Near,
                                Family::Parallel, Family::ZeroArea}) {
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < 5; ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
                    for (const double d : {0x1p-40, 0.125, 1.0, 100.0}) {
                        CcdOptions options{.min_separation = d, .norm = norm};
                        options.max_checks = seed % 4 == 0 ? 3 : 10'000;
                        judge_separation(kind, record, options, ways);
                        ASSERT_FALSE(HasFatalFailure()) << generate::name(family) << " #" << seed;
                    }
                }
            }
        }
    }
    for (std::size_t way = 0; way < kWayNames.size(); ++way) {
        std::cout << kWayNames[way] << ' ' << ways[static_cast<Way>(way)] << "  ";
        EXPECT_GT(ways[static_cast<Way>(way)], 0) << kWayNames[way];
    }
    std::cout << '\n';
}

}  // namespace
}  // namespace graze::certified
