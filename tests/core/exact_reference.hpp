// Exact reference and input generators for the tests of core: rationals of GMP on one side, doubles
// of every size on the other. Shares no code with the library (std::nextafter, not next_up).
#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <ostream>
#include <random>
#include <string>

namespace graze::exact {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kMax = std::numeric_limits<double>::max();

enum class Side { Down, Up };
enum class Tightness { Tight, OneStepWide, Wider, WrongSide };

inline std::string hex(double x) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%a", x);
    return text.data();
}

// How `bound` stands to an exact number, given a test `at_most(c)`: c <= exact, for finite c.
// Down: the tightest bound is the largest double that is at most the exact number.
template <class AtMost>
Tightness tightness_down(double bound, AtMost at_most) {
    const auto below = [&](double c) { return c == -kInf || (c != kInf && at_most(c)); };
    if (std::isnan(bound) || !below(bound)) return Tightness::WrongSide;
    const double next = std::nextafter(bound, kInf);
    if (!below(next)) return Tightness::Tight;
    return below(std::nextafter(next, kInf)) ? Tightness::Wider : Tightness::OneStepWide;
}

// The same for bounds from above, with `at_least(c)`: c >= exact.
template <class AtLeast>
Tightness tightness_up(double bound, AtLeast at_least) {
    return tightness_down(-bound, [&](double c) { return at_least(-c); });
}

inline Tightness tightness(Side side, double bound, const mpq_class& value) {
    if (side == Side::Down) {
        return tightness_down(bound, [&](double c) { return mpq_class(c) <= value; });
    }
    return tightness_up(bound, [&](double c) { return mpq_class(c) >= value; });
}

struct Tally {
    std::array<long, 4> count{};
    void add(Tightness t) { ++count[static_cast<std::size_t>(t)]; }
    [[nodiscard]] long of(Tightness t) const { return count[static_cast<std::size_t>(t)]; }
};

inline std::ostream& operator<<(std::ostream& out, const Tally& t) {
    return out << "tight " << t.count[0] << ", one step wide " << t.count[1] << ", wider "
               << t.count[2] << ", wrong side " << t.count[3];
}

// Doubles of every kind: all exponents alike, short significands, specials, neighbours of specials.
class DoubleSource {
public:
    explicit DoubleSource(std::uint64_t seed) : rng_(seed) {}

    [[nodiscard]] std::uint64_t bits() { return rng_(); }
    [[nodiscard]] int integer(int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(rng_);
    }

    // Any finite double; every exponent is as likely as any other, the subnormal one more so.
    [[nodiscard]] double any() {
        switch (integer(0, 7)) {
            case 0:
                return std::bit_cast<double>(bits() & 0x800f'ffff'ffff'ffffU);  // subnormal
            case 1:
                return special();
            case 2:
                return short_significand();
            default:
                return with_exponent(integer(-1022, 1023));
        }
    }

    // +-1.f 2^exponent with random f; rounds where that is subnormal.
    [[nodiscard]] double with_exponent(int exponent) {
        const double one_to_two = 1.0 + std::ldexp(static_cast<double>(bits() >> 12), -52);
        return std::ldexp((bits() & 1) != 0 ? one_to_two : -one_to_two, exponent);
    }

    // Few set bits, so that results are exact or ties.
    [[nodiscard]] double short_significand() {
        return std::ldexp(static_cast<double>(integer(-15, 15)), integer(-1074, 1019));
    }

    [[nodiscard]] double special() {
        static constexpr std::array<double, 8> kSpecials = {
            0.0, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp-1023, 1.0, 0x1p-537, 0x1p+512, kMax};
        double x = kSpecials[static_cast<std::size_t>(integer(0, 7))];
        for (int step = integer(0, 2); step > 0; --step) {
            x = std::min(kMax, std::nextafter(x, (bits() & 1) != 0 ? kInf : -kInf));
        }
        return (bits() & 1) != 0 ? x : -x;
    }

    // A double a few steps away from x, or x itself.
    [[nodiscard]] double near(double x) {
        for (int step = integer(0, 3); step > 0; --step) {
            x = std::clamp(std::nextafter(x, (bits() & 1) != 0 ? kInf : -kInf), -kMax, kMax);
        }
        return x;
    }

private:
    std::mt19937_64 rng_;
};

}  // namespace graze::exact
