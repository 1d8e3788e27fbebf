// Which floating-point arithmetic the proofs stand on, and how it is had.
//
// Every bound of the library counts rounding errors of IEEE 754 doubles: each operation rounded
// once, to nearest, with gradual underflow, and without a trap. How graze's own sources are compiled
// is seen to by graze/core/strict_arithmetic.hpp. How a thread is set is read from its control
// register: every function with a guarantee reads it first, and where it finds other arithmetic (a
// program linked with -ffast-math flushes subnormals) it sets the right one for the time of the
// call: with_sound_arithmetic(). This header holds no arithmetic, and may be compiled with
// -ffast-math.
#pragma once

#include <cfenv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "graze/core/expected.hpp"

namespace graze {

enum class FpEnvironment : std::uint8_t {
    Sound,                // round to nearest, gradual underflow, no traps
    RoundingModeChanged,  // upward, downward or toward zero
    FlushesSubnormals,    // subnormal results or operands are taken for zero (FTZ, DAZ)
    TrapsExceptions,      // an operation that overflows, or is only inexact, ends the program
};

// --- The control register ------------------------------------------------------------------------

namespace detail {

#if defined(__GNUC__) && defined(__SSE2_MATH__)
#define GRAZE_READS_FP_CONTROL 1

// MXCSR, which rules all arithmetic of doubles where they are in SSE registers (x87 has a word of
// its own, and no part in it): bit 6 takes subnormal operands for zero (DAZ), 7 to 12 mask the six
// exceptions, 13 and 14 say how to round, 15 flushes subnormal results (FTZ).
using FpControl = std::uint32_t;
inline constexpr FpControl kFpFlushes = 0x8040;
inline constexpr FpControl kFpRounds = 0x6000;
inline constexpr FpControl kFpTraps = 0x1f80;
inline constexpr FpControl kSoundFpControl = 0x1f80;
// Nothing that is read from memory later is read, or worked on, before the register.
[[nodiscard]] inline FpControl fp_control() noexcept {
    FpControl bits = 0;
    asm volatile("stmxcsr %0" : "=m"(bits) : : "memory");
    return bits;
}

#elif defined(__GNUC__) && defined(__aarch64__)
#define GRAZE_READS_FP_CONTROL 1

// FPCR: bits 0, 1 and 2 (FIZ, AH, NEP) are other ways to handle subnormals and NaN, 8 to 12 and 15
// let exceptions trap, 22 and 23 say how to round, 24 (FZ) flushes subnormals.
using FpControl = std::uint64_t;
inline constexpr FpControl kFpFlushes = 0x1000007;
inline constexpr FpControl kFpRounds = 0xc00000;
inline constexpr FpControl kFpTraps = 0x9f00;
inline constexpr FpControl kSoundFpControl = 0;
[[nodiscard]] inline FpControl fp_control() noexcept {
    FpControl bits = 0;
    asm volatile("mrs %0, fpcr" : "=r"(bits) : : "memory");
    return bits;
}

#endif

#ifdef GRAZE_READS_FP_CONTROL
inline constexpr FpControl kFpControlBits = kFpFlushes | kFpRounds | kFpTraps;
#endif

// What the arithmetic does, seen by running it: for machines whose register is not known here, and
// to check the others. Traps are not noticed. Cost: some 50 ns. Raises the inexact flag.
[[nodiscard]] FpEnvironment observed_fp_environment() noexcept;

// call(data), in a thread that is set to sound arithmetic for as long as that takes; the
// environment found comes back on every way out. False, and nothing was called: it cannot be set.
[[nodiscard]] bool call_with_sound_arithmetic(void (*call)(void*), void* data);

}  // namespace detail

// --- Questions and answers -----------------------------------------------------------------------

// How does the calling thread compute? Of several things that are wrong, the first in the order of
// FpEnvironment is named. Cost: about a nanosecond where the control register is known.
[[nodiscard]] FpEnvironment fp_environment() noexcept;

// One line for error messages.
[[nodiscard]] std::string_view describe(FpEnvironment environment) noexcept;

// Does the calling thread compute as the proofs assume? Cost: as fp_environment().
[[nodiscard]] inline bool has_sound_arithmetic() noexcept {
#ifdef GRAZE_READS_FP_CONTROL
    return (detail::fp_control() & detail::kFpControlBits) == detail::kSoundFpControl;
#else
    return fp_environment() == FpEnvironment::Sound;
#endif
}

// body(), with sound arithmetic, whatever the thread was set to; otherwise() where that cannot be
// had. The environment found is there again afterwards, its flags included if it was not sound.
// Compilers take the rounding mode for constant, and move plain arithmetic across a write of the
// register: therefore body runs behind a call that they cannot see through wherever one is needed.
// Where none is, it is called as it is. Cost: then about a nanosecond.
// Functions of the user that body calls run with sound arithmetic, too.
template <class Body, class Otherwise>
std::invoke_result_t<const Body&> with_sound_arithmetic(const Body& body,
                                                        const Otherwise& otherwise) {
    using Result = std::invoke_result_t<const Body&>;
    if (has_sound_arithmetic()) [[likely]]
        return body();
    if constexpr (std::is_void_v<Result>) {
        const auto call = [](void* data) { (**static_cast<const Body**>(data))(); };
        const Body* data = &body;
        if (!detail::call_with_sound_arithmetic(call, &data)) otherwise();
    } else {
        struct Frame {
            const Body& body;
            std::optional<Result> result;
        };
        Frame frame{body, std::nullopt};
        const auto call = [](void* data) {
            Frame& here = *static_cast<Frame*>(data);
            here.result.emplace(here.body());
        };
        if (!detail::call_with_sound_arithmetic(call, &frame)) return otherwise();
        return *std::move(frame.result);
    }
}
// The same for an Expected<>: otherwise an error.
template <class Body>
std::invoke_result_t<const Body&> with_sound_arithmetic(const Body& body) {
    return with_sound_arithmetic(body, [] {
        return Error{"cannot be set right: " + std::string(describe(fp_environment())),
                     ErrorCode::Unsupported};
    });
}

// Sound arithmetic while it lives; the environment found at construction comes back at destruction,
// with the flags of then.
// Beware: compilers move plain arithmetic across the ends of the scope. Protected are calls that
// they cannot see through: prefer with_sound_arithmetic(), which makes them.
class [[nodiscard]] ScopedSoundFpEnvironment {
public:
    ScopedSoundFpEnvironment() noexcept;
    ~ScopedSoundFpEnvironment();
    ScopedSoundFpEnvironment(const ScopedSoundFpEnvironment&) = delete;
    ScopedSoundFpEnvironment& operator=(const ScopedSoundFpEnvironment&) = delete;

private:
#ifdef GRAZE_READS_FP_CONTROL
    detail::FpControl found_;
#else
    std::fenv_t found_;
#endif
};

}  // namespace graze
