// Floating-point settings of a thread that the proofs do not assume, to ask under.
#pragma once

#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>
#include <string>
#include <vector>

#include "graze/core/fp_environment.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace graze::testing {

struct HostileSetting {
    std::string name;
    int rounding = FE_TONEAREST;
    unsigned flushes = 0;  // bits of MXCSR: FTZ, DAZ
    bool traps = false;    // every exception, inexact results included
};

inline std::vector<HostileSetting> hostile_settings() {
    std::vector<HostileSetting> all = {{.name = "upward", .rounding = FE_UPWARD},
                                       {.name = "downward", .rounding = FE_DOWNWARD},
                                       {.name = "toward zero", .rounding = FE_TOWARDZERO}};
#if defined(__SSE2__)
    constexpr unsigned kFtz = 0x8000;
    constexpr unsigned kDaz = 0x0040;
    all.push_back({.name = "FTZ", .flushes = kFtz});
    all.push_back({.name = "DAZ", .flushes = kDaz});
    all.push_back({.name = "FTZ and DAZ", .flushes = kFtz | kDaz});
    all.push_back({.name = "traps", .traps = true});
    all.push_back(
        {.name = "all of it", .rounding = FE_UPWARD, .flushes = kFtz | kDaz, .traps = true});
#endif
    return all;
}

// Sets the thread up so, and back by means other than those under test.
class Hostile {
public:
    explicit Hostile(const HostileSetting& setting) {
        std::fegetenv(&found_);
        std::fesetround(setting.rounding);
#if defined(__SSE2__)
        constexpr unsigned kMasks = 0x1f80;
        _mm_setcsr((_mm_getcsr() | setting.flushes) & ~(setting.traps ? kMasks : 0U));
#endif
    }
    ~Hostile() {
        std::fesetenv(&found_);
    }
    Hostile(const Hostile&) = delete;
    Hostile& operator=(const Hostile&) = delete;

private:
    std::fenv_t found_{};
};

// The same answer under each setting as without, and the setting is still there afterwards.
// Ask: no arithmetic of its own.
template <class Ask>
void expect_same_under_all(const char* what, const Ask& ask) {
    const auto expected = ask();
    for (const HostileSetting& setting : hostile_settings()) {
        auto found = expected;
        FpEnvironment before = FpEnvironment::Sound;
        FpEnvironment after = FpEnvironment::Sound;
        {
            const Hostile hostile(setting);
            before = fp_environment();
            found = ask();
            after = fp_environment();
        }
        EXPECT_NE(before, FpEnvironment::Sound) << setting.name;
        EXPECT_EQ(after, before) << what << " under " << setting.name;
        EXPECT_TRUE(found == expected) << what << " under " << setting.name;
    }
}

}  // namespace graze::testing
