// The error pairs of tight-bernstein against rationals: every operation of every formula, and every
// sign that is read.
// Defends G-BERNSTEIN-1 (docs/GUARANTEES.md).
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "baselines/tight_bernstein/exclusion.hpp"
#include "baselines/tight_bernstein/scaling.hpp"
#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::bernstein::audit {

// What all numbers of a run have in common: set by the operations, read by the tests.
struct Ledger {
    double worst_ratio = 0.0;  // of error to bound
    int most_lost = 0;         // roundings that a bound may have lost
    long operations = 0;
    long wrong_bounds = 0;
    long wrong_signs = 0;
    long certain_signs = 0;
};
Ledger ledger;

// A pair together with the number it stands for, and the c of running_error.hpp.
struct Audited {
    static constexpr bool kGuarded = true;
    Guarded pair;
    mpq_class exact;
    int lost = 0;
};

Audited audited(const Guarded& pair, const mpq_class& exact, int lost) {
    ++ledger.operations;
    ledger.most_lost = std::max(ledger.most_lost, lost);
    if (!is_finite(pair.value) || !is_finite(pair.error)) {
        ++ledger.wrong_bounds;  // normalised tuples never overflow
        return {pair, exact, lost};
    }
    const mpq_class error = abs(exact - mpq_class(pair.value));
    const mpq_class bound = mpq_class(pair.error) * mpq_class(kReadingSlack);
    ledger.wrong_bounds += error > bound ? 1 : 0;
    // Bounds that are eta alone stand for underflow, and say nothing about rounding.
    if (pair.error > 0x1p-400) {
        const mpq_class ratio = error / mpq_class(pair.error);
        ledger.worst_ratio = std::max(ledger.worst_ratio, ratio.get_d());
    }
    return {pair, exact, lost};
}

Audited difference(const Audited*, double x1, double x0, double factor) {
    const Guarded* type = nullptr;
    return audited(bernstein::difference(type, x1, x0, factor),
                   (mpq_class(x1) - mpq_class(x0)) * mpq_class(factor), 2);
}
Audited operator-(const Audited& a) {
    return {-a.pair, -a.exact, a.lost};
}
Audited operator+(const Audited& a, const Audited& b) {
    return audited(a.pair + b.pair, a.exact + b.exact, std::max(a.lost, b.lost) + 2);
}
Audited operator-(const Audited& a, const Audited& b) {
    return a + -b;
}
Audited operator*(const Audited& a, const Audited& b) {
    return audited(a.pair * b.pair, a.exact * b.exact, a.lost + b.lost + 6);
}
template <int m>
Audited times(const Audited& a) {
    return audited(bernstein::times<m>(a.pair), m * a.exact, a.lost + 3);
}
Audited scaled_by(const Audited& a, double power_of_two) {
    return audited(bernstein::scaled_by(a.pair, power_of_two), a.exact * mpq_class(power_of_two),
                   a.lost + 2);
}
// The number may be any within |b| of a: here the one half way.
Audited widened(const Audited& a, const Audited& b) {
    return audited(bernstein::widened(a.pair, b.pair), a.exact + b.exact / 2,
                   std::max(a.lost, b.lost) + 2);
}
double size_of(const Audited& a) {
    return bernstein::size_of(a.pair);
}
CertainSign sign(const Audited& a) {
    const CertainSign claimed = bernstein::sign(a.pair);
    if (claimed != 0) {
        ++ledger.certain_signs;
        ledger.wrong_signs += sgn(a.exact) != claimed ? 1 : 0;
    }
    return claimed;
}

// A number without error: every sign is known but that of zero. What is decided with it shows the
// logic of the test without the mercy of bounds.
struct Exact {
    static constexpr bool kGuarded = true;
    mpq_class value;
};
Exact difference(const Exact*, double x1, double x0, double factor) {
    return {(mpq_class(x1) - mpq_class(x0)) * mpq_class(factor)};
}
Exact operator-(const Exact& a) {
    return {-a.value};
}
Exact operator+(const Exact& a, const Exact& b) {
    return {a.value + b.value};
}
Exact operator-(const Exact& a, const Exact& b) {
    return {a.value - b.value};
}
Exact operator*(const Exact& a, const Exact& b) {
    return {a.value * b.value};
}
template <int m>
Exact times(const Exact& a) {
    return {m * a.value};
}
Exact scaled_by(const Exact& a, double) {
    return a;
}
double size_of(const Exact&) {
    return 1.0;
}
// Only asked for where b is not certainly different from 0, which here means that it is 0.
Exact widened(const Exact& a, const Exact& b) {
    EXPECT_EQ(b.value, 0);
    return a;
}
CertainSign sign(const Exact& a) {
    return sgn(a.value);
}

}  // namespace graze::bernstein::audit

namespace graze {
namespace {

using bernstein::Guarded;
using bernstein::audit::Audited;
using bernstein::audit::ledger;
using generate::Family;
using io::QueryRecord;

// Corners in the order of the method: face and vertex, or both edges.
std::array<MovingPoint, 4> ordered(const QueryRecord& record, QueryKind kind) {
    const auto& c = record.corners;
    if (kind == QueryKind::EdgeEdge) return c;
    return {c[1], c[2], c[3], c[0]};
}

bernstein::Question question_of(QueryKind kind, bool reads_one_sign) {
    return {kind == QueryKind::EdgeEdge ? bernstein::Primitives::EdgeEdge
                                        : bernstein::Primitives::VertexFace,
            reads_one_sign};
}

void audit(const std::array<MovingPoint, 4>& corners, QueryKind kind) {
    for (const bool reads_one_sign : {false, true}) {
        const bernstein::Question question = question_of(kind, reads_one_sign);
        const auto scaled = bernstein::brought_to_size_one(corners);
        EXPECT_EQ(bernstein::excludes_contact<Audited>(scaled, question),
                  bernstein::excludes_contact<Guarded>(scaled, question));
    }
}

// Above 1 only by what is paid for when a sign is read. Ratios well below 1 are as it should be: a
// bound adds up what errors of either sign mostly cancel, and charges two roundings for one.
void expect_sound_ledger() {
    EXPECT_EQ(ledger.wrong_bounds, 0);
    EXPECT_EQ(ledger.wrong_signs, 0);
    EXPECT_LE(ledger.worst_ratio, 1.0);
    EXPECT_GE(ledger.worst_ratio, 0.25);
    EXPECT_LE(ledger.most_lost, bernstein::kMaxLostRoundings);
    EXPECT_LE(ledger.most_lost, 1 << 13);  // what running_error.hpp says of the longest formula
    EXPECT_GE(ledger.most_lost, 1 << 11);  // the inflection is reached
    EXPECT_GT(ledger.certain_signs, 1000);
    std::printf("%ld operations, worst ratio %.3f, at most %d lost roundings, %ld certain signs\n",
                ledger.operations, ledger.worst_ratio, ledger.most_lost, ledger.certain_signs);
}

TEST(TightBernsteinError, NoBoundIsExceededAndNoSignIsWrongOnGeneratedQueries) {
    ledger = {};
    for (const Family family : generate::kAllFamilies) {
        const std::uint64_t count = family == Family::Wild ? 10 : 25;
        for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge}) {
            for (std::uint64_t seed = 0; seed < count; ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                SCOPED_TRACE(io::to_hex(record, kind));
                audit(ordered(record, kind), kind);
            }
        }
    }
    expect_sound_ledger();
}

// With exact signs every branch is taken on purpose, degenerate ones included: roots at the ends,
// double roots, extrema and inflections at the ends, conditions that are exactly zero.
TEST(TightBernsteinLogic, ExcludesNoContactEvenWithExactSigns) {
    int contacts = 0;
    int misses = 0;
    int excluded = 0;
    for (const Family family : generate::kAllFamilies) {
        if (family == Family::Wild) continue;  // rationals of hundreds of thousands of digits
        for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge}) {
            for (std::uint64_t seed = 0; seed < 120; ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                SCOPED_TRACE(io::to_hex(record, kind));
                const bool touches =
                    oracle::first_contact(verify::oracle_query(record, kind)).state ==
                    oracle::State::Contact;
                (touches ? contacts : misses) += 1;
                for (const bool reads_one_sign : {false, true}) {
                    const bool says_apart = bernstein::excludes_contact<bernstein::audit::Exact>(
                        {ordered(record, kind), 1.0}, question_of(kind, reads_one_sign));
                    if (touches) {
                        EXPECT_FALSE(says_apart) << reads_one_sign;
                    }
                    excluded += says_apart ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(contacts, 1000);
    EXPECT_GT(excluded, misses);  // of two answers for each miss
}

// Corners of every size at once, and all of them huge or tiny: differences that overflow, products
// that underflow.
TEST(TightBernsteinError, NoBoundIsExceededAndNoSignIsWrongAtAnySize) {
    ledger = {};
    std::mt19937_64 rng(20250101);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::uniform_int_distribution<int> small(-12, 0);
    for (const int exponent : {-1074, -1060, -1022, -540, -300, -60, 0, 300, 1000, 1023}) {
        for (int i = 0; i < 24; ++i) {
            std::array<MovingPoint, 4> corners;
            for (MovingPoint& corner : corners) {
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const int e = exponent + (exponent > -1022 ? (i % 3) * small(rng) : 10);
                    corner.start[axis] = std::ldexp(unit(rng), e);
                    corner.end[axis] = std::ldexp(unit(rng), e);
                }
            }
            audit(corners, i % 2 == 0 ? QueryKind::VertexFace : QueryKind::EdgeEdge);
        }
    }
    expect_sound_ledger();
}

// Coefficients that are doubles without error, at random.
template <std::size_t n>
std::array<Audited, n> random_tuple(std::mt19937_64& rng) {
    std::array<Audited, n> tuple;
    for (Audited& member : tuple) {
        const double x = static_cast<double>(rng() % 201) - 100.0;
        member = {{x, 0.0}, mpq_class(x), 0};
    }
    return tuple;
}

// The polynomial with these Bernstein coefficients at t, exactly.
template <std::size_t n>
mpq_class value_at(std::array<Audited, n> tuple, const mpq_class& t) {
    for (std::size_t level = n - 1; level > 0; --level) {
        for (std::size_t i = 0; i < level; ++i)
            tuple[i].exact = (1 - t) * tuple[i].exact + t * tuple[i + 1].exact;
    }
    return tuple[0].exact;
}

TEST(TightBernsteinAlgebra, DivisionAndReductionAreIdentities) {
    std::mt19937_64 rng(20250104);
    for (int i = 0; i < 300; ++i) {
        const auto k = random_tuple<4>(rng);
        auto j = random_tuple<3>(rng);
        if (i % 5 == 0) j[2].exact = 2 * j[1].exact - j[0].exact;  // a line: w = 0
        const auto l = random_tuple<5>(rng);
        const mpq_class t = mpq_class(static_cast<int>(rng() % 41) - 20) / 17;
        const auto division = bernstein::divide(k, j);
        const mpq_class bend = j[0].exact - 2 * j[1].exact + j[2].exact;
        EXPECT_EQ(bend * bend * value_at(k, t), value_at(division.quotient, t) * value_at(j, t) +
                                                    value_at(division.remainder, t));
        // t^2 J = 24 k0^2 g + (a polynomial) f: at a root of f, and so with f(t) = 0 forced.
        const mpq_class f_without_k3 = value_at(k, t) - t * t * t * k[3].exact;
        if (t == 0) continue;
        auto rooted = k;
        rooted[3].exact = -f_without_k3 / (t * t * t);
        ASSERT_EQ(value_at(rooted, t), 0);
        EXPECT_EQ(t * t * value_at(bernstein::reduced(l, rooted), t),
                  24 * k[0].exact * k[0].exact * value_at(l, t));
    }
}

TEST(TightBernsteinAlgebra, TheReducedQuadraticHasTheSignOfTheQuarticAtARootAtTheStart) {
    std::mt19937_64 rng(20250105);
    for (int i = 0; i < 100; ++i) {
        auto k = random_tuple<4>(rng);
        k[0].exact = 0;
        const auto l = random_tuple<5>(rng);
        EXPECT_EQ(bernstein::reduced(l, k)[0].exact, 216 * k[1].exact * k[1].exact * l[0].exact);
    }
}

// The bend is not certain, though its value is not 0. Whatever numbers three pairs stand for, J(t)
// = (1 - t) j0 + t x with an x that the end of the line stands for.
TEST(TightBernsteinError, ANearlyLinearQuadraticIsWithinItsLineAtEveryTime) {
    std::mt19937_64 rng(20250107);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (int i = 0; i < 2000; ++i) {
        const double spread = std::ldexp(1.0, -static_cast<int>(rng() % 40));
        const double end = unit(rng);
        bernstein::Quadratic<Guarded> j = {Guarded{1.0, 0.0}, Guarded{0.5 * (1.0 + end), spread},
                                           Guarded{end + 2.9 * spread, spread}};
        ASSERT_EQ(bernstein::sign(j[0] - bernstein::times<2>(j[1]) + j[2]), 0);
        const auto line = bernstein::nearly_linear(j);
        for (const int ends : {0, 1, 2, 3}) {
            const mpq_class j1 =
                mpq_class(j[1].value) + (ends % 2 == 0 ? 1 : -1) * mpq_class(spread);
            const mpq_class j2 =
                mpq_class(j[2].value) + (ends / 2 == 0 ? 1 : -1) * mpq_class(spread);
            for (const double at : {0.0, 0.5, 1.0}) {
                const mpq_class t(at);
                const mpq_class x = 2 * j1 - 1 + t * (1 - 2 * j1 + j2);
                ASSERT_EQ((1 - t) + t * x, (1 - t) * (1 - t) + 2 * t * (1 - t) * j1 + t * t * j2);
                EXPECT_LE(abs(x - mpq_class(line[1].value)),
                          mpq_class(line[1].error) * mpq_class(bernstein::kReadingSlack));
            }
        }
    }
}

TEST(TightBernsteinAlgebra, CutPartsAreThePolynomialOnEitherSide) {
    std::mt19937_64 rng(20250106);
    for (int i = 0; i < 100; ++i) {
        const auto l = random_tuple<5>(rng);
        const auto ends = random_tuple<2>(rng);
        const mpq_class whole = ends[0].exact - ends[1].exact;
        if (whole == 0) continue;
        const auto parts = bernstein::cut(l, ends[0], ends[1]);
        const mpq_class at = ends[0].exact / whole;
        const mpq_class power = whole * whole * whole * whole;
        const mpq_class s = mpq_class(static_cast<int>(rng() % 8)) / 7;
        EXPECT_EQ(value_at(parts.left, s), power * value_at(l, s * at));
        EXPECT_EQ(value_at(parts.right, s), power * value_at(l, at + s * (1 - at)));
    }
}

// f, g_1, g_2, g_3 straight from their definitions.
TEST(TightBernsteinAlgebra, TheCoefficientsAreThoseOfTheGeometry) {
    using Vector = std::array<mpq_class, 3>;
    const auto minus = [](const Vector& a, const Vector& b) {
        return Vector{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    };
    const auto across = [](const Vector& a, const Vector& b) {
        return Vector{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                      a[0] * b[1] - a[1] * b[0]};
    };
    const auto along = [](const Vector& a, const Vector& b) -> mpq_class {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    };
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto record = generate::query(Family::SmallIntegers, QueryKind::EdgeEdge, seed);
        const bernstein::FourCorners corners{record.corners, 1.0};
        const mpq_class t = mpq_class(static_cast<int>(seed % 9)) / 7;
        std::array<Vector, 4> x;
        for (std::size_t c = 0; c < 4; ++c) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                x[c][axis] = (1 - t) * mpq_class(record.corners[c].start[axis]) +
                             t * mpq_class(record.corners[c].end[axis]);
            }
        }
        const Vector n = across(minus(x[1], x[0]), minus(x[2], x[0]));
        const auto sweep = cross(bernstein::difference<Audited>(corners, 1, 0),
                                 bernstein::difference<Audited>(corners, 2, 0));
        const auto k = bernstein::coplanarity(sweep, bernstein::difference<Audited>(corners, 3, 0));
        EXPECT_EQ(value_at(k, t), 3 * along(n, minus(x[3], x[0])));
        const auto m = cross(bernstein::difference<Audited>(corners, 1, 3),
                             bernstein::difference<Audited>(corners, 2, 3));
        EXPECT_EQ(value_at(bernstein::twice_inside(m, sweep), t),
                  12 * along(n, across(minus(x[1], x[3]), minus(x[2], x[3]))));
    }
}

// The number that a pair stands for may lie at the very end of its bound. Then the bound that is
// computed, rounded to nearest like everything else, may be too small: the reading slack is not
// idle.
TEST(TightBernsteinError, OneOperationLosesAtMostTheRoundingsThatAreCounted) {
    std::mt19937_64 rng(20250102);
    std::uniform_real_distribution<double> significand(1.0, 2.0);
    std::uniform_int_distribution<int> exponent(-60, 60);
    std::uniform_int_distribution<int> relative(-70, 0);
    const auto draw = [&] {
        const double v = std::ldexp(significand(rng), exponent(rng)) * (rng() % 2 == 0 ? 1 : -1);
        return Guarded{v, std::fabs(v) * std::ldexp(significand(rng), relative(rng))};
    };
    const auto end_of = [](const Guarded& a, bool upper) -> mpq_class {
        return mpq_class(a.value) + mpq_class(upper ? a.error : -a.error);
    };
    const mpq_class one_rounding = mpq_class(1) / (mpq_class(1) - mpq_class(0x1p-53));
    mpq_class six = 1;
    for (int i = 0; i < 6; ++i)
        six *= one_rounding;
    const mpq_class two = one_rounding * one_rounding;
    int exceeded_without_slack = 0;
    const auto check = [&](const Guarded& found, const mpq_class& exact, const mpq_class& slack) {
        const mpq_class error = abs(exact - mpq_class(found.value));
        EXPECT_LE(error, mpq_class(found.error) * slack) << found.value << ' ' << found.error;
        exceeded_without_slack += error > mpq_class(found.error) ? 1 : 0;
    };
    for (int i = 0; i < 40000; ++i) {
        const Guarded a = draw();
        Guarded b = draw();
        if (i % 2 == 0) b.value = -a.value * (1.0 + static_cast<double>(rng() % 3) * 0x1p-52);
        for (const bool upper : {false, true}) {
            const mpq_class x = end_of(a, upper);
            const mpq_class y = end_of(b, upper);
            check(a + b, x + y, two);
            check(a - b, x - end_of(b, !upper), two);
            check(a * b, x * y, six);
            check(bernstein::times<3>(a), 3 * x, two * one_rounding);
        }
    }
    EXPECT_GT(exceeded_without_slack, 100);
}

// eta covers a product that is lost to underflow, in the value and in the bound.
TEST(TightBernsteinError, ProductsThatUnderflowStayWithinTheirBounds) {
    std::mt19937_64 rng(20250103);
    std::uniform_real_distribution<double> significand(1.0, 2.0);
    std::uniform_int_distribution<int> exponent(-1074, -480);
    for (int i = 0; i < 5000; ++i) {
        const Guarded a{std::ldexp(significand(rng), exponent(rng)), 0.0};
        const Guarded b{std::ldexp(significand(rng), exponent(rng)), 0x1p-1074};
        const Guarded found = a * b;
        const mpq_class exact = mpq_class(a.value) * (mpq_class(b.value) + mpq_class(b.error));
        EXPECT_LE(abs(exact - mpq_class(found.value)), mpq_class(found.error));
        EXPECT_EQ(bernstein::sign(found), 0);
    }
}

}  // namespace
}  // namespace graze
