#include "graze/narrow/ccd.hpp"

#include <gtest/gtest.h>

namespace graze {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(CcdResult, KnowsNothingByDefault) {
    const CcdResult result;
    EXPECT_EQ(result.verdict, Verdict::Unresolved);
    EXPECT_EQ(result.toi_lower, 0.0);
    EXPECT_EQ(result.toi_upper, kInfinity);
}

TEST(CcdOptions, AreValidByDefaultAndAtTheEndsOfTheirRanges) {
    EXPECT_TRUE(is_valid({}));
    EXPECT_TRUE(is_valid({.t_max = 0.0}));
    EXPECT_TRUE(is_valid({.min_separation = std::numeric_limits<double>::max()}));
    EXPECT_TRUE(is_valid({.time_width = std::numeric_limits<double>::denorm_min()}));
    EXPECT_TRUE(is_valid({.max_checks = 1}));
}

TEST(CcdOptions, AreInvalidOutsideTheirRangesAndForNaN) {
    for (const double bad : {-1.0, -std::numeric_limits<double>::denorm_min(), kInfinity, kNaN}) {
        EXPECT_FALSE(is_valid({.min_separation = bad})) << bad;
        EXPECT_FALSE(is_valid({.distance_tolerance = bad})) << bad;
        EXPECT_FALSE(is_valid({.time_width = bad})) << bad;
        EXPECT_FALSE(is_valid({.t_max = bad})) << bad;
    }
    EXPECT_FALSE(is_valid({.distance_tolerance = 0.0}));
    EXPECT_FALSE(is_valid({.max_checks = 0}));
    EXPECT_FALSE(is_valid({.time_width = 0.0}));
    EXPECT_FALSE(is_valid({.t_max = 1.0 + std::numeric_limits<double>::epsilon()}));
}

TEST(CcdOptions, AreRefusedByNameAndValue) {
    const auto message = [](const CcdOptions& options) { return check(options).error().message; };
    EXPECT_TRUE(check({}));
    EXPECT_EQ(message({.min_separation = -0x1p-1074}),
              "min_separation = -5e-324 is not finite and >= 0");
    EXPECT_EQ(message({.distance_tolerance = 0.0}), "distance_tolerance = 0 is not finite and > 0");
    EXPECT_EQ(message({.time_width = kInfinity}), "time_width = inf is not finite and > 0");
    EXPECT_EQ(message({.t_max = 1.5}), "t_max = 1.5 is not in [0, 1]");
    EXPECT_EQ(message({.t_max = kNaN}), "t_max = nan is not in [0, 1]");
    EXPECT_EQ(message({.max_checks = 0}), "max_checks = 0 is not at least 1");
}

TEST(Verdict, HasTheNamesOfResultFiles) {
    EXPECT_EQ(name(Verdict::Separated), "separated");
    EXPECT_EQ(name(Verdict::Contact), "contact");
    EXPECT_EQ(name(Verdict::Unresolved), "unresolved");
}

}  // namespace
}  // namespace graze
