// The line search of Wang et al. 2021 (Algorithm 4) with its own minimum-separation query.
// Defends G-MESH-5 (docs/GUARANTEES.md).
#include "graze/mesh/published_line_search.hpp"

#include "graze/mesh/line_search.hpp"
#include "random_scene.hpp"

namespace graze {
namespace {

PublishedLineSearchOptions published(const Method& method, double p, double delta = 1e-6) {
    PublishedLineSearchOptions options;
    options.step.method = method;
    options.step.query.distance_tolerance = delta;
    options.p = p;
    return options;
}

// Falls all the way to the end.
auto distance_to(const std::vector<Vec3>& end) {
    return [end](std::span<const Vec3> x) {
        double sum = 0.0;
        for (std::size_t i = 0; i < x.size(); ++i)
            sum += norm_sq(x[i] - end[i]);
        return sum;
    };
}

bool is_proved_free(const Scene& scene, const std::vector<Vec3>& positions) {
    MeshStepper stepper(scene.mesh);
    return !stepper.first_impact(scene.start, positions)->impact;
}

std::vector<Scene> separated_scenes(const Recipe& recipe, std::size_t count) {
    std::vector<Scene> scenes;
    for (std::uint64_t seed = 100; scenes.size() < count; ++seed) {
        Scene scene = SceneMaker(recipe, seed).make();
        MeshStepper stepper(scene.mesh);
        if (stepper.intersections(scene.start)->empty()) scenes.push_back(std::move(scene));
    }
    return scenes;
}

const Recipe kFewElements = {.faces = 5, .loose_edges = 1, .points = 2};

struct StepsTaken {
    int shortened = 0;
    int whole = 0;
};

// Each accepted step, as rounded, is proved free by another method.
StepsTaken expect_free_steps(std::span<const Scene> scenes,
                             const PublishedLineSearchOptions& options) {
    StepsTaken taken;
    for (const Scene& scene : scenes) {
        MeshStepper stepper(scene.mesh);
        const auto found =
            published_line_search(stepper, scene.start, scene.end, distance_to(scene.end), options);
        EXPECT_TRUE(found);
        if (!found) continue;
        EXPECT_TRUE(is_proved_free(scene, found->positions));
        EXPECT_LE(found->passes, options.max_passes);
        EXPECT_LE(found->halvings, options.max_halvings);
        taken.shortened += found->alpha > 0.0 && found->alpha < 1.0 ? 1 : 0;
        taken.whole += found->alpha == 1.0 ? 1 : 0;
    }
    return taken;
}

TEST(PublishedLineSearch, NeverAcceptsAStepThatCollides) {
    const std::vector<Scene> scenes = separated_scenes(kFewElements, 12);
    int shortened = 0;
    for (const Method& method : {make_tight_inclusion_paper(), make_tight_inclusion()}) {
        for (const double p : {0.0, 0.5, 0.9}) {
            for (const Algorithm4 reading : {Algorithm4::Corrected, Algorithm4::Printed}) {
                PublishedLineSearchOptions options = published(method, p, 1e-4);
                options.reading = reading;
                options.caps_separation = p < 0.9;
                options.tests_positions = p == 0.0;
                shortened += expect_free_steps(scenes, options).shortened;
            }
        }
    }
    EXPECT_GT(shortened, 60);
}

TEST(PublishedLineSearchAttack, NeverAcceptsAStepThatCollides) {
    for (const double scale : {1.0, 0x1p-30, 0x1p10}) {
        const Recipe recipe = {
            .faces = 8, .loose_edges = 1, .points = 2, .integers = false, .scale = scale};
        const std::vector<Scene> scenes = separated_scenes(recipe, 60);
        for (const double p : {0.0, 0.5, 0.99}) {
            for (const std::uint64_t checks : {100U, 1'000'000U}) {
                PublishedLineSearchOptions options =
                    published(make_tight_inclusion_paper(), p, 1e-5 * scale);
                options.step.query.max_checks = checks;
                static_cast<void>(expect_free_steps(scenes, options));
            }
        }
    }
}

// A budget of a few checks ends with large tolerances: p is halved, or no p is valid.
TEST(PublishedLineSearch, ValidatesPWithTheToleranceThatWasReached) {
    int repeated = 0;
    int refused = 0;
    for (const Scene& scene : separated_scenes(kFewElements, 20)) {
        for (const std::uint64_t checks : {50U, 500U, 5000U}) {
            PublishedLineSearchOptions options = published(make_tight_inclusion_paper(), 0.9, 1e-4);
            options.step.query.max_checks = checks;
            MeshStepper stepper(scene.mesh);
            const auto found = published_line_search(stepper, scene.start, scene.end,
                                                     distance_to(scene.end), options);
            ASSERT_TRUE(found);
            const double error =
                found->tolerance + published_separation_filter(scene.start, scene.end);
            EXPECT_GE(found->tolerance, 1e-4);
            EXPECT_EQ(found->is_validated, found->distance - error > found->separation);
            EXPECT_EQ(found->separation, found->distance == kInfinity
                                             ? 0.0
                                             : std::min(found->p * found->distance, 1e-4));
            EXPECT_LE(found->passes, options.max_passes);
            // Valid: the time of impact is positive, as the paper states.
            if (found->is_validated) {
                EXPECT_GT(found->alpha_free, 0.0);
            }
            repeated += found->halvings > 0 ? 1 : 0;
            refused += found->is_validated ? 0 : 1;
        }
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(repeated + refused, 5);
}

// A point over a triangle, drawn to the same height below it, step after step.
struct Descent {
    int steps = 0;  // of more than nothing
    double height = 1.0;
};

template <class Search>
Descent descend(int most, const Search& search) {
    const Expected<MeshTopology> mesh = make_topology(4, std::vector<FaceIndices>{{0, 1, 2}});
    std::vector<Vec3> x = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1.25, 1.125, 1}};
    MeshStepper stepper(*mesh);
    Descent descent;
    for (; descent.steps < most; ++descent.steps) {
        std::vector<Vec3> end = x;
        end[3].z = -1.0;
        const auto found = search(stepper, x, end, distance_to(end));
        EXPECT_TRUE(found);
        if (!found || !(found->alpha > 0.0)) break;
        EXPECT_LT(found->positions[3].z, x[3].z);
        EXPECT_GT(found->positions[3].z, 0.0);
        x = found->positions;
    }
    descent.height = x[3].z;
    return descent;
}

Descent published_descent(int most, const PublishedLineSearchOptions& options) {
    return descend(most, [&](auto& stepper, const auto& x, const auto& end, const auto& energy) {
        return published_line_search(stepper, x, end, energy, options);
    });
}

// With F = 0 the first step ends within the tolerance of the contact, and no step follows. With a
// separation each step leaves a fraction p of the height, until the height is that of the errors.
TEST(PublishedLineSearch, GetsStuckWithFEqualZero) {
    const double delta = 1e-6;
    const Descent stuck =
        published_descent(60, published(make_tight_inclusion_paper(), 0.0, delta));
    EXPECT_EQ(stuck.steps, 1);
    EXPECT_LE(stuck.height, 2.0 * delta);
    const Descent kept = published_descent(60, published(make_tight_inclusion_paper(), 0.5, delta));
    EXPECT_GT(kept.steps, 1);
    EXPECT_LE(kept.height, 4.0 * delta);
    // Ours goes on until doubles have nothing between the point and the triangle.
    const Descent ours =
        descend(60, [](auto& stepper, const auto& x, const auto& end, const auto& energy) {
            return line_search(stepper, x, end, energy);
        });
    EXPECT_GT(ours.steps, 30);
    EXPECT_LT(ours.height, 1e-12);
}

// The sequence of section 7.2: without the cap each step leaves the fraction p of the height.
TEST(PublishedLineSearch, WithoutTheCapEachStepLeavesTheFractionP) {
    PublishedLineSearchOptions options = published(make_tight_inclusion_paper(), 0.5, 4e-3);
    options.caps_separation = false;
    double height = 1.0;
    for (int steps = 1; steps <= 4; ++steps) {
        const Descent descent = published_descent(steps, options);
        EXPECT_EQ(descent.steps, steps);
        EXPECT_GE(descent.height, 0.5 * height);
        EXPECT_LE(descent.height, 0.5 * height + 1.6e-2);
        height = descent.height;
    }
}

// d = max(p d_i, delta): a start nearer than delta is within d, and no step is possible, where the
// explanation's min allows one.
TEST(PublishedLineSearch, IsStuckAsPrintedWhereTheStartIsNearerThanDelta) {
    PublishedLineSearchOptions options = published(make_tight_inclusion_paper(), 0.5, 2.0);
    options.reading = Algorithm4::Printed;
    EXPECT_EQ(published_descent(4, options).steps, 0);
    options.step.query.distance_tolerance = 1e-3;
    EXPECT_GT(published_descent(4, options).steps, 0);
}

TEST(PublishedLineSearch, SaysWhatIsWrongWithItsOptions) {
    MeshStepper stepper(*make_topology(1, {}));
    const std::vector<Vec3> x = {{1, 0, 0}};
    const auto energy = [](std::span<const Vec3>) { return 0.0; };
    const auto refuses = [&](const PublishedLineSearchOptions& options) {
        return !published_line_search(stepper, x, x, energy, options);
    };
    EXPECT_FALSE(refuses({}));
    EXPECT_TRUE(refuses(published(make_tight_inclusion_paper(), 1.0)));
    EXPECT_TRUE(refuses(published(make_tight_inclusion_paper(), -0.1)));
    EXPECT_TRUE(refuses(published(make_tight_inclusion_paper(), 0.5, 0.0)));
    PublishedLineSearchOptions options;
    options.max_passes = 0;
    EXPECT_TRUE(refuses(options));
    options = {};
    options.step.method.guarantee.min_separation_max_norm = false;
    EXPECT_TRUE(refuses(options));
    options = {};
    options.step.method.guarantee.proved_toi_lower = false;
    EXPECT_TRUE(refuses(options));
}

}  // namespace
}  // namespace graze
