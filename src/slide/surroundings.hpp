// What of a level is near a shape on its path: gathered once, asked many times.
//
// Some 280 KiB, meant for the stack; arrays have no initial values. No heap.
#pragma once

#include "slide/core_clearance.hpp"
#include "slide/core_sum.hpp"
#include "slide/face_crossing.hpp"
#include "slide/frame.hpp"
#include "slide/list_sweep.hpp"
#include "slide/local_triangle.hpp"
#include "slide/near_list.hpp"
#include "slide/obstacles_state.hpp"
#include "slide/prism_faces.hpp"
#include "slide/solid_sides.hpp"
#include "slide/sum_faces.hpp"

namespace graze::slide {

template <class Real>
class Surroundings {
public:
    // Check frame().valid.
    Surroundings(const Obstacles<Real>& level, const Shape<Real>& shape, const Vec<Real>& origin,
                 std::uint32_t layers) noexcept
        : level_(level),
          layers_(layers),
          frame_(frame_of(widened(shape.radii), widened(origin), widened(shape.half_axis),
                          {widened(shape.side_axes[0]), widened(shape.side_axes[1])})) {
        list_.count = 0;
    }

    [[nodiscard]] const Frame& frame() const noexcept { return frame_; }

    // --- one-sided faces. What is gathered lacks those that one point is provably behind: at first the
    // origin of the frame, from where a question is asked, or a path begins (SS-5).
    // From here at the next gather().
    void see_from(const Vec3& centre) noexcept { seen_from_ = centre; }
    // Is the centre behind all that was left out? False: see_from() it, and gather again.
    [[nodiscard]] bool is_behind_left_out(const Vec3& centre) noexcept {
        if (!complete_) [[unlikely]]
            see_from(centre);  // gathered for each question
        if (!(least_depth_ < std::numeric_limits<double>::infinity())) [[likely]]
            return true;
        const double error = 0x1p-48 * (norm_one(centre) + norm_one(seen_from_));
        return !complete_ || norm(centre - seen_from_) * (1.0 + 0x1p-48) + error <
                                 least_depth_ - side_margin(centre);
    }
    // Was any left out, in whatever was gathered?
    [[nodiscard]] bool has_left_out() const noexcept { return has_left_out_; }
    // From now on none is.
    void see_all() noexcept { sees_all_ = true; }
    // Of a face: NearTriangle::depth_of() the origin.
    [[nodiscard]] double depth_of_origin(std::uint32_t part, std::uint32_t face) const noexcept {
        const auto vertices = level_.triangle(part, face);
        NearTriangle t;
        (void)set_near(t,
                       {frame_.local(widened(vertices[0])), frame_.local(widened(vertices[1])),
                        frame_.local(widened(vertices[2]))},
                       {part, face, 0, false});
        return t.depth_of({});
    }

    // Gathers all triangles that meet the box (true coordinates); every later question must stay in
    // it: its ball, with its radius, on all of its path. box_around() makes such boxes.
    void gather(const Box& box) noexcept {
        set_box(box);
        centres_.has_ball = false;
        if (frame_.has_core) [[unlikely]]
            grow_by_core();
        fill_all();
    }
    // The same within a ball of the frame: only what comes into it is gathered, and every later
    // question must stay in it, too. Requires for a shape with a core: the box holds the ball, but
    // for rounding.
    void gather(const Box& box, const Vec3& middle, double radius) noexcept {
        set_box(box);
        if (frame_.has_core) [[unlikely]]
            grow_by_core();
        centres_ = {middle, (radius - frame_.ball) + 0x1p-36 * radius, radius, true};
        // A coordinate of the near side of a box that is d away is at most |middle| + d: its error
        // of 3.01 u makes less than 2^-50 of both, and the square of d has five rounding errors.
        // The same for what a core adds on each axis.
        const double most =
            (1.0 + 0x1p-36) * radius + 0x1p-45 * (norm_one(middle) + norm_one(core_extent_));
        most_sq_ = most * most;
        fill_all();
    }

    // Were there few enough for the list? Otherwise each question walks through the tree: right,
    // but slower.
    [[nodiscard]] bool complete() const noexcept { return complete_; }

    // Calls ask(span) with all triangles that were gathered, in one or several spans. Indices are
    // those of the span of the call.
    //
    // Of a shape with a core these are the faces of sums. is_clear(sum) is asked first, with a CoreSum:
    // true is a proof that no face of it can be an answer, and its faces are not made.
    // `at`: the question is one of this point, and is_clear() proves that the core there keeps its radius.
    template <class IsClear, class Ask>
    void for_each_list(IsClear&& is_clear, Ask&& ask, const Vec3* at = nullptr) noexcept {
        if (frame_.has_core) [[unlikely]]
            return for_each_sum(is_clear, ask, at);
        if (complete_) {
            ask(NearSpan(list_));
            return;
        }
        const auto ask_portion = [&] {
            ask(NearSpan(list_.triangle, list_.count, false));
            list_.count = 0;
            return true;
        };
        list_.count = 0;
        fill<false>(ask_portion);
        ask_portion();
    }

    // --- sums: may a face be left out? True is a proof, as for_each_list() asks for it.
    [[nodiscard]] const CoreAxes& core_axes() const noexcept { return core_axes_; }
    [[nodiscard]] SumDirection along(const ProjectedPath& path) const noexcept {
        return sum_direction(core_axes_, path);
    }
    // By its box, what separated it before, its plane, or the shortest path from it to the core.
    [[nodiscard]] bool is_beyond(CoreSum<Real>& sum, const PointProbe& probe,
                                 double radius) const noexcept {
        const auto project = [&](const Vec3& w) { return projected_path(w, probe.at); };
        return is_box_beyond(sum.itself, probe) || is_still_apart(sum, project, radius) ||
               is_sum_apart_by_plane(sum.itself, core_axes_, probe) ||
               is_shortest_path_clear(sum, probe.at, project, radius);
    }
    [[nodiscard]] bool is_beyond(CoreSum<Real>& sum, const Probe& probe, const Path& path,
                                 double radius) const noexcept {
        const auto project = [&](const Vec3& w) { return projected_path(w, path); };
        return are_boxes_apart(sum.itself, probe) || is_still_apart(sum, project, radius) ||
               is_sum_apart_by_plane(sum.itself, core_axes_, probe) ||
               is_shortest_path_clear(sum, path.from, project, radius) ||
               is_shortest_path_clear(sum, path.to, project, radius);
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
        Probe probe = probe_of(path, radius, begin, end);  // cut where it meets something
        const auto is_clear_of = [&](CoreSum<Real>& sum) {
            return is_beyond(sum, probe, path, radius);
        };
        for_each_list(is_clear_of, [&](const NearSpan& list) {
            const ListHit found = sweep_list(list, path, radius, begin, best.time);
            best.met_at_start |= found.met_at_start;
            if (!found.hit) return;
            best.hit = true;
            best.time = found.time;
            best.face = face_of(list, found.index);
            best.direction = found.direction;
            probe = probe_of(path, radius, begin, best.time);
        });
        return best;
    }

    // True is a proof: on all of the path, both ends included, the ball is clear of all triangles.
    [[nodiscard]] bool is_clear(const Path& path, double radius) noexcept {
        bool clear = covers(path, radius);
        if (!clear) return false;
        const Probe probe = probe_of(path, radius);
        for_each_list(
            [&](CoreSum<Real>& sum) { return !clear || is_beyond(sum, probe, path, radius); },
            [&](const NearSpan& list) { clear = clear && clear_of_list(list, path, radius); });
        return clear;
    }

    // True is a proof: the ball around the point is clear of all triangles. What separates one of
    // them from the ball is tried on the next, and so is `normal`.
    [[nodiscard]] bool is_clear_at(const Vec3& point, double radius,
                                   const Vec3& normal = {}) noexcept {
        const Path here{point, point};
        bool clear = covers(here, radius);
        if (!clear) return false;
        const PointProbe probe = point_probe_of(point, radius);
        ProjectedPath separating = projected_path(normal, point);
        ProjectedPath other = separating;
        SumDirection along_separating;
        SumDirection along_other;
        if (frame_.has_core) along_separating = along(separating);
        const auto is_clear_of = [&](CoreSum<Real>& sum) {
            return !clear || is_sum_apart(sum.itself, along_separating, radius) ||
                   is_sum_apart(sum.itself, along_other, radius) || is_beyond(sum, probe, radius);
        };
        const auto ask = [&](const NearSpan& list) {
            for (std::size_t i = 0; clear && i < list.count; ++i) {
                const NearTriangle& t = list.triangle[i];
                if (is_box_beyond(t, probe) || slack_at_from(t, separating, radius) >= 0.0 ||
                    slack_at_from(t, other, radius) >= 0.0 || are_separated_by_plane(t, probe))
                    continue;
                const ListDistance distance = distance_in_list(list, i, point);
                clear = distance.lower >= radius;
                other = projected_path(distance.direction.w, point);
            }
            if (frame_.has_core) along_other = along(other);
        };
        for_each_list(is_clear_of, ask, &point);
        if (!clear) apart_at_ = kNoPoint;  // not all were asked
        return clear && is_core_clear_at(point) && is_outside_solids(point);
    }

    [[nodiscard]] Core core_at(const Vec3& point) const noexcept {
        return {
            point,
            frame_.local_vector(frame_.half_axis),
            {frame_.local_vector(frame_.side_axes[0]), frame_.local_vector(frame_.side_axes[1])},
            frame_.is_box};
    }
    // Calls visit(triangle) for each triangle that the core at the point is not proved to keep
    // `least` from, until that returns false. Searches the tree: nothing has to be gathered.
    template <class Visit>
    void for_each_crossed(const Vec3& point, Visit&& visit,
                          double least = kCoreInside) const noexcept;
    // True is a proof: the core at the point meets no triangle. So it is for a shape without one.
    [[nodiscard]] bool is_core_clear_at(const Vec3& point) const noexcept {
        if (!frame_.has_core) return true;
        bool clear = true;
        for_each_crossed(point, [&](const NearTriangle&) { return clear = false; });
        return clear;
    }

    // Calls visit(part, side) for each box that the point is not proved to be outside of, by `least`
    // and some rounding, until that returns false. Searches the parts: nothing has to be gathered.
    template <class Visit>
    void for_each_solid_around(const Vec3& point, Visit&& visit,
                               double least = kCoreInside) const noexcept {
        if (!level_.state().has_solids) [[likely]]
            return;
        search_solids(point, visit, least);
    }
    // True is a proof: the point is in no box that is solid.
    [[nodiscard]] bool is_outside_solids(const Vec3& point) const noexcept {
        bool outside = true;
        for_each_solid_around(
            point, [&](const PartView<Real>&, const SolidSide&) { return outside = false; });
        return outside;
    }
    // From the side of a box to the point, past the whole core.
    struct SolidCrossing {
        Direction direction;
        double distance = 0.0;  // proved: minus what a shift has to be at most to bring all out
    };
    [[nodiscard]] SolidCrossing solid_crossing(const Vec3& point,
                                               const SolidSide& side) const noexcept;

    // True is a proof: no point of the straight path between two positions (true coordinates), but
    // its begin, is in a triangle; nor does it lead into a round obstacle, or deeper into one that it
    // begins in. Exact arithmetic is asked where separating directions do not tell. From inside of a
    // box it may leave.
    [[nodiscard]] bool crosses_nothing(const Vec3& from, const Vec3& to) noexcept {
        const SolidParts left = solids_around(frame_.local(from));
        if (frame_.has_core) return centre_crosses_nothing(from, to, left);
        const Path path = path_between(frame_, from, to);
        const double hair = kHair * frame_.ball;
        bool clear = covers(path, hair);
        if (!clear) return false;
        const Probe probe = probe_of(path, hair);
        const auto no_sum = [](CoreSum<Real>&) { return false; };
        for_each_list(no_sum, [&](const NearSpan& list) {
            for (std::size_t i = 0; clear && i < list.count; ++i) {
                const NearTriangle& t = list.triangle[i];
                if (!may_meet(t, probe)) continue;
                const TriangleHit found = sweep_triangle(t, path, hair);
                if (!found.hit && (!found.met || t.is_round)) continue;
                clear = !t.is_round && (left.holds(t.part) || !crosses(t, from, to));
            }
        });
        return clear;
    }

    // Calls visit(face, distance) for each triangle whose local distance from the point is not
    // proved to be above `reach`.
    template <class Visit>
    void for_each_within(const Vec3& point, double reach, Visit&& visit) noexcept {
        const Probe probe = probe_of({point, point}, reach);
        const PointProbe at = point_probe_of(point, reach);
        const auto ask = [&](const NearSpan& list) {
            for (std::size_t i = 0; i < list.count; ++i) {
                if (!may_meet(list.triangle[i], probe)) continue;
                const ListDistance distance = distance_in_list(list, i, point);
                if (!(distance.lower > reach)) visit(face_of(list, i), distance);
            }
        };
        for_each_list([&](CoreSum<Real>& sum) { return is_beyond(sum, at, reach); }, ask, &point);
    }

    // In true coordinates.
    [[nodiscard]] SweepContact<Real> contact(const NearFace& face, const Direction& direction,
                                             double time) const noexcept {
        const LevelFeature on_level = feature_of(face, direction);
        return {face.part,
                face.face,
                face.tag,
                on_level.feature,
                static_cast<Real>(time),
                narrowed<Real>(frame_.true_point(on_level.point)),
                narrowed<Real>(frame_.true_normal(direction.w))};
    }

    // What a direction leads from, of the level itself: the nearest point of a prism is one of its
    // triangle, shifted along the core.
    struct LevelFeature {
        Vec3 point;  // in the frame
        FeatureKind feature = FeatureKind::Face;
    };
    [[nodiscard]] LevelFeature feature_of(const NearFace& face,
                                          const Direction& direction) const noexcept {
        const double round = double{level_.rounding(face.part)};
        if (round > 0.0) [[unlikely]]
            return feature_of_round(face, direction, round);
        if (!frame_.has_core) return {direction.on_triangle, direction.feature};
        return feature_below_core(face, direction);
    }

    [[nodiscard]] static NearFace face_of(const NearSpan& list, std::size_t i) noexcept {
        const NearTriangle& t = list.triangle[i];
        return {t.part, t.face, t.tag, false};
    }

    // Does the box that was gathered hold the ball on this part of its path? True proves that all
    // triangles that it may meet were gathered; false for NaN. The leeway is at most 2^-38 of the
    // local size S of the box; gather() added 2^-36 S on each side, so that it gives nothing away.
    [[nodiscard]] bool covers(const Path& path, double radius, double begin,
                              double end) const noexcept {
        return covers(cut(path, begin, end), radius);
    }
    [[nodiscard]] bool covers(const Path& path, double radius) const noexcept {
        if (!gathered_) return false;
        if (centres_.has_ball && !is_in_ball(path, radius)) return false;
        if (frame_.has_core) [[unlikely]] {
            if (!(radius >= frame_.ball)) return false;
            if (centres_.has_ball) return true;  // the box is around the ball
        }
        bool is_inside = true;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double lower = std::min(path.from[axis], path.to[axis]) - radius;
            const double upper = std::max(path.from[axis], path.to[axis]) + radius;
            const double leeway =
                0x1p-40 * (std::fabs(path.from[axis]) + std::fabs(path.to[axis]) + radius);
            is_inside &= lower >= inner_.lower[axis] - leeway;
            is_inside &= upper <= inner_.upper[axis] + leeway;
        }
        return is_inside;
    }

private:
    // The most faces of a sum; of a prism there are eight: two caps, and two for each edge.
    static constexpr std::uint32_t kPrismFaces = SumFaces::kMost;
    // Of the radius: so far a centre has to be behind a face, but at the start. So it is behind it as
    // the start of the next move, too, whose frame is another one (SM-2).
    static constexpr double kSideMargin = 0x1p-43;
    // Beyond so many sums the tree is searched for each question.
    static constexpr std::uint32_t kMaxSums = 128;
    // No position: equal to none.
    static constexpr Vec3 kNoPoint{std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0};

    // [cosine] Normals that differ by less are the same, and [in the frame] so are points.
    static constexpr double kSameNormal = 1.0 - 0x1p-41;
    static constexpr double kSamePoint = 0x1p-20;

    [[nodiscard]] std::array<Vec3, 3> local_vertices(const PartView<Real>& part,
                                                     std::uint32_t position) const noexcept {
        const std::array<Vec<Real>, 3> triangle = part.triangle_at(position);
        return {frame_.local(widened(triangle[0])), frame_.local(widened(triangle[1])),
                frame_.local(widened(triangle[2]))};
    }
    void set_box(const Box& box) noexcept {
        list_.count = 0;
        gathered_ = frame_.valid;
        least_depth_ = std::numeric_limits<double>::infinity();
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
    }
    void fill_all() noexcept {
        sum_count_ = 0;
        apart_at_ = kNoPoint;
        const auto stop = [] { return false; };
        complete_ = !gathered_ || (frame_.has_core ? fill<true>(stop) : fill<false>(stop));
    }
    template <class Project>
    [[nodiscard]] bool is_still_apart(const CoreSum<Real>& sum, const Project& project,
                                      double radius) const noexcept {
        return sum.separating != Vec3{} &&
               is_sum_apart(sum.itself, along(project(sum.separating)), radius);
    }
    // Does the shortest path from the triangle to the core at the point separate the sum from the ball?
    // Not asked where its faces are made, or where that path is dear.
    template <class Project>
    [[nodiscard]] bool is_shortest_path_clear(CoreSum<Real>& sum, const Vec3& point,
                                              const Project& project,
                                              double radius) const noexcept {
        if (sum.has_faces || frame_.is_box) return false;
        const auto separates = [&](const Vec3& w) {
            if (!is_sum_apart(sum.itself, along(project(w)), radius)) return false;
            sum.separating = w;
            return true;
        };
        const Core core{point, core_axes_.axis[0]};
        const Direction to_end = direction_to(sum.itself, nearer_end(sum.itself, core));
        if (to_end.feature == FeatureKind::Face) return false;  // its plane was asked
        return separates(to_end.w) || separates(direction_to_core(sum.itself, core));
    }
    // With its own bounds again: narrower ones have smaller errors.
    [[nodiscard]] static NearTriangle triangle_of(const CoreSum<Real>& sum) noexcept {
        NearTriangle t = sum.itself;
        const Vec3 round{t.round[0], t.round[1], t.round[2]};
        (void)set_near(t, {t.vertex_at(0), t.vertex_at(1), t.vertex_at(2)},
                       {t.part, t.face, t.tag, false, sum.itself.is_round ? &round : nullptr});
        return t;
    }
    template <class IsClear, class Ask>
    void for_each_sum(IsClear&& is_clear, Ask&& ask, const Vec3* at) noexcept;
    template <class IsClear, class Ask>
    void ask_sums(IsClear&& is_clear, Ask&& ask, bool keeps) noexcept;
    [[gnu::noinline]] void make_faces(CoreSum<Real>& sum) noexcept;
    // Requires: place for it.
    [[gnu::noinline]] void add_sum(const std::array<Vec<Real>, 3>& triangle,
                                   const NearFace& face) noexcept;
    [[nodiscard]] std::array<Vec3, 3> shifted(const std::array<Vec<Real>, 3>& triangle,
                                              double sign) const noexcept {
        return {frame_.local_shifted(widened(triangle[0]), sign),
                frame_.local_shifted(widened(triangle[1]), sign),
                frame_.local_shifted(widened(triangle[2]), sign)};
    }
    [[gnu::noinline]] void grow_by_core() noexcept;
    // With less leeway than gather() puts on; NaN makes it false.
    [[nodiscard]] bool is_in_ball(const Path& path, double radius) const noexcept {
        const double most = centres_.all - radius + 0x1p-38 * centres_.all;
        return most >= 0.0 && norm_sq(path.from - centres_.middle) <= most * most &&
               norm_sq(path.to - centres_.middle) <= most * most;
    }
    // Is the box of the triangle, or of its sum with the core, farther from the middle of the ball
    // than anything that is asked for? NaN makes it false.
    template <bool kWithCore>
    [[nodiscard, gnu::always_inline]] bool is_out_of_ball(const NearTriangle& t) const noexcept {
        const Vec3& at = centres_.middle;
        if constexpr (kWithCore) return t.box_distance_sq(at, at, core_extent_) > most_sq_;
        return t.box_distance_sq(at, at) > most_sq_;
    }
    [[nodiscard]] LevelFeature feature_below_core(const NearFace& face,
                                                  const Direction& direction) const noexcept;
    [[nodiscard]] LevelFeature feature_of_round(const NearFace& face, const Direction& direction,
                                                double round) const noexcept;

    // The boxes around a point: of more than these none can be left.
    struct SolidParts {
        std::array<std::uint32_t, 8> part;
        std::size_t count = 0;

        [[nodiscard]] bool holds(std::uint32_t index) const noexcept {
            return std::find(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count),
                             index) != part.begin() + static_cast<std::ptrdiff_t>(count);
        }
    };
    [[nodiscard]] SolidParts solids_around(const Vec3& point) const noexcept {
        SolidParts solids;
        for_each_solid_around(point, [&](const PartView<Real>& part, const SolidSide&) {
            if (solids.count < solids.part.size()) solids.part[solids.count++] = part.index;
            return true;
        });
        return solids;
    }
    template <class Visit>
    [[gnu::noinline]] void search_solids(const Vec3& point, Visit&& visit,
                                         double least) const noexcept;
    [[nodiscard]] bool crosses(const NearTriangle& t, const Vec3& from,
                               const Vec3& to) const noexcept {
        const auto vertices = level_.triangle(t.part, t.face);
        return may_cross(from, to,
                         {widened(vertices[0]), widened(vertices[1]), widened(vertices[2])});
    }
    [[nodiscard]] bool centre_crosses_nothing(const Vec3& from, const Vec3& to,
                                              const SolidParts& left) const noexcept;
    // The half axes, in the frame, of the ball around each point of a round obstacle: rounded up, and
    // not so small that squares of products underflow (SS-10).
    [[nodiscard]] Vec3 local_round(double radius) const noexcept {
        Vec3 round = radius * frame_.scale;
        for (std::size_t axis = 0; axis < 3; ++axis)
            round[axis] = std::max(round[axis] * (1.0 + 0x1p-50), 0x1p-100);
        return round;
    }
    // Adds what a centre keeps its distance from, of a round obstacle. Requires: face.round, place for
    // kPrismFaces.
    [[gnu::noinline]] void add_round(const std::array<Vec<Real>, 3>& triangle,
                                     const NearFace& face) noexcept;
    void add_round_sum(const std::array<Vec<Real>, 3>& triangle,
                       const std::array<Vec3, 3>& vertices, const NearFace& face) noexcept;
    // Calls visit(triangle) for the triangles in the box that the query sees from the point, until that
    // returns false.
    template <class Visit>
    void for_each_in(const Box& box, const Vec3& seen_from, Visit&& visit) const noexcept;
    [[nodiscard]] double side_margin(const Vec3& centre) const noexcept {
        if (sees_all_) return std::numeric_limits<double>::infinity();
        return centre == Vec3{} ? 0.0 : kSideMargin * frame_.ball;
    }
    // False: it is left out.
    [[nodiscard, gnu::always_inline]] bool set_face(NearTriangle& t,
                                                    const NearFace& face) noexcept {
        if (!face.one_sided) [[likely]]
            return t.set_face(face);
        return set_one_sided(t, face);
    }
    [[nodiscard, gnu::noinline]] bool set_one_sided(NearTriangle& t,
                                                    const NearFace& face) noexcept {
        if (t.set_face(face, seen_from_, side_margin(seen_from_))) return true;
        least_depth_ = std::min(least_depth_, t.depth_of(seen_from_));
        has_left_out_ = true;
        return false;
    }
    // Adds the faces of the sum of a triangle and the core that are near the gathered box.
    // Requires: place for kPrismFaces.
    void add_prism(CoreSum<Real>& sum, const NearFace& face) noexcept;
    // The same for a core that is a box.
    void add_box_sum(CoreSum<Real>& sum, const NearFace& face) noexcept;
    void add_if_near(const std::array<Vec3, 3>& vertices, const NearFace& face) noexcept;

    // Of the radius: any would do. What is nearer to a path is tested exactly.
    static constexpr double kHair = 0x1p-40;

    // More triangles than a list holds are taken in portions, each as proved as the others: a query
    // gets slower with them, and nothing is dropped.
    // Adds to the list, or to the sums; where they are full, asks on_full(): true goes on, once that
    // has emptied them, false ends. Result: whether all were added.
    template <bool kSums, class OnFull>
    bool fill(OnFull&& on_full) noexcept;
    template <bool kSums, class OnFull>
    [[gnu::noinline]] bool fill_with_other(const PartView<Real>& part, OnFull&& on_full) noexcept;
    // Requires: place for what it makes.
    template <bool kSums>
    [[gnu::always_inline]] void add_triangle(const std::array<Vec<Real>, 3>& triangle,
                                             const NearFace& near) noexcept {
        if constexpr (kSums) {
            add_sum(triangle, near);
        } else {
            NearTriangle& t = list_.triangle[list_.count];
            set_local(t, frame_, triangle);
            if (centres_.has_ball && is_out_of_ball<false>(t)) return;
            if (set_face(t, near)) ++list_.count;
        }
    }

    const Obstacles<Real>& level_;
    std::uint32_t layers_;
    Frame frame_;
    Box box_;
    Box inner_;  // the same in the frame, about
    // Of a shape with a core: what faces of prisms have to meet, and where its centre stays, in the
    // frame; and the triangles whose prisms were gathered, where they are known.
    Box face_box_;
    CentreRegion centres_;  // of a ball: where it is, with all that is asked for
    Vec3 core_extent_;      // in the frame; zero without a core
    CoreAxes core_axes_;    // likewise
    double most_sq_ = 0.0;  // of a ball that was gathered: how far it reaches, squared
    Vec3 apart_at_;         // the point that CoreSum::is_apart is of
    Vec3 seen_from_;        // what is behind one-sided faces: from where they were left out
    double least_depth_ = std::numeric_limits<double>::infinity();  // of that, behind any of those
    bool has_left_out_ = false;
    bool sees_all_ = false;
    bool gathered_ = false;
    bool complete_ = false;
    std::uint32_t sum_count_ = 0;
    union {  // without initial values
        CoreSum<Real> sums_[kMaxSums];
    };
    NearList list_;
};

// Boxes of the tree are floats of a grid. The map from a coordinate to a float is monotone and the
// same for triangles and queries, so that boxes which overlap in doubles overlap in floats (SS-5):
// no triangle in the box is passed over, at any scale and offset.
template <class Real>
template <bool kSums, class OnFull>
bool Surroundings<Real>::fill(OnFull&& on_full) noexcept {
    bool goes_on = true;
    search_parts(level_, box_, [&](const PartView<Real>& part) {
        const PartMesh<Real>& mesh = *part.mesh;
        const std::uint32_t layers = layers_ & part.layers;
        if (!mesh.is_tree()) [[unlikely]]
            return goes_on = fill_with_other<kSums>(part, on_full);
        mesh.tree.search(part.mesh_box(box_), [&](std::uint32_t position) {
            const std::uint32_t face = mesh.tree.face_at(position);
            const FaceMarks marks = mesh.marks_of(face);
            if ((marks.layers & layers) == 0) return true;
            if ((kSums ? sum_count_ == kMaxSums : list_.count == kMaxNear) &&
                !(goes_on = on_full()))
                return false;
            std::array<Vec<Real>, 3> triangle = mesh.tree.triangle_at(position);
            if (part.placement != nullptr) [[unlikely]]
                part.place(triangle);
            add_triangle<kSums>(triangle, {part.index, face, marks.tag, marks.one_sided});
            return true;
        });
        return goes_on;
    });
    return goes_on;
}

// The same of one part that is no triangles with a tree.
template <class Real>
template <bool kSums, class OnFull>
bool Surroundings<Real>::fill_with_other(const PartView<Real>& part, OnFull&& on_full) noexcept {
    bool goes_on = true;
    const double radius = part.mesh->round;
    const Vec3 round = radius > 0.0 ? local_round(radius) : Vec3{};
    part.search(box_, [&](std::uint32_t position) {
        const std::uint32_t face = part.mesh->face_at(position);
        const FaceMarks marks = part.marks_of(face);
        if ((marks.layers & layers_) == 0) return true;
        if ((kSums ? sum_count_ == kMaxSums : list_.count == kMaxNear) && !(goes_on = on_full()))
            return false;
        const std::array<Vec<Real>, 3> triangle = part.triangle_at(position);
        const bool is_one_sided = marks.one_sided && !(radius > 0.0);
        const NearFace near{part.index, face, marks.tag, is_one_sided,
                            radius > 0.0 ? &round : nullptr};
        if (kSums || !(radius > 0.0)) {
            add_triangle<kSums>(triangle, near);
        } else {
            add_near(list_,
                     {frame_.local(widened(triangle[0])), frame_.local(widened(triangle[1])),
                      frame_.local(widened(triangle[2]))},
                     near);
        }
        return true;
    });
    return goes_on;
}

// --- sums ----------------------------------------------------------------------------------------

// In the order of the tree, whichever were asked for before.
template <class Real>
template <class IsClear, class Ask>
void Surroundings<Real>::ask_sums(IsClear&& is_clear, Ask&& ask, bool keeps) noexcept {
    for (std::uint32_t i = 0; i < sum_count_; ++i) {
        CoreSum<Real>& sum = sums_[i];
        // Of round obstacles there are few, and the sum is not all of it (SS-10).
        sum.is_apart = !sum.itself.is_round && is_clear(sum);
        if (sum.is_apart) continue;
        const std::uint32_t end = list_.count;
        // Where the list is full, faces are made for each question.
        const bool stays = sum.has_faces || (keeps && end <= kMaxNear - 2 * kPrismFaces);
        if (!sum.has_faces) make_faces(sum);
        sum.has_faces = stays;
        if (sum.count > 0) ask(NearSpan(list_.triangle + sum.first, sum.count, stays));
        if (!stays) list_.count = end;
    }
}

template <class Real>
template <class IsClear, class Ask>
void Surroundings<Real>::for_each_sum(IsClear&& is_clear, Ask&& ask, const Vec3* at) noexcept {
    apart_at_ = at != nullptr && complete_ ? *at : kNoPoint;
    if (complete_) return ask_sums(is_clear, ask, true);
    const auto ask_portion = [&] {
        ask_sums(is_clear, ask, false);
        sum_count_ = 0;
        return true;
    };
    sum_count_ = list_.count = 0;
    fill<true>(ask_portion);
    ask_portion();
}

template <class Real>
void Surroundings<Real>::add_sum(const std::array<Vec<Real>, 3>& triangle,
                                 const NearFace& face) noexcept {
    CoreSum<Real>& sum = sums_[sum_count_];
    NearTriangle& t = sum.itself;
    set_local(t, frame_, triangle);
    if (face.round == nullptr && centres_.has_ball && is_out_of_ball<true>(t)) return;
    if (!set_face(t, face)) return;
    grow_bounds(t, core_extent_);
    sum.triangle = triangle;
    sum.one_sided = face.one_sided;
    sum.has_faces = sum.is_cap = sum.is_apart = false;
    sum.separating = {};
    // Twice what is_core_clear() puts on.
    sum.is_small =
        2.0 * kMostFall * (norm_one(t.largest()) + norm_one(core_extent_)) <= 0.25 * frame_.ball;
    ++sum_count_;
}

template <class Real>
void Surroundings<Real>::make_faces(CoreSum<Real>& sum) noexcept {
    const NearTriangle& t = sum.itself;
    sum.first = list_.count;
    const NearFace solid{t.part, t.face, t.tag, false};
    if (t.is_round) {
        const Vec3 round{t.round[0], t.round[1], t.round[2]};
        add_round(sum.triangle, {t.part, t.face, t.tag, false, &round});
    } else if (frame_.is_box) {
        add_box_sum(sum, solid);
    } else {
        add_prism(sum, solid);
    }
    sum.count = list_.count - sum.first;
}

// --- cores ---------------------------------------------------------------------------------------

// A prism that meets the box has a triangle that meets the box grown by the core. Its faces are
// looked for with more than covers() gives away, half of what gather() adds (SS-5).
template <class Real>
void Surroundings<Real>::grow_by_core() noexcept {
    const Vec3 extent_of_core = frame_.core_extent();
    core_extent_ = frame_.local_vector(extent_of_core);
    core_axes_ = {core_at({}).axes(), frame_.is_box};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double size = std::max(std::fabs(inner_.lower[axis]), std::fabs(inner_.upper[axis]));
        face_box_.lower[axis] = inner_.lower[axis] - 0x1p-37 * size;
        face_box_.upper[axis] = inner_.upper[axis] + 0x1p-37 * size;
        const double by = extent_of_core[axis];
        box_.lower[axis] = (box_.lower[axis] - by) - 0x1p-50 * (std::fabs(box_.lower[axis]) + by);
        box_.upper[axis] = (box_.upper[axis] + by) + 0x1p-50 * (std::fabs(box_.upper[axis]) + by);
    }
    // The ball around the box less that of the shape: covers() keeps the centre in it, as the shape
    // is not smaller than its ball.
    centres_.middle = 0.5 * (face_box_.lower + face_box_.upper);
    const Vec3 extent = 0.5 * (face_box_.upper - face_box_.lower);
    const Vec3 left{std::max(extent.x - frame_.ball, 0.0), std::max(extent.y - frame_.ball, 0.0),
                    std::max(extent.z - frame_.ball, 0.0)};
    centres_.centres = norm(left) + 0x1p-36 * norm_one(extent);
    centres_.all = norm(extent) * (1.0 + 0x1p-36);
    centres_.has_ball = false;
}

template <class Real>
void Surroundings<Real>::add_if_near(const std::array<Vec3, 3>& vertices,
                                     const NearFace& face) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double a = vertices[0][axis];
        const double b = vertices[1][axis];
        const double c = vertices[2][axis];
        if (std::min(std::min(a, b), c) > face_box_.upper[axis] ||
            std::max(std::max(a, b), c) < face_box_.lower[axis])
            return;
    }
    if (centres_.has_ball && !may_reach(vertices, {}, centres_)) return;
    add_near(list_, vertices, face);
}

// SS-7: whatever the direction of the core, the union of these faces holds the boundary of the
// prism, and all of it where it is flat. A one-sided face is left out as that of a ball is, by the
// side that the centre is on; its prism has no other side.
template <class Real>
void Surroundings<Real>::add_prism(CoreSum<Real>& sum, const NearFace& face) noexcept {
    const Vec3& half = core_axes_.axis[0];
    const NearTriangle& itself = sum.itself;
    const Vec3 shift = shift_towards(itself, half, centres_.middle);
    if (!sum.one_sided && shift != Vec3{}) {
        NearTriangle& cap = list_.triangle[list_.count];
        (void)set_near(cap, shifted(sum.triangle, shift == half ? 1.0 : -1.0), face);
        sum.is_cap = is_cap_enough(cap, shift, centres_);
        if (sum.is_cap) {
            ++list_.count;
            return;
        }
    }
    const unsigned facing = facing_faces(itself, half, centres_);
    const std::array<Vec3, 3> low = shifted(sum.triangle, -1.0);
    const std::array<Vec3, 3> high = shifted(sum.triangle, 1.0);
    if ((facing & kHighCap) != 0) add_if_near(high, face);
    if ((facing & kLowCap) != 0) add_if_near(low, face);
    for (std::size_t k = 0; k < 3; ++k) {
        if ((facing & (kFirstSide << k)) == 0) continue;
        const std::size_t next = (k + 1) % 3;
        add_if_near({low[k], low[next], high[next]}, face);
        add_if_near({low[k], high[next], high[k]}, face);
    }
}

// SS-9. Each vertex of a sum is made once.
template <class Real>
void Surroundings<Real>::add_box_sum(CoreSum<Real>& sum, const NearFace& face) noexcept {
    const std::array<Vec3, 3> wide{widened(sum.triangle[0]), widened(sum.triangle[1]),
                                   widened(sum.triangle[2])};
    const NearTriangle& itself = sum.itself;
    const SumFaces faces = sum_faces_near(
        {itself.vertex_at(0), itself.vertex_at(1), itself.vertex_at(2)}, core_axes_.axis, centres_);
    if (faces.is_beyond) return;
    Vec3 made[3][kBoxCorners];
    std::uint32_t is_made = 0;
    const auto vertex_of = [&](const SumVertex& v) {
        const std::uint32_t bit = 1U << (v.vertex * kBoxCorners + v.corner);
        Vec3& local = made[v.vertex][v.corner];
        if ((is_made & bit) == 0)
            local = frame_.local_shifted(wide[v.vertex], frame_.corner_of_core(v.corner));
        is_made |= bit;
        return local;
    };
    for (std::size_t i = 0; i < faces.count; ++i) {
        const auto& [a, b, c] = faces.face[i];
        add_if_near({vertex_of(a), vertex_of(b), vertex_of(c)}, face);
    }
}

// SS-10: the triangle a, b, b of a round obstacle, and its sums with the core. Nothing is left out but
// what is twice there: they are few.
template <class Real>
void Surroundings<Real>::add_round(const std::array<Vec<Real>, 3>& triangle,
                                   const NearFace& face) noexcept {
    const std::array<Vec3, 3> vertices{frame_.local(widened(triangle[0])),
                                       frame_.local(widened(triangle[1])),
                                       frame_.local(widened(triangle[2]))};
    if (frame_.is_box) return add_round_sum(triangle, vertices, face);
    // The sum of two segments: one parallelogram.
    const std::array<Vec3, 3> low = shifted(triangle, -1.0);
    const std::array<Vec3, 3> high = shifted(triangle, 1.0);
    add_near(list_, {low[0], low[1], high[1]}, face);
    if (triangle[0] != triangle[1]) add_near(list_, {low[0], high[1], high[0]}, face);
}

// The faces of the sum of a box and a segment, or a point: what SS-9 keeps of the triangle, less what
// is the same where its vertices are. A face is known by its vertices, as bits.
template <class Real>
void Surroundings<Real>::add_round_sum(const std::array<Vec<Real>, 3>& triangle,
                                       const std::array<Vec3, 3>& vertices,
                                       const NearFace& face) noexcept {
    CentreRegion region = centres_;
    region.all += norm_max(*face.round) * (1.0 + 0x1p-36);
    const SumFaces sum = sum_faces_near(vertices, core_at({}).axes(), region);
    if (sum.is_beyond) return;
    const unsigned second = triangle[0] == triangle[1] ? 0U : 1U;
    const auto bit_of = [&](const SumVertex& v) {
        return 1U << ((v.vertex == 0 ? 0U : second) * kBoxCorners + v.corner);
    };
    std::array<std::uint32_t, SumFaces::kMost> known;
    std::size_t count = 0;
    for (std::size_t i = 0; i < sum.count; ++i) {
        const auto& f = sum.face[i];
        const std::uint32_t bits = bit_of(f[0]) | bit_of(f[1]) | bit_of(f[2]);
        const auto holds = [&](std::uint32_t other) { return (other & bits) == bits; };
        const auto end = known.begin() + static_cast<std::ptrdiff_t>(count);
        if (std::any_of(known.begin(), end, holds)) continue;
        // What is part of this one goes.
        count = static_cast<std::size_t>(
            std::remove_if(known.begin(), end,
                           [&](std::uint32_t other) { return (other & bits) == other; }) -
            known.begin());
        known[count++] = bits;
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::array<Vec3, 3> corner;
        std::size_t found = 0;
        for (unsigned bit = 0; bit < 2 * kBoxCorners; ++bit) {
            if ((known[i] >> bit & 1U) == 0) continue;
            corner[found++] = frame_.local_shifted(widened(triangle[bit / kBoxCorners]),
                                                   frame_.corner_of_core(bit % kBoxCorners));
        }
        for (; found < 3; ++found)
            corner[found] = corner[found - 1];
        add_near(list_, corner, face);
    }
}

template <class Real>
template <class Visit>
void Surroundings<Real>::for_each_in(const Box& box, const Vec3& seen_from,
                                     Visit&& visit) const noexcept {
    const double margin = side_margin(seen_from);
    bool goes_on = true;
    search_parts(level_, box, [&](const PartView<Real>& part) {
        const Vec3 round = part.mesh->round > 0.0 ? local_round(part.mesh->round) : Vec3{};
        part.search(box, [&](std::uint32_t position) {
            const std::uint32_t face = part.mesh->face_at(position);
            const FaceMarks marks = part.marks_of(face);
            if ((marks.layers & layers_) == 0) return true;
            NearTriangle t;
            const std::array<Vec3, 3> vertices = local_vertices(part, position);
            t.set_vertices(vertices[0], vertices[1], vertices[2]);
            if (!t.set_face({part.index, face, marks.tag, marks.one_sided,
                             part.mesh->round > 0.0 ? &round : nullptr},
                            seen_from, margin))
                return true;
            goes_on = visit(static_cast<const NearTriangle&>(t));
            return goes_on;
        });
        return goes_on;
    });
}

// The box is wider than the core by a radius, which rounding cannot take.
template <class Real>
template <class Visit>
void Surroundings<Real>::for_each_crossed(const Vec3& point, Visit&& visit,
                                          double least) const noexcept {
    const Core core = core_at(point);
    // A core within the radius of the shape from a triangle: its sum was gathered.
    if (complete_ && least <= frame_.ball && covers({point, point}, frame_.ball)) {
        const bool is_asked = point == apart_at_ && least <= 0.5 * frame_.ball;
        for (std::uint32_t i = 0; i < sum_count_; ++i) {
            const CoreSum<Real>& sum = sums_[i];
            if (sum.is_cap || (is_asked && sum.is_apart && sum.is_small)) continue;
            if (is_core_clear(sum.itself, core, least)) continue;
            const NearTriangle t = triangle_of(sum);
            if (!is_core_clear(t, core, least) && !visit(t)) return;
        }
        return;
    }
    const Vec3 centre = frame_.true_point(point);
    const Vec3 extent = frame_.core_extent();
    Vec3 largest;
    for (std::size_t axis = 0; axis < 3; ++axis)
        largest[axis] = std::fabs(frame_.origin[axis]) + extent[axis] +
                        std::fabs(point[axis] / frame_.scale[axis]);
    const Box box =
        box_around(frame_, centre - extent, centre + extent, frame_.ball + least, largest);
    for_each_in(box, point,
                [&](const NearTriangle& t) { return is_core_clear(t, core, least) || visit(t); });
}

template <class Real>
bool Surroundings<Real>::centre_crosses_nothing(const Vec3& from, const Vec3& to,
                                                const SolidParts& left) const noexcept {
    Box box;
    box.add(from);
    box.add(to);
    bool clear = true;
    for_each_in(box, frame_.local(from), [&](const NearTriangle& t) {
        if (t.is_round) {
            clear = !sweep_triangle(t, path_between(frame_, from, to), kHair * frame_.ball).hit;
        } else {
            clear = left.holds(t.part) || !crosses(t, from, to);
        }
        return clear;
    });
    return clear;
}

// The box is wider than the point by a radius, which rounding cannot take.
template <class Real>
template <class Visit>
void Surroundings<Real>::search_solids(const Vec3& point, Visit&& visit,
                                       double least) const noexcept {
    const Vec3 centre = frame_.true_point(point);
    Vec3 largest;
    for (std::size_t axis = 0; axis < 3; ++axis)
        largest[axis] =
            std::fabs(frame_.origin[axis]) + std::fabs(point[axis] / frame_.scale[axis]);
    const Box box = box_around(frame_, centre, centre, frame_.ball + least, largest);
    search_parts(level_, box, [&](const PartView<Real>& part) {
        if (!part.mesh->is_solid || (part.marks_of(0).layers & layers_) == 0) return true;
        const SolidSide side = nearest_side(part, frame_, point);
        if (side.distance >= least + kMostFall * side.size) return true;
        return visit(part, side);
    });
}

template <class Real>
typename Surroundings<Real>::SolidCrossing Surroundings<Real>::solid_crossing(
    const Vec3& point, const SolidSide& side) const noexcept {
    SolidCrossing out{{side.w, FeatureKind::Face, point - side.distance * side.w}, side.distance};
    for (const Vec3& axis : core_at(point).axes())
        out.distance -= std::fabs(dot(side.w, axis)) + 0x1p-48 * norm_one(axis);
    return out;
}

// A surface without edges. Of a shape with a core: the point of the segment that is nearest to the
// core where they touch, and the point of the ellipsoid around it that is farthest along the normal.
template <class Real>
typename Surroundings<Real>::LevelFeature Surroundings<Real>::feature_of_round(
    const NearFace& face, const Direction& direction, double round) const noexcept {
    LevelFeature result{direction.on_triangle, FeatureKind::Face};
    if (!frame_.has_core) return result;
    const auto triangle = level_.triangle(face.part, face.face);
    const Vec3 a = local_round(round);
    NearTriangle t;
    (void)set_near(t,
                   {frame_.local(widened(triangle[0])), frame_.local(widened(triangle[1])),
                    frame_.local(widened(triangle[2]))},
                   {face.part, face.face, face.tag, false, &a});
    const Vec3& w = direction.w;
    const double extent = detail::round_extent(t, w);
    if (!(extent > 0.0)) return result;
    const Vec3 outward{a.x * a.x * w.x / extent, a.y * a.y * w.y / extent,
                       a.z * a.z * w.z / extent};
    (void)set_near(t, {t.vertex_at(0), t.vertex_at(1), t.vertex_at(2)}, {});
    result.point = nearest_to_core(t, core_at(direction.on_triangle - outward), w) + outward;
    return result;
}

template <class Real>
typename Surroundings<Real>::LevelFeature Surroundings<Real>::feature_below_core(
    const NearFace& face, const Direction& direction) const noexcept {
    const auto triangle = level_.triangle(face.part, face.face);
    NearTriangle t;
    (void)set_near(t,
                   {frame_.local(widened(triangle[0])), frame_.local(widened(triangle[1])),
                    frame_.local(widened(triangle[2]))},
                   {face.part, face.face, face.tag, false});
    LevelFeature result{nearest_to_core(t, core_at(direction.on_triangle), direction.w),
                        FeatureKind::Edge};
    const double cosine = dot(direction.w, t.normal_vector());
    if (cosine * cosine >= kSameNormal * kSameNormal * norm_sq(direction.w)) {
        result.feature = FeatureKind::Face;
        return result;
    }
    for (std::size_t k = 0; k < 3; ++k)
        if (norm_max(result.point - t.vertex_at(k)) <= kSamePoint)
            result.feature = FeatureKind::Vertex;
    return result;
}

}  // namespace graze::slide
