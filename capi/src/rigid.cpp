// Rigid bodies in screw motion.
#include "graze/rigid.hpp"

#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "graze.h"
#include "handles.hpp"
#include "views.hpp"

namespace graze::capi {
namespace {

using rigid::BodyStep;
using rigid::PairStep;

static_assert(sizeof(graze_body_info) == 64 && sizeof(graze_pose) == 56);
static_assert(sizeof(graze_body_step) == 112 && sizeof(graze_rigid_contact) == 96);
static_assert(sizeof(graze_rigid_result) == 128 && sizeof(graze_rigid_gap) == 80);
static_assert(sizeof(void*) != 8 || sizeof(graze_rigid_options) == 72);
static_assert(GRAZE_START_SEPARATED == static_cast<int>(rigid::StartState::Separated) &&
              GRAZE_START_CONTACT == static_cast<int>(rigid::StartState::Contact) &&
              GRAZE_START_A_INSIDE_B == static_cast<int>(rigid::StartState::AInsideB) &&
              GRAZE_START_B_INSIDE_A == static_cast<int>(rigid::StartState::BInsideA) &&
              GRAZE_START_UNRESOLVED == static_cast<int>(rigid::StartState::Unresolved));
static_assert(GRAZE_MEET_VERTEX_FACE == static_cast<int>(rigid::ContactType::VertexFace) &&
              GRAZE_MEET_FACE_VERTEX == static_cast<int>(rigid::ContactType::FaceVertex) &&
              GRAZE_MEET_EDGE_EDGE == static_cast<int>(rigid::ContactType::EdgeEdge) &&
              GRAZE_MEET_FACE_FACE == static_cast<int>(rigid::ContactType::FaceFace));
static_assert(GRAZE_NO_FACE == rigid::kNoFace);

constexpr std::uint64_t kOldestRigidOptions = sizeof(graze_rigid_options);

// Never changes: any number of calls may use it.
struct BodyObject {
    static constexpr HandleKind kHandle = HandleKind::Body;
    static constexpr const char* kName = "body";
    explicit BodyObject(rigid::Polyhedron surface) : body(std::move(surface)) {}
    rigid::RigidBody body;
};

graze_rigid_options default_rigid_options() noexcept {
    const rigid::ImpactOptions defaults;
    graze_rigid_options options{};
    options.size = sizeof options;
    options.min_separation = defaults.min_separation;
    options.time_width = defaults.time_width;
    options.t_max = defaults.t_max;
    options.max_checks = defaults.max_checks;
    options.model = GRAZE_SOLID;
    return options;
}

// The callbacks of a call. What one of them cancels is cancelled for good.
struct RigidCallbacks {
    graze_progress progress = nullptr;
    graze_stop stop = nullptr;
    void* user = nullptr;
    mutable std::atomic<bool> is_cancelled{false};

    static bool asks_for_stop(const void* context) noexcept {
        const auto* self = static_cast<const RigidCallbacks*>(context);
        if (self->stop != nullptr && self->stop(self->user) != 0) self->is_cancelled = true;
        return self->is_cancelled;
    }
    static void report(void* context, double fraction) noexcept {
        const auto* self = static_cast<const RigidCallbacks*>(context);
        if (self->progress(self->user, fraction) != 0) self->is_cancelled = true;
    }
};

struct RigidCall {
    rigid::ImpactOptions options;
    RigidCallbacks callbacks;
};

graze_status check_rigid_numbers(const graze_rigid_options& o) noexcept {
    if (!(o.min_separation >= 0.0 && is_finite(o.min_separation)))
        return fail(GRAZE_INVALID_OPTION, "options: min_separation is %g, not >= 0",
                    o.min_separation);
    if (!(o.time_width > 0.0 && is_finite(o.time_width)))
        return fail(GRAZE_INVALID_OPTION, "options: time_width is %g, not > 0", o.time_width);
    if (!(o.t_max >= 0.0 && o.t_max <= 1.0))
        return fail(GRAZE_INVALID_OPTION, "options: t_max is %g, not in [0, 1]", o.t_max);
    if (o.max_checks == 0) return fail(GRAZE_INVALID_OPTION, "options: max_checks is 0");
    if (o.model != GRAZE_SOLID && o.model != GRAZE_SURFACE_ONLY)
        return fail(GRAZE_INVALID_OPTION, "options: there is no model %d", o.model);
    return GRAZE_OK;
}

graze_status read_rigid_options(const graze_rigid_options* given, RigidCall& call) noexcept {
    graze_rigid_options o = default_rigid_options();
    if (const graze_status status = read_options(given, kOldestRigidOptions, "options", o))
        return status;
    if (const graze_status status = check_rigid_numbers(o)) return status;
    call.options.min_separation = o.min_separation;
    call.options.time_width = o.time_width;
    call.options.t_max = o.t_max;
    call.options.max_checks = o.max_checks;
    call.options.model =
        o.model == GRAZE_SOLID ? rigid::BodyModel::Solid : rigid::BodyModel::SurfaceOnly;
    call.callbacks.progress = o.progress;
    call.callbacks.stop = o.stop;
    call.callbacks.user = o.user;
    if (o.stop != nullptr || o.progress != nullptr)
        call.options.stop = StopToken(&RigidCallbacks::asks_for_stop, &call.callbacks);
    if (o.progress != nullptr)
        call.options.progress = ProgressSink(&RigidCallbacks::report, &call.callbacks);
    return GRAZE_OK;
}

graze_status read_body_step(const graze_body_step* given, const char* name, BodyStep& step) {
    if (given == nullptr) return fail(GRAZE_NULL_POINTER, "%s is NULL", name);
    Checks checks;
    checks.then([&] { return read_pose(&given->start, name, step.start); }).then([&] {
        return read_pose(&given->end, name, step.end);
    });
    return checks.status();
}

using BodyPointer = std::shared_ptr<BodyObject>;

graze_status find_bodies(graze_body a, graze_body b, BodyPointer& body_a,
                         BodyPointer& body_b) noexcept {
    if (const graze_status status = find_object(a.id, "a", body_a)) return status;
    return find_object(b.id, "b", body_b);
}

// All that a search in a step needs.
struct PairCall : RigidCall {
    BodyPointer a;
    BodyPointer b;
    PairStep step;

    graze_status begin(graze_body body_a, graze_body body_b, const graze_body_step* step_a,
                       const graze_body_step* step_b, const graze_rigid_options* given) {
        Checks checks;
        return checks.then([&] { return find_bodies(body_a, body_b, a, b); })
            .then([&] { return read_body_step(step_a, "step_a", step.a); })
            .then([&] { return read_body_step(step_b, "step_b", step.b); })
            .then([&] { return read_rigid_options(given, *this); })
            .status();
    }
    [[nodiscard]] graze_status finish() const noexcept {
        if (callbacks.is_cancelled) return fail(GRAZE_CANCELLED, "cancelled by a callback");
        return GRAZE_OK;
    }
};

graze_rigid_contact to_c(const rigid::Contact& contact) noexcept {
    graze_rigid_contact c{};
    c.type = static_cast<std::int32_t>(contact.type);
    c.a = contact.a;
    c.b = contact.b;
    c.time = contact.time;
    write_vector(contact.point, c.point);
    write_vector(contact.normal, c.normal);
    c.properness = contact.properness;
    c.time_lower = contact.time_lower;
    c.time_upper = contact.time_upper;
    return c;
}

graze_rigid_result to_c(const rigid::ImpactResult& result) noexcept {
    return {result.toi_lower,
            result.toi_upper,
            result.checks,
            static_cast<graze_verdict>(result.verdict),
            static_cast<graze_start_state>(result.start),
            to_c(result.contact)};
}

graze_rigid_gap to_c(const rigid::DistanceResult& result) noexcept {
    graze_rigid_gap gap{};
    gap.lower = result.lower;
    gap.upper = result.upper;
    write_vector(result.on_a, gap.on_a);
    write_vector(result.on_b, gap.on_b);
    gap.face_a = result.face_a;
    gap.face_b = result.face_b;
    gap.state = static_cast<graze_start_state>(result.state);
    return gap;
}

// How many corners each face has: as given, or three each.
graze_status read_corner_counts(const std::uint32_t* counts, std::uint64_t face_count,
                                std::uint64_t corner_count, std::vector<std::uint32_t>& faces) {
    if (counts == nullptr && face_count == 0) {
        if (corner_count % 3 != 0)
            return fail(GRAZE_WRONG_SIZE, "corners: %llu are no triangles",
                        static_cast<unsigned long long>(corner_count));
        faces.assign(static_cast<std::size_t>(corner_count / 3), 3);
        return GRAZE_OK;
    }
    Checks checks;
    if (checks.list(counts, face_count, "corner_counts").failed()) return checks.status();
    faces.assign(counts, counts + face_count);
    const auto sum = std::accumulate(faces.begin(), faces.end(), std::uint64_t{0});
    return checks.same(corner_count, sum, "corners").status();
}

}  // namespace
}  // namespace graze::capi

using namespace graze::capi;

graze_status graze_rigid_options_init(graze_rigid_options* options, uint64_t size) noexcept {
    return init_options(options, kOldestRigidOptions, size, default_rigid_options());
}

graze_status graze_body_create(const graze_view* positions, const uint32_t* corner_counts,
                               uint64_t face_count, const uint32_t* corners, uint64_t corner_count,
                               graze_body* body) noexcept {
    return guarded([&] {
        write(body, graze_body{0});
        CheckedView view;
        std::vector<std::uint32_t> faces;
        Checks checks;
        checks.not_null(body, "body")
            .then([&] { return view.set(positions, 1, "positions"); })
            .list(corners, corner_count, "corners");
        if (checks.failed()) return checks.status();
        if (const graze_status status =
                read_corner_counts(corner_counts, face_count, corner_count, faces))
            return status;
        std::vector<graze::Vec3> points;
        view.copy_to(points);
        auto surface = graze::rigid::Polyhedron::build(std::move(points), faces,
                                                       list_of(corners, corner_count));
        if (!surface) return fail("", surface.error());
        body->id = add_object(std::make_shared<BodyObject>(std::move(*surface)));
        return graze_status{GRAZE_OK};
    });
}

graze_status graze_body_destroy(graze_body body) noexcept {
    return destroy_object<BodyObject>(body.id);
}

graze_status graze_body_inspect(graze_body body, graze_body_info* info) noexcept {
    return guarded([&] {
        write(info, graze_body_info{});
        BodyPointer object;
        Checks checks;
        checks.not_null(info, "info").then([&] { return find_object(body.id, "body", object); });
        if (checks.failed()) return checks.status();
        const graze::rigid::Polyhedron& surface = object->body.surface();
        const graze::rigid::SurfaceReport& report = surface.report();
        *info = {surface.positions().size(), surface.edges().size(),    surface.face_count(),
                 report.open_edges,          report.non_manifold_edges, report.bent_faces,
                 report.wrong_faces,         report.flat_faces};
        return graze_status{GRAZE_OK};
    });
}

graze_status graze_rigid_first_impact(graze_body a, graze_body b, const graze_body_step* step_a,
                                      const graze_body_step* step_b,
                                      const graze_rigid_options* options,
                                      graze_rigid_result* result) noexcept {
    return guarded([&] {
        write(result, to_c(graze::rigid::ImpactResult{}));
        PairCall call;
        Checks checks;
        checks.not_null(result, "result").then([&] {
            return call.begin(a, b, step_a, step_b, options);
        });
        if (checks.failed()) return checks.status();
        *result =
            to_c(graze::rigid::first_impact(call.a->body, call.b->body, call.step, call.options));
        return call.finish();
    });
}

graze_status graze_rigid_all_collisions(graze_body a, graze_body b, const graze_body_step* step_a,
                                        const graze_body_step* step_b,
                                        const graze_rigid_options* options, double min_properness,
                                        graze_rigid_contact* contacts, uint64_t capacity,
                                        uint64_t* count, int32_t* complete) noexcept {
    return guarded([&] {
        write(count, uint64_t{0});
        write(complete, int32_t{0});
        PairCall call;
        Checks checks;
        checks.not_null(count, "count")
            .not_null(complete, "complete")
            .list(contacts, capacity, "contacts")
            .then([&] { return call.begin(a, b, step_a, step_b, options); });
        if (checks.failed()) return checks.status();
        if (!graze::is_finite(min_properness))
            return fail(GRAZE_NOT_FINITE, "min_properness is not finite");
        if (call.options.min_separation != 0.0)
            return fail(GRAZE_INVALID_OPTION, "options: min_separation must be 0 here");
        const graze::rigid::AllImpacts found = graze::rigid::all_impacts(
            call.a->body, call.b->body, call.step, call.options, min_properness);
        *complete = found.complete ? 1 : 0;
        const graze_status written =
            write_list(std::span<const graze::rigid::Contact>(found.collisions), contacts, capacity,
                       count, "contacts", [&](const graze::rigid::Contact& contact) {
                           return to_c(graze::rigid::to_world(contact, call.step));
                       });
        const graze_status finished = call.finish();
        return finished != GRAZE_OK ? finished : written;
    });
}

graze_status graze_rigid_start_state(graze_body a, const graze_pose* pose_a, graze_body b,
                                     const graze_pose* pose_b, graze_start_state* state) noexcept {
    return guarded([&] {
        write(state, graze_start_state{GRAZE_START_UNRESOLVED});
        BodyPointer body_a;
        BodyPointer body_b;
        graze::Pose at_a;
        graze::Pose at_b;
        Checks checks;
        checks.not_null(state, "state")
            .then([&] { return find_bodies(a, b, body_a, body_b); })
            .then([&] { return read_pose(pose_a, "pose_a", at_a); })
            .then([&] { return read_pose(pose_b, "pose_b", at_b); });
        if (checks.failed()) return checks.status();
        *state = static_cast<graze_start_state>(
            graze::rigid::start_state(body_a->body.surface(), at_a, body_b->body.surface(), at_b));
        return graze_status{GRAZE_OK};
    });
}

graze_status graze_rigid_distance(graze_body a, const graze_pose* pose_a, graze_body b,
                                  const graze_pose* pose_b, const graze_rigid_options* options,
                                  graze_rigid_gap* gap) noexcept {
    return guarded([&] {
        write(gap, to_c(graze::rigid::DistanceResult{}));
        PairCall call;
        graze::Pose at_a;
        graze::Pose at_b;
        Checks checks;
        checks.not_null(gap, "gap")
            .then([&] { return find_bodies(a, b, call.a, call.b); })
            .then([&] { return read_pose(pose_a, "pose_a", at_a); })
            .then([&] { return read_pose(pose_b, "pose_b", at_b); })
            .then([&] { return read_rigid_options(options, call); });
        if (checks.failed()) return checks.status();
        graze::rigid::DistanceOptions search;
        search.max_checks = call.options.max_checks;
        search.model = call.options.model;
        search.stop = call.options.stop;
        *gap = to_c(graze::rigid::distance(call.a->body, at_a, call.b->body, at_b, search));
        return call.finish();
    });
}
