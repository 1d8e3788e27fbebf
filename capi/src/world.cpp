// Worlds of parts that have a pose each, and may move.
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "graze.h"
#include "graze/slide.hpp"
#include "handles.hpp"
#include "slide_queries.hpp"
#include "slide_values.hpp"
#include "views.hpp"
#include "world_object.hpp"

namespace graze::capi {
namespace {

static_assert(sizeof(graze_height_field) == 48 && sizeof(graze_ride) == 48);
static_assert(GRAZE_RIDE_UNMOVED == static_cast<int>(slide::RideOutcome::Unmoved) &&
              GRAZE_RIDE_CARRIED == static_cast<int>(slide::RideOutcome::Carried) &&
              GRAZE_RIDE_PUSHED == static_cast<int>(slide::RideOutcome::Pushed) &&
              GRAZE_RIDE_CRUSHED == static_cast<int>(slide::RideOutcome::Crushed) &&
              GRAZE_RIDE_LIMIT == static_cast<int>(slide::RideOutcome::Limit) &&
              GRAZE_RIDE_UNPROVED == static_cast<int>(slide::RideOutcome::Unproved));

graze_status to_status(const Expected<void>& done) noexcept {
    return done ? graze_status{GRAZE_OK} : fail("", done.error());
}

// Changes the world by change(world), an Expected<void>.
template <class Change>
graze_status change_world(graze_world handle, Change change) noexcept {
    return guarded([&] {
        return with_searched<WorldObject>(handle.id, Access::Change,
                                          [&](auto& world) { return to_status(change(world)); });
    });
}

// Something with a number more: add(world, added) sets `added`, an Expected of the number, or fails.
template <class Add>
graze_status add_numbered(graze_world handle, std::uint32_t* number, const char* name,
                          Add add) noexcept {
    return guarded([&] {
        write(number, std::uint32_t{0});
        if (number == nullptr) return fail(GRAZE_NULL_POINTER, "%s is NULL", name);
        return with_searched<WorldObject>(handle.id, Access::Change, [&](auto& world) {
            Expected<std::uint32_t> added = std::uint32_t{0};
            if (const graze_status status = add(world, added)) return status;
            if (!added) return fail("", added.error());
            *number = *added;
            return graze_status{GRAZE_OK};
        });
    });
}

slide::FaceMarks one_mark(const graze_face_marks* given) noexcept {
    if (given == nullptr) return {};
    return {given->tag, given->layers, given->one_sided != 0};
}

// Number `index` of a list of doubles or of floats.
double height_at(const graze_height_field& field, std::size_t index) noexcept {
    if (field.scalar == GRAZE_FLOAT32) {
        float height = 0.0F;
        std::memcpy(&height, static_cast<const std::byte*>(field.heights) + index * sizeof height,
                    sizeof height);
        return double{height};
    }
    double height = 0.0;
    std::memcpy(&height, static_cast<const std::byte*>(field.heights) + index * sizeof height,
                sizeof height);
    return height;
}

graze_status check_field(const graze_height_field& field) noexcept {
    if (field.scalar != GRAZE_FLOAT64 && field.scalar != GRAZE_FLOAT32)
        return fail(GRAZE_OUT_OF_RANGE, "field: there is no scalar %d", field.scalar);
    if (field.reserved != 0) return fail(GRAZE_INVALID_INPUT, "field: reserved is not 0");
    // What no world takes is refused before it is copied.
    constexpr std::uint32_t kMostSamples = (1U << 20) + 1;
    if (field.columns > kMostSamples || field.rows > kMostSamples)
        return fail(GRAZE_OUT_OF_RANGE, "field: more than %u columns or rows", kMostSamples);
    return Checks()
        .same(field.height_count, std::uint64_t{field.columns} * field.rows, "field: heights")
        .list(field.heights, field.height_count, "field: heights")
        .status();
}

// The heights of a field in the numbers of the world. NaN stays: a hole.
template <class Real>
graze_status read_heights(const graze_height_field& field, std::vector<Real>& heights) {
    heights.resize(static_cast<std::size_t>(field.height_count));
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const double height = height_at(field, i);
        if (std::isnan(height)) {
            heights[i] = std::numeric_limits<Real>::quiet_NaN();
            continue;
        }
        if (!fits<Real>(height))
            return fail_at(GRAZE_NOT_FINITE, i,
                           "field: height %llu is no finite number of its scalar",
                           static_cast<unsigned long long>(i));
        heights[i] = narrowed_number<Real>(height);
    }
    return GRAZE_OK;
}

template <class Real>
graze_status add_field(slide::World<Real>& world, const graze_height_field& field,
                       const graze_face_marks* marks, std::uint64_t mark_count,
                       Expected<std::uint32_t>& added) {
    slide::HeightField<Real> made{field.columns, field.rows, {}, {}, {}};
    // Two faces for each cell at most: marks of another number are refused before they are read.
    const std::uint64_t cells = field.columns == 0 || field.rows == 0
                                    ? 0
                                    : (std::uint64_t{field.columns} - 1) * (field.rows - 1);
    std::vector<Real> heights;
    Checks checks;
    checks.list(marks, mark_count, "marks")
        .then([&] { return read_number(field.spacing[0], "field: spacing", made.spacing_x); })
        .then([&] { return read_number(field.spacing[1], "field: spacing", made.spacing_z); })
        .then([&] { return read_heights(field, heights); });
    if (!checks.failed() && mark_count > 1) checks.same(mark_count, 2 * cells, "marks");
    if (checks.failed()) return checks.status();
    made.heights = heights;
    added = world.add_height_field(made, marks_of(marks, mark_count));
    return GRAZE_OK;
}

graze_ride no_ride() noexcept {
    graze_ride ride{};
    ride.overlap = kInfinity;
    ride.outcome = GRAZE_RIDE_UNPROVED;
    return ride;
}

template <class Real>
graze_ride ride_of(const slide::RideResult<Real>& result) noexcept {
    graze_ride ride{};
    write_vector(slide::widened(result.position), ride.position);
    ride.time = result.time;
    ride.overlap = result.overlap;
    ride.outcome = static_cast<graze_ride_outcome>(result.outcome);
    ride.steps = result.steps;
    return ride;
}

}  // namespace
}  // namespace graze::capi

using namespace graze::capi;
using graze::Expected;
using graze::slide::World;

graze_status graze_world_create(graze_scalar scalar, graze_world* world) noexcept {
    return guarded([&] {
        write(world, graze_world{0});
        if (world == nullptr) return fail(GRAZE_NULL_POINTER, "world is NULL");
        if (const graze_status status = check_scalar(scalar)) return status;
        auto object = std::make_shared<WorldObject>();
        if (scalar == GRAZE_FLOAT32) object->searched.emplace<World<float>>();
        world->id = add_object(std::move(object));
        return graze_status{GRAZE_OK};
    });
}

graze_status graze_world_destroy(graze_world world) noexcept {
    return destroy_object<WorldObject>(world.id);
}

graze_status graze_world_add_mesh(graze_world world, const graze_view* positions,
                                  const uint32_t* faces, uint64_t face_count,
                                  const graze_face_marks* marks, uint64_t mark_count,
                                  uint32_t* mesh) noexcept {
    const auto add = [&]<class Real>(World<Real>& to, Expected<std::uint32_t>& added) {
        PartData<Real> data;
        if (const graze_status status = data.read(positions, faces, face_count, marks, mark_count))
            return status;
        added = to.add_mesh(data.points, data.faces, data.marks);
        return graze_status{GRAZE_OK};
    };
    return add_numbered(world, mesh, "mesh", add);
}

graze_status graze_world_add_sphere(graze_world world, double radius, const graze_face_marks* marks,
                                    uint32_t* mesh) noexcept {
    const auto add = [&]<class Real>(World<Real>& to, Expected<std::uint32_t>& added) {
        Real length{};
        if (const graze_status status = read_positive(radius, "radius", length)) return status;
        added = to.add_sphere(length, one_mark(marks));
        return graze_status{GRAZE_OK};
    };
    return add_numbered(world, mesh, "mesh", add);
}

graze_status graze_world_add_capsule(graze_world world, double radius, double half_height,
                                     const graze_face_marks* marks, uint32_t* mesh) noexcept {
    const auto add = [&]<class Real>(World<Real>& to, Expected<std::uint32_t>& added) {
        Real length{};
        Real half{};
        Checks checks;
        checks.then([&] { return read_positive(radius, "radius", length); }).then([&] {
            return read_positive(half_height, "half_height", half);
        });
        if (checks.failed()) return checks.status();
        added = to.add_capsule(length, half, one_mark(marks));
        return graze_status{GRAZE_OK};
    };
    return add_numbered(world, mesh, "mesh", add);
}

graze_status graze_world_add_box(graze_world world, const double* half_extents,
                                 const graze_face_marks* marks, uint32_t* mesh) noexcept {
    const auto add = [&]<class Real>(World<Real>& to, Expected<std::uint32_t>& added) {
        graze::Vec<Real> half;
        if (const graze_status status = read_point(half_extents, "half_extents", half))
            return status;
        added = to.add_box(half, one_mark(marks));
        return graze_status{GRAZE_OK};
    };
    return add_numbered(world, mesh, "mesh", add);
}

graze_status graze_world_add_height_field(graze_world world, const graze_height_field* field,
                                          const graze_face_marks* marks, uint64_t mark_count,
                                          uint32_t* mesh) noexcept {
    const auto add = [&]<class Real>(World<Real>& to, Expected<std::uint32_t>& added) {
        if (field == nullptr) return fail(GRAZE_NULL_POINTER, "field is NULL");
        if (const graze_status status = check_field(*field)) return status;
        return add_field(to, *field, marks, mark_count, added);
    };
    return add_numbered(world, mesh, "mesh", add);
}

graze_status graze_world_add_part(graze_world world, uint32_t mesh, const graze_pose* pose,
                                  uint32_t layers, uint32_t* part) noexcept {
    const auto add = [&](auto& to, Expected<std::uint32_t>& added) {
        graze::Pose at;
        if (const graze_status status = read_pose(pose, "pose", at)) return status;
        added = to.add_part(mesh, at, layers);
        return graze_status{GRAZE_OK};
    };
    return add_numbered(world, part, "part", add);
}

graze_status graze_world_remove_part(graze_world world, uint32_t part) noexcept {
    return change_world(world, [&](auto& of) { return of.remove_part(part); });
}

graze_status graze_world_set_layers(graze_world world, uint32_t part, uint32_t layers) noexcept {
    return change_world(world, [&](auto& of) { return of.set_layers(part, layers); });
}

graze_status graze_world_move_part(graze_world world, uint32_t part, const graze_pose* pose,
                                   const double* pivot) noexcept {
    return guarded([&] {
        return with_searched<WorldObject>(world.id, Access::Change, [&](auto& of) {
            graze::Pose to;
            if (const graze_status status = read_pose(pose, "pose", to)) return status;
            const graze::Vec3 about = pivot == nullptr ? graze::Vec3{} : read_vector(pivot);
            return to_status(of.move_part(part, to, about));
        });
    });
}

graze_status graze_world_place_part(graze_world world, uint32_t part,
                                    const graze_pose* pose) noexcept {
    return guarded([&] {
        return with_searched<WorldObject>(world.id, Access::Change, [&](auto& of) {
            graze::Pose to;
            if (const graze_status status = read_pose(pose, "pose", to)) return status;
            return to_status(of.place_part(part, to));
        });
    });
}

graze_status graze_world_update(graze_world world) noexcept {
    return change_world(world, [](auto& of) {
        of.update();
        return Expected<void>{};
    });
}

graze_status graze_world_part_pose(graze_world world, uint32_t part, graze_pose* pose) noexcept {
    return guarded([&] {
        write(pose, graze_pose{});
        if (pose == nullptr) return fail(GRAZE_NULL_POINTER, "pose is NULL");
        return with_searched<WorldObject>(world.id, Access::Read, [&](const auto& of) {
            if (const graze_status status = check_part(of, part)) return status;
            const graze::Pose at = of.pose(part);
            *pose = {{at.rotation.w, at.rotation.x, at.rotation.y, at.rotation.z},
                     {at.translation.x, at.translation.y, at.translation.z}};
            return graze_status{GRAZE_OK};
        });
    });
}

graze_status graze_world_counts(graze_world world, uint64_t* parts, uint64_t* faces) noexcept {
    return counts_of<WorldObject>(world.id, parts, faces);
}

graze_status graze_world_slide(graze_world world, const graze_mover* mover, const double* start,
                               const double* displacement, graze_move* move) noexcept {
    return slide_in<WorldObject>(world.id, mover, start, displacement, move);
}

graze_status graze_world_climb(graze_world world, const graze_mover* mover, const double* start,
                               const double* displacement, graze_move* move) noexcept {
    return climb_in<WorldObject>(world.id, mover, start, displacement, move);
}

graze_status graze_world_snap(graze_world world, const graze_mover* mover, const double* start,
                              double distance, graze_snap* snap) noexcept {
    return snap_in<WorldObject>(world.id, mover, start, distance, snap);
}

graze_status graze_world_sweep(graze_world world, const graze_mover* mover, const double* start,
                               const double* displacement, double margin,
                               graze_sweep* sweep) noexcept {
    return sweep_in<WorldObject>(world.id, mover, start, displacement, margin, sweep);
}

graze_status graze_world_ray(graze_world world, const double* origin, const double* displacement,
                             uint32_t layers, graze_sweep* sweep) noexcept {
    return ray_in<WorldObject>(world.id, origin, displacement, layers, sweep);
}

graze_status graze_world_gap(graze_world world, const graze_mover* mover, const double* centre,
                             double reach, int32_t* found, double* gap_lower,
                             graze_touch* touch) noexcept {
    return gap_in<WorldObject>(world.id, mover, centre, reach, found, gap_lower, touch);
}

graze_status graze_world_nearest(graze_world world, const double* point, double reach,
                                 uint32_t layers, int32_t* found, double* distance_lower,
                                 graze_touch* touch) noexcept {
    return nearest_in<WorldObject>(world.id, point, reach, layers, found, distance_lower, touch);
}

graze_status graze_world_overlap(graze_world world, const graze_mover* mover, const double* centre,
                                 double margin, graze_verdict* verdict) noexcept {
    return overlap_in<WorldObject>(world.id, mover, centre, margin, verdict);
}

graze_status graze_world_ride(graze_world world, const graze_mover* mover, const double* start,
                              uint32_t carrier, graze_ride* ride) noexcept {
    return guarded([&] {
        write(ride, no_ride());
        if (ride == nullptr) return fail(GRAZE_NULL_POINTER, "ride is NULL");
        const auto go = [&]<class Real>(const World<Real>& in) {
            Mover<Real> by;
            graze::Vec<Real> from;
            Checks checks;
            checks.then([&] { return read_mover(mover, by); })
                .then([&] { return read_point(start, "start", from); })
                .then(
                    [&] { return carrier == GRAZE_NO_PART ? GRAZE_OK : check_part(in, carrier); });
            if (checks.failed()) return checks.status();
            const auto below =
                carrier == GRAZE_NO_PART ? std::nullopt : std::optional<std::uint32_t>(carrier);
            *ride = ride_of(graze::slide::ride_parts(in, by.shape, from, below, by.move));
            return graze_status{GRAZE_OK};
        };
        return with_searched<WorldObject>(world.id, Access::Read, go);
    });
}
