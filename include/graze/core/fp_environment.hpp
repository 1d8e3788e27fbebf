// Which floating-point arithmetic the proofs stand on, and how its absence is noticed.
//
// Every bound of the library counts roundings of IEEE 754 doubles: each operation rounded once, to
// nearest, with gradual underflow. Including this header refuses to compile where the compiler was
// told otherwise; fp_environment() notices what can only be seen at run time.
//
// Not noticed: clang's -fassociative-math, -freciprocal-math and -funsafe-math-optimizations when
// given without -ffast-math, since clang defines no macro for them.
#pragma once

#include <cfenv>
#include <cfloat>
#include <cstdint>
#include <limits>
#include <string_view>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST) ||                                            \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(__ASSOCIATIVE_MATH__) || \
    defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "graze: its proofs need IEEE 754 arithmetic; compile without -ffast-math, -Ofast or /fp:fast"
#endif

namespace graze {

static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<double>::digits == 53,
              "the error bounds are derived for IEEE 754 binary64");
static_assert(FLT_EVAL_METHOD == 0,
              "doubles are evaluated with excess precision (x87): results are rounded twice");

enum class FpEnvironment : std::uint8_t {
    Sound,                // round to nearest, gradual underflow
    RoundingModeChanged,  // upward, downward or toward zero
    FlushesSubnormals,    // subnormal results or operands are taken for zero (FTZ, DAZ)
};

// Does the calling thread compute as the proofs assume?
// Guarantee: tells what the arithmetic does, by running it, not what a control register says.
// Where both are wrong, RoundingModeChanged is named.
// Cost: four additions, a few nanoseconds. Raises the inexact flag.
[[nodiscard]] FpEnvironment fp_environment() noexcept;

// One line for error messages.
[[nodiscard]] std::string_view describe(FpEnvironment environment) noexcept;

// Rounds to nearest with gradual underflow and without traps while it lives; the environment found
// at construction comes back at destruction, with the flags of then.
// Beware: compilers move plain arithmetic across the ends of the scope, since they assume that the
// rounding mode never changes. Protected are calls to functions that are not inlined.
class [[nodiscard]] ScopedSoundFpEnvironment {
public:
    ScopedSoundFpEnvironment() noexcept;
    ~ScopedSoundFpEnvironment();
    ScopedSoundFpEnvironment(const ScopedSoundFpEnvironment&) = delete;
    ScopedSoundFpEnvironment& operator=(const ScopedSoundFpEnvironment&) = delete;

private:
    std::fenv_t found_;
};

}  // namespace graze
