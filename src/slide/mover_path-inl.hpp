// From one position to the next: every path is proved before it is taken (SM-2). Included by
// graze_mover.cpp alone.
//
// A path from the position p to a rounded end q' is taken in one of three cases:
//   1. a sweep with hard + rounding met nothing on all of the exact path to q' and began clear;
//   2. q' is the rounded stop at a time not after the first meeting of that sweep. Rounding moves
//      the end by at most `rounding` (is_in_range()), so that each point of the path to q' is
//      within `rounding` of a point of the proved one: by the triangle inequality it keeps the hard
//      radius;
//   3. is_clear(): a second sweep with `kept` over the path to q' itself proves it.
#pragma once

#include "slide/graze_mover.hpp"
#include "slide/mover_constants.hpp"

namespace graze::slide {

namespace {

// The planes that may separate triangles from the ball on all of its path.
class SeparatingPlanes {
public:
    SeparatingPlanes(std::span<const ContactPlane> planes, const Path& path, double radius) noexcept
        : planes_(planes), path_(path), radius_(radius) {}

    // The same for the sum of a triangle and the core.
    [[nodiscard]] bool separate_sum(const NearTriangle& t, const CoreAxes& axes) noexcept {
        for (std::size_t i = 0; i < planes_.size(); ++i) {
            if (i == sums_known_) {
                std::construct_at(&sums_[i],
                                  sum_direction(axes, projected_path(planes_[i].normal, path_)));
                ++sums_known_;
            }
            if (is_sum_apart(t, sums_[i], radius_)) return true;
        }
        return false;
    }

    // True is a proof: the slack is linear in time, and not negative at either end (two rounding
    // errors of the sum are taken off).
    [[nodiscard]] bool separate(const NearTriangle& t) noexcept {
        for (std::size_t i = 0; i < planes_.size(); ++i) {
            if (i == known_) {
                std::construct_at(&paths_[i], projected_path(planes_[i].normal, path_));
                ++known_;
            }
            const double at_from = slack_at_from(t, paths_[i], radius_);
            const double slope = paths_[i].slope;
            const double sizes = std::fabs(at_from) + std::fabs(slope);
            if (at_from >= 0.0 && at_from + slope - 0x1p-51 * sizes >= 0.0) return true;
        }
        return false;
    }

private:
    std::span<const ContactPlane> planes_;
    const Path& path_;
    double radius_;
    std::size_t known_ = 0;  // projected paths, of the first planes
    std::size_t sums_known_ = 0;
    union {
        std::array<ProjectedPath, kMostPlanes> paths_;
    };
    union {
        std::array<SumDirection, kMostPlanes> sums_;
    };
};

}  // namespace

template <class Real>
bool GrazeMover<Real>::is_clear(const Vec3& to) noexcept {
    see_sides();
    return around_.is_clear(path_between(around_.frame(), position_, to), offsets_.kept);
}

// With a margin for rounding the position where it stops: the exact path up to there is clear by
// the hard radius and `rounding`, and so is, by the hard radius, every path that ends nearer to it
// than that.
template <class Real>
typename GrazeMover<Real>::Obstacle GrazeMover<Real>::first_obstacle(const Vec3& to) noexcept {
    see_sides();
    const Path path = path_between(around_.frame(), position_, to);
    const double radius = offsets_.hard + offsets_.rounding;
    Obstacle first;
    if (!around_.covers(path, radius)) {
        gather(slack_ + offsets_.step + kLengthSlack * left_ * length_);
        first.met_at_start = !around_.covers(path, radius);
        if (first.met_at_start) return first;
    }
    Probe probe = probe_of(path, radius);
    SeparatingPlanes planes(planes_.all(), path, radius);
    const auto is_clear_of = [&](CoreSum<Real>& sum) {
        return planes.separate_sum(sum.itself, around_.core_axes()) ||
               around_.is_beyond(sum, probe, path, radius);
    };
    around_.for_each_list(is_clear_of, [&](const NearSpan& list) {
        const NearTriangle* nearest_one = nullptr;
        for (std::size_t i = 0; i < list.count; ++i) {
            const NearTriangle& t = list.triangle[i];
            // The cheaper test first: on ground of one plane no triangle needs its own.
            if (are_boxes_apart(t, probe)) continue;
            const bool has_plane = t.has_plane();
            if (has_plane && are_separated_by_plane(t, probe)) continue;
            if (planes.separate(t) || (!has_plane && are_separated_by_plane(t, probe))) continue;
            const TriangleHit found = sweep_triangle(t, path, radius, 0.0, first.time);
            first.met_at_start = first.met_at_start || found.met;
            if (!found.hit) continue;
            first.hit = true;
            first.time = found.time;
            first.direction = found.direction;
            nearest_one = &t;
            probe = probe_of(path, radius, 0.0, first.time);
        }
        if (nearest_one == nullptr) return;
        if (!list.is_kept) met_ = *nearest_one;
        first.triangle = list.is_kept ? nearest_one : &met_;
    });
    if (first.hit) {
        const Vec3 centre = path.from + first.time * (path.to - path.from);
        first.direction.on_triangle = foot_of(*first.triangle, first.direction, centre);
    }
    return first;
}

template <class Real>
Vec3 GrazeMover<Real>::stop_on_path(const Vec3& to, double time) const noexcept {
    return widened(narrowed<Real>(position_ + time * (to - position_)));
}

// Was the stop rounded by no more than `rounding`? The difference, its product with a
// time of at most 1 and the sum have no larger coordinates than those that it was found for.
template <class Real>
bool GrazeMover<Real>::is_in_range(const Vec3& to, const Vec3& stop) const noexcept {
    return norm_max(to - position_) <= request_.reach && norm_max(stop) <= request_.reach;
}

// To where the gap to the obstacle is that of rest, as far as rounding allows.
template <class Real>
typename GrazeMover<Real>::Next GrazeMover<Real>::advance_to(const Obstacle& obstacle,
                                                             const Vec3& to, Known known) noexcept {
    const Path path = path_between(around_.frame(), position_, to);
    const Arrival arrival =
        arrival_at(*obstacle.triangle, path, offsets_.rest,
                   {obstacle.time, obstacle.direction, offsets_.hard + offsets_.rounding});
    GRAZE_ASSERT(arrival.time <= obstacle.time);
    const Vec3 stop = stop_on_path(to, arrival.time);
    if (stop == position_) {
        return known == Known::Contacts ? squeeze_to(obstacle, to) : Next::FindContacts;
    }
    const bool proved = !obstacle.met_at_start && is_in_range(to, stop);
    if (!proved && !is_clear(stop)) return Next::End;
    go_to(stop);
    left_ *= 1.0 - arrival.time;
    return renew_planes(obstacle, arrival.direction) ? Next::KeepPlanes : Next::FindContacts;
}

// The obstacle is nearer than rest already, and yet no plane holds the move: an edge that counts as
// covered by its face (SM-3), to which the path leads. With contacts known, to find them again
// would repeat the iteration up to the last, and the move after it, for ever. So the path is taken
// as far as it is proved, to the hard radius (case 2); the next iteration comes back to rest.
template <class Real>
typename GrazeMover<Real>::Next GrazeMover<Real>::squeeze_to(const Obstacle& obstacle,
                                                             const Vec3& to) noexcept {
    const Vec3 stop = stop_on_path(to, obstacle.time);
    if (stop == position_ || obstacle.met_at_start || !is_in_range(to, stop))
        return Next::FindContacts;
    go_to(stop);
    left_ *= 1.0 - obstacle.time;
    return Next::FindContacts;
}

// Takes the end of a free path. Along a crease that is a curve (edges and vertices make such), a
// move across the displacement may pass the position that is farthest along it, and come back in
// the next frame, for ever; then the position between, where the displacement points in neither
// direction, is taken.
template <class Real>
void GrazeMover<Real>::accept(const Vec3& to, const Vec3& move, const Vec3& displacement,
                              bool proved_with_room) noexcept {
    const Vec3 from = position_;
    go_to(to);
    left_ = 0.0;
    result_.stopped = StopReason::Free;
    const double forward = dot(displacement, move);
    const double length_sq = norm_sq(move);
    if (!(forward * forward < kAcross * kAcross * norm_sq(displacement) * length_sq)) return;
    const bool is_straight = std::all_of(planes_.all().begin(), planes_.all().end(),
                                         [](const ContactPlane& p) { return p.of_face; });
    if (is_straight) return;
    if (!find_contacts()) return;  // not proved: nor will it be returned
    make_planes();
    const double back = dot(allowed(displacement).move, move);
    if (!(back < 0.0)) return;
    const double fraction = length_sq / (length_sq - back);
    go_back_to(from);
    const Vec3 between = stop_on_path(to, fraction);
    if ((proved_with_room && is_in_range(to, between)) || is_clear(between)) go_to(between);
}

// By the distances of all that is near, as if nothing were known of the path to here.
template <class Real>
bool GrazeMover<Real>::is_proved_here() noexcept {
    const Vec3 centre = local(position_);
    // The plane that led here may separate most of it from the ball still.
    const Vec3 normal = planes_.all().empty() ? Vec3{} : planes_[0].normal;
    if (around_.is_behind_left_out(centre)) [[likely]] {
        if (around_.is_clear_at(centre, offsets_.kept, normal)) return true;
        if (around_.covers({centre, centre}, offsets_.kept)) return false;
    }
    around_.see_from(centre);
    around_.gather(box_around(around_.frame(), position_, position_, offsets_.kept));
    return around_.is_clear_at(centre, offsets_.kept);
}

}  // namespace graze::slide
