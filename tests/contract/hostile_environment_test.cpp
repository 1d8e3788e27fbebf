// Whatever the thread is set to, answers are those of the default settings, bit for bit.
// Defends G-ALL-2 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include "entry_points.hpp"
#include "graze/baselines/baselines.hpp"
#include "graze/oracle/self_check.hpp"
#include "graze/rigid/convex.hpp"
#include "hostile_settings.hpp"

namespace graze::testing {
namespace {

using graze::Vec;

// --- narrow --------------------------------------------------------------------------------------

// 2^-1060 apart: with subnormals flushed the two would be in one place.
TEST(HostileEnvironment, ASubnormalGapIsNoContact) {
    const VertexVertexMotion motion = vertices_near_each_other();
    for (const HostileSetting& setting : hostile_settings()) {
        std::vector<Verdict> verdicts;
        {
            const Hostile hostile(setting);
            verdicts = {certify(motion).verdict, certify_with_tier(motion).result.verdict,
                        box_separation(motion).verdict, tight_inclusion(motion).verdict,
                        run(make_certified(), motion).verdict};
        }
        for (std::size_t i = 0; i < verdicts.size(); ++i)
            EXPECT_EQ(verdicts[i], Verdict::Separated) << i << " under " << setting.name;
    }
}

TEST(HostileEnvironment, EveryMethodAnswersAsEver) {
    MethodRegistry registry = builtin_methods();
    const MethodRegistry baselines = baseline_methods();
    for (const Method& method : baselines.all())
        ASSERT_TRUE(registry.add(method));
    for (const Method& method : registry.all()) {
        SCOPED_TRACE(std::string(method.name));
        for_each_motion([&]<class Motion>(const Motion& motion) {
            expect_same_under_all("run", [&] { return run(method, motion, {.max_checks = 1000}); });
        });
    }
}

TEST(HostileEnvironment, EveryBatchIsAnsweredAsEver) {
    const std::vector<VertexFaceMotion> motions = {vertex_face(0.5, -0.4, 0),
                                                   vertex_face(0.5, 0.05, -1040)};
    const CcdOptions subnormal{.distance_tolerance = 0x1p-1070, .time_width = 0x1p-1074};
    for (const CcdOptions& options : {CcdOptions{}, subnormal}) {
        expect_same_under_all("run_batch", [&] {
            std::vector<CcdResult> results(motions.size());
            run_batch<VertexFaceMotion>(make_certified(), motions, options, results);
            return results;
        });
    }
}

TEST(HostileEnvironment, EveryFunctionOfNarrowAnswersAsEver) {
    for_each_motion([]<class Motion>(const Motion& motion) {
        for (const double d : {0.0, 0x1p-1050, 0.125}) {
            for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
                const CcdOptions options{.min_separation = d, .norm = norm};
                expect_same_under_all("certify", [&] { return certify(motion, options); });
                expect_same_under_all("certify_with_tier", [&] {
                    const CertifiedAnswer answer = certify_with_tier(motion, options);
                    return std::tuple(answer.result, answer.tier);
                });
                expect_same_under_all("box_separation",
                                      [&] { return box_separation(motion, options); });
                expect_same_under_all("distance_lower",
                                      [&] { return distance_lower(motion, norm); });
                TightInclusionOptions inclusion;
                inclusion.query = options;
                inclusion.query.max_checks = 1000;
                expect_same_under_all("tight_inclusion",
                                      [&] { return tight_inclusion(motion, inclusion); });
            }
            expect_same_under_all("free_time_from_start",
                                  [&] { return free_time_from_start(motion, d); });
        }
        expect_same_under_all("safe_cubic_ccd", [&] { return safe_cubic_ccd(motion); });
        expect_same_under_all("safe_cubic_bound", [&] { return safe_cubic_bound(motion).length; });
        for (const double time : {0.0, 0x1p-1060, 0.3, 1.0}) {
            expect_same_under_all("contact_point", [&] {
                const ContactPoint p = contact_point(motion, time);
                return std::tuple(p.u, p.v, p.on_a, p.on_b, p.normal, p.distance_upper);
            });
        }
        if constexpr (Motion::kVertices == 4) {
            expect_same_under_all("safe_cubic_report",
                                  [&] { return safe_cubic_report(motion).result; });
            expect_same_under_all("cubic_ccd", [&] { return cubic_ccd(motion); });
        }
    });
    const MovingBox box{{0, 0, 0}, {0.1, 0x1p-1060, 0.3}, {0, 0, 0}, {0.7, 0.1, 0x1p-1070}};
    expect_same_under_all("relative_displacement_upper",
                          [&] { return relative_displacement_upper(box); });
    expect_same_under_all("BoundsOfQueries", [&] {
        BoundsOfQueries all;
        all.add(VertexFaceMotion{{{0.1, 0, 0}, {0.7, 0, 0}}, {}});
        all.add_edge({{0.1, 0, 0}, {}}, {{-0.7, 0, 0}, {}});
        const QueryBounds bounds = all.bounds();
        return std::tuple(bounds.longest_edge, bounds.relative_displacement);
    });
    expect_same_under_all("safe_cubic_scene_bound", [&] {
        return std::tuple(safe_cubic_scene_bound(0.1, 0.7).length,
                          safe_cubic_scene_bound(0.1, 0x1p-1070).length,
                          safe_cubic_scene_bound(0.1, 0.7, box).length);
    });
}

// --- oracle --------------------------------------------------------------------------------------

oracle::Query oracle_query(const VertexFaceMotion& motion) {
    oracle::Query query;
    const auto all = vertices(motion);
    for (std::size_t c = 0; c < all.size(); ++c) {
        query.start[c] = {all[c].start.x, all[c].start.y, all[c].start.z};
        query.end[c] = {all[c].end.x, all[c].end.y, all[c].end.z};
    }
    return query;
}

TEST(HostileEnvironment, TheOracleIsExactAsEver) {
    for (const int exponent : {0, -1040}) {
        const oracle::Query query = oracle_query(vertex_face(0.5, -0.4, exponent));
        expect_same_under_all("first_contact", [&] { return oracle::first_contact(query); });
        expect_same_under_all("first_contact_in",
                              [&] { return oracle::first_contact_in(query, 0x1p-1070, 0.75); });
        expect_same_under_all("first_contact_by_decomposition",
                              [&] { return oracle::first_contact_by_decomposition(query); });
        for (const oracle::Norm norm : {oracle::Norm::Euclidean, oracle::Norm::Max}) {
            expect_same_under_all("first_within",
                                  [&] { return oracle::first_within(query, 0x1p-1050, norm); });
        }
    }
    oracle::Query ordinary = oracle_query(vertex_face(0.5, 0.2, 0));
    ordinary.kind = oracle::Kind::VertexVertex;  // the others take seconds
    expect_same_under_all("minimum_distance", [&] {
        const auto found = oracle::minimum_distance(ordinary, oracle::Norm::Max);
        return std::tuple(found.valid, found.lower, found.upper);
    });
    expect_same_under_all("self_check", [&] { return oracle::self_check(ordinary); });
}

// --- mesh ----------------------------------------------------------------------------------------

TEST(HostileEnvironment, MeshesAreSteppedAsEver) {
    for (const int exponent : {0, -1040}) {
        const TwoFaces scene = two_faces(exponent);
        MeshStepper stepper(scene.mesh);
        for (const int threads : {1, 0}) {
            StepOptions options;
            options.threads = threads;
            expect_same_under_all("first_impact", [&] {
                const auto first = stepper.first_impact(scene.start, scene.end, options);
                return std::tuple(first->toi_lower, first->impact);
            });
            expect_same_under_all("all_impacts", [&] {
                return stepper.all_impacts(scene.start, scene.end, options)->impacts;
            });
            expect_same_under_all("intersections",
                                  [&] { return *stepper.intersections(scene.end, options); });
            expect_same_under_all("clearance", [&] {
                const auto found = stepper.clearance(scene.start, 0x1p-1030, options);
                return std::tuple(found->least, found->by_vertex);
            });
            expect_same_under_all("largest_safe_step", [&] {
                const auto safe = largest_safe_step(stepper, scene.start, scene.end, options);
                return std::tuple(safe->fraction, safe->positions);
            });
            expect_same_under_all("free_radii", [&] {
                return *free_radii(stepper, scene.start, 0x1p-1030, options);
            });
            expect_same_under_all("free_fractions", [&] {
                return free_fractions(stepper, scene.start, scene.end, options)->fraction;
            });
            expect_same_under_all("active_set", [&] {
                const auto set = active_set(stepper, scene.start, scene.end, options);
                return set->constraints.front().value;
            });
            expect_same_under_all("line_search", [&] {
                double value = 10.0;  // less at each place
                const auto energy = [&](std::span<const Vec3>) { return value -= 1.0; };
                LineSearchOptions line{.step = options};
                const auto found = line_search(stepper, scene.start, scene.end, energy, line);
                return std::tuple(found->alpha, found->positions);
            });
        }
        expect_same_under_all("positions_between",
                              [&] { return positions_between(scene.start, scene.end, 0x1p-3); });
    }
}

// --- screw ---------------------------------------------------------------------------------------

TEST(HostileEnvironment, BodiesAreSearchedAsEver) {
    const rigid::Polyhedron surface = *tetrahedron();
    const rigid::RigidBody body(surface);
    const rigid::PairStep step = body_step();
    expect_same_under_all("Polyhedron::build", [] { return tetrahedron()->radius(); });
    expect_same_under_all("rigid::first_impact", [&] {
        const rigid::RigidBody fresh(surface);
        const rigid::ImpactResult r = rigid::first_impact(fresh, body, step);
        return std::tuple(r.verdict, r.toi_lower, r.toi_upper, r.contact.a, r.contact.b);
    });
    expect_same_under_all("rigid::all_impacts", [&] {
        const rigid::AllImpacts r = rigid::all_impacts(body, body, step);
        return std::tuple(r.complete, r.collisions.size(), r.collisions.front().time_lower);
    });
    Pose moved;
    moved.translation = {0.5, 0x1p-1060, 0.1};
    expect_same_under_all("start_state", [&] { return start_state(surface, {}, surface, moved); });
    expect_same_under_all("surfaces_share_a_point",
                          [&] { return surfaces_share_a_point(surface, {}, surface, moved); });
    const std::array<Vec3, 3> a = {Vec3{0, 0, 0}, {0x1p-1050, 0, 0}, {0, 0x1p-1050, 0}};
    const std::array<Vec3, 3> b = {Vec3{0, 0, 0x1p-1060}, {1, 0, 1}, {0, 1, 1}};
    expect_same_under_all("triangles_share_a_point",
                          [&] { return rigid::triangles_share_a_point(a, {}, b, {}); });
    expect_same_under_all("step_pair", [&] {
        const auto pair = rigid::step_pair(body, body, step);
        return std::tuple(pair->a, pair->b, pair->report.fractions);
    });
    expect_same_under_all("RasterSearch", [&] {
        rigid::RasterSearch raster;
        return raster.collisions(surface, surface, step)->collisions.size();
    });
}

TEST(HostileEnvironment, ConvexBodiesAreSearchedAsEver) {
    rigid::BodyStep step;
    step.start.translation = {3.0, 0.1, 0x1p-1060};
    step.end = {rotation_about({1.0, 2.0, 3.0}, 1.0), {-3.0, 0.2, 0.1}};
    expect_same_under_all("first_impact of convex bodies", [&] {
        const rigid::ConvexShape box = rigid::ConvexShape::box({0.5, 0.4, 0.6}).value();
        const rigid::ConvexShape can = rigid::ConvexShape::cylinder(0.4, 0.6).value();
        const auto rest = rigid::BodyMotion::rest({});
        const auto spin =
            rigid::BodyMotion::spin(step.start, step.end.translation, {9.0, 1.0, 2.0});
        const auto r = rigid::first_impact(box, rest, can, rigid::BodyMotion::nlerp(step));
        const auto s = rigid::first_impact(box, rest, box, spin);
        const auto u = rigid::first_impact(box, box, {{}, step});
        return std::tuple(r.verdict, r.toi_lower, r.toi_upper, s.verdict, s.toi_lower, s.toi_upper,
                          u.verdict, u.toi_lower, u.toi_upper);
    });
}

// --- slide ---------------------------------------------------------------------------------------

template <class Real>
class HostileSlide : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(HostileSlide, Reals);

TYPED_TEST(HostileSlide, ShapesMoveAsEver) {
    using Real = TypeParam;
    const slide::Level<Real> level = floor_and_wall<Real>();
    const slide::Shape<Real> shape{{Real(0.5), Real(0.75), Real(0.5)}};
    const Vec<Real> start{0, Real(0.9), 0};
    const Vec<Real> wish{Real(5), Real(-0.5), Real(0.1)};
    const auto coordinates = [](const Vec<Real>& v) { return std::tuple(v.x, v.y, v.z); };
    expect_same_under_all("first_contact", [&] {
        const slide::Level<Real> fresh = floor_and_wall<Real>();
        const auto found = slide::first_contact<Real>(fresh, shape, {start, wish});
        return std::tuple(found.verdict, found.toi_lower, coordinates(found.contact.normal));
    });
    expect_same_under_all("smallest_gap", [&] {
        const auto found = slide::smallest_gap<Real>(level, shape, start, Real(1));
        return std::tuple(found.found, found.gap_lower);
    });
    expect_same_under_all("move_and_slide", [&] {
        const auto moved = slide::move_and_slide<Real>(level, shape, start, wish);
        return std::tuple(coordinates(moved.position), moved.gap_proved, moved.skin);
    });
    expect_same_under_all("move_and_climb", [&] {
        const auto moved =
            slide::move_and_climb<Real>(level, shape, start, wish, {.height = Real(0.25)});
        return std::tuple(moved.action, coordinates(moved.moved.position));
    });
    expect_same_under_all("snap_to_ground", [&] {
        const auto snapped =
            slide::snap_to_ground<Real>(level, shape, start, {.distance = Real(0.5)});
        return std::tuple(snapped.action, coordinates(snapped.position));
    });
    expect_same_under_all("move_part", [&] {
        slide::Level<Real> moved = floor_and_wall<Real>();
        const std::vector<Vec<Real>> positions = {{-9, Real(0.1), -9}, {9, 0, -9}, {0, 0, 9},
                                                  {2, -9, -9},         {2, 9, -9}, {2, 0, 9}};
        const bool good = moved.move_part(0, positions).has_value();
        return std::tuple(good, slide::first_contact<Real>(moved, shape, {start, wish}).toi_lower);
    });
}

}  // namespace
}  // namespace graze::testing
