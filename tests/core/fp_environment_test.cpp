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
            EXPECT_EQ(std::fegetround(), FE_TONEAREST);
            EXPECT_EQ(run_time_sum(1.0, 0x1p-60), 1.0);
        }
        EXPECT_EQ(std::fegetround(), mode);
        EXPECT_EQ(fp_environment(), FpEnvironment::RoundingModeChanged);
    }
}

TEST_F(FpEnvironmentTest, EachStateHasItsOwnDescription) {
    EXPECT_NE(describe(FpEnvironment::Sound), describe(FpEnvironment::RoundingModeChanged));
    EXPECT_NE(describe(FpEnvironment::RoundingModeChanged).find("rounding"),
              std::string_view::npos);
    EXPECT_NE(describe(FpEnvironment::FlushesSubnormals).find("subnormal"), std::string_view::npos);
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
        _mm_setcsr(plain);
        EXPECT_EQ(seen, FpEnvironment::FlushesSubnormals) << std::hex << bits;
    }
    EXPECT_EQ(fp_environment(), FpEnvironment::Sound);
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
