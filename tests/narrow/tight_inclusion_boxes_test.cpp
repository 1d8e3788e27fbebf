// Which halves of boxes `tight-inclusion` keeps, against integers of any size.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "graze/io/hex_float.hpp"
#include "narrow/exact_inclusion.hpp"
#include "narrow/inclusion_attack.hpp"

namespace graze {
namespace {

using inclusion::Axis;
using inclusion::BoxView;
using inclusion::kMaxLanes;
using inclusion::PaperArithmetic;
using inclusion::Range;
using inclusion::Split;
using inclusion::TightArithmetic;
using inclusion::Widths;
using io::QueryRecord;
using testing::Attack;
using testing::AttackSource;
using testing::Domain;
using testing::ExactF;
using testing::ExactRange;
using testing::in_units;

// --- Levels
// ---------------------------------------------------------------------------------------

// Lower corners of boxes of one size, and how they are to be halved.
struct TestLevel {
    std::vector<std::array<double, 3>> corners;
    Split split;

    // Half 0 or 1 of a box; nothing where it begins at the end of time.
    [[nodiscard]] std::optional<Domain> half(std::size_t box, int which) const {
        std::array<double, 3> lower = corners[box];
        const Widths& w = split.halves;
        const std::array<double, 3> widths = {w.t, w.u, w.v};
        const auto axis = static_cast<std::size_t>(split.axis);
        if (which == 1) lower[axis] += widths[axis];
        if (which == 1 && split.axis == Axis::Time && lower[0] >= split.horizon) return {};
        return Domain{{lower[0], std::min(lower[0] + w.t, split.horizon)},
                      {lower[1], lower[1] + w.u},
                      {lower[2], lower[2] + w.v}};
    }
};

// What check_halves says, first halves in [0], second ones in [1].
using Masks = std::array<std::vector<std::int64_t>, 2>;

template <class Arithmetic>
Masks masks_of(const Arithmetic& arithmetic, const TestLevel& level) {
    constexpr std::int64_t kUntouched = 77;
    const std::size_t count = level.corners.size();
    std::array<std::vector<double>, 3> lanes;
    for (std::size_t k = 0; k < 3; ++k) {
        for (const std::array<double, 3>& corner : level.corners)
            lanes[k].push_back(corner[k]);
        // What lies behind the boxes is not to matter.
        lanes[k].resize(count + kMaxLanes, exact::kInf);
    }
    const BoxView boxes{lanes[0].data(), lanes[1].data(), lanes[2].data(), count};
    Masks masks;
    for (std::vector<std::int64_t>& mask : masks)
        mask.assign(count + kMaxLanes, kUntouched);
    arithmetic.check_halves(boxes, level.split, masks[0].data(), masks[1].data());
    for (std::vector<std::int64_t>& mask : masks)
        mask.resize(count);
    return masks;
}

// --- What is exact
// --------------------------------------------------------------------------------

enum class Place : std::uint8_t {
    Reaches,  // the exact box, widened by d, holds the origin: must be kept
    Misses,   // it does not, but by three filters at most, or it lies outside the prism
    FarAway,  // it misses by more than three filters on some axis: must be dropped
};

struct Tally {
    std::array<int, 3> places{};
    // Halves that must be kept, and that would be dropped if rounding errors were not allowed for.
    int lost_without_filter = 0;
};

template <class Arithmetic>
struct Judge {
    QueryKind kind;
    const QueryRecord& record;
    const Arithmetic& arithmetic;
    double d;
    Tally& tally;

    [[nodiscard]] Place place(const Domain& box) {
        if (kind == QueryKind::VertexFace && mpq_class(box.u[0]) + mpq_class(box.v[0]) > 1) {
            return Place::Misses;
        }
        const mpz_class within = in_units(d);
        Place found = Place::Reaches;
        bool lost = false;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const int unit = testing::unit_of(arithmetic, axis);
            const ExactRange range = ExactF(kind, record, axis).over(box);
            if (range.lower > within || range.upper < -within) {
                if (found == Place::Reaches) found = Place::Misses;
                if (arithmetic.filter(axis) == exact::kInf) continue;
                const mpz_class far = within + 3 * in_units(arithmetic.filter(axis), unit);
                if (range.lower > far || range.upper < -far) found = Place::FarAway;
                continue;
            }
            const Range computed = arithmetic.range(axis, testing::box_of_domain(box));
            if (!std::isfinite(computed.lower) || !std::isfinite(computed.upper)) continue;
            lost |=
                in_units(computed.lower, unit) > within || in_units(computed.upper, unit) < -within;
        }
        tally.lost_without_filter += lost && found == Place::Reaches ? 1 : 0;
        return found;
    }

    void expect_right(const TestLevel& level, const Masks& masks, std::size_t box) {
        for (int which = 0; which < 2; ++which) {
            const std::optional<Domain> half = level.half(box, which);
            const std::int64_t kept = masks[static_cast<std::size_t>(which)][box];
            if (!half) {
                EXPECT_EQ(kept, 0) << "begins at the end of time";
                continue;
            }
            SCOPED_TRACE(testing::to_text(*half));
            const Place where = place(*half);
            ++tally.places[static_cast<std::size_t>(where)];
            EXPECT_TRUE(kept == 0 || kept == 1);
            EXPECT_FALSE(where == Place::Reaches && kept != 1) << "may hold a contact, is dropped";
            EXPECT_FALSE(where == Place::FarAway && kept != 0) << "holds none by far, is kept";
        }
    }
};

// --- The attack
// -----------------------------------------------------------------------------------

double power(int exponent) {
    return std::ldexp(1.0, exponent);
}

TestLevel random_level(AttackSource& source) {
    TestLevel level;
    level.split.axis = static_cast<Axis>(source.integer(0, 2));
    const auto depth = [&] { return source.coin() ? source.integer(0, 4) : source.integer(0, 51); };
    // A horizon, and the power of two of time that holds it.
    double whole = 1.0;
    if (source.coin()) {
        level.split.horizon = std::fabs(source.small(51));
        while (whole * 0.5 >= level.split.horizon)
            whole *= 0.5;
    }
    const std::array<double, 3> wholes = {whole, 1.0, 1.0};
    std::array<double, 3> widths;
    for (std::size_t k = 0; k < 3; ++k)
        widths[k] = wholes[k] * power(-depth());
    for (int count = source.integer(1, 17); count > 0; --count) {
        std::array<double, 3> corner;
        for (std::size_t k = 0; k < 3; ++k)
            corner[k] = source.multiple_below(widths[k], k == 0 ? level.split.horizon : 1.0);
        level.corners.push_back(corner);
    }
    widths[static_cast<std::size_t>(level.split.axis)] *= 0.5;
    level.split.halves = {widths[0], widths[1], widths[2]};
    return level;
}

double& coordinate(MovingPoint& point, bool end, std::size_t axis) {
    return end ? point.end[axis] : point.start[axis];
}

// Moves the first primitive along one axis so that F is `target` at a corner of a half of the first
// box, as nearly as doubles can. False where that leaves the range of doubles.
bool aim(AttackSource& source, QueryKind kind, QueryRecord& record, std::size_t axis,
         const Domain& half, double target) {
    const auto pick = [&](const std::array<double, 2>& side) {
        return side[source.coin() ? 1 : 0];
    };
    const std::array<double, 3> corner = {pick(half.t), pick(half.u), pick(half.v)};
    const std::size_t moved = kind == QueryKind::EdgeEdge ? 2 : 1;
    for (int round = 0; round < 2; ++round) {
        const mpz_class excess =
            ExactF(kind, record, axis).at(corner[0], corner[1], corner[2]) - in_units(target);
        const double shift = testing::to_double(excess);
        for (std::size_t c = 0; c < moved; ++c) {
            for (const bool end : {false, true}) {
                double& x = coordinate(record.corners[c], end, axis);
                x -= shift;
                if (!std::isfinite(x)) return false;
            }
        }
    }
    // Sometimes a last bit further.
    for (std::size_t c = 0; c < moved; ++c) {
        double& x = coordinate(record.corners[c], source.coin(), axis);
        x = source.doubles().near(x);
    }
    return true;
}

double size_of(const QueryRecord& record, std::size_t axis) {
    double largest = 0.0;
    for (const MovingPoint& corner : record.corners)
        largest = std::max({largest, std::fabs(corner.start[axis]), std::fabs(corner.end[axis])});
    return largest;
}

// A level, and a motion whose F is nearly +-d at a corner of a half of its first box.
struct Target {
    QueryKind kind = QueryKind::VertexFace;
    QueryRecord record;
    TestLevel level;
    double d = 0.0;
};

// Aims along x alone, where nothing differs along the other axes, or along all three. Nothing where
// that leaves the range of doubles.
std::optional<Target> random_target(AttackSource& source, Attack attack) {
    Target target;
    target.kind = kAllQueryKinds[static_cast<std::size_t>(source.integer(0, 3))];
    target.record = source.motion({attack, attack, attack});
    target.level = random_level(source);
    const std::optional<Domain> half = target.level.half(0, source.coin() ? 1 : 0);
    if (source.coin()) target.d = size_of(target.record, 0) * std::fabs(source.uniform());
    if (!half || !std::isfinite(target.d)) return {};
    const std::size_t aimed = source.coin() ? 3 : 1;
    for (std::size_t axis = 0; axis < aimed; ++axis) {
        const double value = source.coin() ? target.d : -target.d;
        if (!aim(source, target.kind, target.record, axis, *half, value)) return {};
    }
    for (std::size_t axis = aimed; axis < 3; ++axis) {
        for (MovingPoint& corner : target.record.corners)
            corner.start[axis] = corner.end[axis] = target.record.corners[0].start[axis];
    }
    return target;
}

template <class Arithmetic>
void attack_once(const Target& target, Tally& tally) {
    SCOPED_TRACE(std::string(short_name(target.kind)) + " d = " + exact::hex(target.d) + "\n" +
                 io::to_hex(target.record, target.kind));
    TightInclusionOptions options;
    options.query.min_separation = target.d;
    options.query.norm = Norm::Max;
    options.instructions = InstructionSet::Portable;
    const auto arithmetic = [&] {
        return testing::arithmetic_of<Arithmetic>(target.kind, target.record, options);
    };
    const Arithmetic portable = arithmetic();
    const Masks masks = masks_of(portable, target.level);
    for (const InstructionSet set : kAllInstructionSets) {
        options.instructions = set;
        EXPECT_EQ(masks_of(arithmetic(), target.level), masks) << name(set);
    }
    Judge<Arithmetic> judge{target.kind, target.record, portable, target.d, tally};
    const std::size_t judged = std::min<std::size_t>(target.level.corners.size(), 3);
    for (std::size_t box = 0; box < judged; ++box)
        judge.expect_right(target.level, masks, box);
}

template <class Arithmetic>
void attack_decisions(const char* filter, int count) {
    Tally total;
    for (const Attack attack : testing::kAllAttacks) {
        AttackSource source(20250102);
        Tally tally;
        for (int i = 0; i < count; ++i) {
            if (const auto target = random_target(source, attack)) {
                attack_once<Arithmetic>(*target, tally);
            }
        }
        std::printf("%s, %s: halves kept %d (lost without filter %d), near misses %d, far %d\n",
                    filter, name(attack), tally.places[0], tally.lost_without_filter,
                    tally.places[1], tally.places[2]);
        total.lost_without_filter += tally.lost_without_filter;
        for (std::size_t i = 0; i < 3; ++i)
            total.places[i] += tally.places[i];
    }
    EXPECT_GT(total.lost_without_filter, count / 50);
    EXPECT_GT(*std::min_element(total.places.begin(), total.places.end()), count / 10);
}

TEST(TightInclusionBoxes, OursKeepsEveryHalfThatExactlyReachesTheTarget) {
    attack_decisions<TightArithmetic>("ours", 1200);
}
TEST(TightInclusionBoxes, PaperKeepsEveryHalfThatExactlyReachesTheTarget) {
    attack_decisions<PaperArithmetic>("paper", 1200);
}

// --- Tails
// ----------------------------------------------------------------------------------------

template <class Arithmetic>
void expect_the_same_for_every_count(Axis axis) {
    AttackSource source(20250103);
    const QueryRecord record = source.unit_motion();
    TestLevel level;
    level.split = {axis, {0.125, 0.125, 0.125}, 0.8};
    for (int i = 0; i < 17; ++i) {
        level.corners.push_back({source.multiple_below(0.25, 0.8), source.multiple_below(0.25, 1.0),
                                 source.multiple_below(0.25, 1.0)});
    }
    TightInclusionOptions options;
    options.instructions = InstructionSet::Portable;
    const Masks all =
        masks_of(testing::arithmetic_of<Arithmetic>(QueryKind::EdgeEdge, record, options), level);
    for (const InstructionSet set : kAllInstructionSets) {
        options.instructions = set;
        const Arithmetic arithmetic =
            testing::arithmetic_of<Arithmetic>(QueryKind::EdgeEdge, record, options);
        for (std::size_t count = 1; count <= level.corners.size(); ++count) {
            TestLevel head = level;
            head.corners.resize(count);
            Masks expected = all;
            for (std::vector<std::int64_t>& mask : expected)
                mask.resize(count);
            EXPECT_EQ(masks_of(arithmetic, head), expected) << name(set) << ", " << count;
        }
    }
}

TEST(TightInclusionBoxes, EveryNumberOfBoxesIsAnsweredAlikeByAllInstructionSets) {
    for (const Axis axis : {Axis::Time, Axis::U, Axis::V}) {
        expect_the_same_for_every_count<TightArithmetic>(axis);
        expect_the_same_for_every_count<PaperArithmetic>(axis);
    }
}

// --- The prism
// ------------------------------------------------------------------------------------

// Everything in one point, so that every box reaches the target: only the prism drops.
template <class Arithmetic>
void expect_only_the_outside_dropped(QueryKind kind, int depth, Axis axis) {
    const double w = power(-depth);
    TestLevel level;
    level.split = {axis, {w, w, w}, 1.0};
    level.corners = {{0.0, w, 1.0 - w}, {0.0, 1.0 - w, w}, {0.0, 0.5, 0.5}, {0.0, 1.0 - w, 0.0}};
    if (axis == Axis::Time) level.corners.push_back({0.0, 1.0 - w, 2.0 * w});
    for (const InstructionSet set : kAllInstructionSets) {
        TightInclusionOptions options;
        options.instructions = set;
        const Masks masks =
            masks_of(testing::arithmetic_of<Arithmetic>(kind, QueryRecord{}, options), level);
        for (std::size_t box = 0; box < level.corners.size(); ++box) {
            for (int which = 0; which < 2; ++which) {
                const Domain half = *level.half(box, which);
                const bool outside = kind == QueryKind::VertexFace &&
                                     mpq_class(half.u[0]) + mpq_class(half.v[0]) > 1;
                EXPECT_EQ(masks[static_cast<std::size_t>(which)][box], outside ? 0 : 1)
                    << testing::to_text(half) << name(set);
            }
        }
    }
}

TEST(TightInclusionBoxes, DropsExactlyTheHalvesOfAFaceThatLieWhollyOutsideThePrism) {
    for (const QueryKind kind : kAllQueryKinds) {
        for (const Axis axis : {Axis::Time, Axis::U, Axis::V}) {
            for (int depth = 1; depth <= 52; ++depth) {
                expect_only_the_outside_dropped<TightArithmetic>(kind, depth, axis);
                expect_only_the_outside_dropped<PaperArithmetic>(kind, depth, axis);
            }
        }
    }
}

}  // namespace
}  // namespace graze
