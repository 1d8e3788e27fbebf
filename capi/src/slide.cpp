// A character that slides over a level.
#include "graze/slide.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "errors.hpp"
#include "graze.h"
#include "handles.hpp"
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

constexpr EarlierSizes kEarlierMovers{88, 112};  // without half_axis, and without side_axes
constexpr std::uint64_t kMostFaces = std::uint64_t{1} << 31;

using AnyLevel = std::variant<slide::Level<double>, slide::Level<float>>;

struct LevelObject {
    static constexpr HandleKind kHandle = HandleKind::Level;
    static constexpr const char* kName = "level";
    InUse in_use;
    AnyLevel level;
};

graze_mover default_mover() noexcept {
    const slide::Footing<double> footing;
    graze_mover mover{};
    mover.size = sizeof mover;
    std::fill_n(mover.radii, 3, 1.0);
    write_vector(footing.up, mover.up);
    mover.least_upward = footing.least_upward;
    mover.layers = 0xffff'ffffU;
    return mover;
}

// Can the level keep it?
template <class Real>
bool fits(double x) noexcept {
    return is_finite(x) && std::fabs(x) <= double{std::numeric_limits<Real>::max()};
}
template <class Real>
bool fits(const Vec3& v) noexcept {
    return fits<Real>(v.x) && fits<Real>(v.y) && fits<Real>(v.z);
}

template <class Real>
Real narrowed_number(double x) noexcept {
    return slide::narrowed<Real>(Vec3{x, 0.0, 0.0}).x;
}

template <class Real>
graze_status read_number(double given, const char* name, Real& number) noexcept {
    if (!fits<Real>(given))
        return fail(GRAZE_NOT_FINITE, "%s is %g, which is no finite number of the level", name,
                    given);
    number = narrowed_number<Real>(given);
    return GRAZE_OK;
}

template <class Real>
graze_status read_point(const double* given, const char* name, Vec<Real>& point) noexcept {
    if (given == nullptr) return fail(GRAZE_NULL_POINTER, "%s is NULL", name);
    const Vec3 v = read_vector(given);
    if (!fits<Real>(v))
        return fail(GRAZE_NOT_FINITE, "%s: (%g, %g, %g) are no finite numbers of the level", name,
                    v.x, v.y, v.z);
    point = slide::narrowed<Real>(v);
    return GRAZE_OK;
}

// A graze_mover in the numbers of the level.
template <class Real>
struct Mover {
    slide::Shape<Real> shape;
    slide::MoveOptions<Real> move;
    slide::Footing<Real> footing;
    Real step_height{};
};

// Every query refuses a box whose axes are not perpendicular, or whose sums are not exact.
template <class Real>
bool is_shape(const slide::Shape<Real>& shape) {
    static const slide::Level<Real> nothing;
    return overlap_at(nothing, shape, {}) == Verdict::Separated;
}

template <class Real>
graze_status check_mover(const Mover<Real>& mover) noexcept {
    const auto is_size = [](Real x) { return double{x} >= 0x1p-1000 && double{x} <= 0x1p+1000; };
    const Vec<Real>& r = mover.shape.radii;
    if (!is_size(r.x) || !is_size(r.y) || !is_size(r.z))
        return fail(GRAZE_INVALID_OPTION, "mover: radii are (%g, %g, %g), not in [2^-1000, 2^1000]",
                    double{r.x}, double{r.y}, double{r.z});
    if (norm_max(slide::widened(mover.shape.half_axis)) > 0x1p+1000)
        return fail(GRAZE_INVALID_OPTION, "mover: half_axis is longer than 2^1000");
    const auto& [first, second] = mover.shape.side_axes;
    if (!(first == Vec<Real>{} && second == Vec<Real>{}) && !is_shape(mover.shape))
        return fail(GRAZE_INVALID_OPTION,
                    "mover: half_axis and side_axes are not those of a box: see "
                    "graze_mover_set_box()");
    if (mover.move.skin < Real{0}) return fail(GRAZE_INVALID_OPTION, "mover: skin is below 0");
    if (mover.step_height < Real{0})
        return fail(GRAZE_INVALID_OPTION, "mover: step_height is below 0");
    if (mover.footing.up == Vec<Real>{})
        return fail(GRAZE_INVALID_OPTION, "mover: up has a length of 0");
    return GRAZE_OK;
}

template <class Real>
graze_status read_mover(const graze_mover* given, Mover<Real>& mover) noexcept {
    if (given == nullptr) return fail(GRAZE_NULL_POINTER, "mover is NULL");
    graze_mover m = default_mover();
    mover.move.layers = m.layers;
    Checks checks;
    checks.then([&] { return read_options(given, kEarlierMovers, "mover", m); })
        .then([&] { return read_point(m.radii, "mover: radii", mover.shape.radii); })
        .then([&] { return read_point(m.half_axis, "mover: half_axis", mover.shape.half_axis); })
        .then([&] {
            return read_point(m.side_axes[0], "mover: side_axes", mover.shape.side_axes[0]);
        })
        .then([&] {
            return read_point(m.side_axes[1], "mover: side_axes", mover.shape.side_axes[1]);
        })
        .then([&] { return read_number(m.skin, "mover: skin", mover.move.skin); })
        .then([&] { return read_point(m.up, "mover: up", mover.footing.up); })
        .then([&] {
            return read_number(m.least_upward, "mover: least_upward", mover.footing.least_upward);
        })
        .then([&] { return read_number(m.step_height, "mover: step_height", mover.step_height); })
        .then([&] { return check_mover(mover); });
    mover.move.layers = m.layers;
    return checks.status();
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

template <class Real>
graze_touch to_c(const slide::SweepContact<Real>& contact) noexcept {
    graze_touch touch{};
    touch.part = contact.part;
    touch.face = contact.face;
    touch.tag = contact.tag;
    touch.feature = static_cast<std::int32_t>(contact.feature);
    touch.time = double{contact.time};
    write_vector(slide::widened(contact.point), touch.point);
    write_vector(slide::widened(contact.normal), touch.normal);
    return touch;
}

template <class Real>
graze_move to_c(const slide::MoveResult<Real>& result) noexcept {
    graze_move move{};
    write_vector(slide::widened(result.position), move.position);
    move.skin = double{result.skin};
    move.stopped = static_cast<graze_stop_reason>(result.stopped);
    move.gap_proved = result.gap_proved ? 1 : 0;
    move.iterations = result.iterations;
    move.touch_count = result.contact_count;
    std::size_t i = 0;
    for (const slide::SweepContact<Real>& contact : result.touched())
        move.touches[i++] = to_c(contact);
    return move;
}

graze_move no_move() noexcept {
    graze_move move{};
    move.stopped = GRAZE_MOVED_BLOCKED;
    return move;
}

graze_snap no_snap() noexcept {
    graze_snap snap{};
    snap.action = GRAZE_NO_GROUND;
    return snap;
}

graze_sweep no_sweep() noexcept {
    graze_sweep sweep{};
    sweep.toi_upper = kInfinity;
    sweep.verdict = GRAZE_UNRESOLVED;
    return sweep;
}

// Takes the level, and calls body(level) for the numbers that it has.
template <class Body>
graze_status with_level(graze_level handle, Access access, Body body) {
    Taken<LevelObject> object;
    if (const graze_status status = object.take(handle.id, access, "level")) return status;
    return std::visit([&](auto& level) { return body(level); }, object->level);
}

// A move that begins at a point: body(level, mover, start, displacement).
template <class Body>
graze_status with_move(graze_level handle, const graze_mover* given, const double* start,
                       const double* displacement, Body body) {
    return with_level(handle, Access::Read, [&]<class Real>(slide::Level<Real>& level) {
        Mover<Real> mover;
        Vec<Real> from;
        Vec<Real> by;
        Checks checks;
        checks.then([&] { return read_mover(given, mover); })
            .then([&] { return read_point(start, "start", from); })
            .then([&] { return read_point(displacement, "displacement", by); });
        return checks.failed() ? checks.status() : body(level, mover, from, by);
    });
}

template <class Real>
graze_status read_level_points(const graze_view* view, std::vector<Vec<Real>>& points) {
    CheckedView checked;
    if (const graze_status status = checked.set(view, 1, "positions")) return status;
    points.resize(static_cast<std::size_t>(checked.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 p = checked.point(i);
        if (!fits<Real>(p))
            return fail_at(GRAZE_NOT_FINITE, i,
                           "positions: those of vertex %llu are no finite numbers of the level",
                           static_cast<unsigned long long>(i));
        points[i] = slide::narrowed<Real>(p);
    }
    return GRAZE_OK;
}

// The triangles of a part, copied.
template <class Real>
struct PartData {
    std::vector<Vec<Real>> points;
    std::vector<std::array<std::uint32_t, 3>> faces;
    std::vector<slide::FaceMarks> marks;

    graze_status read(const graze_view* view, const std::uint32_t* indices,
                      std::uint64_t face_count, const graze_face_marks* given,
                      std::uint64_t mark_count) {
        Checks checks;
        checks.list(indices, face_count, "faces")
            .list(given, mark_count, "marks")
            .then([&] { return check_face_count(face_count, mark_count); })
            .then([&] { return read_level_points(view, points); });
        if (checks.failed()) return checks.status();
        faces.resize(static_cast<std::size_t>(face_count));
        if (face_count != 0) std::memcpy(faces.data(), indices, faces.size() * sizeof(faces[0]));
        for (const graze_face_marks& m : list_of(given, mark_count))
            marks.push_back({m.tag, m.layers, m.one_sided != 0});
        return GRAZE_OK;
    }
    static graze_status check_face_count(std::uint64_t faces, std::uint64_t marks) noexcept {
        if (faces >= kMostFaces)
            return fail(GRAZE_WRONG_SIZE, "faces: %llu are too many",
                        static_cast<unsigned long long>(faces));
        if (marks > 1 && marks != faces)
            return fail(GRAZE_WRONG_SIZE, "marks: %llu, not one for each of %llu faces",
                        static_cast<unsigned long long>(marks),
                        static_cast<unsigned long long>(faces));
        return GRAZE_OK;
    }
};

template <class Real>
graze_status check_part(const slide::Level<Real>& level, std::uint32_t part) noexcept {
    if (part < level.part_count()) return GRAZE_OK;
    return fail_at(GRAZE_OUT_OF_RANGE, part, "part: there is none with number %llu",
                   static_cast<unsigned long long>(part));
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
        if (scalar != GRAZE_FLOAT64 && scalar != GRAZE_FLOAT32)
            return fail(GRAZE_OUT_OF_RANGE, "there is no scalar %d", scalar);
        auto object = std::make_shared<LevelObject>();
        if (scalar == GRAZE_FLOAT32) object->level.emplace<Level<float>>();
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
    return guarded([&] {
        write(parts, uint64_t{0});
        write(faces, uint64_t{0});
        return with_level(level, Access::Read, [&](const auto& found) {
            write(parts, uint64_t{found.part_count()});
            write(faces, uint64_t{found.face_count()});
            return graze_status{GRAZE_OK};
        });
    });
}

graze_status graze_level_slide(graze_level level, const graze_mover* mover, const double* start,
                               const double* displacement, graze_move* move) noexcept {
    return guarded([&] {
        write(move, no_move());
        if (move == nullptr) return fail(GRAZE_NULL_POINTER, "move is NULL");
        return with_move(
            level, mover, start, displacement,
            [&](const auto& in, const auto& by, const auto& from, const auto& along) {
                *move = to_c(graze::slide::move_and_slide(in, by.shape, from, along, by.move));
                return graze_status{GRAZE_OK};
            });
    });
}

graze_status graze_level_climb(graze_level level, const graze_mover* mover, const double* start,
                               const double* displacement, graze_move* move) noexcept {
    return guarded([&] {
        write(move, no_move());
        if (move == nullptr) return fail(GRAZE_NULL_POINTER, "move is NULL");
        const auto climb = [&]<class Real>(const Level<Real>& in, const Mover<Real>& by,
                                           const graze::Vec<Real>& from,
                                           const graze::Vec<Real>& along) {
            const graze::slide::StairOptions<Real> options{by.step_height, by.footing, by.move};
            const auto climbed = graze::slide::move_and_climb(in, by.shape, from, along, options);
            *move = to_c(climbed.moved);
            move->climbed = double{climbed.climbed};
            return graze_status{GRAZE_OK};
        };
        return with_move(level, mover, start, displacement, climb);
    });
}

graze_status graze_level_snap(graze_level level, const graze_mover* mover, const double* start,
                              double distance, graze_snap* snap) noexcept {
    return guarded([&] {
        write(snap, no_snap());
        if (snap == nullptr) return fail(GRAZE_NULL_POINTER, "snap is NULL");
        const double nowhere[3] = {0.0, 0.0, 0.0};
        const auto go_down = [&]<class Real>(const Level<Real>& in, const Mover<Real>& by,
                                             const graze::Vec<Real>& from,
                                             const graze::Vec<Real>&) {
            graze::slide::SnapOptions<Real> options{{}, by.step_height, by.footing, by.move};
            if (const graze_status status = read_number(distance, "distance", options.distance))
                return status;
            if (!(options.distance > Real{0}))
                return fail(GRAZE_OUT_OF_RANGE, "distance is %g, not > 0", distance);
            const auto found = graze::slide::snap_to_ground(in, by.shape, from, options);
            write_vector(graze::slide::widened(found.position), snap->position);
            snap->dropped = double{found.dropped};
            snap->action = static_cast<graze_snap_action>(found.action);
            snap->gap_proved = found.gap_proved ? 1 : 0;
            snap->ground = to_c(found.ground);
            return graze_status{GRAZE_OK};
        };
        return with_move(level, mover, start, nowhere, go_down);
    });
}

graze_status graze_level_sweep(graze_level level, const graze_mover* mover, const double* start,
                               const double* displacement, double margin,
                               graze_sweep* sweep) noexcept {
    return guarded([&] {
        write(sweep, no_sweep());
        if (sweep == nullptr) return fail(GRAZE_NULL_POINTER, "sweep is NULL");
        const auto go = [&]<class Real>(const Level<Real>& in, const Mover<Real>& by,
                                        const graze::Vec<Real>& from,
                                        const graze::Vec<Real>& along) {
            graze::slide::SweepQuery<Real> query{from, along, {}, by.move.layers};
            if (const graze_status status = read_number(margin, "margin", query.margin))
                return status;
            if (query.margin < Real{0})
                return fail(GRAZE_OUT_OF_RANGE, "margin is %g, not >= 0", margin);
            const auto found = graze::slide::first_contact(in, by.shape, query);
            *sweep = {double{found.toi_lower}, double{found.toi_upper},
                      static_cast<graze_verdict>(found.verdict), found.met_at_start ? 1 : 0,
                      to_c(found.contact)};
            return graze_status{GRAZE_OK};
        };
        return with_move(level, mover, start, displacement, go);
    });
}

graze_status graze_level_gap(graze_level level, const graze_mover* mover, const double* centre,
                             double reach, int32_t* found, double* gap_lower,
                             graze_touch* touch) noexcept {
    return guarded([&] {
        write(found, int32_t{0});
        write(gap_lower, -graze::kInfinity);
        write(touch, graze_touch{});
        Checks checks;
        if (checks.not_null(found, "found").not_null(gap_lower, "gap_lower").failed())
            return checks.status();
        const double nowhere[3] = {0.0, 0.0, 0.0};
        const auto measure = [&]<class Real>(const Level<Real>& in, const Mover<Real>& by,
                                             const graze::Vec<Real>& from,
                                             const graze::Vec<Real>&) {
            Real within{};
            if (const graze_status status = read_number(reach, "reach", within)) return status;
            if (!(within > Real{0})) return fail(GRAZE_OUT_OF_RANGE, "reach is %g, not > 0", reach);
            const auto nearest =
                graze::slide::smallest_gap(in, by.shape, from, within, by.move.layers);
            *found = nearest.found ? 1 : 0;
            *gap_lower = nearest.gap_lower;
            if (nearest.found) write(touch, to_c(nearest.contact));
            return graze_status{GRAZE_OK};
        };
        return with_move(level, mover, centre, nowhere, measure);
    });
}
