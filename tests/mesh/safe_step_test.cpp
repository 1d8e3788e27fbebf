// Steps, radii, fractions and line searches, each attacked with exact answers about the motion that
// they allow.
// Defends G-MESH-3, G-MESH-4, G-MESH-5, G-MESH-6, G-MESH-7 (docs/GUARANTEES.md).
#include "graze/mesh/safe_step.hpp"

#include "graze/mesh/active_set.hpp"
#include "graze/mesh/line_search.hpp"
#include "graze/mesh/vertex_bounds.hpp"
#include "graze/narrow/box_separation.hpp"
#include "random_scene.hpp"

namespace graze {
namespace {

bool is_free(const Scene& scene, const std::vector<Vec3>& end, const CcdOptions& options = {}) {
    return exact_contacts({scene.mesh, scene.start, end}, options).empty();
}

// Scenes whose start is free of contact.
std::vector<Scene> apart_scenes(const Recipe& recipe, std::size_t count) {
    std::vector<Scene> scenes;
    for (std::uint64_t seed = 0; scenes.size() < count && seed < 50 * count; ++seed) {
        Scene scene = SceneMaker(recipe, seed).make();
        MeshStepper stepper(scene.mesh);
        if (stepper.intersections(scene.start)->empty()) scenes.push_back(std::move(scene));
    }
    EXPECT_EQ(scenes.size(), count);
    return scenes;
}

const Recipe kSparse = {.faces = 5, .loose_edges = 1, .points = 2};

// --- Where nothing moves -------------------------------------------------------------------------

TEST(Intersections, AreThoseOfEdgesWithFacesAndOfWhatHasNone) {
    int found = 0;
    for (const bool integers : {false, true}) {
        for (std::uint64_t seed = 0; seed < 15; ++seed) {
            const Scene scene =
                SceneMaker({.faces = 5, .loose_edges = 2, .points = 2, .integers = integers}, seed)
                    .make();
            std::vector<Intersection> exact;
            Scene still = {scene.mesh, scene.start, scene.start};
            for (const Contact& c : exact_contacts(still, {})) {
                const bool is_point =
                    std::count(scene.mesh.points.begin(), scene.mesh.points.end(), c.a) != 0;
                using Kind = Intersection::Kind;
                if (c.kind == QueryKind::EdgeEdge) exact.push_back({Kind::EdgeEdge, c.a, c.b});
                if (c.kind == QueryKind::VertexFace && is_point)
                    exact.push_back({Kind::VertexFace, c.a, c.b});
                if (c.kind == QueryKind::VertexVertex)
                    exact.push_back({Kind::VertexVertex, c.a, c.b});
                if (c.kind == QueryKind::VertexEdge) exact.push_back({Kind::VertexEdge, c.a, c.b});
            }
            for (std::uint32_t e = 0; e < scene.mesh.edges.size(); ++e) {
                for (std::uint32_t f = 0; f < scene.mesh.faces.size(); ++f) {
                    const auto& [p, q] = scene.mesh.edges[e];
                    const FaceIndices& face = scene.mesh.faces[f];
                    if (std::count(face.begin(), face.end(), p) != 0 ||
                        std::count(face.begin(), face.end(), q) != 0)
                        continue;
                    verify::Question question{QueryKind::VertexFace, {}, {}};
                    question.record.corners[0] = {scene.start[p], scene.start[q]};
                    for (std::size_t i = 0; i < 3; ++i)
                        question.record.corners[i + 1] = {scene.start[face[i]],
                                                          scene.start[face[i]]};
                    if (verify::exact_answer(question).verdict == Verdict::Contact)
                        exact.push_back({Intersection::Kind::EdgeFace, e, f});
                }
            }
            std::sort(exact.begin(), exact.end());
            MeshStepper stepper(scene.mesh);
            EXPECT_EQ(*stepper.intersections(scene.start), exact) << "seed " << seed;
            found += static_cast<int>(exact.size());
        }
    }
    EXPECT_GT(found, 100);
}

// An edge through a face: the edge's first vertex and the face are fixed, its second is not.
TEST(Intersections, LeaveOutOnlyThoseOfWhichEveryVertexIsFixed) {
    const std::vector<FaceIndices> faces = {{0, 1, 2}};
    const std::vector<EdgeIndices> edges = {{3, 4}};
    MeshStepper stepper(*make_topology(5, faces, edges));
    const std::vector<Vec3> positions = {
        {0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0x1p+0, 0x1p+0, 0x1p-1}, {0x1p+0, 0x1p+0, -0x1p-1}};
    const auto found = [&](const std::vector<std::uint8_t>& fixed) {
        StepOptions options;
        options.filter.fixed = fixed;
        return stepper.intersections(positions, options)->size();
    };
    EXPECT_EQ(found({1, 1, 1, 1, 1}), 0U);
    for (std::size_t free = 0; free < 5; ++free) {
        std::vector<std::uint8_t> fixed(5, 1);
        fixed[free] = 0;
        EXPECT_EQ(found(fixed), 1U) << free;
    }
}

// An edge against a face is left out if both of its ends against the face are.
TEST(Intersections, OfAnEdgeCountAsEitherOfItsEnds) {
    const std::vector<FaceIndices> faces = {{0, 1, 2}};
    const std::vector<EdgeIndices> edges = {{3, 4}};
    MeshStepper stepper(*make_topology(5, faces, edges));
    const std::vector<Vec3> positions = {
        {0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0x1p+0, 0x1p+0, 0x1p-1}, {0x1p+0, 0x1p+0, -0x1p-1}};
    const auto found = [&](std::uint32_t first, std::uint32_t second) {
        StepOptions options;
        options.filter.accepts = [=](QueryKind, std::uint32_t a, std::uint32_t) {
            return a == first || a == second;
        };
        return stepper.intersections(positions, options)->size();
    };
    EXPECT_EQ(found(3, 4), 1U);
    EXPECT_EQ(found(3, 3), 1U);
    EXPECT_EQ(found(4, 4), 1U);
    EXPECT_EQ(found(9, 9), 0U);
}

TEST(Clearance, IsALowerBoundOfEveryDistanceAndNearlyReached) {
    int sharp = 0;
    for (const Scene& scene : apart_scenes(kSparse, 8)) {
        MeshStepper stepper(scene.mesh);
        const double reach = 0.5;
        const Expected<Clearance> clearance = stepper.clearance(scene.start, reach);
        ASSERT_TRUE(clearance);
        const Scene still = {scene.mesh, scene.start, scene.start};
        for (const Pair& pair : every_pair(scene.mesh)) {
            double least = reach;
            for (const std::uint32_t vertex : pair.vertices)
                least = std::min(least, clearance->by_vertex[vertex]);
            // No pair is nearer than the largest clearance of its vertices.
            double most = 0.0;
            for (const std::uint32_t vertex : pair.vertices)
                most = std::max(most, clearance->by_vertex[vertex]);
            if (!(most > 0.0)) continue;
            EXPECT_EQ(truth_of(still, pair, {.min_separation = most * (1 - 0x1p-50)}).verdict,
                      Verdict::Separated);
            const CcdOptions above{.min_separation = least * (1 + 0x1p-40)};
            sharp += truth_of(still, pair, above).verdict == Verdict::Contact ? 1 : 0;
        }
    }
    EXPECT_GT(sharp, 20);
}

// --- Steps ---------------------------------------------------------------------------------------

TEST(SafeStep, IsFreeAsReturnedAndHardlyShorterThanItCouldBe) {
    int limited = 0;
    for (const double offset : {0.0, 1e5}) {
        Recipe recipe = kSparse;
        recipe.offset = offset;
        for (const Scene& scene : apart_scenes(recipe, 12)) {
            MeshStepper stepper(scene.mesh);
            const Expected<SafeStep> step = largest_safe_step(stepper, scene.start, scene.end);
            ASSERT_TRUE(step);
            EXPECT_TRUE(is_free(scene, step->positions));
            EXPECT_GT(step->fraction, 0.0);
            double first = kInfinity;
            for (const Contact& contact : exact_contacts(scene, {}))
                first = std::min(first, contact.toi_lower);
            EXPECT_EQ(step->impact.has_value(), first < kInfinity);
            if (!(first < kInfinity)) {
                EXPECT_EQ(step->positions, scene.end);
                continue;
            }
            ++limited;
            EXPECT_LE(step->fraction, first);
            EXPECT_GT(step->fraction, (offset == 0.0 ? 0.9999 : 0.9) * first);
        }
    }
    EXPECT_GT(limited, 8);
}

TEST(SafeStep, KeepsTheSeparation) {
    int limited = 0;
    StepOptions options;
    options.query.min_separation = 1e-3;
    for (const Scene& scene : apart_scenes(kSparse, 10)) {
        MeshStepper stepper(scene.mesh);
        if (!(stepper.clearance(scene.start, 1.0)->least > 2e-3)) continue;
        const Expected<SafeStep> step = largest_safe_step(stepper, scene.start, scene.end, options);
        ASSERT_TRUE(step);
        EXPECT_GT(step->fraction, 0.0);
        EXPECT_TRUE(is_free(scene, step->positions, options.query));
        limited += step->fraction < 1.0 ? 1 : 0;
    }
    EXPECT_GT(limited, 2);
}

TEST(SafeStep, GoesNowhereFromAStartThatTouches) {
    const Expected<MeshTopology> mesh = make_topology(4, std::vector<FaceIndices>{{0, 1, 2}});
    const std::vector<Vec3> start = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}};
    const std::vector<Vec3> end = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}};
    MeshStepper stepper(*mesh);
    const Expected<SafeStep> step = largest_safe_step(stepper, start, end);
    ASSERT_TRUE(step);
    EXPECT_EQ(step->fraction, 0.0);
    EXPECT_EQ(step->positions, start);
    EXPECT_TRUE(step->impact);
}

// Two points that are apart at the start by the gap, on their way to one place.
struct Meeting {
    std::vector<Vec3> start;
    std::vector<Vec3> end;
};
Expected<SafeStep> safe_step_of(const Meeting& scene, const StepOptions& options = {}) {
    MeshStepper stepper(*make_topology(scene.start.size(), {}));
    return largest_safe_step(stepper, scene.start, scene.end, options);
}

// M6: a gap g and no coordinate above Y at the end: g / 16 Y is free as rounded.
TEST(SafeStep, MakesProgressFromEveryGapThatDoublesCanTell) {
    for (const int gap : {-1074, -1073, -1060, -1022, -500, -100, -60, -1}) {
        for (const int size : {-1074, -1040, -600, -1, 0, 10, 500, 1023}) {
            const double g = std::ldexp(1.0, gap);
            const double y = std::ldexp(1.0, size);
            const Meeting scene = {{{-g, -1, 0}, {0, -1, 0}}, {{y, -1, -y}, {y, -1, -y}}};
            const Expected<SafeStep> step = safe_step_of(scene);
            ASSERT_TRUE(step);
            EXPECT_LE(step->proofs, 40);
            EXPECT_NE(step->positions[0], step->positions[1]) << gap << " " << size;
            if (gap - size >= -1069 || size <= -1) {
                EXPECT_GT(step->fraction, 0.0) << gap << " " << size;
            }
        }
    }
}

// A method without times of impact is asked about shorter steps all the same.
TEST(SafeStep, MakesProgressWithoutATimeOfImpact) {
    StepOptions options;
    options.method = make_box_separation();
    const Meeting scene = {{{-1, 0, 0}, {1, 0, 0}}, {{3, 0, 0}, {-3, 0, 0}}};
    const Expected<SafeStep> step = safe_step_of(scene, options);
    ASSERT_TRUE(step);
    EXPECT_GT(step->fraction, 0x1p-4);
    EXPECT_LT(step->fraction, 0.25);
}

// --- Bounds by vertex ----------------------------------------------------------------------------

// A unit vector, about, and never longer.
Vec3 direction(std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    const Vec3 v{normal(random), normal(random), normal(random)};
    return ((1.0 - 0x1p-40) / norm(v)) * v;
}

TEST(FreeRadii, AllowEveryMotionWithinThem) {
    std::mt19937_64 random(17);
    for (const Scene& scene : apart_scenes(kSparse, 8)) {
        MeshStepper stepper(scene.mesh);
        const Expected<std::vector<double>> radii = free_radii(stepper, scene.start, 0.5);
        ASSERT_TRUE(radii);
        for (int attempt = 0; attempt < 12; ++attempt) {
            std::vector<Vec3> end = scene.start;
            for (std::size_t i = 0; i < end.size(); ++i) {
                ASSERT_GT((*radii)[i], 0.0);
                // Towards another vertex, or anywhere.
                const Vec3 to = scene.start[random() % end.size()] - scene.start[i];
                const double distance = norm(to);
                const Vec3 way = attempt % 2 == 0 && distance > 0.0
                                     ? ((1.0 - 0x1p-40) / distance) * to
                                     : direction(random);
                end[i] = end[i] + (*radii)[i] * way;
            }
            EXPECT_TRUE(is_free(scene, end)) << attempt;
            EXPECT_TRUE(stepper.intersections(end)->empty());
        }
    }
}

// Two points that fly at each other: their radii are half their distance, not more.
TEST(FreeRadii, ShareTheDistanceOfAPair) {
    MeshStepper stepper(*make_topology(2, {}));
    const std::vector<Vec3> start = {{0, 0, 0}, {1, 0, 0}};
    const Expected<std::vector<double>> radii = free_radii(stepper, start, 4.0);
    ASSERT_TRUE(radii);
    EXPECT_LT((*radii)[0] + (*radii)[1], 1.0);
    EXPECT_NEAR((*radii)[0] + (*radii)[1], 1.0, 1e-8);
    StepOptions options;
    options.query.min_separation = 0.5;
    EXPECT_NEAR((*free_radii(stepper, start, 4.0, options))[0], 0.25, 1e-8);
}

TEST(FreeFractions, AreFreeTogetherAndStopOnlyWhatMeets) {
    int stopped = 0;
    int unhindered = 0;
    for (const Scene& scene : apart_scenes(kSparse, 15)) {
        MeshStepper stepper(scene.mesh);
        const Expected<FreeFractions> bounds = free_fractions(stepper, scene.start, scene.end);
        ASSERT_TRUE(bounds);
        EXPECT_TRUE(is_free(scene, bounds->positions));
        for (const double fraction : bounds->fraction) {
            EXPECT_GT(fraction, 0.0);
            (fraction < 1.0 ? stopped : unhindered) += 1;
        }
    }
    EXPECT_GT(stopped, 20);
    EXPECT_GT(unhindered, 20);
}

// A falls on B, which gives way to C: if A alone is stopped at its time of impact and B goes on ...
// the times of impact of single vertices do not fit together.
TEST(FreeFractions, AreNotTheTimesOfImpactByVertex) {
    // A point chases a triangle that is about to hit a wall.
    const Expected<MeshTopology> mesh =
        make_topology(7, std::vector<FaceIndices>{{0, 1, 2}, {3, 4, 5}});
    const std::vector<Vec3> start = {{10, -9, -9}, {10, 9, -9}, {10, 0, 9},  // the wall
                                     {9, -1, -1},  {9, 1, -1},  {9, 0, 1},  {0, 0, 0}};
    std::vector<Vec3> end = start;
    for (std::size_t i = 3; i < 6; ++i)
        end[i].x = 29.0;
    end[6].x = 18.0;
    MeshStepper stepper(*mesh);
    // The triangle flees the point faster than it comes, so that they never meet in the step
    // itself.
    const Expected<StepImpacts> all = stepper.all_impacts(start, end);
    for (const Impact& impact : all->impacts)
        EXPECT_FALSE(impact.kind == QueryKind::VertexFace && impact.a == 6 && impact.b == 1);
    // Stopped by the wall at t = 1/20, though, the triangle would be hit by the point.
    const Expected<FreeFractions> bounds = free_fractions(stepper, start, end);
    ASSERT_TRUE(bounds);
    EXPECT_LT(bounds->fraction[3], 0.05);
    EXPECT_LT(bounds->positions[6].x, 10.0);
    EXPECT_TRUE(is_free({*mesh, start, end}, bounds->positions));
}

// --- Constraints ---------------------------------------------------------------------------------

TEST(ActiveSet, HasAConstraintForEachContactAndTheSignOfItsViolation) {
    const Expected<MeshTopology> mesh = make_topology(4, std::vector<FaceIndices>{{0, 1, 2}});
    const std::vector<Vec3> start = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}};
    const std::vector<Vec3> end = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}};
    MeshStepper stepper(*mesh);
    const Expected<ActiveSet> set = active_set(stepper, start, end);
    ASSERT_TRUE(set);
    ASSERT_EQ(set->constraints.size(), 1U);
    const ActiveConstraint& constraint = set->constraints.front();
    EXPECT_NEAR(constraint.contact.normal.z, 1.0, 1e-12);
    EXPECT_NEAR(constraint.value, -1.0, 1e-9);
    EXPECT_NEAR(constraint.contact.on_a.x, 1.0, 1e-9);
    EXPECT_NEAR(constraint.b_at_end.z, 0.0, 1e-12);

    StepOptions options;
    options.query.min_separation = 0.125;
    const std::vector<Vec3> near = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0.0625}};
    const Expected<ActiveSet> early = active_set(stepper, start, near, options);
    ASSERT_EQ(early->constraints.size(), 1U);
    EXPECT_NEAR(early->constraints.front().value, 0.0625 - 0.125, 1e-9);
    EXPECT_TRUE(active_set(stepper, start, near)->constraints.empty());
}

TEST(ActiveSet, PointsFromOneSideToTheOtherWhateverTheMotion) {
    const Expected<MeshTopology> mesh = make_topology(4, std::vector<FaceIndices>{{0, 1, 2}});
    const std::vector<Vec3> start = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0.0625}};
    const std::vector<Vec3> away = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0.25}};
    MeshStepper stepper(*mesh);
    StepOptions options;
    options.query.min_separation = 0.125;
    const Expected<ActiveSet> receding = active_set(stepper, start, away, options);
    ASSERT_EQ(receding->constraints.size(), 1U);
    EXPECT_NEAR(receding->constraints.front().contact.normal.z, 1.0, 1e-12);
    EXPECT_NEAR(receding->constraints.front().value, 0.125, 1e-9);
    // Beside the face the direction is that of the nearest point of its rim.
    const std::vector<Vec3> beside = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, -0.0625, 0}};
    const Expected<ActiveSet> rim = active_set(stepper, beside, beside, options);
    ASSERT_EQ(rim->constraints.size(), 2U);  // with the face, and with the edge
    for (const ActiveConstraint& constraint : rim->constraints)
        EXPECT_NEAR(constraint.contact.normal.y, -1.0, 1e-12);
    // Thickness counts.
    const std::vector<double> radius = {0.125, 0.125, 0.125, 0.0625};
    options.radius = radius;
    const Expected<ActiveSet> thick = active_set(stepper, start, start, options);
    ASSERT_EQ(thick->constraints.size(), 1U);
    EXPECT_NEAR(thick->constraints.front().value, 0.0625 - 0.125 - 0.1875, 1e-9);
}

// --- Line search ---------------------------------------------------------------------------------

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
