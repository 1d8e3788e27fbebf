// What a level and a world can be asked. An Object is what a handle of either stands for: its `searched`
// is a variant of doubles and floats.
#pragma once

#include <cstdint>
#include <variant>

#include "handles.hpp"
#include "slide_values.hpp"

namespace graze::capi {

// Takes the object, and calls body(level or world) for the numbers that it has.
template <class Object, class Body>
graze_status with_searched(std::uint64_t id, Access access, Body body) {
    Taken<Object> object;
    if (const graze_status status = object.take(id, access, Object::kName)) return status;
    return std::visit([&](auto& searched) { return body(searched); }, object->searched);
}

// At a point: body(obstacles, point).
template <class Object, class Body>
graze_status with_point(std::uint64_t id, const double* given, const char* name, Body body) {
    return with_searched<Object>(id, Access::Read, [&]<class Real>(slide::Obstacles<Real>& in) {
        Vec<Real> point;
        if (const graze_status status = read_point(given, name, point)) return status;
        return body(in, point);
    });
}

// What moves, at a point: body(obstacles, mover, centre).
template <class Object, class Body>
graze_status with_mover(std::uint64_t id, const graze_mover* given, const double* at,
                        const char* name, Body body) {
    return with_searched<Object>(id, Access::Read, [&]<class Real>(slide::Obstacles<Real>& in) {
        Mover<Real> mover;
        Vec<Real> centre;
        Checks checks;
        checks.then([&] { return read_mover(given, mover); }).then([&] {
            return read_point(at, name, centre);
        });
        return checks.failed() ? checks.status() : body(in, mover, centre);
    });
}

// And moves by something: body(obstacles, mover, start, displacement).
template <class Object, class Body>
graze_status with_move(std::uint64_t id, const graze_mover* given, const double* start,
                       const double* displacement, Body body) {
    return with_mover<Object>(
        id, given, start, "start",
        [&]<class Real>(const auto& in, const Mover<Real>& mover, const Vec<Real>& from) {
            Vec<Real> by;
            if (const graze_status status = read_point(displacement, "displacement", by))
                return status;
            return body(in, mover, from, by);
        });
}

template <class Real>
graze_status read_positive(double given, const char* name, Real& number) noexcept {
    if (const graze_status status = read_number(given, name, number)) return status;
    return number > Real{0} ? GRAZE_OK : fail(GRAZE_OUT_OF_RANGE, "%s is %g, not > 0", name, given);
}

template <class Real>
graze_status read_not_negative(double given, const char* name, Real& number) noexcept {
    if (const graze_status status = read_number(given, name, number)) return status;
    return number >= Real{0} ? GRAZE_OK
                             : fail(GRAZE_OUT_OF_RANGE, "%s is %g, not >= 0", name, given);
}

template <class Real>
graze_status check_part(const slide::Obstacles<Real>& in, std::uint32_t part) noexcept {
    if (part < in.part_count()) return GRAZE_OK;
    return fail_at(GRAZE_OUT_OF_RANGE, part, "part: there is none with number %llu",
                   static_cast<unsigned long long>(part));
}

template <class Object>
graze_status counts_of(std::uint64_t id, std::uint64_t* parts, std::uint64_t* faces) noexcept {
    return guarded([&] {
        write(parts, std::uint64_t{0});
        write(faces, std::uint64_t{0});
        return with_searched<Object>(id, Access::Read, [&](const auto& found) {
            write(parts, std::uint64_t{found.part_count()});
            write(faces, std::uint64_t{found.face_count()});
            return graze_status{GRAZE_OK};
        });
    });
}

template <class Object>
graze_status slide_in(std::uint64_t id, const graze_mover* mover, const double* start,
                      const double* displacement, graze_move* move) noexcept {
    return guarded([&] {
        write(move, no_move());
        if (move == nullptr) return fail(GRAZE_NULL_POINTER, "move is NULL");
        return with_move<Object>(
            id, mover, start, displacement,
            [&](const auto& in, const auto& by, const auto& from, const auto& along) {
                *move = to_c(slide::move_and_slide(in, by.shape, from, along, by.move));
                return graze_status{GRAZE_OK};
            });
    });
}

template <class Object>
graze_status climb_in(std::uint64_t id, const graze_mover* mover, const double* start,
                      const double* displacement, graze_move* move) noexcept {
    return guarded([&] {
        write(move, no_move());
        if (move == nullptr) return fail(GRAZE_NULL_POINTER, "move is NULL");
        const auto climb = [&]<class Real>(const auto& in, const Mover<Real>& by,
                                           const Vec<Real>& from, const Vec<Real>& along) {
            const slide::StairOptions<Real> options{by.step_height, by.footing, by.move};
            const auto climbed = slide::move_and_climb(in, by.shape, from, along, options);
            *move = to_c(climbed.moved);
            move->climbed = double{climbed.climbed};
            return graze_status{GRAZE_OK};
        };
        return with_move<Object>(id, mover, start, displacement, climb);
    });
}

template <class Object>
graze_status snap_in(std::uint64_t id, const graze_mover* mover, const double* start,
                     double distance, graze_snap* snap) noexcept {
    return guarded([&] {
        write(snap, no_snap());
        if (snap == nullptr) return fail(GRAZE_NULL_POINTER, "snap is NULL");
        const auto go_down = [&]<class Real>(const auto& in, const Mover<Real>& by,
                                             const Vec<Real>& from) {
            slide::SnapOptions<Real> options{{}, by.step_height, by.footing, by.move};
            if (const graze_status status = read_positive(distance, "distance", options.distance))
                return status;
            const auto found = slide::snap_to_ground(in, by.shape, from, options);
            write_vector(slide::widened(found.position), snap->position);
            snap->dropped = double{found.dropped};
            snap->action = static_cast<graze_snap_action>(found.action);
            snap->gap_proved = found.gap_proved ? 1 : 0;
            snap->ground = to_c(found.ground);
            return graze_status{GRAZE_OK};
        };
        return with_mover<Object>(id, mover, start, "start", go_down);
    });
}

template <class Object>
graze_status sweep_in(std::uint64_t id, const graze_mover* mover, const double* start,
                      const double* displacement, double margin, graze_sweep* sweep) noexcept {
    return guarded([&] {
        write(sweep, no_sweep());
        if (sweep == nullptr) return fail(GRAZE_NULL_POINTER, "sweep is NULL");
        const auto go = [&]<class Real>(const auto& in, const Mover<Real>& by,
                                        const Vec<Real>& from, const Vec<Real>& along) {
            slide::SweepQuery<Real> query{from, along, {}, by.move.layers};
            if (const graze_status status = read_not_negative(margin, "margin", query.margin))
                return status;
            *sweep = to_c(slide::first_contact(in, by.shape, query));
            return graze_status{GRAZE_OK};
        };
        return with_move<Object>(id, mover, start, displacement, go);
    });
}

template <class Object>
graze_status ray_in(std::uint64_t id, const double* origin, const double* displacement,
                    std::uint32_t layers, graze_sweep* sweep) noexcept {
    return guarded([&] {
        write(sweep, no_sweep());
        if (sweep == nullptr) return fail(GRAZE_NULL_POINTER, "sweep is NULL");
        const auto go = [&]<class Real>(const slide::Obstacles<Real>& in, const Vec<Real>& from) {
            Vec<Real> by;
            if (const graze_status status = read_point(displacement, "displacement", by))
                return status;
            *sweep = to_c(slide::cast_ray(in, from, by, layers));
            return graze_status{GRAZE_OK};
        };
        return with_point<Object>(id, origin, "origin", go);
    });
}

template <class Object>
graze_status gap_in(std::uint64_t id, const graze_mover* mover, const double* centre, double reach,
                    std::int32_t* found, double* gap_lower, graze_touch* touch) noexcept {
    return guarded([&] {
        write(found, std::int32_t{0});
        write(gap_lower, -kInfinity);
        write(touch, graze_touch{});
        Checks checks;
        if (checks.not_null(found, "found").not_null(gap_lower, "gap_lower").failed())
            return checks.status();
        const auto measure = [&]<class Real>(const auto& in, const Mover<Real>& by,
                                             const Vec<Real>& at) {
            Real within{};
            if (const graze_status status = read_positive(reach, "reach", within)) return status;
            const auto nearest = slide::smallest_gap(in, by.shape, at, within, by.move.layers);
            *found = nearest.found ? 1 : 0;
            *gap_lower = nearest.gap_lower;
            if (nearest.found) write(touch, to_c(nearest.contact));
            return graze_status{GRAZE_OK};
        };
        return with_mover<Object>(id, mover, centre, "centre", measure);
    });
}

template <class Object>
graze_status nearest_in(std::uint64_t id, const double* point, double reach, std::uint32_t layers,
                        std::int32_t* found, double* distance_lower, graze_touch* touch) noexcept {
    return guarded([&] {
        write(found, std::int32_t{0});
        write(distance_lower, 0.0);
        write(touch, graze_touch{});
        Checks checks;
        if (checks.not_null(found, "found").not_null(distance_lower, "distance_lower").failed())
            return checks.status();
        const auto measure = [&]<class Real>(const slide::Obstacles<Real>& in,
                                             const Vec<Real>& at) {
            Real within{};
            if (const graze_status status = read_positive(reach, "reach", within)) return status;
            const auto nearest = slide::nearest_point(in, at, within, layers);
            *found = nearest.found ? 1 : 0;
            *distance_lower = nearest.distance_lower;
            if (nearest.found) write(touch, to_c(nearest.contact));
            return graze_status{GRAZE_OK};
        };
        return with_point<Object>(id, point, "point", measure);
    });
}

template <class Object>
graze_status overlap_in(std::uint64_t id, const graze_mover* mover, const double* centre,
                        double margin, graze_verdict* verdict) noexcept {
    return guarded([&] {
        write(verdict, graze_verdict{GRAZE_UNRESOLVED});
        if (verdict == nullptr) return fail(GRAZE_NULL_POINTER, "verdict is NULL");
        const auto ask = [&]<class Real>(const auto& in, const Mover<Real>& by,
                                         const Vec<Real>& at) {
            Real kept{};
            if (const graze_status status = read_not_negative(margin, "margin", kept))
                return status;
            *verdict = static_cast<graze_verdict>(
                slide::overlap_at(in, by.shape, at, kept, by.move.layers));
            return graze_status{GRAZE_OK};
        };
        return with_mover<Object>(id, mover, centre, "centre", ask);
    });
}

}  // namespace graze::capi
