// The arithmetic under `interval` and `interval-univariate`, private headers included, against
// numbers of any size.
// Defends G-INTERVAL-4, G-INTERVAL-9 (docs/GUARANTEES.md).
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cfenv>

#include "baselines/interval/bisection.hpp"
#include "baselines/interval/inclusion.hpp"
#include "baselines/rounding_mode.hpp"
#include "core/exact_reference.hpp"
#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "narrow/exact_inclusion.hpp"

namespace graze::interval {
namespace {

using exact::DoubleSource;
using exact::Side;
using exact::Tally;
using exact::Tightness;
using io::QueryRecord;

// --- Directed rounding
// ----------------------------------------------------------------------------

struct Operands {
    double a;
    double b;
};

template <class Rounding>
void tally_tightness(const Operands& x, Tally& tally) {
    std::array<double, 6> bounds{};
    {
        const RoundingUp rounding;
        bounds = {Rounding::add_down(x.a, x.b), Rounding::add_up(x.a, x.b),
                  Rounding::sub_down(x.a, x.b), Rounding::sub_up(x.a, x.b),
                  Rounding::mul_down(x.a, x.b), Rounding::mul_up(x.a, x.b)};
    }
    const mpq_class a(x.a);
    const mpq_class b(x.b);
    const std::array<mpq_class, 3> values = {a + b, a - b, a * b};
    for (std::size_t i = 0; i < 6; ++i)
        tally.add(exact::tightness(i % 2 == 0 ? Side::Down : Side::Up, bounds[i], values[i / 2]));
}

TEST(IntervalArithmetic, EveryOperationGivesTheTightestBoundForOperandsOfEverySize) {
    DoubleSource source(20250101);
    Tally tally;
    for (int i = 0; i < 20'000; ++i) {
        const double a = source.any();
        tally_tightness<DirectedRounding>({a, source.any()}, tally);
        tally_tightness<DirectedRounding>({a, -source.near(a)}, tally);
    }
    EXPECT_EQ(tally.of(Tightness::WrongSide), 0) << tally;
    EXPECT_EQ(tally.of(Tightness::OneStepWide) + tally.of(Tightness::Wider), 0) << tally;
}

#ifdef GRAZE_ROUNDS_IN_HARDWARE

TEST(IntervalArithmetic, TheProcessorRoundsAsTheErrorFreeTransformationsDo) {
    DoubleSource source(20250102);
    for (int i = 0; i < 100'000; ++i) {
        const Operands x{source.any(), source.any()};
        double down = 0.0;
        double up = 0.0;
        {
            const RoundingUp rounding;
            down = HardwareRounding::mul_down(x.a, x.b);
            up = HardwareRounding::add_up(x.a, x.b);
        }
        ASSERT_EQ(down, SoftwareRounding::mul_down(x.a, x.b)) << exact::hex(x.a) << exact::hex(x.b);
        ASSERT_EQ(up, SoftwareRounding::add_up(x.a, x.b)) << exact::hex(x.a) << exact::hex(x.b);
    }
}

TEST(IntervalArithmetic, TheRoundingModeIsAsBeforeHoweverItWasAndFlagsAreKept) {
    for (const int before : {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
        std::fesetround(before);
        std::feclearexcept(FE_ALL_EXCEPT);
        const double tiny = [] {
            const RoundingUp rounding;
            EXPECT_EQ(testing::rounding_mode(), FE_UPWARD);
            return HardwareRounding::mul_up(0x1p-1074, 0.5);
        }();
        const int after = testing::rounding_mode();
        const int flags = std::fetestexcept(FE_UNDERFLOW);
        std::fesetround(FE_TONEAREST);
        EXPECT_EQ(after, before);
        EXPECT_EQ(tiny, 0x1p-1074);
        EXPECT_NE(flags, 0) << "what the arithmetic raised is not taken back";
    }
}

#endif

// --- Motions of every size
// ------------------------------------------------------------------------

// Coordinates of one size, of one size an axis, of any size, subnormal, huge, or of a family.
QueryRecord motion_of_some_size(DoubleSource& source, QueryKind kind, std::uint64_t seed) {
    if (seed % 8 < 3) {
        return generate::query(generate::kAllFamilies[seed / 8 % generate::kAllFamilies.size()],
                               kind, seed);
    }
    const int common = source.integer(-1060, 1000);
    std::array<int, 3> exponents{};
    for (int& e : exponents)
        e = seed % 8 == 3 ? source.integer(-1060, 1000) : common;
    QueryRecord record;
    for (MovingPoint& corner : record.corners) {
        for (Vec3* at : {&corner.start, &corner.end}) {
            for (std::size_t k = 0; k < 3; ++k) {
                const int spread = source.integer(0, seed % 8 == 4 ? 60 : 2);
                (*at)[k] = seed % 8 == 5   ? source.any()
                           : seed % 8 == 6 ? source.with_exponent(-1074 + spread)
                           : seed % 8 == 7 ? source.with_exponent(1023 - spread)
                                           : source.with_exponent(exponents[k] - spread);
            }
        }
    }
    return record;
}

// [k, k + 1] 2^-depth, or its lower end alone.
Enclosure some_cell(DoubleSource& source) {
    const int depth = source.integer(0, 49);
    const double width = std::ldexp(1.0, -depth);
    const double lower =
        width * static_cast<double>(source.bits() >> 1 >> (63 - std::max(depth, 0)));
    return {lower, source.integer(0, 7) == 0 ? lower : lower + width};
}
// Ends that are any doubles in [0, 1].
Enclosure some_time(DoubleSource& source) {
    if (source.integer(0, 1) == 0) return some_cell(source);
    const auto in_unit = [&] {
        return std::min(1.0, std::fabs(source.with_exponent(
                                 source.integer(0, 3) == 0 ? source.integer(-1074, -1) : -1)));
    };
    const double a = in_unit();
    const double b = in_unit();
    return {std::min(a, b), std::max(a, b)};
}

template <class Check>
void with_kind(QueryKind kind, const QueryRecord& record, const Check& check) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return check(io::motion_of<Motion>(record));
    });
}

// --- F over boxes
// ---------------------------------------------------------------------------------

bool holds(const Enclosure& found, const testing::ExactRange& range) {
    const auto below = [&](double x) {
        return x == -exact::kInf || (std::isfinite(x) && testing::in_units(x) <= range.lower);
    };
    const auto above = [&](double x) {
        return x == exact::kInf || (std::isfinite(x) && testing::in_units(x) >= range.upper);
    };
    return below(found.lower()) && above(found.upper());
}

testing::Domain domain_of(const DomainBox& box) {
    const auto ends = [](const Enclosure& x) { return std::array{x.lower(), x.upper()}; };
    return {ends(box[0]), ends(box[1]), ends(box[2])};
}

struct AttackOnF {
    int components = 0;
    int violations = 0;
    int overflows = 0;
    int hulls = 0;  // of which no double could be taken away
};

// Rounding is upwards while F is evaluated, or as it is.
AttackOnF attack_f(std::uint64_t rounds, bool upwards) {
    DoubleSource source(20250103);
    AttackOnF seen;
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
        const QueryKind kind = kAllQueryKinds[seed % 4];
        const QueryRecord record = motion_of_some_size(source, kind, seed / 4);
        const DomainBox box{some_time(source), some_cell(source), some_cell(source)};
        EnclosureVector found;
        with_kind(kind, record, [&](const auto& motion) {
            std::optional<RoundingUp> rounding;
            if (upwards) rounding.emplace();
            Inclusion f(motion);
            for (std::size_t axis = 0; axis < 3; ++axis)
                found[axis] = f.component(box, axis);
        });
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const testing::ExactF f(kind, record, axis);
            const testing::ExactRange range = f.over(domain_of(box));
            ++seen.components;
            seen.violations += holds(found[axis], range) ? 0 : 1;
            const bool bounded =
                std::isfinite(found[axis].lower()) && std::isfinite(found[axis].upper());
            seen.overflows += bounded ? 0 : 1;
            seen.hulls += bounded && testing::in_units(found[axis].lower()) == range.lower ? 1 : 0;
        }
    }
    return seen;
}

TEST(IntervalInclusion, HoldsEveryValueOfFOverBoxesAtEveryScale) {
    const AttackOnF seen = attack_f(24'000, true);
    EXPECT_EQ(seen.violations, 0);
    EXPECT_GT(seen.overflows, 100);
    EXPECT_GT(seen.hulls, 1000) << "not everything is wide";
    EXPECT_LT(seen.overflows, seen.components / 3);
}

#ifdef GRAZE_ROUNDS_IN_HARDWARE
TEST(IntervalInclusion, TheAttackFindsArithmeticThatRoundsToNearest) {
    EXPECT_GT(attack_f(4'000, false).violations, 100);
}
#endif

// The same corners are asked for at one time after another: what is remembered must be of this one.
TEST(IntervalInclusion, RemembersNoCornersOfAnotherTime) {
    DoubleSource source(20250104);
    const auto motion = io::motion_of<VertexFaceMotion>(
        generate::query(generate::Family::Ordinary, QueryKind::VertexFace, 1));
    const RoundingUp rounding;
    Inclusion used(motion);
    for (int i = 0; i < 1000; ++i) {
        const DomainBox box{some_cell(source), some_cell(source), some_cell(source)};
        Inclusion fresh(motion);
        const auto axis = static_cast<std::size_t>(source.integer(0, 2));
        const Enclosure expected = fresh.component(box, axis);
        const Enclosure found = used.component(box, axis);
        ASSERT_EQ(found.lower(), expected.lower());
        ASSERT_EQ(found.upper(), expected.upper());
    }
}

// --- Four corners over time
// -----------------------------------------------------------------------

using ExactVector = std::array<mpq_class, 3>;

ExactVector exact_at(const MovingPoint& corner, const mpq_class& t) {
    ExactVector at;
    for (std::size_t k = 0; k < 3; ++k)
        at[k] = mpq_class(corner.start[k]) * (1 - t) + mpq_class(corner.end[k]) * t;
    return at;
}
ExactVector minus(const ExactVector& a, const ExactVector& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
ExactVector exact_cross(const ExactVector& a, const ExactVector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
mpq_class exact_dot(const ExactVector& a, const ExactVector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// f, and the three numbers that are >= 0 at a contact, by the formulas of the derivation.
std::array<mpq_class, 4> exact_numbers(QueryKind kind, const QueryRecord& record,
                                       const mpq_class& t) {
    std::array<ExactVector, 4> at;
    for (std::size_t c = 0; c < 4; ++c)
        at[c] = exact_at(record.corners[c], t);
    if (kind == QueryKind::VertexFace) {
        const auto& [p, v1, v2, v3] = at;
        const ExactVector n = exact_cross(minus(v2, v1), minus(v3, v1));
        const auto weight = [&n, &p = p](const ExactVector& x, const ExactVector& y) {
            return exact_dot(exact_cross(minus(y, x), minus(p, x)), n);
        };
        return {exact_dot(minus(p, v1), n), weight(v1, v2), weight(v2, v3), weight(v3, v1)};
    }
    const auto& [a, b, c, d] = at;
    const ExactVector n = exact_cross(minus(b, a), minus(c, a));
    const auto weight = [&n, &d = d](const ExactVector& x, const ExactVector& y) {
        return exact_dot(exact_cross(minus(x, d), minus(y, d)), n);
    };
    return {-exact_dot(minus(d, a), n), weight(b, c), weight(c, a), -weight(a, b)};
}

bool holds(const Enclosure& found, const mpq_class& value) {
    const auto below = [&](double x) {
        return x == -exact::kInf || (std::isfinite(x) && mpq_class(x) <= value);
    };
    const auto above = [&](double x) {
        return x == exact::kInf || (std::isfinite(x) && mpq_class(x) >= value);
    };
    return below(found.lower()) && above(found.upper());
}

std::array<Enclosure, 4> numbers_over(QueryKind kind, const QueryRecord& record,
                                      const Enclosure& time) {
    const auto of = [&](const auto& motion) {
        const RoundingUp rounding;
        const FourCorners<std::decay_t<decltype(motion)>> corners(moving_corners(motion), time);
        const EnclosureVector inside = corners.inside();
        return std::array{corners.coplanarity(), inside[0], inside[1], inside[2]};
    };
    return kind == QueryKind::VertexFace ? of(io::motion_of<VertexFaceMotion>(record))
                                         : of(io::motion_of<EdgeEdgeMotion>(record));
}

TEST(IntervalCoplanarity, HoldsEveryValueOfTheCubicAndOfTheWeightsAtEveryScale) {
    DoubleSource source(20250105);
    int unbounded = 0;
    int one_sign = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const QueryKind kind = seed % 2 == 0 ? QueryKind::VertexFace : QueryKind::EdgeEdge;
        const QueryRecord record = motion_of_some_size(source, kind, seed / 2);
        SCOPED_TRACE(io::to_hex(record, kind));
        const Enclosure time = some_time(source);
        const std::array<Enclosure, 4> found = numbers_over(kind, record, time);
        for (const double share : {0.0, 0.625, 1.0}) {
            const mpq_class t = mpq_class(time.lower()) * (1 - mpq_class(share)) +
                                mpq_class(time.upper()) * mpq_class(share);
            const std::array<mpq_class, 4> exact = exact_numbers(kind, record, t);
            for (std::size_t i = 0; i < 4; ++i)
                ASSERT_TRUE(holds(found[i], exact[i])) << i << " at " << share;
        }
        unbounded += found[0].upper() == exact::kInf ? 1 : 0;
        one_sign += excludes_zero(found[0]) ? 1 : 0;
    }
    EXPECT_GT(unbounded, 100);
    EXPECT_GT(one_sign, 300);
}

// --- Bisection
// ------------------------------------------------------------------------------------

// Every way down from [0, end], whatever the rounding mode: what the stack of boxes is sized for.
TEST(IntervalBisection, EndsAfterTheHalvingsThatTheStackHasRoomFor) {
    DoubleSource source(20250106);
    std::size_t deepest = 0;
    for (int i = 0; i < 20'000; ++i) {
        const double end = i % 3 == 0   ? 1.0
                           : i % 3 == 1 ? std::fabs(source.with_exponent(-1))
                                        : std::fabs(source.with_exponent(-source.integer(1, 1074)));
        std::fesetround(i % 2 == 0 ? FE_TONEAREST : FE_UPWARD);
        const double finest = finest_width(0x1p-1074, 1.0, end);
        Enclosure x(0.0, end);
        std::size_t halvings = 0;
        const int side = source.integer(0, 2);
        while (const auto both = halves(x, finest)) {
            ++halvings;
            x = (*both)[side == 2 ? source.bits() & 1 : static_cast<std::size_t>(side)];
        }
        std::fesetround(FE_TONEAREST);
        ASSERT_LE(halvings, kMaxHalvings) << exact::hex(end);
        deepest = std::max(deepest, halvings);
    }
    EXPECT_GE(deepest + 1, kMaxHalvings) << "the bound is nearly reached";
}

}  // namespace
}  // namespace graze::interval
