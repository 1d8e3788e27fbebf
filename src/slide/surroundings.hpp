// What of a level is near a shape on its path: gathered once, asked many times.
//
// Some 180 KiB, meant for the stack; arrays have no initial values. No heap.
#pragma once

#include "slide/face_crossing.hpp"
#include "slide/frame.hpp"
#include "slide/list_sweep.hpp"
#include "slide/near_list.hpp"
#include "slide/tree.hpp"

namespace graze::slide {

template <class Real>
class Surroundings {
public:
    // The frame's origin decides what is behind a one-sided face. Check frame().valid.
    Surroundings(const Level<Real>& level, const Shape<Real>& shape, const Vec<Real>& origin,
                 std::uint32_t layers) noexcept
        : level_(level), layers_(layers), frame_(frame_of(widened(shape.radii), widened(origin))) {
        list_.count = 0;
    }

    [[nodiscard]] const Frame& frame() const noexcept { return frame_; }

    // Gathers all triangles that meet the box (true coordinates); every later question must stay in
    // it: its ball, with its radius, on all of its path. box_around() makes such boxes.
    void gather(const Box& box) noexcept {
        list_.count = 0;
        gathered_ = frame_.valid;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            gathered_ = gathered_ && box.lower[axis] <= box.upper[axis];  // false for NaN
            inner_.lower[axis] = (box.lower[axis] - frame_.origin[axis]) * frame_.scale[axis];
            inner_.upper[axis] = (box.upper[axis] - frame_.origin[axis]) * frame_.scale[axis];
            // More than what covers() gives away: a quarter of it, in the frame (SS-5).
            const double size =
                std::max(std::fabs(inner_.lower[axis]), std::fabs(inner_.upper[axis]));
            const double more = 0x1p-36 * size / frame_.scale[axis];
            box_.lower[axis] = (box.lower[axis] - more) - 0x1p-50 * std::fabs(box.lower[axis]);
            box_.upper[axis] = (box.upper[axis] + more) + 0x1p-50 * std::fabs(box.upper[axis]);
        }
        complete_ = !gathered_ || fill([](const NearList&) { return false; });
    }

    // Were there few enough for the list? Otherwise each question walks through the tree: right,
    // but slower.
    [[nodiscard]] bool complete() const noexcept { return complete_; }
    // All of them, where complete().
    [[nodiscard]] const NearList& list() const noexcept { return list_; }

    // Calls ask(list) with all triangles that were gathered, in one or several lists. Indices are
    // those of the list of the call.
    template <class Ask>
    void for_each_list(Ask&& ask) noexcept {
        if (complete_) {
            ask(static_cast<const NearList&>(list_));
            return;
        }
        list_.count = 0;
        fill([&](const NearList& full) {
            ask(full);
            return true;
        });
        ask(static_cast<const NearList&>(list_));
    }

    // As sweep_list(), with what was met named. Keeps the guarantee for lists of any length.
    struct Hit {
        bool hit = false;
        bool met_at_start = false;
        double time = 1.0;
        NearFace face;
        Direction direction;      // in the frame
        bool is_unknown = false;  // the path leaves what was gathered: fails closed, without a face
    };
    [[nodiscard]] Hit sweep(const Path& path, double radius, double begin = 0.0,
                            double end = 1.0) noexcept {
        Hit best;
        best.time = end;
        if (!covers(path, radius, begin, end)) return {true, true, begin, {}, {}, true};
        for_each_list([&](const NearList& list) {
            const ListHit found = sweep_list(list, path, radius, begin, best.time);
            best.met_at_start |= found.met_at_start;
            if (!found.hit) return;
            best.hit = true;
            best.time = found.time;
            best.face = face_of(list, found.index);
            best.direction = found.direction;
        });
        return best;
    }

    // True is a proof: on all of the path, both ends included, the ball is clear of all triangles.
    [[nodiscard]] bool is_clear(const Path& path, double radius) noexcept {
        bool clear = covers(path, radius);
        if (!clear) return false;
        for_each_list(
            [&](const NearList& list) { clear = clear && clear_of_list(list, path, radius); });
        return clear;
    }

    // True is a proof: the ball around the point is clear of all triangles. What separates one of
    // them from the ball is tried on the next, and so is `normal`.
    [[nodiscard]] bool is_clear_at(const Vec3& point, double radius,
                                   const Vec3& normal = {}) noexcept {
        const Path here{point, point};
        bool clear = covers(here, radius);
        if (!clear) return false;
        const Probe probe = probe_of(here, radius);
        ProjectedPath separating = projected_path(normal, point);
        ProjectedPath other = separating;
        for_each_list([&](const NearList& list) {
            for (std::size_t i = 0; clear && i < list.count; ++i) {
                const NearTriangle& t = list.triangle[i];
                if (!may_meet_there(t, probe) || slack_at_from(t, separating, radius) >= 0.0 ||
                    slack_at_from(t, other, radius) >= 0.0)
                    continue;
                const ListDistance distance = distance_in_list(list, i, point);
                clear = distance.lower >= radius;
                other = projected_path(distance.direction.w, point);
            }
        });
        return clear;
    }

    // True is a proof: no point of the straight path between two positions (true coordinates), but
    // its begin, is in a triangle. Exact arithmetic is asked where separating directions do not
    // tell.
    [[nodiscard]] bool crosses_nothing(const Vec3& from, const Vec3& to) noexcept {
        const Path path = path_between(frame_, from, to);
        const double hair = kHair * frame_.ball;
        bool clear = covers(path, hair);
        if (!clear) return false;
        const Probe probe = probe_of(path, hair);
        for_each_list([&](const NearList& list) {
            for (std::size_t i = 0; clear && i < list.count; ++i) {
                const NearTriangle& t = list.triangle[i];
                if (!may_meet(t, probe)) continue;
                const TriangleHit found = sweep_triangle(t, path, hair);
                if (!found.hit && !found.met) continue;
                const auto vertices = level_.triangle(t.part, t.face);
                clear = !may_cross(
                    from, to, {widened(vertices[0]), widened(vertices[1]), widened(vertices[2])});
            }
        });
        return clear;
    }

    // Calls visit(face, distance) for each triangle whose local distance from the point is not
    // proved to be above `reach`.
    template <class Visit>
    void for_each_within(const Vec3& point, double reach, Visit&& visit) noexcept {
        const Probe probe = probe_of({point, point}, reach);
        for_each_list([&](const NearList& list) {
            for (std::size_t i = 0; i < list.count; ++i) {
                if (!may_meet(list.triangle[i], probe)) continue;
                const ListDistance distance = distance_in_list(list, i, point);
                if (distance.lower <= reach) visit(face_of(list, i), distance);
            }
        });
    }

    // In true coordinates.
    [[nodiscard]] SweepContact<Real> contact(const NearFace& face, const Direction& direction,
                                             double time) const noexcept {
        return {face.part,
                face.face,
                face.tag,
                direction.feature,
                static_cast<Real>(time),
                narrowed<Real>(frame_.true_point(direction.on_triangle)),
                narrowed<Real>(frame_.true_normal(direction.w))};
    }

    [[nodiscard]] static NearFace face_of(const NearList& list, std::size_t i) noexcept {
        const NearTriangle& t = list.triangle[i];
        return {t.part, t.face, t.tag, false};
    }

    // Does the box that was gathered hold the ball on this part of its path? True proves that all
    // triangles that it may meet were gathered; false for NaN. The leeway is at most 2^-38 of the
    // local size S of the box; gather() added 2^-36 S on each side, so that it gives nothing away.
    [[nodiscard]] bool covers(const Path& path, double radius, double begin = 0.0,
                              double end = 1.0) const noexcept {
        if (!gathered_) return false;
        const Path part = cut(path, begin, end);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double lower = std::min(part.from[axis], part.to[axis]) - radius;
            const double upper = std::max(part.from[axis], part.to[axis]) + radius;
            const double leeway =
                0x1p-40 * (std::fabs(part.from[axis]) + std::fabs(part.to[axis]) + radius);
            if (!(lower >= inner_.lower[axis] - leeway && upper <= inner_.upper[axis] + leeway))
                return false;
        }
        return true;
    }

private:
    // Of the radius: any would do. What is nearer to a path is tested exactly.
    static constexpr double kHair = 0x1p-40;

    // More triangles than a list holds are taken in portions, each as proved as the others: a query
    // gets slower with them, and nothing is dropped.
    // Adds to the list; where it is full, asks `on_full`: true empties it and goes on, false ends.
    // Result: whether all were added.
    template <class OnFull>
    bool fill(OnFull&& on_full) noexcept;

    const Level<Real>& level_;
    std::uint32_t layers_;
    Frame frame_;
    Box box_;
    Box inner_;  // the same in the frame, about
    bool gathered_ = false;
    bool complete_ = false;
    NearList list_;
};

// Boxes of the tree are floats of a grid. The map from a coordinate to a float is monotone and the
// same for triangles and queries, so that boxes which overlap in doubles overlap in floats (SS-5):
// no triangle in the box is passed over, at any scale and offset.
template <class Real>
template <class OnFull>
bool Surroundings<Real>::fill(OnFull&& on_full) noexcept {
    bool goes_on = true;
    const auto& parts = level_.state().parts;
    for (std::uint32_t p = 0; p < parts.size() && goes_on; ++p) {
        const auto& part = parts[p];
        part.tree.search(box_, [&](std::uint32_t position) {
            const std::uint32_t face = part.tree.face_at(position);
            const FaceMarks marks = part.marks_of(face);
            if ((marks.layers & layers_) == 0) return true;
            if (list_.count == kMaxNear) {
                goes_on = on_full(static_cast<const NearList&>(list_));
                if (!goes_on) return false;
                list_.count = 0;
            }
            const std::array<Vec<Real>, 3> triangle = part.tree.triangle_at(position);
            add_near(list_,
                     {frame_.local(widened(triangle[0])), frame_.local(widened(triangle[1])),
                      frame_.local(widened(triangle[2]))},
                     {p, face, marks.tag, marks.one_sided});
            return true;
        });
    }
    return goes_on;
}

}  // namespace graze::slide
