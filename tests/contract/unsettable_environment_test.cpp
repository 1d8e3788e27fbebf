// A machine whose floating-point settings cannot be changed: nothing is proved, and nothing said.
// Defends G-ALL-3 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include "entry_points.hpp"
#include "hostile_settings.hpp"

// In place of the library's own.
bool graze::detail::call_with_sound_arithmetic(void (*)(void*), void*) {
    return false;
}

namespace graze::testing {
namespace {

// ask() under every hostile setting; each answer has to be closed.
template <class Ask, class IsClosed>
void expect_closed_under_all(const char* what, const Ask& ask, const IsClosed& is_closed) {
    EXPECT_FALSE(is_closed(ask())) << what << " says nothing at all";
    for (const HostileSetting& setting : hostile_settings()) {
        if (setting.traps) continue;  // trees are built under it, too
        std::optional<decltype(ask())> answer;
        {
            const Hostile hostile(setting);
            answer.emplace(ask());
        }
        EXPECT_TRUE(is_closed(*answer)) << what << " under " << setting.name;
    }
}

TEST(UnsettableEnvironment, QueriesAreUnresolved) {
    const auto is_default = [](const CcdResult& r) { return r == CcdResult{}; };
    const auto is_zero = [](double x) { return x == 0.0; };
    const auto is_infinite = [](double x) { return x == kInfinity; };
    const VertexFaceMotion hit = vertex_face(0.5, -0.4, 0);
    const VertexVertexMotion apart = vertices_near_each_other();
    expect_closed_under_all(
        "run", [&] { return run(make_certified(), hit); }, is_default);
    expect_closed_under_all(
        "run_batch",
        [&] {
            const std::array<VertexFaceMotion, 2> motions = {hit, hit};
            std::array<CcdResult, 2> results = {separated(), separated()};
            run_batch<VertexFaceMotion>(make_certified(), motions, {}, results);
            EXPECT_EQ(results[0], results[1]);
            return results[1];
        },
        is_default);
    expect_closed_under_all(
        "certify", [&] { return certify(hit); }, is_default);
    expect_closed_under_all(
        "certify_with_tier", [&] { return certify_with_tier(hit).result; }, is_default);
    expect_closed_under_all(
        "box_separation", [&] { return box_separation(apart); }, is_default);
    expect_closed_under_all(
        "tight_inclusion", [&] { return tight_inclusion(apart); }, is_default);
    expect_closed_under_all(
        "safe_cubic_ccd", [&] { return safe_cubic_ccd(hit); }, is_default);
    expect_closed_under_all(
        "safe_cubic_report", [&] { return safe_cubic_report(hit).result; }, is_default);
    expect_closed_under_all(
        "cubic_ccd", [&] { return cubic_ccd(hit); }, is_default);
    expect_closed_under_all(
        "distance_lower", [&] { return distance_lower(hit); }, is_zero);
    expect_closed_under_all(
        "free_time_from_start", [&] { return free_time_from_start(hit, 0.0); }, is_zero);
    expect_closed_under_all(
        "contact_point", [&] { return contact_point(hit, 0.5).distance_upper; }, is_infinite);
    expect_closed_under_all(
        "safe_cubic_bound", [&] { return safe_cubic_bound(hit).length; }, is_infinite);
    expect_closed_under_all(
        "longest_edge_upper", [&] { return longest_edge_upper(hit); }, is_infinite);
    expect_closed_under_all(
        "safe_cubic_scene_bound", [&] { return safe_cubic_scene_bound(1.0, 1.0).length; },
        is_infinite);
    expect_closed_under_all(
        "relative_displacement_upper", [&] { return relative_displacement_upper({}); },
        is_infinite);
}

TEST(UnsettableEnvironment, StepsOfMeshesAreErrors) {
    const auto is_error = [](const auto& expected) { return !expected.has_value(); };
    const TwoFaces scene = two_faces(0);
    const std::vector<Vec3>& start = scene.start;
    const std::vector<Vec3>& end = scene.end;
    MeshStepper stepper(scene.mesh);
    expect_closed_under_all(
        "first_impact", [&] { return stepper.first_impact(start, end); }, is_error);
    expect_closed_under_all(
        "all_impacts", [&] { return stepper.all_impacts(start, end); }, is_error);
    expect_closed_under_all(
        "intersections", [&] { return stepper.intersections(start); }, is_error);
    expect_closed_under_all(
        "clearance", [&] { return stepper.clearance(start, 0.5); }, is_error);
    expect_closed_under_all(
        "largest_safe_step", [&] { return largest_safe_step(stepper, start, end); }, is_error);
    expect_closed_under_all(
        "free_radii", [&] { return free_radii(stepper, start, 0.5); }, is_error);
    expect_closed_under_all(
        "free_fractions", [&] { return free_fractions(stepper, start, end); }, is_error);
    expect_closed_under_all(
        "active_set", [&] { return active_set(stepper, start, end); }, is_error);
    const auto energy = [](std::span<const Vec3>) { return 0.0; };
    expect_closed_under_all(
        "line_search", [&] { return line_search(stepper, start, end, energy); }, is_error);
    expect_closed_under_all(
        "positions_between", [&] { return positions_between(start, end, 0.5); },
        [&](const std::vector<Vec3>& positions) { return positions == start; });
}

TEST(UnsettableEnvironment, NothingIsKnownOfBodies) {
    const auto is_error = [](const auto& expected) { return !expected.has_value(); };
    const rigid::Polyhedron surface = *tetrahedron();
    const rigid::RigidBody body(surface);
    const rigid::PairStep step = body_step();
    const auto knows_nothing = [](const rigid::ImpactResult& r) {
        return r.verdict == Verdict::Unresolved && r.toi_lower == 0.0 && r.toi_upper == kInfinity;
    };
    expect_closed_under_all(
        "first_impact", [&] { return first_impact(body, body, step); }, knows_nothing);
    expect_closed_under_all(
        "all_impacts", [&] { return all_impacts(body, body, step); },
        [](const rigid::AllImpacts& r) { return !r.complete && r.collisions.empty(); });
    expect_closed_under_all(
        "start_state", [&] { return start_state(surface, {}, surface, {}); },
        [](rigid::StartState state) { return state == rigid::StartState::Unresolved; });
    expect_closed_under_all(
        "surfaces_share_a_point", [&] { return surfaces_share_a_point(surface, {}, surface, {}); },
        is_error);
    const std::array<Vec3, 3> triangle = {Vec3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    expect_closed_under_all(
        "triangles_share_a_point",
        [&] { return rigid::triangles_share_a_point(triangle, {}, triangle, {}); }, is_error);
    expect_closed_under_all(
        "Polyhedron::build", [] { return tetrahedron(); }, is_error);
    expect_closed_under_all(
        "step_pair", [&] { return step_pair(body, body, step); }, is_error);
    expect_closed_under_all(
        "RasterSearch",
        [&] {
            rigid::RasterSearch raster;
            return raster.collisions(surface, surface, step);
        },
        is_error);
    // Built where nothing could be set, and asked where all is well.
    std::optional<rigid::RigidBody> unsound;
    {
        const Hostile hostile(hostile_settings().front());
        unsound.emplace(surface);
    }
    EXPECT_TRUE(knows_nothing(first_impact(*unsound, body, step)));
}

TEST(UnsettableEnvironment, ShapesStayWhereTheyAre) {
    const slide::Level<double> level = floor_and_wall<double>();
    const slide::Shape<double> shape{{0.5, 0.5, 0.5}};
    const Vec<double> start{0, 1, 0};
    const Vec<double> wish{1, 0.5, 0};
    const auto is_start = [&](const Vec<double>& p) {
        return p.x == start.x && p.y == start.y && p.z == start.z;
    };
    expect_closed_under_all(
        "first_contact",
        [&] {
            return slide::first_contact<double>(level, shape, {start, wish});
        },
        [](const slide::SweepResult<double>& r) {
            return r.verdict == Verdict::Unresolved && r.toi_lower == 0.0;
        });
    expect_closed_under_all(
        "smallest_gap", [&] { return slide::smallest_gap<double>(level, shape, start, 1.0); },
        [](const slide::GapResult<double>& r) { return r.found && r.gap_lower == -kInfinity; });
    expect_closed_under_all(
        "move_and_slide", [&] { return slide::move_and_slide<double>(level, shape, start, wish); },
        [&](const slide::MoveResult<double>& r) { return is_start(r.position) && !r.gap_proved; });
    expect_closed_under_all(
        "move_and_climb",
        [&] { return slide::move_and_climb<double>(level, shape, start, wish, {.height = 0.25}); },
        [&](const slide::StairResult<double>& r) {
            return is_start(r.moved.position) && !r.moved.gap_proved;
        });
    expect_closed_under_all(
        "snap_to_ground",
        [&] { return slide::snap_to_ground<double>(level, shape, start, {.distance = 2.0}); },
        [&](const slide::SnapResult<double>& r) {
            return is_start(r.position) && r.action == slide::SnapAction::NoGround;
        });
    slide::Level<double> other = floor_and_wall<double>();
    const std::vector<Vec<double>> positions(6);
    const auto is_error = [](const auto& expected) { return !expected.has_value(); };
    expect_closed_under_all(
        "move_part", [&] { return other.move_part(0, positions); }, is_error);
    expect_closed_under_all(
        "replace_part", [&] { return other.replace_part(0, positions, {}); }, is_error);
    expect_closed_under_all(
        "add_part", [&] { return other.add_part(positions, {}); }, is_error);
}

}  // namespace
}  // namespace graze::testing
