// Pairs that were found before give the answers of a fresh search, and are refused where they do not
// cover a motion. So do trees that are fitted to another motion than the one they were built for.
// Defends G-MESH-10 (docs/GUARANTEES.md).
#include "graze/mesh/candidates.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "graze/mesh.hpp"
#include "graze/narrow/certified.hpp"
#include "mesh/kept_directions.hpp"
#include "mesh/random_scene.hpp"

namespace graze {
namespace {

Scene random_scene(std::uint64_t seed) {
    const Recipe recipe{.faces = 12,
                        .loose_edges = seed % 3,
                        .points = seed % 4,
                        .integers = seed % 5 == 4,
                        .scale = seed % 2 == 0 ? 1.0 : 0x1p-40,
                        .offset = seed % 3 == 0 ? 1000.0 : 0.0};
    return SceneMaker(recipe, seed).make();
}

// A scene whose start is free of contact: the end of a safe step.
Scene free_scene(std::uint64_t seed) {
    Scene scene = random_scene(seed);
    for (std::size_t i = 0; i < scene.start.size(); ++i)
        scene.start[i].z += 0x1p-40 * static_cast<double>(i);
    return scene;
}

double sum_of_squares(std::span<const Vec3> positions, std::span<const Vec3> goal) {
    double sum = 0.0;
    for (std::size_t i = 0; i < positions.size(); ++i)
        sum += norm_sq(positions[i] - goal[i]);
    return sum;
}

void expect_same(const SafeStep& a, const SafeStep& b) {
    EXPECT_EQ(a.fraction, b.fraction);
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.impact, b.impact);
}

TEST(Candidates, GiveTheAnswersOfAFreshSearch) {
    int impacts = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Scene scene = random_scene(seed);
        MeshStepper stepper(scene.mesh);
        MeshStepper fresh(scene.mesh);
        const auto candidates = stepper.candidates(scene.start, scene.end);
        ASSERT_TRUE(candidates) << candidates.error().message;
        StepOptions options;
        options.candidates = &*candidates;
        const auto all = stepper.all_impacts(scene.start, scene.end, options);
        const auto expected = fresh.all_impacts(scene.start, scene.end);
        ASSERT_TRUE(all) << all.error().message;
        EXPECT_EQ(all->impacts, expected->impacts);
        EXPECT_EQ(all->first, expected->first);
        EXPECT_EQ(static_cast<const StepVerdict&>(*all),
                  static_cast<const StepVerdict&>(*expected));
        impacts += static_cast<int>(all->impacts.size());
        const auto first = stepper.first_impact(scene.start, scene.end, options);
        const auto expected_first = fresh.first_impact(scene.start, scene.end);
        ASSERT_TRUE(first);
        EXPECT_EQ(first->impact, expected_first->impact);
        EXPECT_EQ(static_cast<const StepVerdict&>(*first),
                  static_cast<const StepVerdict&>(*expected_first));
        const auto safe = largest_safe_step(stepper, scene.start, scene.end, options);
        ASSERT_TRUE(safe) << safe.error().message;
        expect_same(*safe, *largest_safe_step(fresh, scene.start, scene.end));
        const auto fractions = free_fractions(stepper, scene.start, scene.end, options);
        ASSERT_TRUE(fractions) << fractions.error().message;
        EXPECT_EQ(fractions->fraction, free_fractions(fresh, scene.start, scene.end)->fraction);
        const auto set = active_set(stepper, scene.start, scene.end, options);
        EXPECT_EQ(set->constraints.size(), expected->impacts.size());
    }
    EXPECT_GT(impacts, 500);
}

TEST(Candidates, HoldEveryPairThatTheOracleFindsInContact) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Scene scene = random_scene(seed);
        MeshStepper stepper(scene.mesh);
        const auto candidates = stepper.candidates(scene.start, scene.end);
        ASSERT_TRUE(candidates);
        const auto impacts = MeshStepper(scene.mesh).all_impacts(scene.start, scene.end);
        for (const Impact& impact : impacts->impacts) {
            const auto pairs = candidates->pairs(impact.kind);
            EXPECT_TRUE(
                std::binary_search(pairs.begin(), pairs.end(), IndexPair{impact.a, impact.b}));
        }
        for (const QueryKind kind : kAllQueryKinds) {
            const auto pairs = candidates->pairs(kind);
            EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
        }
    }
}

TEST(Candidates, CoverShorterStepsOnTheSameLine) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Scene scene = random_scene(seed);
        MeshStepper stepper(scene.mesh);
        const auto candidates = stepper.candidates(scene.start, scene.end);
        ASSERT_TRUE(candidates);
        StepOptions options;
        options.candidates = &*candidates;
        for (const double fraction : {0.0, 1e-9, 0.3, 0.7, 1.0 - 0x1p-53}) {
            const auto positions = positions_between(scene.start, scene.end, fraction);
            const auto all = stepper.all_impacts(scene.start, positions, options);
            ASSERT_TRUE(all) << all.error().message;
            EXPECT_EQ(all->impacts,
                      MeshStepper(scene.mesh).all_impacts(scene.start, positions)->impacts);
        }
    }
}

TEST(Candidates, NameTheVertexThatLeavesThem) {
    const Scene scene = random_scene(6);
    MeshStepper stepper(scene.mesh);
    const auto candidates = stepper.candidates(scene.start, scene.end);
    ASSERT_TRUE(candidates);
    StepOptions options;
    options.candidates = &*candidates;
    for (const std::size_t vertex : {std::size_t{0}, scene.end.size() - 1}) {
        std::vector<Vec3> end = scene.end;
        end[vertex].x += 0.5;
        const auto first = stepper.first_impact(scene.start, end, options);
        ASSERT_FALSE(first);
        EXPECT_EQ(first.error().code, ErrorCode::InvalidInput);
        EXPECT_EQ(first.error().index, vertex);
        EXPECT_NE(first.error().message.find("vertex " + std::to_string(vertex)),
                  std::string::npos);
        EXPECT_FALSE(stepper.all_impacts(scene.start, end, options));
        EXPECT_FALSE(largest_safe_step(stepper, scene.start, end, options));
    }
    // Coordinates so large that sums of them overflow.
    std::vector<Vec3> far = scene.end;
    far[1] = {1.7e308, 1.7e308, -1.7e308};
    EXPECT_FALSE(stepper.first_impact(scene.start, far, options));
}

TEST(Candidates, CoverSeparationsThicknessAndReachUpToTheirInflation) {
    const Scene scene = random_scene(0);
    MeshStepper stepper(scene.mesh);
    const double d = 0.05;
    const auto candidates = stepper.candidates(scene.start, scene.end, d);
    ASSERT_TRUE(candidates);
    StepOptions options;
    options.candidates = &*candidates;
    options.query.min_separation = d;
    const auto all = stepper.all_impacts(scene.start, scene.end, options);
    ASSERT_TRUE(all) << all.error().message;
    StepOptions plain;
    plain.query.min_separation = d;
    EXPECT_EQ(all->impacts,
              MeshStepper(scene.mesh).all_impacts(scene.start, scene.end, plain)->impacts);
    EXPECT_EQ(stepper.clearance(scene.start, d, options)->by_vertex,
              MeshStepper(scene.mesh).clearance(scene.start, d)->by_vertex);
    options.query.min_separation = 1.1 * d;
    EXPECT_FALSE(stepper.all_impacts(scene.start, scene.end, options));
    EXPECT_FALSE(stepper.clearance(scene.start, 1.1 * d, options));
    options.query.min_separation = 0.0;
    std::vector<double> radius(scene.start.size(), 0.0);
    radius[0] = d;  // of an element it is the thickness of both sides
    options.radius = radius;
    EXPECT_FALSE(stepper.all_impacts(scene.start, scene.end, options));
    StepOptions thick;
    thick.radius = radius;
    const auto of_thick = stepper.candidates(scene.start, scene.end, 0.0, thick);
    ASSERT_TRUE(of_thick);
    options.candidates = &*of_thick;
    const auto with_radius = stepper.all_impacts(scene.start, scene.end, options);
    ASSERT_TRUE(with_radius) << with_radius.error().message;
    EXPECT_EQ(with_radius->impacts,
              MeshStepper(scene.mesh).all_impacts(scene.start, scene.end, thick)->impacts);
}

TEST(Candidates, OfAnotherStepperAreRefused) {
    const Scene scene = random_scene(1);
    MeshStepper one(scene.mesh);
    MeshStepper other(scene.mesh);
    const auto candidates = one.candidates(scene.start, scene.end);
    ASSERT_TRUE(candidates);
    StepOptions options;
    options.candidates = &*candidates;
    const auto first = other.first_impact(scene.start, scene.end, options);
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code, ErrorCode::InvalidOption);
    const Candidates none;
    options.candidates = &none;
    EXPECT_FALSE(one.first_impact(scene.start, scene.end, options));
    for (const double inflation : {-1.0, std::nan(""), kInfinity})
        EXPECT_FALSE(one.candidates(scene.start, scene.end, inflation));
}

TEST(Candidates, ApplyTheFilterWhenTheyAreUsed) {
    const Scene scene = random_scene(2);
    MeshStepper stepper(scene.mesh);
    StepOptions options;
    options.filter.accepts = [](QueryKind kind, std::uint32_t, std::uint32_t) {
        return kind == QueryKind::EdgeEdge;
    };
    const auto candidates = stepper.candidates(scene.start, scene.end, 0.0, options);
    ASSERT_TRUE(candidates);
    EXPECT_FALSE(candidates->pairs(QueryKind::VertexFace).empty());
    options.candidates = &*candidates;
    const auto all = stepper.all_impacts(scene.start, scene.end, options);
    ASSERT_TRUE(all);
    EXPECT_GT(all->impacts.size(), 0U);
    for (const Impact& impact : all->impacts)
        EXPECT_EQ(impact.kind, QueryKind::EdgeEdge);
}

// One stepper through steps that have nothing to do with each other, from small coordinates to ones
// whose sums overflow: each answer is that of a stepper that has seen no other.
TEST(RefittedTrees, GiveTheAnswersOfFreshOnes) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        Scene scene = free_scene(seed);
        MeshStepper stepper(scene.mesh);
        for (const double scale : {1.0, 0x1p-1000, 0x1p1020}) {
            std::vector<Vec3> start;
            std::vector<Vec3> end;
            for (std::size_t i = 0; i < scene.start.size(); ++i) {
                start.push_back(scale * scene.start[i]);
                end.push_back(scale * scene.end[i]);
            }
            if (!std::all_of(end.begin(), end.end(), [](const Vec3& p) { return is_finite(p); }) ||
                !std::all_of(start.begin(), start.end(),
                             [](const Vec3& p) { return is_finite(p); }))
                continue;
            const auto safe = largest_safe_step(stepper, start, end);
            ASSERT_TRUE(safe) << safe.error().message;
            expect_same(*safe,
                        *largest_safe_step(*std::make_unique<MeshStepper>(scene.mesh), start, end));
            // The search of the result itself, by trees built for it.
            EXPECT_TRUE(safe->fraction == 0.0 ||
                        MeshStepper(scene.mesh).first_impact(start, safe->positions)->verdict ==
                            Verdict::Separated);
            const auto energy = [&](std::span<const Vec3> x) {
                return sum_of_squares(x, end) / (scale > 1.0 ? 0x1p1023 : 1.0);
            };
            const auto search = line_search(stepper, start, end, energy);
            if (search && search->alpha > 0.0) {
                EXPECT_EQ(MeshStepper(scene.mesh).first_impact(start, search->positions)->verdict,
                          Verdict::Separated);
            }
        }
    }
}

TEST(CandidatesThreads, DoNotChangeThePairsOrTheAnswers) {
    const Scene scene = SceneMaker({.faces = 200}, 7).make();
    MeshStepper stepper(scene.mesh);
    std::optional<std::vector<Impact>> expected;
    std::optional<Candidates> one;
    for (const int threads : {1, 2, 3, 8}) {
        StepOptions options;
        options.threads = threads;
        const auto candidates = stepper.candidates(scene.start, scene.end, 0.01, options);
        ASSERT_TRUE(candidates);
        options.candidates = &*candidates;
        const auto all = stepper.all_impacts(scene.start, scene.end, options);
        ASSERT_TRUE(all);
        if (!expected) {
            expected = all->impacts;
            one = *candidates;
        }
        EXPECT_EQ(all->impacts, *expected);
        for (const QueryKind kind : kAllQueryKinds) {
            const auto pairs = candidates->pairs(kind);
            EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), one->pairs(kind).begin(),
                                   one->pairs(kind).end()));
        }
    }
}

// --- From line to line ----------------------------------------------------------------------------

void expect_same_pairs(const Candidates& a, const Candidates& b) {
    for (const QueryKind kind : kAllQueryKinds) {
        EXPECT_TRUE(std::equal(a.pairs(kind).begin(), a.pairs(kind).end(), b.pairs(kind).begin(),
                               b.pairs(kind).end()));
    }
}

TEST(CandidatesThreads, RefittedOverRandomLinesAreThoseOfAFreshCall) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        Scene scene = SceneMaker({.faces = 40, .loose_edges = 3, .points = 3}, seed).make();
        std::mt19937_64 random(seed);
        const auto jitter = [&] { return std::ldexp(static_cast<double>(random() >> 11), -53); };
        MeshStepper stepper(scene.mesh);
        Candidates kept;
        for (int step = 0; step < 10; ++step) {
            // Small moves as a rule; now and then far away, to another size, or other calls between.
            const double size = step % 4 == 3 ? 100.0 : 0.1;
            for (std::size_t i = 0; i < scene.start.size(); ++i) {
                scene.start[i] = scene.end[i];
                scene.end[i] += size * Vec3{jitter() - 0.5, jitter() - 0.5, jitter() - 0.5};
            }
            if (step % 5 == 2) {
                ASSERT_TRUE(stepper.first_impact(scene.end, scene.start));
            }
            StepOptions options;
            options.threads = std::array{1, 2, 3, 8}[static_cast<std::size_t>(step) % 4];
            const double inflation = step % 3 == 0 ? 0.0 : 0.05;
            ASSERT_TRUE(stepper.refit(kept, scene.start, scene.end, inflation, options));
            MeshStepper fresh(scene.mesh);
            const auto expected = fresh.candidates(scene.start, scene.end, inflation);
            ASSERT_TRUE(expected);
            expect_same_pairs(kept, *expected);
            options.candidates = &kept;
            const auto with = stepper.all_impacts(scene.start, scene.end, options);
            ASSERT_TRUE(with) << with.error().message;
            EXPECT_EQ(with->impacts, fresh.all_impacts(scene.start, scene.end)->impacts);
            // And they cover what they are said to cover, not less: the end of the line alone.
            EXPECT_TRUE(stepper.first_impact(scene.end, scene.end, options));
        }
    }
}

TEST(Candidates, StayThoseOfBeforeWhereARefitFails) {
    const Scene scene = SceneMaker({.faces = 30}, 3).make();
    MeshStepper stepper(scene.mesh);
    auto candidates = stepper.candidates(scene.start, scene.end);
    ASSERT_TRUE(candidates);
    const Candidates before = *candidates;
    EXPECT_EQ(stepper.refit(*candidates, scene.start, scene.end, -1.0).error().code,
              ErrorCode::InvalidOption);
    const std::atomic<bool> stop = true;
    StepOptions stopped;
    stopped.stop = StopToken(stop);
    EXPECT_EQ(stepper.refit(*candidates, scene.end, scene.start, 9.0, stopped).error().code,
              ErrorCode::Cancelled);
    expect_same_pairs(*candidates, before);
    StepOptions options;
    options.candidates = &*candidates;
    EXPECT_EQ(stepper.all_impacts(scene.start, scene.end, options)->impacts,
              MeshStepper(scene.mesh).all_impacts(scene.start, scene.end)->impacts);
}

TEST(Candidates, ThatWereMovedFromAreRefusedUntilTheyAreRefitted) {
    const Scene scene = SceneMaker({.faces = 30}, 3).make();
    MeshStepper stepper(scene.mesh);
    const auto expected = stepper.first_impact(scene.start, scene.end);
    ASSERT_TRUE(expected);
    ASSERT_EQ(expected->verdict, Verdict::Contact);
    auto left = stepper.candidates(scene.start, scene.end);
    ASSERT_TRUE(left);
    Candidates moved = *std::move(left);
    StepOptions options;
    const auto first = [&](const Candidates& candidates) {
        options.candidates = &candidates;
        return stepper.first_impact(scene.start, scene.end, options);
    };
    const auto expect_refused = [&](const Candidates& candidates) {
        const auto refused = first(candidates);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::InvalidOption);
    };
    expect_refused(*left);
    *left = std::move(moved);
    expect_refused(moved);
    EXPECT_EQ(first(*left)->impact, expected->impact);
    ASSERT_TRUE(stepper.refit(moved, scene.start, scene.end));
    EXPECT_EQ(first(moved)->impact, expected->impact);
    // By themselves they are as they were.
    const Candidates& same = *left;
    *left = same;
    expect_same_pairs(*left, moved);
}

// --- Directions that are kept ---------------------------------------------------------------------

std::atomic<std::uint64_t> asked_queries = 0;
template <class Motion>
CcdResult asked_query(const void* context, const Motion& motion,
                      const CcdOptions& options) noexcept {
    ++asked_queries;
    static const Method method = make_certified();
    return functions_of<Motion>(method).query(context, motion, options);
}

// Trials along a line and then other lines: the same answers as without, from fewer queries.
TEST(Candidates, KeepWhatSeparatedAPairFromSearchToSearch) {
    Scene scene = SceneMaker({.faces = 150, .loose_edges = 10, .points = 10}, 5).make();
    MeshStepper stepper(scene.mesh);
    StepOptions options;
    options.method = make_certified();
    options.method.vertex_face = {.query = &asked_query<VertexFaceMotion>};
    options.method.edge_edge = {.query = &asked_query<EdgeEdgeMotion>};
    options.threads = 1;
    Candidates kept;
    ASSERT_TRUE(stepper.refit(kept, scene.start, scene.end, 0.2));
    const auto queries_of_search = [&](const Candidates& candidates) {
        asked_queries = 0;
        options.candidates = &candidates;
        const auto found = stepper.all_impacts(scene.start, scene.end, options);
        EXPECT_TRUE(found) << found.error().message;
        MeshStepper fresh(scene.mesh);
        EXPECT_EQ(found->impacts, fresh.all_impacts(scene.start, scene.end)->impacts);
        EXPECT_EQ(found->work.candidates[1], candidates.pairs(QueryKind::EdgeEdge).size());
        return asked_queries.load();
    };
    const std::uint64_t first = queries_of_search(kept);
    const std::uint64_t second = queries_of_search(kept);
    EXPECT_LT(second, first * 3 / 4) << first;
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> jitter(-1e-3, 1e-3);
    for (int line = 0; line < 3; ++line) {
        for (Vec3& at : scene.end)
            at += Vec3{jitter(random), jitter(random), jitter(random)};
        ASSERT_TRUE(stepper.refit(kept, scene.start, scene.end, 0.2));
        const std::uint64_t with = queries_of_search(kept);
        const std::uint64_t without =
            queries_of_search(*stepper.candidates(scene.start, scene.end, 0.2));
        EXPECT_LT(with, without * 3 / 4) << without;
    }
}

// Integers meet in every degenerate way, as do their translates far from the origin. Directions of all
// sorts are tried, those that would be kept among them.
template <class Motion>
void expect_no_direction_separates_contacts(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_int_distribution<int> small(-2, 2);
    int contacts = 0;
    int separated = 0;
    for (int i = 0; i < 4000; ++i) {
        const double offset = i % 3 == 0 ? 0.0 : i % 3 == 1 ? 0x1p50 : -0x1p30;
        const double scale = i % 5 == 0 ? 0x1p-1060 : i % 5 == 1 ? 0x1p900 : 1.0;
        std::array<MovingPoint, Motion::kVertices> points;
        for (MovingPoint& point : points)
            for (Vec3* at : {&point.start, &point.end})
                for (std::size_t axis = 0; axis < 3; ++axis)
                    (*at)[axis] = scale * (small(random) + offset);
        const Motion motion = motion_from_vertices<Motion>(points);
        const bool touches = certify(motion).verdict == Verdict::Contact;
        contacts += touches ? 1 : 0;
        const mesh_detail::KeptDirection kept = mesh_detail::separating_direction(motion);
        separated += mesh_detail::is_known(kept) ? 1 : 0;
        if (!touches) continue;
        EXPECT_FALSE(mesh_detail::is_known(kept));
        for (int k = 0; k < 20; ++k) {
            const mesh_detail::KeptDirection n = {static_cast<float>(small(random)),
                                                  static_cast<float>(small(random)) + 1e-7F,
                                                  static_cast<float>(small(random))};
            EXPECT_FALSE(mesh_detail::separates_step(n, motion));
        }
    }
    EXPECT_GT(contacts, 50);
    EXPECT_GT(separated, 50);
}
// Differences of x overflow, and 0 times infinity is no number: it must not count as far away.
TEST(KeptDirections, ProveNothingWhereDifferencesOverflow) {
    const auto rest = [](const Vec3& p) { return MovingPoint{p, p}; };
    const VertexFaceMotion motion{
        {{1.7e308, 0.0, 0.0}, {-1.0e308, 0.0, 0.0}},
        {rest({-1.7e308, -1.0, 0.0}), rest({-0.2e308, -1.0, 0.0}), rest({-1.0e308, 2.0, 0.0})}};
    ASSERT_EQ(certify(motion).verdict, Verdict::Contact);
    for (const mesh_detail::KeptDirection& n :
         {mesh_detail::KeptDirection{0.0F, 0.0F, 1.0F}, {0.0F, 0.0F, -1.0F}, {0.0F, 1.0F, 0.0F}})
        EXPECT_FALSE(mesh_detail::separates_step(n, motion));
}

TEST(KeptDirections, NeverSeparateWhatTouches) {
    expect_no_direction_separates_contacts<VertexFaceMotion>(1);
    expect_no_direction_separates_contacts<EdgeEdgeMotion>(2);
    expect_no_direction_separates_contacts<VertexEdgeMotion>(3);
    expect_no_direction_separates_contacts<VertexVertexMotion>(4);
}

}  // namespace
}  // namespace graze
