// Every level of the project, judged afresh and exactly: bench/campaigns/slide_scenes.cpp runs more of it.
// Defends G-SLIDE-3, G-SLIDE-7, G-SLIDE-10 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include <string>

#include "graze/verify/slide_measure.hpp"

namespace graze::verify {
namespace {

using generate::LevelId;
using generate::LevelScene;
using slide::MoverKind;

constexpr Vec3 kBall{1, 1, 1};
constexpr Vec3 kTall{0.4, 0.9, 0.4};
constexpr Vec3 kHalfBall{0.5, 0.5, 0.5};
constexpr std::array<Vec3, 3> kHalfAxes = {{{0, 0.5, 0}, {0.5, 0, 0}, {0.3, 0.3, -0.2}}};

// Within the same ball: 0.5 by 0.7 by 0.4 from its centre to its faces, upright and leaning.
SlideSettings box_settings(Precision precision, double scale, const Quaternion& rotation) {
    const Vec3 half = scale * Vec3{0.5, 0.7, 0.4};
    const double rounding = scale * 0.15;
    if (precision == Precision::Float) {
        const auto box = slide::rounded_box(slide::narrowed<float>(half),
                                            static_cast<float>(rounding), rotation);
        return {MoverKind::Graze,
                precision,
                slide::widened(box.radii),
                0.0,
                slide::widened(box.half_axis),
                {slide::widened(box.side_axes[0]), slide::widened(box.side_axes[1])}};
    }
    const auto box = slide::rounded_box(half, rounding, rotation);
    return {MoverKind::Graze, precision, box.radii, 0.0, box.half_axis, box.side_axes};
}
const std::array<Quaternion, 2> kBoxRotations = {Quaternion{}, rotation_about({1, 2, 3}, 0.75)};

SlideMeasures measured(const LevelScene& scene, const SlideSettings& settings,
                       const MeasureOptions& options = {}) {
    const auto walker = make_walker(scene.parts, scene.start, settings);
    EXPECT_TRUE(walker);
    if (!walker) return {};
    const GapMeasure judge((*walker)->triangles(), (*walker)->radii(), (*walker)->half_axis(),
                           (*walker)->side_axes());
    return measure_slide(**walker, judge, scene, options);
}

void expect_kept(LevelId level, const SlideMeasures& measures) {
    EXPECT_GT(measures.moves, 0U);
    for (const std::string& promise : broken_claims(level, measures))
        ADD_FAILURE() << promise;
}

class SlideScenes : public testing::TestWithParam<LevelId> {};

TEST_P(SlideScenes, KeepAllPromisesInBothPrecisionsForBallAndEllipsoid) {
    const LevelScene scene = generate::make_level(GetParam());
    for (const Precision precision : {Precision::Double, Precision::Float}) {
        for (const Vec3& radii : {kBall, kTall}) {
            SCOPED_TRACE(std::string(name(precision)) + (radii == kBall ? " ball" : " ellipsoid"));
            expect_kept(GetParam(), measured(scene, {MoverKind::Graze, precision, radii, 0.0}));
        }
    }
}

TEST_P(SlideScenes, KeepAllPromisesFarFromTheOrigin) {
    const LevelScene scene =
        generate::placed(generate::make_level(GetParam()), 1.0, {4000, 4000, 4000});
    for (const Precision precision : {Precision::Double, Precision::Float}) {
        SCOPED_TRACE(name(precision));
        expect_kept(GetParam(), measured(scene, {MoverKind::Graze, precision, kBall, 0.0}));
    }
}

TEST_P(SlideScenes, KeepAllPromisesAtOtherSizes) {
    for (const double scale : {1e-3, 1e3}) {
        SCOPED_TRACE(scale);
        const LevelScene scene = generate::placed(generate::make_level(GetParam()), scale, {});
        const SlideSettings settings{MoverKind::Graze, Precision::Float, scale * kBall, 0.0};
        expect_kept(GetParam(), measured(scene, settings));
    }
}

// Within the ball of radius 1 that the levels are made for.
TEST_P(SlideScenes, KeepAllPromisesForCapsulesUprightLyingAndLeaning) {
    const LevelScene scene = generate::make_level(GetParam());
    for (const Precision precision : {Precision::Double, Precision::Float}) {
        for (const Vec3& half_axis : kHalfAxes) {
            SCOPED_TRACE(testing::Message() << name(precision) << " " << half_axis.x << " "
                                            << half_axis.y << " " << half_axis.z);
            expect_kept(GetParam(),
                        measured(scene, {MoverKind::Graze, precision, kHalfBall, 0.0, half_axis}));
        }
    }
}

TEST_P(SlideScenes, KeepAllPromisesForACapsuleFarFromTheOrigin) {
    const LevelScene scene =
        generate::placed(generate::make_level(GetParam()), 1.0, {4000, 4000, 4000});
    for (const Precision precision : {Precision::Double, Precision::Float}) {
        SCOPED_TRACE(name(precision));
        expect_kept(GetParam(),
                    measured(scene, {MoverKind::Graze, precision, kHalfBall, 0.0, kHalfAxes[0]}));
    }
}

TEST_P(SlideScenes, KeepAllPromisesForARoundedBox) {
    const LevelScene scene = generate::make_level(GetParam(), {.max_moves = 300});
    for (const Precision precision : {Precision::Double, Precision::Float}) {
        for (const Quaternion& rotation : kBoxRotations) {
            SCOPED_TRACE(testing::Message() << name(precision) << " " << rotation.w);
            expect_kept(GetParam(), measured(scene, box_settings(precision, 1.0, rotation)));
        }
    }
}

// SM-8. By projection alone all moves together are 83.118 long.
TEST(SlideLength, IsKeptOverTheEdgesOfStairs) {
    const LevelScene scene = generate::make_level(LevelId::Stairs);
    for (const Precision precision : {Precision::Double, Precision::Float}) {
        const auto walker =
            make_walker(scene.parts, scene.start, {MoverKind::Graze, precision, kBall, 0.0});
        ASSERT_TRUE(walker);
        double length = 0.0;
        for (const generate::LevelMove& move : scene.moves) {
            const Vec3 before = (*walker)->position();
            const double step = norm((*walker)->move(move.displacement).position - before);
            EXPECT_LE(step, norm(move.displacement) + 4.0 * (*walker)->default_skin());
            length += step;
        }
        EXPECT_GE(length, 1.024 * 83.118) << name(precision);
    }
}

// By projection alone 0.14 % are lost.
TEST(SlideLength, IsKeptWhereHillsBendUp) {
    const LevelScene scene = generate::make_level(LevelId::Terrain);
    const SlideMeasures measures =
        measured(scene, {MoverKind::Graze, Precision::Double, kBall, 0.0});
    EXPECT_LE(measures.travel.lost(), 0.0007);
    EXPECT_GE(measures.travel.lost(), -0.002);
}

class SlideScenesAttack : public testing::TestWithParam<LevelId> {};

TEST_P(SlideScenesAttack, KeepAllPromisesForARoundedBoxAtThreeScalesNearAndFar) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        for (const double shift : {0.0, 4000.0}) {
            const LevelScene scene = generate::placed(generate::make_level(GetParam()), scale,
                                                      scale * shift * Vec3{1, 1, 1});
            for (const Precision precision : {Precision::Double, Precision::Float}) {
                for (const Quaternion& rotation : kBoxRotations) {
                    SCOPED_TRACE(testing::Message() << name(precision) << " " << rotation.w << " "
                                                    << scale << " " << shift);
                    expect_kept(GetParam(),
                                measured(scene, box_settings(precision, scale, rotation)));
                }
            }
        }
    }
}

std::string level_test_name(const testing::TestParamInfo<LevelId>& level) {
    std::string text(name(level.param));
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
}
INSTANTIATE_TEST_SUITE_P(AllLevels, SlideScenesAttack, testing::ValuesIn(generate::kAllLevels),
                         level_test_name);
INSTANTIATE_TEST_SUITE_P(AllLevels, SlideScenes, testing::ValuesIn(generate::kAllLevels),
                         level_test_name);

TEST(SlideScenesRandom, MovesInClosedLevelsStayInsideAndOutOfTheWalls) {
    for (const LevelId level : {LevelId::Soup, LevelId::Cave}) {
        const LevelScene scene = generate::make_level(level);
        for (const Precision precision : {Precision::Double, Precision::Float}) {
            const SlideMeasures measures =
                measured(scene, {MoverKind::Graze, precision, kBall, 0.0},
                         {.random_moves = 5000, .seed = 20250101});
            EXPECT_EQ(measures.moves, 5000U);
            expect_kept(level, measures);
        }
    }
}

SlideMeasures random_capsule_moves(LevelId level, Precision precision, const Vec3& half_axis,
                                   std::uint64_t count) {
    return measured(generate::make_level(level),
                    {MoverKind::Graze, precision, kHalfBall, 0.0, half_axis},
                    {.random_moves = count, .seed = 20250101});
}

TEST(SlideScenesRandom, MovesOfACapsuleInClosedLevelsStayInsideAndOutOfTheWalls) {
    for (const LevelId level : {LevelId::Soup, LevelId::Cave}) {
        for (const Precision precision : {Precision::Double, Precision::Float}) {
            const SlideMeasures measures =
                random_capsule_moves(level, precision, kHalfAxes[0], 1000);
            EXPECT_EQ(measures.moves, 1000U);
            expect_kept(level, measures);
        }
    }
}

TEST(SlideScenesRandom, MovesOfARoundedBoxInClosedLevelsStayInsideAndOutOfTheWalls) {
    for (const LevelId level : {LevelId::Soup, LevelId::Cave}) {
        for (const Precision precision : {Precision::Double, Precision::Float}) {
            const SlideMeasures measures = measured(generate::make_level(level),
                                                    box_settings(precision, 1.0, kBoxRotations[0]),
                                                    {.random_moves = 300, .seed = 20250101});
            EXPECT_EQ(measures.moves, 300U);
            expect_kept(level, measures);
        }
    }
}

TEST(CapsuleScenesAttack, AHundredThousandMovesInClosedLevels) {
    for (const LevelId level : {LevelId::Soup, LevelId::Cave})
        for (const Precision precision : {Precision::Double, Precision::Float})
            for (const Vec3& half_axis : kHalfAxes)
                expect_kept(level, random_capsule_moves(level, precision, half_axis, 100'000));
}

// --- The measures themselves: the published movers fail them where the papers say so -------------

TEST(SlideMeasures, ShowThatFauerbyJittersInTheObtuseCornerAndLinahanDoesNot) {
    const LevelScene scene = generate::make_level(LevelId::ObtuseCorner);
    const auto jitter = [&](MoverKind mover) {
        return measured(scene, {mover, Precision::Float, kBall, 0.0}).jitter;
    };
    EXPECT_GT(jitter(MoverKind::Fauerby), 0.01);
    EXPECT_EQ(jitter(MoverKind::Linahan), 0.0);
    EXPECT_EQ(jitter(MoverKind::Graze), 0.0);
}

TEST(SlideMeasures, ShowThatAGapAlongTheWayIsNoGapToTheSurface) {
    for (const MoverKind mover : {MoverKind::Fauerby, MoverKind::Linahan}) {
        const SlideMeasures measures = measured(generate::make_level(LevelId::AcuteWedge),
                                                {mover, Precision::Double, kBall, 0.0});
        EXPECT_GT(measures.below_skin, 0U);
        EXPECT_LT(measures.least_gap_skins, 0.5);
        EXPECT_FALSE(broken_claims(LevelId::AcuteWedge, measures).empty());
    }
}

// A mover that stands still keeps every gap, and loses all of the way.
class Statue final : public Walker {
public:
    explicit Statue(const LevelScene& scene) : scene_(scene) {}
    SlideFrame move(const Vec3&) override {
        return {scene_.start, slide::StopReason::Blocked, default_skin(), true, 1, 0};
    }
    [[nodiscard]] std::vector<Touch> touched() const override { return {}; }
    [[nodiscard]] Vec3 position() const override { return scene_.start; }
    void put(const Vec3&) override {}
    [[nodiscard]] double default_skin() const override { return 1.0 / 256; }
    [[nodiscard]] std::vector<Corners> triangles() const override { return {}; }
    [[nodiscard]] Vec3 radii() const override { return kBall; }
    [[nodiscard]] Vec3 rounded(const Vec3& v) const override { return v; }
    [[nodiscard]] double ulp(double) const override { return 0.0; }
    [[nodiscard]] double largest_coordinate() const override { return 24.0; }
    [[nodiscard]] double build_seconds() const override { return 0.0; }

private:
    const LevelScene& scene_;
};

TEST(SlideMeasures, SeeWhoDoesNotMove) {
    LevelScene scene = generate::make_level(LevelId::FlatGrid);
    scene.start.y = 1.0 + 1.0 / 256;
    Statue statue(scene);
    std::vector<Corners> triangles;
    const auto& part = scene.parts[0];
    for (const auto& [a, b, c] : part.faces)
        triangles.push_back({part.positions[a], part.positions[b], part.positions[c]});
    const GapMeasure judge(triangles, kBall);
    const SlideMeasures measures = measure_slide(statue, judge, scene);
    EXPECT_EQ(measures.below_skin, 0U);
    EXPECT_EQ(measures.depth, 0.0);
    EXPECT_NEAR(measures.travel.lost(), 1.0, 1e-12);
    EXPECT_EQ(broken_claims(LevelId::FlatGrid, measures).size(), 1U);
}

TEST(SlideMeasures, SeeWhoFallsThrough) {
    LevelScene scene = generate::make_level(LevelId::FlatGrid);
    const LevelScene nowhere{LevelId::FlatGrid, {}, scene.start, scene.moves, 0};
    const auto walker = make_walker(nowhere.parts, scene.start, {});
    ASSERT_TRUE(walker);
    const GapMeasure judge({{Vec3{-99, 0, -99}, Vec3{99, 0, -99}, Vec3{0, 0, 99}}}, kBall);
    EXPECT_TRUE(measure_slide(**walker, judge, scene).escaped);
}

TEST(SlideMeasures, SeeThatWhoWentOverTheEdgeDidNotGetThrough) {
    LevelScene scene = generate::make_level(LevelId::FlatGrid);
    const LevelScene nowhere{LevelId::FlatGrid, {}, scene.start, scene.moves, 0};
    const auto walker = make_walker(nowhere.parts, scene.start, {});
    ASSERT_TRUE(walker);
    const Vec3 far = scene.start + Vec3{9, -scene.start.y, 9};
    const GapMeasure judge({{far, far + Vec3{1, 0, 0}, far + Vec3{0, 0, 1}}}, kBall);
    EXPECT_FALSE(measure_slide(**walker, judge, scene).escaped);
}

}  // namespace
}  // namespace graze::verify
