// Defends G-ALL-5 (docs/GUARANTEES.md).
#include "graze/ccd.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <vector>

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

// From height 1 at the start to -1 at the end, above the middle of a triangle at rest.
VertexFaceMotion falling_vertex() {
    VertexFaceMotion motion;
    motion.vertex = {{0.25, 0.25, 1.0}, {0.25, 0.25, -1.0}};
    motion.face[1] = {{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    motion.face[2] = {{0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}};
    return motion;
}

TEST(Ccd, FindsTheTimeOfImpact) {
    const CcdResult result = ccd(falling_vertex());
    EXPECT_EQ(result.verdict, Verdict::Contact);
    EXPECT_LE(result.toi_lower, 0.5);
    EXPECT_GE(result.toi_upper, 0.5);
    EXPECT_EQ(ccd(falling_vertex(), {.t_max = 0.25}).verdict, Verdict::Separated);
}

TEST(Ccd, IsUnresolvedForInputThatIsNotFiniteAndForInvalidOptions) {
    VertexFaceMotion motion = falling_vertex();
    EXPECT_EQ(ccd(motion, {.t_max = kNaN}), CcdResult{});
    motion.face[0].end.y = kNaN;
    EXPECT_EQ(ccd(motion), CcdResult{});
}

TEST(Ccd, GivesTheSameBitsWhateverTheRoundingMode) {
    const CcdResult expected = ccd(falling_vertex());
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    const CcdResult upward = ccd(falling_vertex());
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(upward, expected);
}

TEST(CcdBatch, AnswersEachQueryLikeASingleCall) {
    std::vector<VertexFaceMotion> motions(3, falling_vertex());
    motions[1].vertex.end.z = kInfinity;
    motions[2].vertex.end.z = 0.5;
    std::vector<CcdResult> results(3, separated());
    ASSERT_TRUE(ccd(motions, results));
    for (std::size_t i = 0; i < motions.size(); ++i)
        EXPECT_EQ(results[i], ccd(motions[i])) << i;
}

TEST(CcdBatch, ReportsWrongSizesAndOptionsAndLeavesEveryResultUnresolved) {
    const std::vector<VertexFaceMotion> motions(3, falling_vertex());
    std::vector<CcdResult> results(2, separated());
    const Expected<void> sizes = ccd(motions, results);
    ASSERT_FALSE(sizes);
    EXPECT_EQ(sizes.error().message, "2 results for 3 motions");
    EXPECT_EQ(results, std::vector<CcdResult>(2));
    results.assign(3, separated());
    EXPECT_FALSE(ccd(motions, results, {.t_max = 2.0}));
    EXPECT_EQ(results, std::vector<CcdResult>(3));
}

}  // namespace
}  // namespace graze
