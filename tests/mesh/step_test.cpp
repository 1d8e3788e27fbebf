// First and all impacts of small meshes, against every pair asked of the oracle.
// Defends G-MESH-1, G-MESH-2, G-MESH-3, G-MESH-8, G-MESH-9 (docs/GUARANTEES.md).
#include "graze/mesh/step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <tuple>

#include "graze/mesh/contact.hpp"
#include "graze/mesh/safe_step.hpp"
#include "graze/narrow/box_separation.hpp"
#include "random_scene.hpp"

namespace graze {
namespace {

// --- Held against it -----------------------------------------------------------------------------

int expect_right(const Scene& scene, const StepOptions& options = {}) {
    MeshStepper stepper(scene.mesh);
    const Expected<StepImpacts> all = stepper.all_impacts(scene.start, scene.end, options);
    const Expected<FirstImpact> first = stepper.first_impact(scene.start, scene.end, options);
    EXPECT_TRUE(all && first);
    if (!all || !first) return 0;
    const std::vector<Contact> exact = exact_contacts(scene, options.query);
    EXPECT_EQ(all->impacts.size(), exact.size());
    double earliest = kInfinity;
    double earliest_upper = kInfinity;
    for (std::size_t i = 0; i < std::min(all->impacts.size(), exact.size()); ++i) {
        const Impact& found = all->impacts[i];
        EXPECT_EQ(std::tuple(found.kind, found.a, found.b),
                  std::tuple(exact[i].kind, exact[i].a, exact[i].b));
        EXPECT_LE(found.result.toi_lower, exact[i].toi_lower);
        EXPECT_GE(found.result.toi_upper, exact[i].toi_upper);
        earliest = std::min(earliest, exact[i].toi_lower);
        earliest_upper = std::min(earliest_upper, exact[i].toi_upper);
    }
    EXPECT_EQ(first->impact.has_value(), !exact.empty());
    if (!first->impact || exact.empty()) return 0;
    EXPECT_LE(first->toi_lower, earliest);
    EXPECT_LE(first->impact->result.toi_lower, earliest);
    EXPECT_GE(first->impact->result.toi_upper, earliest_upper);
    // The pair is one that touches first, and the first of those in the order of pairs.
    const auto winner = std::find_if(exact.begin(), exact.end(), [&](const Contact& contact) {
        return contact.toi_lower == earliest && contact.toi_upper == earliest_upper;
    });
    EXPECT_NE(winner, exact.end());
    if (winner == exact.end()) return 0;
    EXPECT_EQ(std::tuple(first->impact->kind, first->impact->a, first->impact->b),
              std::tuple(winner->kind, winner->a, winner->b));
    return static_cast<int>(exact.size());
}

int expect_right_for(const Recipe& recipe, std::uint64_t seeds, const StepOptions& options = {}) {
    int contacts = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        contacts += expect_right(SceneMaker(recipe, seed).make(), options);
        if (::testing::Test::HasFailure()) return contacts;
    }
    return contacts;
}

TEST(MeshStep, FindsTheContactsOfEveryPair) {
    EXPECT_GT(expect_right_for({.faces = 9}, 40), 60);
}
TEST(MeshStep, FindsTheContactsOfDegenerateScenes) {
    EXPECT_GT(expect_right_for({.faces = 6, .loose_edges = 2, .points = 2, .integers = true}, 60),
              1000);
}
TEST(MeshStep, FindsTheContactsOfEdgesAndPointsWithoutFaces) {
    EXPECT_GT(expect_right_for({.faces = 4, .loose_edges = 8, .points = 6}, 40), 50);
}
TEST(MeshStep, IsRightInAnyUnitsAndAnyPlace) {
    for (const double scale : {0x1p-20, 0x1p20, 0x1p-200, 0x1p200}) {
        EXPECT_GT(expect_right_for({.faces = 7, .scale = scale}, 10), 10);
        EXPECT_GT(expect_right_for({.faces = 7, .scale = scale, .offset = 1e6}, 10), 10);
    }
}
TEST(MeshStep, LooksNoFurtherThanAsked) {
    StepOptions options;
    for (const double t_max : {0.0, 0.004, 0.1, 0.5}) {
        options.query.t_max = t_max;
        expect_right_for({.faces = 8}, 15, options);
        expect_right_for({.faces = 5, .integers = true}, 15, options);
    }
}
TEST(MeshStep, SaysTheSameForAnyNumberOfThreads) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Scene scene =
            SceneMaker({.faces = 60, .points = 5, .integers = seed % 2 == 0}, seed).make();
        MeshStepper stepper(scene.mesh);
        std::vector<StepImpacts> all;
        std::vector<FirstImpact> first;
        for (const int threads : {1, 2, 3, 8}) {
            StepOptions options;
            options.threads = threads;
            all.push_back(*stepper.all_impacts(scene.start, scene.end, options));
            first.push_back(*stepper.first_impact(scene.start, scene.end, options));
        }
        for (std::size_t i = 1; i < all.size(); ++i) {
            EXPECT_EQ(all[i].impacts, all[0].impacts);
            EXPECT_EQ(first[i].impact, first[0].impact);
            EXPECT_EQ(first[i].toi_lower, first[0].toi_lower);
        }
    }
}

TEST(MeshStep, TheFirstOfAllImpactsIsTheFirstImpact) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Scene scene =
            SceneMaker({.faces = 12, .points = 3, .integers = seed % 2 == 0}, seed).make();
        MeshStepper stepper(scene.mesh);
        for (const int threads : {1, 3}) {
            StepOptions options;
            options.threads = threads;
            const auto all = stepper.all_impacts(scene.start, scene.end, options);
            ASSERT_TRUE(all);
            const auto first = stepper.first_impact(scene.start, scene.end, options);
            ASSERT_TRUE(first);
            ASSERT_EQ(all->first.has_value(), first->impact.has_value()) << seed;
            if (all->first) {
                EXPECT_EQ(all->impacts[*all->first], *first->impact) << seed;
            }
            EXPECT_EQ(static_cast<const StepVerdict&>(*all), *first) << seed;
        }
    }
}

// Near misses count as contact within the tolerance, for all of the step or for none of it.
TEST(MeshStep, WithASeparationTheFirstImpactDependsOnNeitherThreadsNorWindows) {
    int impacts = 0;
    int near_misses = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Scene scene = SceneMaker({.faces = 14, .loose_edges = 3, .points = 4}, seed).make();
        MeshStepper stepper(scene.mesh);
        for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
            for (const double d : {1e-3, 0.03}) {
                StepOptions options;
                options.query.min_separation = d;
                options.query.norm = norm;
                options.query.distance_tolerance = d;
                options.threads = 1;
                const auto all = stepper.all_impacts(scene.start, scene.end, options);
                ASSERT_TRUE(all);
                for (const Impact& impact : all->impacts)
                    near_misses += impact.result.tolerance > 0.0 ? 1 : 0;
                for (const int threads : {1, 3}) {
                    options.threads = threads;
                    const auto first = stepper.first_impact(scene.start, scene.end, options);
                    ASSERT_TRUE(first);
                    ASSERT_EQ(all->first.has_value(), first->impact.has_value()) << seed;
                    if (all->first) {
                        EXPECT_EQ(all->impacts[*all->first], *first->impact) << seed;
                    }
                    EXPECT_EQ(static_cast<const StepVerdict&>(*all), *first) << seed;
                    impacts += first->impact ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(impacts, 100);
    std::cout << impacts << " first impacts, " << near_misses << " near misses\n";
}

// Two vertices fall onto a face: one touches at once when asked for all of the step (within a
// tolerance), and never when asked for less; the other always touches at 0.3. Whichever of them is
// asked first, the one that begins first is named.
CcdResult moody_answer(const VertexFaceMotion& motion, const CcdOptions& options) {
    const bool is_moody = motion.vertex.start.z == 2.0;
    if (is_moody && options.t_max < 0.9) return separated(1);
    if (!is_moody && options.t_max < 0.3) return separated(1);
    return {Verdict::Contact, is_moody ? 0.2 : 0.3, is_moody ? 0.9 : 0.3, 1,
            is_moody ? options.distance_tolerance : 0.0};
}
TEST(MeshStep, WithASeparationTheFirstImpactDoesNotDependOnTheOrderOfPairs) {
    Method method = make_certified();
    method.vertex_face = {
        .query = +[](const void*, const VertexFaceMotion& motion,
                     const CcdOptions& options) noexcept { return moody_answer(motion, options); }};
    for (const std::size_t moody : {3U, 4U}) {
        std::vector<Vec3> start = {{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}, {-1, 0, 3}, {1, 0, 3}};
        start[moody].z = 2.0;
        std::vector<Vec3> end = start;
        end[3].z = end[4].z = -1.0;
        MeshStepper stepper(*make_topology(5, std::vector<FaceIndices>{{0, 1, 2}}));
        StepOptions options;
        options.method = method;
        options.query.min_separation = 0.25;
        options.threads = 1;
        const auto first = stepper.first_impact(start, end, options);
        ASSERT_TRUE(first && first->impact);
        EXPECT_EQ(first->impact->a, moody);
        EXPECT_EQ(first->toi_lower, 0.2);
    }
}

// A grid of many points falls onto a plane, all at once: of all that touch at the same time, the
// first in the order of pairs.
TEST(MeshStep, OfManyAtOnceTheFirstInTheOrderOfPairs) {
    std::vector<Vec3> start = {{-100, -100, 0}, {100, -100, 0}, {0, 100, 0}};
    std::vector<Vec3> end = start;
    for (int i = 0; i < 400; ++i) {
        start.push_back({i % 20 - 10.0, i / 20 - 10.0, 1.0});
        end.push_back({i % 20 - 10.0, i / 20 - 10.0, -2.0});
    }
    auto mesh = make_topology(start.size(), std::vector<FaceIndices>{{0, 1, 2}});
    ASSERT_TRUE(mesh);
    MeshStepper stepper(*mesh);
    for (const int threads : {1, 4}) {
        StepOptions options;
        options.threads = threads;
        const auto first = stepper.first_impact(start, end, options);
        ASSERT_TRUE(first && first->impact);
        EXPECT_EQ(first->impact->a, 3U);
        const auto all = stepper.all_impacts(start, end, options);
        ASSERT_TRUE(all);
        EXPECT_EQ(all->impacts.size(), 400U);
        ASSERT_TRUE(all->first);
        EXPECT_EQ(all->impacts[*all->first], *first->impact);
    }
}

// The vertex comes down on the middle of the face: where, along which normal, by which verdict.
TEST(MeshStep, GivesVerdictPointAndNormalOfTheFirstImpact) {
    const std::vector<Vec3> start = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}};
    std::vector<Vec3> end = start;
    end[3] = {1, 1, -1};
    MeshStepper stepper(*make_topology(4, std::vector<FaceIndices>{{0, 1, 2}}));
    const auto hit = stepper.first_impact(start, end);
    ASSERT_TRUE(hit && hit->impact);
    EXPECT_EQ(hit->verdict, Verdict::Contact);
    EXPECT_LE(hit->toi_lower, 0.5);
    EXPECT_GE(hit->toi_upper, 0.5);
    EXPECT_LE(hit->toi_upper - hit->toi_lower, 1e-9);
    EXPECT_EQ(hit->contact.normal, (Vec3{0, 0, 1}));
    EXPECT_LE(norm(hit->contact.on_b - Vec3{1, 1, 0}), 1e-8);
    const ContactPoint again = contact_of(stepper.topology(), start, end, *hit->impact);
    EXPECT_EQ(again.normal, hit->contact.normal);
    EXPECT_EQ(again.on_a, hit->contact.on_a);
    const auto free = stepper.first_impact(start, start);
    ASSERT_TRUE(free);
    EXPECT_EQ(static_cast<const StepVerdict&>(*free),
              (StepVerdict{Verdict::Separated, kInfinity, kInfinity}));
}

// Times of a run are no part of what two runs have in common.
TEST(MeshStep, WorkIsEqualWhateverTheClockShows) {
    StepWork x;
    StepWork y;
    y.seconds_broad = y.seconds_search = 1.0;
    EXPECT_EQ(x, y);
    y.candidates[1] = 1;
    EXPECT_NE(x, y);
}

// --- Separation ----------------------------------------------------------------------------------

// Every pair within d is reported, and none that is farther than d + tolerance.
TEST(MeshStep, FindsEveryPairWithinTheSeparation) {
    int contacts = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Scene scene = SceneMaker({.faces = 6, .loose_edges = 2, .points = 2}, seed).make();
        for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
            StepOptions options;
            options.query.min_separation = 0.05;
            options.query.norm = norm;
            MeshStepper stepper(scene.mesh);
            const Expected<StepImpacts> all = stepper.all_impacts(scene.start, scene.end, options);
            ASSERT_TRUE(all);
            std::set<std::tuple<QueryKind, std::uint32_t, std::uint32_t>> found;
            for (const Impact& impact : all->impacts)
                found.insert({impact.kind, impact.a, impact.b});
            CcdOptions wider = options.query;
            wider.min_separation += 1.01 * wider.distance_tolerance;
            for (const Contact& c : exact_contacts(scene, options.query)) {
                EXPECT_EQ(found.count({c.kind, c.a, c.b}), 1U) << "seed " << seed;
                ++contacts;
            }
            for (const Contact& c : exact_contacts(scene, wider))
                found.erase({c.kind, c.a, c.b});
            EXPECT_TRUE(found.empty()) << "seed " << seed;
        }
    }
    EXPECT_GT(contacts, 40);
}

TEST(MeshStep, AddsTheThicknessOfBothSides) {
    const Expected<MeshTopology> mesh =
        make_topology(4, std::vector<FaceIndices>{{0, 1, 2}});  // and a point
    const std::vector<Vec3> start = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, 1.0}};
    std::vector<Vec3> end = start;
    end[3].z = 0.5;
    const std::vector<double> radius = {0.25, 0.25, 0.25, 0.125};
    StepOptions options;
    options.radius = radius;
    MeshStepper stepper(*mesh);
    EXPECT_FALSE(stepper.first_impact(start, end, options)->impact);
    end[3].z = 0.25;
    const Expected<FirstImpact> first = stepper.first_impact(start, end, options);
    ASSERT_TRUE(first && first->impact);
    // z = 1 - 3/4 t comes down to 3/8 at t = 5/6.
    EXPECT_LE(first->impact->result.toi_lower, 5.0 / 6.0);
    EXPECT_NEAR(first->impact->result.toi_lower, 5.0 / 6.0, 1e-5);
}

// An element is as thick everywhere as at its thickest vertex, for boxes as for queries.
TEST(MeshStep, TakesAnElementToBeAsThickAsItsThickestVertex) {
    const std::vector<EdgeIndices> edge = {{0, 1}};
    const Expected<MeshTopology> mesh = make_topology(5, std::vector<FaceIndices>{{2, 3, 4}}, edge);
    const std::vector<Vec3> rest = {
        {0, 0, 0}, {10, 0, 0}, {-0.875, -1, -1}, {-0.875, 1, -1}, {-0.875, 0, 1}};
    const std::vector<double> radius = {0.0, 1.0, 0.0, 0.0, 0.0};
    StepOptions options;
    options.radius = radius;
    MeshStepper stepper(*mesh);
    // The thin end is 7/8 from the face: a vertex-face pair is as thick as that vertex, but edges
    // are as thick as their other end. So edge-edge pairs within 1 count.
    const auto is_within = [&](double separation) {
        return !exact_contacts({*mesh, rest, rest}, {.min_separation = separation}).empty();
    };
    ASSERT_TRUE(is_within(1.0));
    std::vector<Impact> expected;
    for (const Contact& c : exact_contacts({*mesh, rest, rest}, {.min_separation = 1.0}))
        if (c.kind == QueryKind::EdgeEdge) expected.push_back({c.kind, c.a, c.b, {}});
    std::vector<Impact> found = stepper.all_impacts(rest, rest, options)->impacts;
    for (Impact& impact : found)
        impact.result = {};
    EXPECT_EQ(found, expected);
    EXPECT_EQ(stepper.first_impact(rest, rest, options)->impact.has_value(), !expected.empty());
}

// Radii that differ from vertex to vertex, against every pair asked of the oracle.
TEST(MeshStep, FindsEveryPairWithinTheThicknessOfBothSides) {
    int contacts = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Scene scene = SceneMaker({.faces = 5, .loose_edges = 2, .points = 2}, seed).make();
        std::vector<double> radius(scene.mesh.vertex_count);
        for (std::size_t i = 0; i < radius.size(); ++i)
            radius[i] = 0.03125 * static_cast<double>((i * 7 + seed) % 5);
        StepOptions options;
        options.radius = radius;
        MeshStepper stepper(scene.mesh);
        const Expected<StepImpacts> all = stepper.all_impacts(scene.start, scene.end, options);
        ASSERT_TRUE(all);
        std::set<std::tuple<QueryKind, std::uint32_t, std::uint32_t>> found;
        for (const Impact& impact : all->impacts)
            found.insert({impact.kind, impact.a, impact.b});
        for (const Pair& pair : every_pair(scene.mesh)) {
            std::array<double, 2> largest{};
            for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
                double& side = largest[i < pair.of_a ? 0 : 1];
                side = std::max(side, radius[pair.vertices[i]]);
            }
            const double d = largest[0] + largest[1];
            if (truth_of(scene, pair, {.min_separation = d}).verdict != Verdict::Contact) continue;
            EXPECT_EQ(found.count({pair.kind, pair.a, pair.b}), 1U) << "seed " << seed;
            ++contacts;
        }
    }
    EXPECT_GT(contacts, 50);
}

TEST(MeshStep, CountsWhoDecidesWithoutChangingWhatIsDecided) {
    const Scene scene = SceneMaker({.faces = 40, .integers = true}, 3).make();
    MeshStepper stepper(scene.mesh);
    StepOptions counting;
    counting.count_tiers = true;
    const Expected<StepImpacts> plain = stepper.all_impacts(scene.start, scene.end);
    const Expected<StepImpacts> counted = stepper.all_impacts(scene.start, scene.end, counting);
    EXPECT_EQ(plain->impacts, counted->impacts);
    std::uint64_t decided = 0;
    for (const std::uint64_t count : counted->work.decided_by)
        decided += count;
    EXPECT_EQ(decided, counted->work.candidates[0] + counted->work.candidates[1]);
    EXPECT_GT(counted->work.decided_by[static_cast<std::size_t>(CertifiedTier::Exact)], 0U);
    EXPECT_GT(counted->work.decided_by[static_cast<std::size_t>(CertifiedTier::Axis)], 0U);
}

// --- Filters, errors -----------------------------------------------------------------------------

// A triangle, and two points that fall through it.
struct Falling {
    MeshTopology mesh = *make_topology(5, std::vector<FaceIndices>{{0, 1, 2}});
    std::vector<Vec3> start = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}, {1, 2, 1}};
    std::vector<Vec3> end = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {1, 2, -2}};

    [[nodiscard]] std::vector<Impact> impacts(const StepOptions& options) const {
        MeshStepper stepper(mesh);
        return stepper.all_impacts(start, end, options)->impacts;
    }
    [[nodiscard]] std::optional<Impact> first(const StepOptions& options) const {
        MeshStepper stepper(mesh);
        return stepper.first_impact(start, end, options)->impact;
    }
};

TEST(MeshStep, LeavesOutWhatTheFilterDoesNotAdmit) {
    const Falling scene;
    StepOptions options;
    EXPECT_EQ(scene.impacts(options).size(), 2U);
    EXPECT_EQ(scene.first(options)->a, 4U);

    options.filter.accepts = [](QueryKind, std::uint32_t a, std::uint32_t) { return a != 4; };
    EXPECT_EQ(scene.impacts(options).size(), 1U);
    EXPECT_EQ(scene.first(options)->a, 3U);
    options.filter = {};

    const std::vector<std::uint32_t> body = {7, 7, 7, 7, 8};
    options.filter.body = body;
    EXPECT_EQ(scene.impacts(options).size(), 2U);
    options.filter.within_bodies = false;
    EXPECT_EQ(scene.impacts(options).size(), 1U);
    EXPECT_EQ(scene.first(options)->a, 4U);
    options.filter = {};

    const std::vector<std::uint8_t> fixed = {1, 1, 1, 1, 0};
    options.filter.fixed = fixed;
    EXPECT_EQ(scene.impacts(options).size(), 1U);
    options.filter = {};

    const std::vector<std::uint32_t> layers = {1, 1, 1, 2, 4};
    const std::vector<std::uint32_t> mask = {4, 4, 4, 1, 1};
    options.filter.layers = layers;
    options.filter.mask = mask;
    EXPECT_EQ(scene.impacts(options).size(), 1U);
    EXPECT_EQ(scene.first(options)->a, 4U);
}

TEST(MeshStep, SaysWhatIsWrongWithItsInput) {
    const Falling scene;
    MeshStepper stepper(scene.mesh);
    const auto message = [&](const std::vector<Vec3>& start, const std::vector<Vec3>& end,
                             const StepOptions& options) -> std::string {
        const Expected<FirstImpact> result = stepper.first_impact(start, end, options);
        return result ? "" : result.error().message;
    };
    EXPECT_EQ(message({}, scene.end, {}), "start has 0 positions for 5 vertices");
    std::vector<Vec3> bad = scene.end;
    bad[2].y = std::nan("");
    EXPECT_EQ(message(scene.start, bad, {}), "end: the position of vertex 2 is not finite");
    StepOptions options;
    options.query.t_max = 2.0;
    EXPECT_EQ(message(scene.start, scene.end, options), "t_max = 2 is not in [0, 1]");
    options = {};
    const std::vector<double> radius = {0, 0, 0, -1.0, 0};
    options.radius = radius;
    EXPECT_EQ(message(scene.start, scene.end, options),
              "the radius of vertex 3 must be finite and >= 0");
    options = {};
    const std::vector<std::uint8_t> fixed = {1};
    options.filter.fixed = fixed;
    EXPECT_EQ(message(scene.start, scene.end, options), "filter.fixed: 1 values for 5 vertices");
    options = {};
    const std::vector<double> huge = {0, 0, 0x1.8p+1022, 0, 0};
    options.radius = huge;
    options.query.min_separation = 0x1p+1022;
    EXPECT_EQ(message(scene.start, scene.end, options),
              "the radius of vertex 2, twice, and min_separation add up to more than the largest "
              "double");
    options = {};
    options.threads = -3;
    EXPECT_EQ(message(scene.start, scene.end, options), "threads = -3 is not >= 0");
    options = {};
    options.progress = [](double) { return false; };
    EXPECT_EQ(message(scene.start, scene.end, options), "cancelled");
}

// Asks for a stop from its n-th question on, whichever thread it comes from.
struct MeshStopper {
    std::uint64_t last;
    mutable std::atomic<std::uint64_t> questions = 0;

    [[nodiscard]] StopToken token() const {
        return StopToken(
            [](const void* context) noexcept {
                const auto* self = static_cast<const MeshStopper*>(context);
                return self->questions.fetch_add(1) + 1 >= self->last;
            },
            this);
    }
};

TEST(MeshStep, ErrorsHaveACodeAndTheElementAtFault) {
    const Falling scene;
    MeshStepper stepper(scene.mesh);
    std::vector<Vec3> bad = scene.end;
    bad[2].x = kInfinity;
    const auto input = stepper.all_impacts(scene.start, bad);
    ASSERT_FALSE(input);
    EXPECT_EQ(input.error().code, ErrorCode::NotFinite);
    EXPECT_EQ(input.error().index, 2U);
    StepOptions options;
    options.query.min_separation = -1.0;
    const auto option = stepper.first_impact(scene.start, scene.end, options);
    ASSERT_FALSE(option);
    EXPECT_EQ(option.error().code, ErrorCode::InvalidOption);
    EXPECT_EQ(option.error().message, "min_separation = -1 is not finite and >= 0");
    options = {};
    const std::atomic<bool> stop = true;
    options.stop = StopToken(stop);
    const auto stopped = stepper.all_impacts(scene.start, scene.end, options);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
    const auto topology = make_topology(3, std::vector<FaceIndices>{{0, 1, 2}, {0, 1, 3}});
    ASSERT_FALSE(topology);
    EXPECT_EQ(topology.error().code, ErrorCode::IndexOutOfRange);
    EXPECT_EQ(topology.error().index, 1U);
    const auto short_list = stepper.all_impacts(scene.start, std::span(scene.end).first(2));
    ASSERT_FALSE(short_list);
    EXPECT_EQ(short_list.error().code, ErrorCode::WrongSize);
}

// Asks for a stop at its n-th question alone.
struct OneStop {
    std::uint64_t at;
    mutable std::uint64_t questions = 0;

    [[nodiscard]] StopToken token() const {
        return StopToken(
            [](const void* context) noexcept {
                const auto* self = static_cast<const OneStop*>(context);
                return ++self->questions == self->at;
            },
            this);
    }
};

TEST(MeshStep, AStopThatIsWithdrawnClaimsNothing) {
    const Falling scene;
    MeshStepper stepper(scene.mesh);
    StepOptions options;
    options.threads = 1;
    const auto first = stepper.first_impact(scene.start, scene.end, options);
    const auto all = stepper.all_impacts(scene.start, scene.end, options);
    ASSERT_TRUE(first && all);
    ASSERT_EQ(first->verdict, Verdict::Contact);
    bool was_asked = true;
    for (std::uint64_t n = 1; n < 1000 && was_asked; ++n) {
        const OneStop of_first{n};
        options.stop = of_first.token();
        const auto stopped = stepper.first_impact(scene.start, scene.end, options);
        if (stopped) {
            EXPECT_EQ(stopped->impact, first->impact);
        }
        const OneStop of_all{n};
        options.stop = of_all.token();
        const auto listed = stepper.all_impacts(scene.start, scene.end, options);
        if (listed) {
            EXPECT_EQ(listed->toi_lower, all->toi_lower);
        }
        was_asked = of_first.questions >= n || of_all.questions >= n;
    }
    EXPECT_FALSE(was_asked);
}

TEST(MeshStep, AStopAtAnyMomentIsAnErrorThatClaimsNothing) {
    const Falling scene;
    MeshStepper stepper(scene.mesh);
    const auto whole = stepper.first_impact(scene.start, scene.end);
    ASSERT_TRUE(whole);
    for (const int threads : {1, 4}) {
        bool is_done = false;
        for (std::uint64_t n = 1; n < 1000 && !is_done; ++n) {
            const MeshStopper stopper{n};
            StepOptions options;
            options.threads = threads;
            options.stop = stopper.token();
            const auto first = stepper.first_impact(scene.start, scene.end, options);
            is_done = first.has_value();
            if (first) {
                EXPECT_EQ(first->impact, whole->impact);
            } else {
                EXPECT_EQ(first.error().message, "cancelled");
            }
        }
        EXPECT_TRUE(is_done);
        const MeshStopper at_once{1};
        StepOptions options;
        options.threads = threads;
        options.stop = at_once.token();
        EXPECT_FALSE(stepper.all_impacts(scene.start, scene.end, options));
        EXPECT_FALSE(stepper.intersections(scene.start, options));
        EXPECT_FALSE(stepper.clearance(scene.start, 1.0, options));
        EXPECT_FALSE(largest_safe_step(stepper, scene.start, scene.end, options));
    }
}

TEST(MeshStep, ReportsWhatAMethodLeavesUnresolved) {
    const Falling scene;
    StepOptions options;
    options.method = make_box_separation();  // never says Contact
    const std::vector<Impact> impacts = scene.impacts(options);
    ASSERT_EQ(impacts.size(), 2U);
    EXPECT_EQ(impacts[0].result.verdict, Verdict::Unresolved);
    EXPECT_EQ(scene.first(options)->result.verdict, Verdict::Unresolved);
}

// --- Methods of others -------------------------------------------------------------------------

// Two pairs of points: the first meets at 3/4, the second at 1/2.
std::vector<Vec3> two_pairs() {
    return {{0, 0, 0}, {0x1.8p+0, 0, 0}, {0, 9, 0}, {1, 9, 0}};
}
FirstImpact first_of(const std::vector<Vec3>& end, const Method& method) {
    const std::vector<Vec3> start = two_pairs();
    MeshStepper stepper(*make_topology(start.size(), {}));
    StepOptions options;
    options.method = method;
    return *stepper.first_impact(start, end, options);
}
FirstImpact first_meeting(const Method& method) {
    return first_of({{1, 0, 0}, {0x1p-1, 0, 0}, {1, 9, 0}, {0, 9, 0}}, method);
}

CcdResult no_answer(const void*, const VertexEdgeMotion&, const CcdOptions&) noexcept {
    return {};
}
CcdResult no_face_answer(const void*, const VertexFaceMotion&, const CcdOptions&) noexcept {
    return {};
}
CcdResult no_edge_answer(const void*, const EdgeEdgeMotion&, const CcdOptions&) noexcept {
    return {};
}

// The verdicts of `certified`, with the bracket that the test says.
CcdResult the_bracket{};
CcdResult with_that_bracket(const void*, const VertexVertexMotion& motion,
                            const CcdOptions& options) noexcept {
    CcdResult result = certify(motion, options);
    if (result.verdict == Verdict::Separated) return result;
    // The second pair is told as it is.
    if (motion.a.start.y == 0.0) {
        result.toi_lower = the_bracket.toi_lower;
        result.toi_upper = the_bracket.toi_upper;
    }
    return result;
}
Method foreign(const Guarantee& guarantee, double lower, double upper) {
    the_bracket.toi_lower = lower;
    the_bracket.toi_upper = upper;
    return {.name = "foreign",
            .summary = "brackets from nowhere",
            .guarantee = guarantee,
            .vertex_face = {no_face_answer},
            .edge_edge = {no_edge_answer},
            .vertex_vertex = {with_that_bracket},
            .vertex_edge = {no_answer}};
}

TEST(ForeignMethod, IsBelievedWhatItProves) {
    const FirstImpact first =
        first_meeting(foreign(make_certified().guarantee, 0x1.7p-1, 0x1.9p-1));
    ASSERT_TRUE(first.impact);
    EXPECT_EQ(first.impact->a, 2U);
    EXPECT_GT(first.toi_lower, 0.49);
    EXPECT_LE(first.toi_lower, 0.5);
}

// Whatever its numbers are, the earlier meeting is found, and nothing behind it is called free.
TEST(ForeignMethod, CannotHideAnEarlierImpactByNumbersThatAreImpossible) {
    const double nan = std::nan("");
    const std::vector<std::pair<double, double>> brackets = {
        {nan, nan}, {nan, 0x1p-3},     {0x1p-3, nan},     {-1.0, -0.5},          {0x1.8p-1, 0x1p-3},
        {2.0, 3.0}, {-1.0, kInfinity}, {kInfinity, 0.25}, {kInfinity, kInfinity}};
    for (const auto& [lower, upper] : brackets) {
        const FirstImpact first = first_meeting(foreign(make_certified().guarantee, lower, upper));
        ASSERT_TRUE(first.impact) << lower << " " << upper;
        EXPECT_EQ(first.toi_lower, 0.0) << lower << " " << upper;
    }
}

// An estimate of an end that is too early would leave the second pair unasked.
TEST(ForeignMethod, DoesNotShortenTheSearchByEstimates) {
    Guarantee estimates = make_certified().guarantee;
    estimates.proved_toi_upper = false;
    const FirstImpact first = first_meeting(foreign(estimates, 0x1p-1, 0x1p-2));
    ASSERT_TRUE(first.impact);
    const FirstImpact early = first_meeting(foreign(estimates, 0x1.1p-1, 0x1.2p-1));
    ASSERT_TRUE(early.impact);
    EXPECT_EQ(early.impact->a, 2U);
    EXPECT_LE(early.toi_lower, 0.5);
}

TEST(ForeignMethod, ClaimsNothingFreeThatItDoesNotDeclare) {
    Guarantee estimates = make_certified().guarantee;
    estimates.proved_toi_lower = false;
    EXPECT_EQ(first_meeting(foreign(estimates, 0x1.7p-1, 0x1.9p-1)).toi_lower, 0.0);
    estimates.no_false_negatives = false;
    const FirstImpact none = first_of(two_pairs(), foreign(estimates, 0.0, 1.0));
    EXPECT_FALSE(none.impact);
    EXPECT_EQ(none.toi_lower, 0.0);
    EXPECT_EQ(first_of(two_pairs(), make_certified()).toi_lower, kInfinity);
}

TEST(MeshStep, PrintsNothingForMoreThreadsThanCores) {
    const Falling scene;
    MeshStepper stepper(scene.mesh);
    ::testing::internal::CaptureStderr();
    ::testing::internal::CaptureStdout();
    for (const int threads : {3, 64, 1000}) {
        StepOptions options;
        options.threads = threads;
        EXPECT_TRUE(stepper.first_impact(scene.start, scene.end, options)->impact);
    }
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(MeshStep, HasNothingToSayOfAnEmptyMesh) {
    MeshStepper stepper(*make_topology(0, {}));
    const Expected<FirstImpact> first = stepper.first_impact({}, {});
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->impact);
    EXPECT_EQ(first->toi_lower, kInfinity);
}

// --- Many pairs ----------------------------------------------------------------------------------

struct LargeStep {
    MeshTopology mesh;
    std::vector<Vec3> start;
    std::vector<Vec3> end;
};

// Two uneven sheets of n by n squares, one above the other, the upper one of which moves.
LargeStep two_sheets(std::uint32_t n, const Vec3& displacement) {
    LargeStep step;
    std::vector<FaceIndices> faces;
    const std::uint32_t row = n + 1;
    std::uint32_t noise = 1;
    const auto uneven = [&noise] {
        noise = noise * 1664525U + 1013904223U;
        return 0.4 * (noise >> 8) * 0x1p-24;
    };
    for (std::uint32_t sheet = 0; sheet < 2; ++sheet) {
        for (std::uint32_t i = 0; i < row * row; ++i) {
            const auto k = static_cast<std::uint32_t>(step.start.size());
            const Vec3 at = {i / row + uneven(), i % row + uneven(), uneven() + 2.0 * sheet};
            step.start.push_back(at);
            step.end.push_back(sheet == 0 ? at : at + displacement);
            if (i / row == n || i % row == n) continue;
            faces.push_back({k, k + row, k + 1});
            faces.push_back({k + 1, k + row, k + row + 1});
        }
    }
    step.mesh = *make_topology(step.start.size(), faces);
    return step;
}

// Its mirror image is where it goes: everything is flat at 1/2, and all that then overlaps touches.
LargeStep mirrored(LargeStep step) {
    for (std::size_t i = 0; i < step.start.size(); ++i)
        step.end[i] = {step.start[i].x, step.start[i].y, -step.start[i].z};
    return step;
}

void expect_consistent(const LargeStep& step, std::size_t least_impacts) {
    MeshStepper stepper(step.mesh);
    std::optional<StepImpacts> before;
    for (const int threads : {1, 3}) {
        StepOptions options;
        options.threads = threads;
        const StepImpacts all = stepper.all_impacts(step.start, step.end, options).value();
        const FirstImpact first = stepper.first_impact(step.start, step.end, options).value();
        EXPECT_GE(all.impacts.size(), least_impacts);
        ASSERT_TRUE(all.first && first.impact);
        EXPECT_EQ(*first.impact, all.impacts[*all.first]);
        EXPECT_EQ(first.toi_lower, all.toi_lower);
        EXPECT_TRUE(std::is_sorted(
            all.impacts.begin(), all.impacts.end(), [](const Impact& a, const Impact& b) {
                return std::tuple(a.kind, a.a, a.b) < std::tuple(b.kind, b.a, b.b);
            }));
        // Every pair is asked where tiers are counted; otherwise some are culled before.
        options.count_tiers = true;
        const StepImpacts asked = stepper.all_impacts(step.start, step.end, options).value();
        EXPECT_EQ(asked.impacts, all.impacts);
        EXPECT_EQ(asked.work.candidates, all.work.candidates);
        if (before) {
            EXPECT_EQ(before->impacts, all.impacts);
            EXPECT_EQ(before->work.candidates, all.work.candidates);
        }
        before = all;
    }
}

TEST(MeshStep, FindsTheSameImpactsOfSheetsHoweverItSearches) {
    expect_consistent(two_sheets(50, {-0.3, 0.0, -1.9}), 4096);
}

TEST(MeshStep, FindsTheSameImpactsOfFastSheetsHoweverItSearches) {
    expect_consistent(two_sheets(12, {5.0, -3.0, -30.0}), 100);
}

TEST(MeshStep, FindsTheFirstOfManyThatTouchAtOnce) {
    const LargeStep step = mirrored(two_sheets(8, {}));
    expect_consistent(step, 500);
    MeshStepper stepper(step.mesh);
    const FirstImpact first = stepper.first_impact(step.start, step.end).value();
    EXPECT_EQ(first.impact->result.toi_lower <= 0.5 && first.impact->result.toi_upper >= 0.5, true);
}

// --- Ties ----------------------------------------------------------------------------------------

// `certified`, with its queries counted.
std::atomic<std::uint64_t> counted_queries = 0;
template <class Motion>
CcdResult counted_query(const void* context, const Motion& motion,
                        const CcdOptions& options) noexcept {
    ++counted_queries;
    static const Method method = make_certified();
    return functions_of<Motion>(method).query(context, motion, options);
}
template <class Motion>
CcdResult counted_until(const void* context, const Motion& motion, const CcdOptions& options,
                        double until) noexcept {
    ++counted_queries;
    static const Method method = make_certified();
    return functions_of<Motion>(method).until(context, motion, options, until);
}
template <class Motion>
constexpr QueryFunctions<Motion> kCountedFunctions = {.query = &counted_query<Motion>,
                                                      .until = &counted_until<Motion>};

// Nearly all queries of both are those that tell apart what ties: none may be asked twice for it.
TEST(MeshStep, TheFirstOfManyThatTieTakesNoMoreQueriesThanAllOfThem) {
    Method method = make_certified();
    method.vertex_face = kCountedFunctions<VertexFaceMotion>;
    method.edge_edge = kCountedFunctions<EdgeEdgeMotion>;
    for (const Vec3& displacement : {Vec3{}, Vec3{0.3, 0.1, 0.0}}) {
        LargeStep step = mirrored(two_sheets(20, {}));
        for (Vec3& at : step.end)
            at = at + displacement;
        MeshStepper stepper(step.mesh);
        StepOptions options;
        options.method = method;
        options.threads = 1;
        counted_queries = 0;
        const StepImpacts all = stepper.all_impacts(step.start, step.end, options).value();
        const std::uint64_t of_all = counted_queries.exchange(0);
        const FirstImpact first = stepper.first_impact(step.start, step.end, options).value();
        const std::uint64_t of_first = counted_queries;
        ASSERT_TRUE(all.first && first.impact);
        EXPECT_EQ(all.impacts[*all.first], *first.impact);
        EXPECT_EQ(static_cast<const StepVerdict&>(all), first);
        EXPECT_GT(all.impacts.size(), 3000U);
        // A sample of one group in 32 comes before.
        EXPECT_LE(of_first, of_all + of_all / 16) << of_all;
    }
}

}  // namespace
}  // namespace graze
