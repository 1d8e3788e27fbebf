// Line searches, attacked with exact answers about the motion that they allow.
// Defends G-MESH-5, G-MESH-6 (docs/GUARANTEES.md).
#include "graze/mesh/line_search.hpp"

#include "free_scenes.hpp"

namespace graze {
namespace {

// The point is drawn through the triangle: every step is shorter than the last, none is zero, and
// it never gets there.
TEST(LineSearch, ApproachesAContactWithoutReachingIt) {
    const Expected<MeshTopology> mesh = make_topology(4, std::vector<FaceIndices>{{0, 1, 2}});
    std::vector<Vec3> x = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}};
    const Vec3 goal{1, 1, -1};
    const auto energy = [&](std::span<const Vec3> p) { return norm_sq(p[3] - goal); };
    MeshStepper stepper(*mesh);
    double height = 1.0;
    for (int i = 0; i < 30; ++i) {
        std::vector<Vec3> end = x;
        end[3] = goal;
        const Expected<LineSearchResult> step = line_search(stepper, x, end, energy);
        ASSERT_TRUE(step);
        EXPECT_GT(step->alpha, 0.0);
        EXPECT_LT(step->positions[3].z, height);
        EXPECT_GT(step->positions[3].z, 0.0);
        EXPECT_TRUE(is_free({*mesh, x, end}, step->positions));
        x = step->positions;
        height = x[3].z;
    }
    EXPECT_LT(height, 1e-6);
}

// Two rough sheets, `gap` apart at their nearest points, about, that pass through each other at random.
Scene rough_sheets(std::uint64_t seed, double gap, double motion) {
    constexpr std::uint32_t kSide = 12;
    std::mt19937_64 random(seed);
    const auto real = [&] { return std::ldexp(static_cast<double>(random() >> 11U), -53); };
    Scene scene;
    std::vector<FaceIndices> faces;
    for (const double height : {0.0, 1.0 + gap}) {
        const auto first = static_cast<std::uint32_t>(scene.start.size());
        for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
            scene.start.push_back({i % kSide + 0.3 * real(), i / kSide + 0.3 * real(),
                                   height + (height > 0.0 ? 1.0 : 0.0) * real() +
                                       (height > 0.0 ? 0.0 : 1.0) * real()});
            scene.end.push_back(scene.start.back() +
                                motion * Vec3{real() - 0.5, real() - 0.5, real() - 0.5});
        }
        for (std::uint32_t row = 0; row + 1 < kSide; ++row) {
            for (std::uint32_t column = 0; column + 1 < kSide; ++column) {
                const std::uint32_t v = first + row * kSide + column;
                faces.push_back({v, v + 1, v + kSide});
                faces.push_back({v + 1, v + kSide + 1, v + kSide});
            }
        }
    }
    scene.mesh = *make_topology(scene.start.size(), faces);
    return scene;
}

// What was measured at the start shortens the search, and changes no bit of it; neither do threads.
TEST(LineSearch, GoesAsFarAsTheFirstImpactWithWhatItKeeps) {
    int shortened = 0;
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        const double gap = std::ldexp(1.0, -static_cast<int>(seed));
        const Scene scene = rough_sheets(seed, gap, seed % 3 == 0 ? 4.0 : 0.5);
        const auto energy = [&](std::span<const Vec3> p) { return norm_sq(p[0] - scene.end[0]); };
        for (const double fraction : {0.5, 0.05}) {
            std::optional<LineSearchResult> expected;
            for (const int threads : {1, 2, 3, 8}) {
                MeshStepper stepper(scene.mesh);
                LineSearchOptions options;
                options.kept_fraction = fraction;
                options.step.threads = threads;
                const auto found = line_search(stepper, scene.start, scene.end, energy, options);
                ASSERT_TRUE(found) << found.error().message;
                if (!expected) expected = *found;
                EXPECT_EQ(found->alpha_free, expected->alpha_free);
                EXPECT_EQ(found->distance, expected->distance);
                EXPECT_EQ(found->positions, expected->positions);
            }
            MeshStepper fresh(scene.mesh);
            EXPECT_EQ(expected->distance, fresh.clearance(scene.start, 0.002 / fraction)->least);
            if (!(expected->kept > 0.0)) continue;
            StepOptions kept;
            kept.query.min_separation = expected->kept;
            kept.query.distance_tolerance = std::min(kept.query.distance_tolerance,
                                                     0.25 * (expected->distance - expected->kept));
            const auto first = fresh.first_impact(scene.start, scene.end, kept);
            ASSERT_TRUE(first);
            EXPECT_EQ(expected->alpha_free, first->impact ? std::min(first->toi_lower, 1.0) : 1.0);
            shortened += expected->alpha_free > 0.0 && expected->alpha_free < 1.0 ? 1 : 0;
            if (expected->alpha > 0.0) {
                EXPECT_EQ(fresh.first_impact(scene.start, expected->positions)->verdict,
                          Verdict::Separated);
            }
        }
    }
    EXPECT_GT(shortened, 10);
}

// Far from the origin positions are rounded by more than what is kept: the path to them is tested.
TEST(LineSearch, TestsPositionsWhoseRoundingIsLarge) {
    for (const double offset : {0.0, 0x1p20, 0x1p40}) {
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            Scene scene = rough_sheets(seed, 1e-3, 0.5);
            for (auto* at : {&scene.start, &scene.end})
                for (Vec3& p : *at)
                    p += Vec3{offset, -offset, offset};
            MeshStepper stepper(scene.mesh);
            const auto energy = [&](std::span<const Vec3> p) {
                return norm_sq(p[0] - scene.end[0]);
            };
            const auto found = line_search(stepper, scene.start, scene.end, energy);
            ASSERT_TRUE(found);
            if (!(found->alpha > 0.0)) continue;
            EXPECT_EQ(stepper.first_impact(scene.start, found->positions)->verdict,
                      Verdict::Separated);
        }
    }
}

TEST(LineSearch, GoesBackUntilTheEnergyDecreases) {
    MeshStepper stepper(*make_topology(1, {}));
    const std::vector<Vec3> start = {{1, 0, 0}};
    const std::vector<Vec3> end = {{-9, 0, 0}};
    const auto energy = [](std::span<const Vec3> p) { return norm_sq(p[0]); };
    const Expected<LineSearchResult> step = line_search(stepper, start, end, energy);
    ASSERT_TRUE(step);
    EXPECT_EQ(step->alpha, 0.125);
    EXPECT_LT(step->energy, 1.0);
    const auto uphill = [](std::span<const Vec3> p) { return -norm_sq(p[0]) + 10.0 * p[0].y; };
    const Expected<LineSearchResult> stuck =
        line_search(stepper, start, std::vector<Vec3>{{1, 1, 0}}, uphill);
    EXPECT_EQ(stuck->alpha, 0.0);
    EXPECT_EQ(stuck->positions, start);
}

// Among subnormal numbers what is kept rounds to the distance itself: no step then, and no error.
TEST(LineSearch, TakesEveryFractionBelowOne) {
    MeshStepper stepper(*make_topology(2, {}));
    const auto energy = [](std::span<const Vec3> p) { return norm_sq(p[0] - p[1]); };
    for (const double x : {1e-4, 0x1p-1060, 0x1.8p-1050}) {
        const std::vector<Vec3> start = {{0, 0, 0}, {x, 0, 0}};
        const std::vector<Vec3> end = {{x, 0, 0}, {x, 0, 0}};
        const Expected<LineSearchResult> step =
            line_search(stepper, start, end, energy, {.step = {}, .kept_fraction = 1.0 - 0x1p-53});
        ASSERT_TRUE(step) << step.error().message;
        EXPECT_LT(step->alpha, 1.0);
    }
}

// The energy looks at as many positions as there are vertices; also where the start is in contact.
TEST(LineSearch, RefusesPositionsOfAnotherNumberBeforeItAsksForTheEnergy) {
    MeshStepper stepper(*make_topology(2, {}));
    int evaluations = 0;
    const auto energy = [&](std::span<const Vec3>) {
        ++evaluations;
        return 0.0;
    };
    const std::vector<Vec3> three = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    for (const double x : {0.0, 1.0}) {
        const std::vector<Vec3> two = {{0, 0, 0}, {x, 0, 0}};
        for (const auto& other : {std::vector<Vec3>{}, std::vector<Vec3>{{0, 0, 0}}, three}) {
            for (const auto& [start, end] : {std::pair(two, other), std::pair(other, two)}) {
                const Expected<LineSearchResult> found = line_search(stepper, start, end, energy);
                ASSERT_FALSE(found) << start.size() << " " << end.size();
                EXPECT_EQ(found.error().code, ErrorCode::WrongSize);
            }
        }
    }
    EXPECT_EQ(evaluations, 0);
}

TEST(LineSearch, SaysWhatIsWrongWithItsOptions) {
    MeshStepper stepper(*make_topology(1, {}));
    const std::vector<Vec3> x = {{1, 0, 0}};
    const auto energy = [](std::span<const Vec3>) { return 0.0; };
    EXPECT_FALSE(line_search(stepper, x, x, energy, {.step = {}, .kept_fraction = 1.0}));
    EXPECT_FALSE(line_search(stepper, x, x, energy, {.step = {}, .max_kept = 0.0}));
    EXPECT_FALSE(line_search(stepper, x, x, [](std::span<const Vec3>) { return std::nan(""); }));
}

}  // namespace
}  // namespace graze
