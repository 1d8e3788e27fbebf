// Defends G-ALL-2 (docs/GUARANTEES.md).
#include "graze/core/fp_environment.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace graze {
namespace {

// Restores whatever environment a test leaves behind, by means other than those under test.
class FpEnvironmentTest : public testing::Test {
protected:
    void SetUp() override { std::fegetenv(&found_); }
    void TearDown() override { std::fesetenv(&found_); }

private:
    std::fenv_t found_{};
};

// volatile, so that the sum is made at run time, in the environment of the call.
double run_time_sum(double a, double b) {
    const volatile double x = a;
    const volatile double y = b;
    return x + y;
}

TEST_F(FpEnvironmentTest, TheDefaultEnvironmentIsSound) {
    EXPECT_EQ(fp_environment(), FpEnvironment::Sound);
}

TEST_F(FpEnvironmentTest, EveryOtherRoundingModeIsNoticed) {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        ASSERT_EQ(std::fesetround(mode), 0);
        EXPECT_EQ(fp_environment(), FpEnvironment::RoundingModeChanged) << mode;
    }
    ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
    EXPECT_EQ(fp_environment(), FpEnvironment::Sound);
}

TEST_F(FpEnvironmentTest, ASoundScopeRoundsToNearestAndGivesTheFoundModeBack) {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        ASSERT_EQ(std::fesetround(mode), 0);
        {
            const ScopedSoundFpEnvironment sound;
            EXPECT_EQ(fp_environment(), FpEnvironment::Sound);
            EXPECT_EQ(detail::observed_fp_environment(), FpEnvironment::Sound);
            EXPECT_EQ(run_time_sum(1.0, 0x1p-60), 1.0);
        }
        EXPECT_EQ(std::fegetround(), mode);
        EXPECT_EQ(fp_environment(), FpEnvironment::RoundingModeChanged);
    }
}

// Numbers that are in registers when the mode is changed, and arithmetic that the compiler sees:
// nothing but the call keeps it from adding before or after.
[[gnu::noinline]] double sound_sum(double a, double b) {
    return with_sound_arithmetic([=] { return a + b; }, [] { return 0.0; });
}
// The same sum inside and outside, which an optimiser would like to make once.
struct TwoSums {
    double before;
    double inside;
    double after;
};
[[gnu::noinline]] TwoSums sums_around(double a, double b) {
    TwoSums sums{};
    sums.before = run_time_sum(a, b);
    sums.inside = with_sound_arithmetic([&] { return a + b; }, [] { return 0.0; });
    sums.after = run_time_sum(a, b);
    return sums;
}

TEST_F(FpEnvironmentTest, ArithmeticStaysInsideTheCallThatMakesItSound) {
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    const double sum = sound_sum(1.0, 0x1p-60);
    const TwoSums sums = sums_around(1.0, 0x1p-60);
    double in_loop = 0.0;
    for (int i = 0; i < 100; ++i)
        in_loop = with_sound_arithmetic([&] { return in_loop + 0x1p-60 + 1.0 - 1.0; },
                                        [] { return 0.0; });
    const int after = std::fegetround();
    ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
    EXPECT_EQ(after, FE_UPWARD);
    EXPECT_EQ(sum, 1.0);
    EXPECT_EQ(sums.inside, 1.0);
    EXPECT_GT(sums.before, 1.0);
    EXPECT_GT(sums.after, 1.0);
    EXPECT_EQ(in_loop, 0.0);
}

TEST_F(FpEnvironmentTest, ASoundCallGivesTheFoundModeBackWhereItThrows) {
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    bool caught = false;
    try {
        with_sound_arithmetic([] { throw 1; }, [] {});
    } catch (int) {
        caught = true;
    }
    const FpEnvironment after = fp_environment();
    ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
    EXPECT_TRUE(caught);
    EXPECT_EQ(after, FpEnvironment::RoundingModeChanged);
}

// What the register says and what the arithmetic does.
TEST_F(FpEnvironmentTest, TheRegisterTellsWhatTheArithmeticDoes) {
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        ASSERT_EQ(std::fesetround(mode), 0);
        EXPECT_EQ(fp_environment(), detail::observed_fp_environment()) << mode;
        EXPECT_EQ(has_sound_arithmetic(), mode == FE_TONEAREST) << mode;
    }
}

TEST_F(FpEnvironmentTest, EachStateHasItsOwnDescription) {
    EXPECT_NE(describe(FpEnvironment::Sound), describe(FpEnvironment::RoundingModeChanged));
    EXPECT_NE(describe(FpEnvironment::RoundingModeChanged).find("rounding"),
              std::string_view::npos);
    EXPECT_NE(describe(FpEnvironment::FlushesSubnormals).find("subnormal"), std::string_view::npos);
    EXPECT_NE(describe(FpEnvironment::TrapsExceptions).find("trap"), std::string_view::npos);
}

TEST_F(FpEnvironmentTest, LookingCostsNanoseconds) {
    constexpr int kCalls = 200'000;
    int sound = 0;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; ++i)
        sound += fp_environment() == FpEnvironment::Sound ? 1 : 0;
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    std::cout << "[ measured ] fp_environment(): " << spent.count() / kCalls << " ns a call\n";
    EXPECT_EQ(sound, kCalls);
}

#if defined(__SSE2__)
constexpr unsigned kFlushToZero = 0x8000;
constexpr unsigned kDenormalsAreZero = 0x0040;

TEST_F(FpEnvironmentTest, FlushingResultsOrOperandsIsNoticed) {
    const unsigned plain = _mm_getcsr();
    for (const unsigned bits :
         {kFlushToZero, kDenormalsAreZero, kFlushToZero | kDenormalsAreZero}) {
        _mm_setcsr(plain | bits);
        const FpEnvironment seen = fp_environment();
        const FpEnvironment observed = detail::observed_fp_environment();
        _mm_setcsr(plain);
        EXPECT_EQ(seen, FpEnvironment::FlushesSubnormals) << std::hex << bits;
        EXPECT_EQ(observed, FpEnvironment::FlushesSubnormals) << std::hex << bits;
    }
    EXPECT_EQ(fp_environment(), FpEnvironment::Sound);
}

// Inexact results would end the program.
TEST_F(FpEnvironmentTest, TrapsAreNoticedAndMaskedForTheTimeOfACall) {
    constexpr unsigned kMasks = 0x1f80;
    const unsigned plain = _mm_getcsr();
    for (unsigned bit = 0x80; bit <= 0x1000; bit <<= 1U) {
        _mm_setcsr(plain & ~bit);
        const FpEnvironment seen = fp_environment();
        _mm_setcsr(plain);
        EXPECT_EQ(seen, FpEnvironment::TrapsExceptions) << std::hex << bit;
    }
    _mm_setcsr(plain & ~kMasks);
    const double sum = sound_sum(1.0, 0x1p-60);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(plain);
    EXPECT_EQ(sum, 1.0);
    EXPECT_EQ(after, plain & ~kMasks);  // with the flags of before
}

TEST_F(FpEnvironmentTest, ASoundScopeKeepsSubnormalsAndGivesTheFoundStateBack) {
    const unsigned plain = _mm_getcsr();
    for (const unsigned bits :
         {kFlushToZero, kDenormalsAreZero, kFlushToZero | kDenormalsAreZero}) {
        _mm_setcsr(plain | bits);
        FpEnvironment inside = FpEnvironment::FlushesSubnormals;
        {
            const ScopedSoundFpEnvironment sound;
            inside = fp_environment();
        }
        const unsigned after = _mm_getcsr();
        _mm_setcsr(plain);
        EXPECT_EQ(inside, FpEnvironment::Sound) << std::hex << bits;
        EXPECT_EQ(after & (kFlushToZero | kDenormalsAreZero), bits) << std::hex << bits;
    }
}
#endif

}  // namespace
}  // namespace graze
