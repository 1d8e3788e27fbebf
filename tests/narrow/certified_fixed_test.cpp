// Integers of fixed width below the last tier of `certified`: against GMP and against the integers
// that grow, at the ends of the widths that the derivation allows (CE-8), and the estimate that
// spares them (CE-9). Whole decisions: the same bits in every width.
// Defends G-CERTIFIED-9 (docs/GUARANTEES.md).
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "graze/generate/families.hpp"
#include "narrow/certified/cross_estimate.hpp"
#include "narrow/certified/exact_contact.hpp"
#include "narrow/certified/exact_roots.hpp"
#include "narrow/certified_exact_check.hpp"

namespace graze::certified {
namespace {

constexpr unsigned kFixedSeed = 20261116;

// --- Integers -----------------------------------------------------------------------------------

template <std::size_t kLimbs>
mpz_class to_gmp(const FixedInteger<kLimbs>& value) {
    mpz_class result = value.is_negative() ? -1 : 0;
    for (std::size_t i = kLimbs; i-- > 0;)
        result = (result << 64) + static_cast<unsigned long>(value.limbs()[i]);
    return result;
}

template <std::size_t kLimbs>
FixedInteger<kLimbs> fixed_from(const mpz_class& value) {
    FixedInteger<kLimbs> result;
    mpz_class rest = abs(value);
    for (int shift = 0; rest != 0; shift += 32, rest >>= 32) {
        const mpz_class digit = rest & 0xffffffff;
        if (digit == 0) continue;
        const DyadicParts parts{false, digit.get_ui(), shift};
        result += FixedInteger<kLimbs>(parts, 0);
    }
    if (value < 0) result.negate();
    return result;
}

// |value| < 2^bits: half of them at the very end, or with long runs of equal bits.
mpz_class integer_below(std::size_t bits, std::mt19937_64& rng) {
    const mpz_class limit = mpz_class(1) << bits;
    mpz_class value;
    switch (rng() % 6) {
        case 0:
            value = limit - 1;
            break;
        case 1:
            value = limit - 1 - static_cast<unsigned long>(rng() % 9);
            break;
        case 2:
            value = (mpz_class(1) << (rng() % (bits + 1))) - (rng() % 2 == 0 ? 1 : 0);
            break;
        case 3:
            value = static_cast<unsigned long>(rng() % 5);
            break;
        default:
            while (mpz_sizeinbase(value.get_mpz_t(), 2) < bits)
                value = (value << 32) + static_cast<unsigned long>(rng() >> 32);
            value %= limit;
    }
    if (value >= limit) value = limit - 1;
    if (value < 0) value = 0;
    return rng() % 2 == 0 ? value : mpz_class(-value);
}

template <std::size_t kLimbs, std::size_t kOther>
void expect_arithmetic(std::mt19937_64& rng) {
    const mpz_class a = integer_below(64 * kLimbs - 1, rng);
    const mpz_class b = integer_below(64 * kOther - 1, rng);
    const mpz_class c = integer_below(64 * kLimbs - 2, rng);
    const mpz_class d = integer_below(64 * kLimbs - 2, rng);
    const auto x = fixed_from<kLimbs>(a);
    ASSERT_EQ(to_gmp(x), a);
    ASSERT_EQ(x.sign(), sgn(a));
    ASSERT_EQ(to_gmp(x * fixed_from<kOther>(b)), a * b);
    ASSERT_EQ(to_gmp(fixed_from<kLimbs>(c) + fixed_from<kLimbs>(d)), c + d);
    ASSERT_EQ(to_gmp(fixed_from<kLimbs>(c) - fixed_from<kLimbs>(d)), c - d);
    ASSERT_EQ(to_gmp(FixedInteger<kLimbs + 2>(x)), a);
    ASSERT_EQ(to_gmp(FixedInteger<kLimbs + 2>(x).template truncated<kLimbs>()), a);
    ASSERT_EQ(x.bit_width(), a == 0 ? 0 : mpz_sizeinbase(a.get_mpz_t(), 2));
    const std::size_t shift = rng() % 128;
    const auto wide = x.template shifted_left<kLimbs + 2>(shift);
    ASSERT_EQ(to_gmp(wide), a << shift);
    auto back = wide;
    back.shift_right_exact(shift);
    ASSERT_EQ(to_gmp(back), a);
    auto sum = FixedInteger<kLimbs + 3>(fixed_from<kLimbs>(c));
    sum.add_shifted(x, shift);
    ASSERT_EQ(to_gmp(sum), c + (a << shift));
    const auto limb = static_cast<unsigned long>(rng());
    auto product = FixedInteger<kLimbs + 1>(x);
    product.multiply(limb);
    ASSERT_EQ(to_gmp(product), a * limb);
    if (a == 0) return;
    ASSERT_EQ(x.trailing_zeros(), mpz_scan1(mpz_class(abs(a)).get_mpz_t(), 0));
    for (const std::size_t more : std::array<std::size_t, 5>{0, 1, 63, 64, 200})
        ASSERT_EQ(x.scaled_est(x.bit_width() + more), x.exact().scaled_est(x.bit_width() + more));
    if constexpr (kLimbs <= 2) {
        // The nearest double is no farther than half a unit in its last place.
        const mpz_class error = abs(a - mpz_class(x.nearest()));
        ASSERT_LE(error << 53, abs(a));
    }
}

TEST(FixedInteger, SumsProductsShiftsAndEstimatesAreThoseOfGmpToTheLastBitOfTheWidth) {
    std::mt19937_64 rng(kFixedSeed);
    for (int i = 0; i < 1500; ++i) {
        expect_arithmetic<1, 1>(rng);
        expect_arithmetic<2, 2>(rng);
        expect_arithmetic<4, 2>(rng);
        expect_arithmetic<3, 3>(rng);
        expect_arithmetic<6, 4>(rng);
        expect_arithmetic<5, 11>(rng);
        ASSERT_FALSE(HasFatalFailure());
    }
}

// --- Polynomials --------------------------------------------------------------------------------

template <std::size_t kDegree, std::size_t kLimbs>
FixedPolynomial<kDegree, kLimbs> any_polynomial(std::size_t bits, std::mt19937_64& rng) {
    std::array<FixedInteger<kLimbs>, kDegree + 1> c;
    const std::size_t size = 1 + rng() % (kDegree + 1);
    for (std::size_t i = 0; i < size; ++i)
        c[i] = fixed_from<kLimbs>(integer_below(bits, rng));
    return FixedPolynomial<kDegree, kLimbs>(c);
}

// Times in [0, 1], many of them with as many bits as the fixed widths allow, some with more.
double any_fixed_time(std::mt19937_64& rng) {
    const auto m = static_cast<double>(rng() >> 11);
    switch (rng() % 6) {
        case 0:
            return 0.0;
        case 1:
            return 1.0;
        case 2:
            return m * 0x1p-53;
        case 3:
            return 1.0 - 0x1p-53;
        case 4:
            return std::ldexp(m, -53 - static_cast<int>(rng() % 9));
        default:
            return std::ldexp(m, -53 - static_cast<int>(rng() % 200));
    }
}

template <std::size_t kLimbs>
void expect_signs_of_the_exact_form(std::mt19937_64& rng) {
    const auto f = any_polynomial<3, kLimbs>(64 * kLimbs - fixed_width::kReserveBits, rng);
    const auto g = any_polynomial<2, kLimbs>(64 * kLimbs - fixed_width::kReserveBits, rng);
    double lower = any_fixed_time(rng);
    double upper = rng() % 2 == 0 ? any_fixed_time(rng) : std::min(1.0, std::nextafter(lower, 2.0));
    if (lower > upper) std::swap(lower, upper);
    const DyadicTime a = dyadic_time(lower);
    const DyadicTime b = dyadic_time(upper);
    ASSERT_EQ(sign_at(f, a), sign_at(f.exact(), a)) << lower;
    if (lower == upper) return;
    ASSERT_EQ(constant_sign(g, a, b), constant_sign(g.exact(), a, b)) << lower << ' ' << upper;
    if (f.is_zero()) return;
    ASSERT_EQ(inner_bernstein_signs(f, a, b), inner_bernstein_signs(f.exact(), a, b));
    ASSERT_EQ(scaled_coefficients_est(f), scaled_coefficients_est(f.exact()));
}

TEST(FixedPolynomial, SignsAndGuessesAreThoseOfTheExactFormToTheLastBitOfTheWidth) {
    std::mt19937_64 rng(kFixedSeed);
    for (int i = 0; i < 3000; ++i) {
        expect_signs_of_the_exact_form<1>(rng);
        expect_signs_of_the_exact_form<2>(rng);
        expect_signs_of_the_exact_form<3>(rng);
        expect_signs_of_the_exact_form<6>(rng);
        ASSERT_FALSE(HasFatalFailure());
    }
}

// (2^shift t - significand) q, by GMP. q is as large as leaves f its reserve.
TEST(FixedPolynomial, QuotientsByARootAreExactWhereTheyAreLargest) {
    constexpr std::size_t kBits = 192 - fixed_width::kSearchReserveBits;
    std::mt19937_64 rng(kFixedSeed);
    for (int i = 0; i < 5000; ++i) {
        const DyadicTime t = dyadic_time(any_fixed_time(rng));
        if (t.shift > 100) continue;
        std::array<mpz_class, 4> q{};
        for (std::size_t k = 0; k < 3; ++k)
            q[k] = integer_below(kBits - t.shift - 1, rng);
        std::array<FixedInteger<3>, 4> c;
        for (std::size_t k = 0; k < 4; ++k) {
            const mpz_class above = k > 0 ? mpz_class(q[k - 1] << t.shift) : mpz_class(0);
            c[k] = fixed_from<3>(above - static_cast<unsigned long>(t.significand) * q[k]);
        }
        const FixedPolynomial<3, 3> f(c);
        if (f.is_zero()) continue;
        ASSERT_EQ(sign_at(f, t), 0);
        const auto found = without_root(f, t);
        for (std::size_t k = 0; k < 4; ++k)
            ASSERT_EQ(to_gmp(found[k]), q[k]);
    }
}

// Coefficients all equal and alternating at the largest magnitude: the quotients by t = 1 that grow
// most, (1 - t) (1 + 2 t + 3 t^2) and so on.
TEST(FixedPolynomial, QuotientsByARootAtTheEndKeepTheReserve) {
    const mpz_class most = (mpz_class(1) << (192 - fixed_width::kSearchReserveBits)) - 1;
    for (const std::array<int, 4>& weights :
         {std::array{-1, -1, 1, 1}, {-1, 1, 1, -1}, {1, 1, -1, -1}, {-1, 0, 0, 1}, {0, -1, 0, 1}}) {
        std::array<FixedInteger<3>, 4> c;
        for (std::size_t k = 0; k < 4; ++k)
            c[k] = fixed_from<3>(weights[k] * most);
        FixedPolynomial<3, 3> f(c);
        const DyadicTime end = dyadic_time(1.0);
        while (!f.is_zero() && f.degree() > 0 && sign_at(f, end) == 0) {
            ExactPolynomial expected = without_root(f.exact(), end);
            f = without_root(f, end);
            expected -= f.exact();
            EXPECT_TRUE(expected.is_zero());
            EXPECT_TRUE(fits(f, 3, fixed_width::kReserveBits));
        }
    }
}

// --- Signs at a root ----------------------------------------------------------------------------

using GmpPolynomial = std::vector<mpz_class>;

GmpPolynomial times(const GmpPolynomial& a, const GmpPolynomial& b) {
    GmpPolynomial result(a.size() + b.size() - 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j)
            result[i + j] += a[i] * b[j];
    }
    return result;
}
template <std::size_t kDegree, std::size_t kLimbs>
FixedPolynomial<kDegree, kLimbs> fixed_from(const GmpPolynomial& p) {
    std::array<FixedInteger<kLimbs>, kDegree + 1> c;
    for (std::size_t i = 0; i < p.size(); ++i)
        c[i] = fixed_from<kLimbs>(p[i]);
    return FixedPolynomial<kDegree, kLimbs>(c);
}

// Polynomials with a root near t, and often a common one: products of lines through rationals close
// to t, and of whatever else.
template <std::size_t kLimbs, std::size_t kOther>
void expect_sign_at_the_only_root(std::mt19937_64& rng, std::map<std::string, int>& seen) {
    const double lower = 0.5 + std::ldexp(static_cast<double>(rng() >> 12), -53);
    const double upper = std::nextafter(lower, 2.0);
    const mpz_class unit = mpz_class(1) << (53 + rng() % 4);
    const mpz_class base(lower * 0x1p53);
    const auto near_line = [&] {
        const mpz_class inside = base * (unit >> 53) + static_cast<unsigned long>(rng() % 9);
        return GmpPolynomial{-inside, unit};
    };
    const auto any_line = [&](std::size_t bits) {
        return GmpPolynomial{integer_below(bits, rng), integer_below(bits, rng)};
    };
    constexpr std::size_t kLineBits = kLimbs == 3 ? 55 : 110;
    const GmpPolynomial common = near_line();
    GmpPolynomial f = rng() % 3 == 0 ? near_line() : common;
    GmpPolynomial g = rng() % 3 == 0 ? near_line() : common;
    if (rng() % 4 != 0) f = times(f, any_line(kLineBits));
    if (rng() % 2 != 0) f = times(f, any_line(kLineBits));
    if (rng() % 2 != 0) g = times(g, any_line(kLineBits));
    if (f.size() <= 3 && rng() % 4 == 0) {  // proportional, by any factor that leaves g its limbs
        constexpr std::size_t kFactorBits = kLimbs == 3 ? 6 : 20;
        f = times(f, {integer_below(kFactorBits, rng)});
        g = times(f, {integer_below(kFactorBits, rng)});
        g.resize(f.size());
    }
    if (rng() % 4 == 0) g[0] += static_cast<unsigned long>(rng() % 3);
    const auto f_fixed = fixed_from<3, kLimbs>(f);
    const auto g_fixed = fixed_from<2, kOther>(g);
    const DyadicTime a = dyadic_time(lower);
    const DyadicTime b = dyadic_time(upper);
    if (f_fixed.is_zero() || f_fixed.degree() == 0 || g_fixed.is_zero()) return;
    if (sign_at(f_fixed, a) == 0 || sign_at(f_fixed, b) == 0) return;
    if (bernstein_changes(f_fixed, a, b) != 1) return;
    const ExactPolynomial whole = f_fixed.exact();
    const int expected = sign_at(whole, b) * cauchy_index(g_fixed.exact(), whole, a, b);
    ASSERT_EQ(sign_at_root_of(f_fixed, g_fixed, a, b), expected);
    ++seen[std::to_string(f_fixed.degree()) + " by " + std::to_string(g_fixed.degree()) +
           (expected == 0 ? ", zero" : ", not zero")];
}

TEST(FixedPolynomial, SignsAtTheOnlyRootAreThoseOfTheExactFormHoweverCloseTheRoots) {
    std::mt19937_64 rng(kFixedSeed);
    std::map<std::string, int> seen;
    for (int i = 0; i < 20'000; ++i) {
        expect_sign_at_the_only_root<3, 2>(rng, seen);
        expect_sign_at_the_only_root<6, 4>(rng, seen);
        ASSERT_FALSE(HasFatalFailure());
    }
    for (const char* degrees : {"1 by 1", "1 by 2", "2 by 1", "2 by 2", "3 by 1", "3 by 2"}) {
        for (const char* value : {", zero", ", not zero"})
            EXPECT_GT(seen[std::string(degrees) + value], 50) << degrees << value;
    }
}

// --- The estimate of CE-9 -----------------------------------------------------------------------

template <std::size_t kLimbs>
FixedPolynomial<1, kLimbs> any_coordinate(std::mt19937_64& rng) {
    return any_polynomial<1, kLimbs>(64 * kLimbs - 5, rng);
}
template <std::size_t kLimbs>
mpq_class value_at(const FixedPolynomial<1, kLimbs>& p, double t) {
    return mpq_class(to_gmp(p[0])) + mpq_class(to_gmp(p[1])) * mpq_class(t);
}

// The largest |value - exact| / error over the ends and the middle of the bracket.
template <std::size_t kLimbs>
double worst_of_bound(std::mt19937_64& rng, double width, int mode) {
    const auto uj = any_coordinate<kLimbs>(rng);
    const auto uk = any_coordinate<kLimbs>(rng);
    const auto wj = any_coordinate<kLimbs>(rng);
    const auto wk = any_coordinate<kLimbs>(rng);
    const double lower = std::min(any_fixed_time(rng), 1.0 - width);
    const double upper = std::min(1.0, lower + width);
    // Through a pointer that is read anew: the compiler moves no arithmetic out of the mode.
    using Coordinate = FixedPolynomial<1, kLimbs>;
    CrossEstimate (*volatile estimate)(const Coordinate&, const Coordinate&, const Coordinate&,
                                       const Coordinate&, const SignBracket&) noexcept =
        &cross_est<Coordinate>;
    std::fesetround(mode);
    const CrossEstimate found = estimate(uj, uk, wj, wk, {lower, upper});
    std::fesetround(FE_TONEAREST);
    double worst = 0.0;
    for (const double t : {lower, 0.5 * (lower + upper), upper}) {
        const mpq_class exact =
            value_at(uj, t) * value_at(wk, t) - value_at(uk, t) * value_at(wj, t);
        const auto certain = certain_sign(found);
        EXPECT_EQ(certain.value_or(sgn(exact)), sgn(exact));
        if (found.error == 0.0) continue;
        const mpq_class error = abs(mpq_class(found.value) - exact);
        worst = std::max(worst, mpq_class(error / mpq_class(found.error)).get_d());
    }
    return worst;
}

TEST(CrossEstimate, NeverErrsByMoreThanItsBoundInAnyRoundingModeNorIsTheBoundIdle) {
    std::mt19937_64 rng(kFixedSeed);
    for (const double width : {0.0, 0x1p-53, 0x1p-50, 0x1p-30, 0x1p-4, 1.0}) {
        double worst = 0.0;
        for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
            for (int i = 0; i < 400; ++i) {
                worst = std::max({worst, worst_of_bound<1>(rng, width, mode),
                                  worst_of_bound<2>(rng, width, mode)});
            }
        }
        EXPECT_LT(worst, 1.0) << width;
        EXPECT_GT(worst, 0.01) << width;
    }
}

// --- Whole decisions ----------------------------------------------------------------------------

// The same bits in every width that holds the coordinates; the widths that do.
template <class Motion>
IntegerWidth expect_same_bits(const Motion& motion, double t_max, double width) {
    const IntegerWidth least = integer_width(motion);
    const ExactContact expected =
        exact_first_contact_in(IntegerWidth::Growing, motion, t_max, width);
    EXPECT_EQ(exact_first_contact(motion, t_max, width), expected);
    for (const IntegerWidth each : {IntegerWidth::OneLimb, IntegerWidth::TwoLimbs}) {
        if (each < least) continue;
        const ExactContact found = exact_first_contact_in(each, motion, t_max, width);
        EXPECT_EQ(found, expected) << static_cast<int>(each) << " t_max " << io::to_hex(t_max)
                                   << " width " << width << '\n'
                                   << io::to_hex(io::record_of(motion), Motion::kKind);
    }
    return least;
}
IntegerWidth expect_same_bits(QueryKind kind, const QueryRecord& record, double t_max,
                              double width) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return expect_same_bits(io::motion_of<Motion>(record), t_max, width);
    });
}

// t_max at random, and where the first time is.
double any_end(QueryKind kind, const QueryRecord& record, std::mt19937_64& rng) {
    switch (rng() % 4) {
        case 0:
            return any_fixed_time(rng);
        case 1: {
            const ExactContact found = exact_contact(record, kind, 1.0, 0.0);
            return found.contact ? (rng() % 2 == 0 ? found.lower : found.upper) : 0.5;
        }
        default:
            return 1.0;
    }
}
double any_width(std::mt19937_64& rng) {
    constexpr std::array<double, 5> kWidths = {1e-9, 0.0, 0x1p-53, 1e-3, 1.0};
    return kWidths[rng() % kWidths.size()];
}

struct WidthCounts {
    std::array<int, 3> of{};
    void add(IntegerWidth width) { ++of[static_cast<std::size_t>(width)]; }
};

void compare_families(std::uint64_t queries, WidthCounts& counts) {
    std::mt19937_64 rng(kFixedSeed);
    for (const generate::Family family : generate::kAllFamilies) {
        if (family == generate::Family::Wild) continue;  // of no fixed width
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < queries; ++seed) {
                const QueryRecord record = generate::query(family, kind, 1'000'000 + seed);
                counts.add(
                    expect_same_bits(kind, record, any_end(kind, record, rng), any_width(rng)));
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

// Vertices on a small grid, or on its lines by halves and thirds, resting, in a plane, shifted by a
// last bit, with noise far below: what meshes made by hand and by symmetry bring about.
QueryRecord degenerate_query(std::mt19937_64& rng) {
    const int reach = 1 + static_cast<int>(rng() % 3);
    const double step = std::array{1.0, 0.1, 1.0 / 3.0, 0x1p-20 + 1.0}[rng() % 4];
    const int noise_bits = std::array{0, 0, 53, 60, 90}[rng() % 5];
    const bool rests = rng() % 3 == 0;
    const auto flat = rng() % 4;
    const auto coordinate = [&](std::size_t axis) {
        const int cell = static_cast<int>(rng() % static_cast<unsigned>(2 * reach + 1)) - reach;
        double x = axis == flat ? 0.0 : step * cell;
        if (noise_bits > 0 && rng() % 6 == 0) {
            x += std::ldexp(static_cast<double>(rng() % 7), -noise_bits);
        }
        return rng() % 16 == 0 ? std::nextafter(x, 4.0) : x;
    };
    QueryRecord record;
    for (MovingPoint& vertex : record.corners) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            vertex.start[axis] = coordinate(axis);
            vertex.end[axis] = rests && rng() % 2 == 0 ? vertex.start[axis] : coordinate(axis);
        }
        if (rests && rng() % 2 == 0) vertex.end = vertex.start;
    }
    if (rng() % 8 == 0) record.corners[3].end = record.corners[rng() % 3].end;
    if (rng() % 8 == 0) record.corners[rng() % 3].start = record.corners[3].start;
    return record;
}

void compare_degenerate(int queries, unsigned seed, WidthCounts& counts) {
    std::mt19937_64 rng(seed);
    for (int i = 0; i < queries; ++i) {
        const QueryRecord record = degenerate_query(rng);
        const QueryKind kind = kAllQueryKinds[rng() % kAllQueryKinds.size()];
        counts.add(expect_same_bits(kind, record, any_end(kind, record, rng), any_width(rng)));
        if (::testing::Test::HasFailure()) return;
    }
}

// Coordinates of exactly as many bits as a width allows, at the largest magnitudes.
void compare_widest(int queries, WidthCounts& counts) {
    std::mt19937_64 rng(kFixedSeed);
    for (int i = 0; i < queries; ++i) {
        const int bits = std::array{58, 122, 59, 123}[rng() % 4];
        const auto coordinate = [&] {
            const double large = std::ldexp(1.0, bits) - std::ldexp(1.0, bits - 53);
            const double x =
                std::array{large, large, std::ldexp(1.0, bits - 1), 1.0, 3.0, 0.0}[rng() % 6];
            return rng() % 2 == 0 ? x : -x;
        };
        QueryRecord record;
        for (MovingPoint& vertex : record.corners) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                vertex.start[axis] = coordinate();
                vertex.end[axis] = coordinate();
            }
        }
        const QueryKind kind = kAllQueryKinds[rng() % kAllQueryKinds.size()];
        counts.add(expect_same_bits(kind, record, any_end(kind, record, rng), any_width(rng)));
        if (::testing::Test::HasFailure()) return;
    }
}

TEST(CertifiedFixed, EveryWidthGivesTheSameBitsOnEveryFamily) {
    WidthCounts counts;
    compare_families(100, counts);
    EXPECT_GT(counts.of[0], 1000);  // nearly all families are on grids
    EXPECT_GT(counts.of[1], 10);
}

TEST(CertifiedFixed, EveryWidthGivesTheSameBitsOnDegenerateQueries) {
    WidthCounts counts;
    compare_degenerate(5000, kFixedSeed, counts);
    for (const int count : counts.of)
        EXPECT_GT(count, 100);
}

TEST(CertifiedFixed, EveryWidthGivesTheSameBitsAtItsLastBit) {
    WidthCounts counts;
    compare_widest(5000, counts);
    for (const int count : counts.of)
        EXPECT_GT(count, 500);
}

TEST(CertifiedFixedAttack, EveryWidthGivesTheSameBitsOnAMillionQueries) {
    WidthCounts counts;
    compare_families(5000, counts);
    compare_degenerate(1'000'000, kFixedSeed + 1, counts);
    compare_widest(200'000, counts);
    std::cout << "one limb " << counts.of[0] << ", two " << counts.of[1] << ", growing "
              << counts.of[2] << '\n';
}

}  // namespace
}  // namespace graze::certified
