// Levels, and the shapes that slide over them.
#include "graze/slide.hpp"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "errors.hpp"
#include "graze.h"
#include "handles.hpp"
#include "slide_queries.hpp"
#include "slide_values.hpp"
#include "views.hpp"

namespace graze::capi {
namespace {

static_assert(sizeof(graze_face_marks) == 12 && sizeof(graze_touch) == 72);
static_assert(sizeof(graze_move) == 632 && sizeof(graze_snap) == 112 && sizeof(graze_sweep) == 96);
static_assert(sizeof(graze_mover) == 160 && GRAZE_MAX_TOUCHES == slide::kMaxMoveContacts);
static_assert(GRAZE_MOVED_FREE == static_cast<int>(slide::StopReason::Free) &&
              GRAZE_MOVED_BLOCKED == static_cast<int>(slide::StopReason::Blocked) &&
              GRAZE_MOVED_PUSHED_OUT == static_cast<int>(slide::StopReason::PushedOut) &&
              GRAZE_MOVED_LIMIT == static_cast<int>(slide::StopReason::Limit));
static_assert(GRAZE_ON_GROUND == static_cast<int>(slide::SnapAction::OnGround) &&
              GRAZE_SNAPPED == static_cast<int>(slide::SnapAction::Snapped) &&
              GRAZE_NO_GROUND == static_cast<int>(slide::SnapAction::NoGround) &&
              GRAZE_TOO_STEEP == static_cast<int>(slide::SnapAction::TooSteep));
static_assert(static_cast<int>(slide::FeatureKind::Face) == 0 &&
              static_cast<int>(slide::FeatureKind::Edge) == 1 &&
              static_cast<int>(slide::FeatureKind::Vertex) == 2);

struct LevelObject {
    static constexpr HandleKind kHandle = HandleKind::Level;
    static constexpr const char* kName = "level";
    InUse in_use;
    std::variant<slide::Level<double>, slide::Level<float>> searched;
};

// Takes the level, and calls body(level) for the numbers that it has.
template <class Body>
graze_status with_level(graze_level handle, Access access, Body body) {
    return with_searched<LevelObject>(handle.id, access, body);
}

// Writes the box, or says what is wrong with it.
template <class Real>
graze_status set_box(const Vec3& half_extents, double rounding, const Quaternion& rotation,
                     graze_mover& mover) {
    Vec<Real> half;
    Real radius{};
    const double given[3] = {half_extents.x, half_extents.y, half_extents.z};
    Checks checks;
    checks.then([&] { return read_point(given, "half_extents", half); }).then([&] {
        return read_number(rounding, "rounding", radius);
    });
    if (checks.failed()) return checks.status();
    const slide::Shape<Real> box = slide::rounded_box(half, radius, rotation);
    if (!(box.radii.x > Real{0}))
        return fail(
            GRAZE_OUT_OF_RANGE,
            "rounding is %g, not > 0 and at most each of (%g, %g, %g), or rotation has not a "
            "length of 1",
            rounding, half_extents.x, half_extents.y, half_extents.z);
    if (!is_shape(box)) return fail(GRAZE_OUT_OF_RANGE, "half_extents are too unequal for a box");
    write_vector(slide::widened(box.radii), mover.radii);
    write_vector(slide::widened(box.half_axis), mover.half_axis);
    write_vector(slide::widened(box.side_axes[0]), mover.side_axes[0]);
    write_vector(slide::widened(box.side_axes[1]), mover.side_axes[1]);
    return GRAZE_OK;
}

}  // namespace
}  // namespace graze::capi

using namespace graze::capi;
using graze::slide::Level;

graze_status graze_mover_init(graze_mover* mover, uint64_t size) noexcept {
    return init_options(mover, kEarlierMovers, size, default_mover());
}

graze_status graze_mover_set_box(graze_mover* mover, graze_scalar scalar,
                                 const double* half_extents, double rounding,
                                 const double* rotation) noexcept {
    return guarded([&] {
        if (mover == nullptr) return fail(GRAZE_NULL_POINTER, "mover is NULL");
        if (half_extents == nullptr) return fail(GRAZE_NULL_POINTER, "half_extents is NULL");
        if (mover->size != sizeof(graze_mover))
            return fail(GRAZE_WRONG_SIZE, "mover: a struct of %llu bytes has no side_axes",
                        static_cast<unsigned long long>(mover->size));
        graze::Quaternion q;
        if (rotation != nullptr) q = {rotation[0], rotation[1], rotation[2], rotation[3]};
        const graze::Vec3 half = read_vector(half_extents);
        if (scalar == GRAZE_FLOAT32) return set_box<float>(half, rounding, q, *mover);
        if (scalar == GRAZE_FLOAT64) return set_box<double>(half, rounding, q, *mover);
        return fail(GRAZE_OUT_OF_RANGE, "there is no scalar %d", scalar);
    });
}

graze_status graze_level_create(graze_scalar scalar, graze_level* level) noexcept {
    return guarded([&] {
        write(level, graze_level{0});
        if (level == nullptr) return fail(GRAZE_NULL_POINTER, "level is NULL");
        if (const graze_status status = check_scalar(scalar)) return status;
        auto object = std::make_shared<LevelObject>();
        if (scalar == GRAZE_FLOAT32) object->searched.emplace<Level<float>>();
        level->id = add_object(std::move(object));
        return graze_status{GRAZE_OK};
    });
}

graze_status graze_level_destroy(graze_level level) noexcept {
    return destroy_object<LevelObject>(level.id);
}

graze_status graze_level_add_part(graze_level level, const graze_view* positions,
                                  const uint32_t* faces, uint64_t face_count,
                                  const graze_face_marks* marks, uint64_t mark_count,
                                  uint32_t* part) noexcept {
    return guarded([&] {
        write(part, uint32_t{0});
        if (part == nullptr) return fail(GRAZE_NULL_POINTER, "part is NULL");
        return with_level(level, Access::Change, [&]<class Real>(Level<Real>& parts) {
            PartData<Real> data;
            if (const graze_status status =
                    data.read(positions, faces, face_count, marks, mark_count))
                return status;
            const auto added = parts.add_part(data.points, data.faces, data.marks);
            if (!added) return fail("", added.error());
            *part = *added;
            return graze_status{GRAZE_OK};
        });
    });
}

graze_status graze_level_replace_part(graze_level level, uint32_t part, const graze_view* positions,
                                      const uint32_t* faces, uint64_t face_count,
                                      const graze_face_marks* marks, uint64_t mark_count) noexcept {
    return guarded([&] {
        return with_level(level, Access::Change, [&]<class Real>(Level<Real>& parts) {
            PartData<Real> data;
            Checks checks;
            checks.then([&] { return check_part(parts, part); }).then([&] {
                return data.read(positions, faces, face_count, marks, mark_count);
            });
            if (checks.failed()) return checks.status();
            const auto done = parts.replace_part(part, data.points, data.faces, data.marks);
            return done ? graze_status{GRAZE_OK} : fail("", done.error());
        });
    });
}

graze_status graze_level_move_part(graze_level level, uint32_t part,
                                   const graze_view* positions) noexcept {
    return guarded([&] {
        return with_level(level, Access::Change, [&]<class Real>(Level<Real>& parts) {
            std::vector<graze::Vec<Real>> points;
            Checks checks;
            checks.then([&] { return check_part(parts, part); }).then([&] {
                return read_level_points(positions, points);
            });
            if (checks.failed()) return checks.status();
            const auto done = parts.move_part(part, points);
            return done ? graze_status{GRAZE_OK} : fail("", done.error());
        });
    });
}

graze_status graze_level_counts(graze_level level, uint64_t* parts, uint64_t* faces) noexcept {
    return counts_of<LevelObject>(level.id, parts, faces);
}

graze_status graze_level_slide(graze_level level, const graze_mover* mover, const double* start,
                               const double* displacement, graze_move* move) noexcept {
    return slide_in<LevelObject>(level.id, mover, start, displacement, move);
}

graze_status graze_level_climb(graze_level level, const graze_mover* mover, const double* start,
                               const double* displacement, graze_move* move) noexcept {
    return climb_in<LevelObject>(level.id, mover, start, displacement, move);
}

graze_status graze_level_snap(graze_level level, const graze_mover* mover, const double* start,
                              double distance, graze_snap* snap) noexcept {
    return snap_in<LevelObject>(level.id, mover, start, distance, snap);
}

graze_status graze_level_sweep(graze_level level, const graze_mover* mover, const double* start,
                               const double* displacement, double margin,
                               graze_sweep* sweep) noexcept {
    return sweep_in<LevelObject>(level.id, mover, start, displacement, margin, sweep);
}

graze_status graze_level_ray(graze_level level, const double* origin, const double* displacement,
                             uint32_t layers, graze_sweep* sweep) noexcept {
    return ray_in<LevelObject>(level.id, origin, displacement, layers, sweep);
}

graze_status graze_level_gap(graze_level level, const graze_mover* mover, const double* centre,
                             double reach, int32_t* found, double* gap_lower,
                             graze_touch* touch) noexcept {
    return gap_in<LevelObject>(level.id, mover, centre, reach, found, gap_lower, touch);
}

graze_status graze_level_nearest(graze_level level, const double* point, double reach,
                                 uint32_t layers, int32_t* found, double* distance_lower,
                                 graze_touch* touch) noexcept {
    return nearest_in<LevelObject>(level.id, point, reach, layers, found, distance_lower, touch);
}

graze_status graze_level_overlap(graze_level level, const graze_mover* mover, const double* centre,
                                 double margin, graze_verdict* verdict) noexcept {
    return overlap_in<LevelObject>(level.id, mover, centre, margin, verdict);
}
