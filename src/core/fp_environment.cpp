#include "graze/core/fp_environment.hpp"

#include <limits>

#include "graze/core/strict_arithmetic.hpp"

namespace graze {
namespace {

constexpr double kSmallestNormal = std::numeric_limits<double>::min();

// Volatile operands keep the compiler from folding the sum in its own, always sound, arithmetic.
// Sums alone: products of subnormals cost a microcode assist on many processors.
double sum_at_run_time(double a, double b) noexcept {
    const volatile double first = a;
    const volatile double second = b;
    const volatile double sum = first + second;
    return sum;
}

// 2^-60 is less than half the spacing on either side of 1, so only rounding to nearest gives 1
// twice: upward moves the sum, downward and toward zero move the difference.
bool rounds_to_nearest() noexcept {
    return sum_at_run_time(1.0, 0x1p-60) == 1.0 && sum_at_run_time(1.0, -0x1p-60) == 1.0;
}

// 1.5 * 2^-1022 - 2^-1022 = 2^-1023 is exact and subnormal: zero where results are flushed. Adding
// 2^-1022 again takes it as an operand: zero where operands are flushed. Compared are normal
// numbers, since a comparison would flush, too.
bool keeps_subnormals() noexcept {
    const double half = sum_at_run_time(1.5 * kSmallestNormal, -kSmallestNormal);
    return sum_at_run_time(half, kSmallestNormal) == 1.5 * kSmallestNormal;
}

#ifdef GRAZE_READS_FP_CONTROL

void set_fp_control(detail::FpControl bits) noexcept {
#if defined(__aarch64__)
    asm volatile("msr fpcr, %0" : : "r"(bits) : "memory");
#else
    asm volatile("ldmxcsr %0" : : "m"(bits) : "memory");
#endif
}

FpEnvironment meaning_of(detail::FpControl bits) noexcept {
    const detail::FpControl wrong = (bits ^ detail::kSoundFpControl) & detail::kFpControlBits;
    if ((wrong & detail::kFpRounds) != 0) return FpEnvironment::RoundingModeChanged;
    if ((wrong & detail::kFpFlushes) != 0) return FpEnvironment::FlushesSubnormals;
    return wrong == 0 ? FpEnvironment::Sound : FpEnvironment::TrapsExceptions;
}

#endif

}  // namespace

FpEnvironment detail::observed_fp_environment() noexcept {
    if (!rounds_to_nearest()) return FpEnvironment::RoundingModeChanged;
    if (!keeps_subnormals()) return FpEnvironment::FlushesSubnormals;
    return FpEnvironment::Sound;
}

FpEnvironment fp_environment() noexcept {
#ifdef GRAZE_READS_FP_CONTROL
    return meaning_of(detail::fp_control());
#else
    return detail::observed_fp_environment();
#endif
}

std::string_view describe(FpEnvironment environment) noexcept {
    switch (environment) {
        case FpEnvironment::Sound:
            return "floating point is sound: nearest, gradual underflow";
        case FpEnvironment::RoundingModeChanged:
            return "floating-point rounding mode is not round-to-nearest";
        case FpEnvironment::FlushesSubnormals:
            return "floating point flushes subnormal numbers to zero (FTZ or DAZ is set)";
        case FpEnvironment::TrapsExceptions:
            return "floating-point exceptions trap";
    }
    return "floating-point environment is unknown";
}

#ifdef GRAZE_READS_FP_CONTROL

ScopedSoundFpEnvironment::ScopedSoundFpEnvironment() noexcept : found_(detail::fp_control()) {
    set_fp_control((found_ & ~detail::kFpControlBits) | detail::kSoundFpControl);
}
ScopedSoundFpEnvironment::~ScopedSoundFpEnvironment() {
    set_fp_control(found_);
}

#else

ScopedSoundFpEnvironment::ScopedSoundFpEnvironment() noexcept {
    std::fegetenv(&found_);
    std::fesetenv(FE_DFL_ENV);
}
ScopedSoundFpEnvironment::~ScopedSoundFpEnvironment() {
    std::fesetenv(&found_);
}

#endif

}  // namespace graze
