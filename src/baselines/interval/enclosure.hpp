// Interval arithmetic of the interval root finders: Boost.Interval on directed rounding of ours.
//
// Boost's own rounding sets the mode of the processor at each operation, which is twenty times
// slower, or expects that the compiler leaves operations between two calls of fesetround, which
// neither gcc nor clang promises. Here the mode is set once a query, and each operation is an
// instruction that the compiler can neither move across that nor evaluate itself.
#pragma once

#include <boost/numeric/interval.hpp>
#include <cstdint>

#include "graze/core/rounding.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define GRAZE_ROUNDS_IN_HARDWARE 1
#endif

namespace graze::interval {

// By error-free transformations in round-to-nearest: on every machine, and the reference for tests.
struct SoftwareRounding {
    static double add_down(double a, double b) noexcept { return graze::add_down(a, b); }
    static double add_up(double a, double b) noexcept { return graze::add_up(a, b); }
    static double sub_down(double a, double b) noexcept { return graze::sub_down(a, b); }
    static double sub_up(double a, double b) noexcept { return graze::sub_up(a, b); }
    static double mul_down(double a, double b) noexcept { return graze::mul_down(a, b); }
    static double mul_up(double a, double b) noexcept { return graze::mul_up(a, b); }
};

#ifdef GRAZE_ROUNDS_IN_HARDWARE

#ifdef __AVX__  // instructions without the prefix would wait for the upper halves of registers
#define GRAZE_SCALAR_OPERATION(name, a, b) asm volatile("v" name " %1, %0, %0" : "+x"(a) : "x"(b))
#else
#define GRAZE_SCALAR_OPERATION(name, a, b) asm volatile(name " %1, %0" : "+x"(a) : "x"(b))
#endif

// By the processor, which has to round upwards: RD(x) = -RU(-x), and negation is exact.
// Volatile instructions stay in their order, which is that of the source.
// Requires: a RoundingUp is alive.
struct HardwareRounding {
    static double add_up(double a, double b) noexcept {
        GRAZE_SCALAR_OPERATION("addsd", a, b);
        return a;
    }
    static double sub_up(double a, double b) noexcept {
        GRAZE_SCALAR_OPERATION("subsd", a, b);
        return a;
    }
    static double mul_up(double a, double b) noexcept {
        GRAZE_SCALAR_OPERATION("mulsd", a, b);
        return a;
    }
    static double add_down(double a, double b) noexcept { return -sub_up(-a, b); }
    static double sub_down(double a, double b) noexcept { return -sub_up(b, a); }
    static double mul_down(double a, double b) noexcept { return -mul_up(-a, b); }
};
#undef GRAZE_SCALAR_OPERATION

// While it lives, this thread rounds upwards. The mode before comes back on every way out; flags
// and all other settings are left alone.
// Meanwhile ordinary expressions round upwards or to nearest, as the compiler happens to order
// them: whatever is computed beside enclosures must be exact, or right for both.
class RoundingUp {
public:
    RoundingUp() noexcept : before_(control()) { set_mode(kUpwards); }
    ~RoundingUp() { set_mode(before_ & kMode); }
    RoundingUp(const RoundingUp&) = delete;
    RoundingUp& operator=(const RoundingUp&) = delete;

private:
    static constexpr std::uint32_t kMode = 0x6000;  // bits 13 and 14 of MXCSR
    static constexpr std::uint32_t kUpwards = 0x4000;

    static std::uint32_t control() noexcept {
        std::uint32_t word = 0;
        asm volatile("stmxcsr %0" : "=m"(word));
        return word;
    }
    static void set_mode(std::uint32_t mode) noexcept {
        const std::uint32_t word = (control() & ~kMode) | mode;
        asm volatile("ldmxcsr %0" : : "m"(word));
    }

    std::uint32_t before_;
};
using DirectedRounding = HardwareRounding;

#else

struct RoundingUp {
    RoundingUp() noexcept {}  // so that an unused one is no warning
};
using DirectedRounding = SoftwareRounding;

#endif

// Every operation holds the exact results for all members; each end is the tightest double.
// Finite operands never lead to NaN: an end that overflowed is an infinity on its own side, and
// Boost's products meet no zero with an infinity.
template <class Rounding>
using BoostInterval =
    boost::numeric::interval<double, boost::numeric::interval_lib::policies<
                                         boost::numeric::interval_lib::save_state_nothing<Rounding>,
                                         boost::numeric::interval_lib::checking_base<double>>>;
using Enclosure = BoostInterval<DirectedRounding>;

// Is it proved that 0 is not in x? (Not by NaN.)
[[nodiscard]] inline bool excludes_zero(const Enclosure& x) noexcept {
    return x.lower() > 0.0 || x.upper() < 0.0;
}

}  // namespace graze::interval
