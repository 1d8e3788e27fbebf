// What is near the position, the planes that this makes, and the moves that these allow (SM-3,
// SM-4). Included by graze_mover.cpp alone.
//
// Nothing here moves the ball. find_contacts() is the one function that proves a position before
// the end: the proof is the least of the distances of all triangles within the contact distance,
// and a position whose surroundings were not gathered is not proved. renew_planes() carries planes
// over to the next iteration: planes only propose a displacement, whose path is proved by a sweep
// whatever they are, so that a wrong plane can cost progress but no gap.
#pragma once

#include "slide/graze_mover.hpp"
#include "slide/mover_constants.hpp"

namespace graze::slide {

// The path stays in the ball whose diameter is the displacement w: for planes through the position
// a projection d of w has |d|^2 = w . d, which is that ball, and a move is a sum of fractions of
// such d that add up to one at most, hence a point of it (SM-4). Paths that leave the box are
// refused.
template <class Real>
void GrazeMover<Real>::gather(double slack) noexcept {
    near_is_current_ = false;
    around_.see_from(local(position_));
    const Vec3 middle = position_ + (0.5 * left_) * request_.displacement;
    const double half = 0.5 * left_ * length_ * per_unit_;
    const Vec3 extent{half, half, half};
    const double reach = offsets_.contact + slack;
    const Box box = box_around(around_.frame(), middle - extent, middle + extent, reach);
    if (is_sphere_) {
        // Where an edge is in doubt, what is a step farther is asked for; of prisms that would be
        // dear, and what is not there counts as no ground.
        const double more = around_.frame().has_core ? 0.0 : offsets_.step;
        around_.gather(box, local(middle), 0.5 * left_ * length_ + reach + more);
    } else {
        around_.gather(box);
    }
}

// Before each question: which sides of one-sided faces the position is on. Those that it has come to
// the front of since they were left out are gathered.
template <class Real>
void GrazeMover<Real>::see_sides() noexcept {
    if (!around_.is_behind_left_out(local(position_))) [[unlikely]]
        gather(slack_);
}

// Distances are lower bounds, so that nothing within `reach` is missed; smallest() of the set is a
// proved lower bound of the gap, covered triangles included, since those keep `kept` by proof.
template <class Real>
void GrazeMover<Real>::find_near(double reach, NearSet& seen) noexcept {
    const Vec3 centre = local(position_);
    const PointProbe probe = point_probe_of(centre, reach);
    const bool all = reach > offsets_.contact;
    // Of the last faces in contact: a triangle that one of them separates from the ball by the hard
    // radius is covered, and would get no plane. This is proved, as its distance would be.
    std::array<ProjectedPath, 2> covers;
    std::array<SumDirection, 2> sum_covers;
    std::size_t cover_count = 0;
    seen.clear();
    const auto is_clear_of = [&](CoreSum<Real>& sum) {
        for (std::size_t k = 0; k < std::min(cover_count, covers.size()); ++k)
            if (is_sum_apart(sum.itself, sum_covers[k], offsets_.kept)) return true;
        return around_.is_beyond(sum, probe, reach);
    };
    const auto ask = [&](const NearSpan& list) {
        for (std::size_t i = 0; i < list.count; ++i) {
            const NearTriangle& t = list.triangle[i];
            if (is_box_beyond(t, probe)) continue;
            bool covered = false;
            for (std::size_t k = 0; k < std::min(cover_count, covers.size()); ++k)
                covered = covered || slack_at_from(t, covers[k], offsets_.kept) >= 0.0;
            if (covered || are_separated_by_plane(t, probe)) continue;
            const ListDistance found = distance_in_list(list, i, centre);
            if (found.lower > reach) continue;
            double length = found.length;
            Vec3 w = found.direction.w;
            // The centre is on an edge or a vertex: any direction out will do.
            if (!(length > 0.0)) {
                w = t.is_round ? Vec3{0, 1, 0} : t.normal_vector();
                length = length_of(w);
            }
            const Vec3 normal = length > 0.0 ? (1.0 / length) * w : Vec3{};
            // Right above the edge between two faces: as good as above one of them.
            const bool is_face = found.direction.feature == FeatureKind::Face ||
                                 std::fabs(dot(normal, t.normal_vector())) >= kSquare;
            seen.add(t,
                     {w, is_face ? FeatureKind::Face : found.direction.feature,
                      found.direction.on_triangle},
                     normal, found.lower, list.is_kept);
            if (!all && is_face) {
                const std::size_t k = cover_count++ % covers.size();
                ::new (&covers[k]) ProjectedPath(projected_path(normal, centre));
                if (around_.frame().has_core) sum_covers[k] = around_.along(covers[k]);
            }
        }
    };
    around_.for_each_list(is_clear_of, ask, &centre);
    seen.sort();
}

// All of them: a position at the rim of what was gathered is queried afresh. Guarantee of true: the
// position keeps the hard radius from the level, and unless it is the start a little more.
template <class Real>
bool GrazeMover<Real>::find_contacts() noexcept {
    see_sides();
    const Vec3 centre = local(position_);
    bool covered = around_.covers({centre, centre}, offsets_.contact);
    if (!covered) {
        gather(slack_);
        covered = around_.covers({centre, centre}, offsets_.contact);
    }
    near_is_current_ = true;
    find_near(offsets_.contact, near_);
    if (around_.frame().has_core && find_crossed()) return false;
    if (find_solids()) return false;
    const double least = centre == Vec3{} ? offsets_.hard : offsets_.kept;
    if (!covered || !(near_.smallest() >= least)) return false;
    proved_at_ = position_;
    return true;
}

// A centre inside of a prism is pushed out through the cap on its side of the triangle; what else
// is near has to wait, since the faces of the prism itself would hold the centre in.
template <class Real>
bool GrazeMover<Real>::find_crossed() noexcept {
    const Vec3 centre = local(position_);
    const Core core = around_.core_at(centre);
    bool crossed = false;
    around_.for_each_crossed(centre, [&](const NearTriangle& t) {
        if (!crossed) near_.clear();
        crossed = true;
        const CoreCrossing out = crossing_of(t, core);
        near_.add({&out.cap, out.direction, out.direction.w, out.distance}, false);
        return true;
    });
    if (crossed) near_.sort();
    return crossed;
}

// A centre inside of a box is pushed out through the nearest side, and what else is near has to wait:
// its faces, seen from inside, would hold it in.
template <class Real>
bool GrazeMover<Real>::find_solids() noexcept {
    const Vec3 centre = local(position_);
    bool is_inside = false;
    around_.for_each_solid_around(centre, [&](const PartView<Real>& part, const SolidSide& side) {
        if (!is_inside) near_.clear();
        is_inside = true;
        const auto out = around_.solid_crossing(centre, side);
        const Vec3& p = out.direction.on_triangle;
        NearTriangle at;
        (void)set_near(at, {p, p, p}, {part.index, side.face, part.marks_of(side.face).tag, false});
        near_.add({&at, out.direction, out.direction.w, out.distance}, false);
        return true;
    });
    return is_inside;
}

// After a lift the ground counts as that much higher for the rest of the move, as long as the ball
// has not left it. Edges of which only the ground around them tells whether they are obstacles are
// decided last, with what lies within a step beyond the contact distance: seldom, so that it is
// searched then.
template <class Real>
void GrazeMover<Real>::make_planes() noexcept {
    const Vec3 centre = local(position_);
    planes_.clear();
    if (lift_) {
        ContactPlane& raised = lift_->ground;
        const double height = dot(raised.normal, centre - raised.point);
        raised.least = std::max(raised.offset - height - offsets_.rounding, 0.0);
        if (height <= raised.offset + 2.0 * offsets_.rounding) planes_.add(raised);
    }
    if (!planes_.add_all(near_, centre, offsets_)) return;
    find_near(offsets_.witness, witnesses_);
    planes_.add_doubtful(near_, witnesses_, centre, offsets_);
}

// n . (local move) >= least, as a half-space of true angles: the local move is the true one times
// the scale of each axis, so that the gradient in true space is n times that scale.
template <class Real>
HalfSpace GrazeMover<Real>::half_space(const Vec3& normal, double least) const noexcept {
    if (is_sphere_) return {normal, least};
    const Vec3 gradient = per_unit_ * around_.frame().local_vector(normal);
    const double steepness = length_of(gradient);
    if (!(steepness > 0.0)) return {};
    return {(1.0 / steepness) * gradient, least / steepness};
}

// The planes as half-spaces, with `fraction` of the correction back to rest.
template <class Real>
AllowedMove GrazeMover<Real>::nearest(const Vec3& displacement, double fraction) const noexcept {
    struct Spaces {
        Spaces() noexcept {}  // NOLINT(modernize-use-equals-default): without initial values
        union {
            HalfSpace at[kMostPlanes];
        };
    } spaces;
    std::size_t count = 0;
    for (const ContactPlane& p : planes_.all())
        ::new (&spaces.at[count++]) HalfSpace(half_space(p.normal, fraction * p.least));
    return nearest_allowed({spaces.at, count}, displacement);
}

// Back to rest only as far as the move still gains along the displacement: then w . position grows
// with every frame that moves, and no two frames can lead to and fro for ever. Between planes too
// narrow for rest (or nearly so) it stays as near to them as it is.
// The fraction f: with the same planes active the gain is linear in f, from |along|^2 at 0 to
// `gain` at 1, which is not positive here; at f = |along|^2 / (2 (|along|^2 - gain)) half of it is
// left.
template <class Real>
AllowedMove GrazeMover<Real>::allowed(const Vec3& displacement) const noexcept {
    AllowedMove move = nearest(displacement, 1.0);
    const bool lifts = std::any_of(planes_.all().begin(), planes_.all().end(),
                                   [](const ContactPlane& p) { return p.least > 0.0; });
    if (!lifts) return move;
    const double most = length_of(displacement) + slack_;
    const bool fits = move.found && norm_sq(move.move) <= most * most;
    const double gain = dot(displacement, move.move);
    if (fits && gain > 0.0) return move;
    move = nearest(displacement, 0.0);
    const double length_sq = norm_sq(move.move);
    if (!fits || !(length_sq > 0.0)) return move;
    const AllowedMove less = nearest(displacement, length_sq / (2.0 * (length_sq - gain)));
    if (less.found && dot(displacement, less.move) > 0.0) move = less;
    return move;
}

// What is left of the displacement in the plane with this normal of the frame.
template <class Real>
Vec3 GrazeMover<Real>::along_plane(const Vec3& normal, const Vec3& displacement) const noexcept {
    const Vec3 across = half_space(normal, 0.0).normal;
    return displacement - std::min(dot(across, displacement), 0.0) * across;
}

// The length of the displacement in a face beside the plane: at an edge or vertex one that ends
// there, at a face one that is in contact and counts as the same ground. The longest, since the
// path leads onto that face or comes from it. Zero where there is none.
template <class Real>
double GrazeMover<Real>::length_beside(const ContactPlane& plane,
                                       const Vec3& displacement) const noexcept {
    double longest = 0.0;
    const auto take = [&](const Vec3& normal) {
        longest = std::max(longest, length_of(along_plane(normal, displacement)));
    };
    if (plane.of_face) {
        for (const ContactPlane& other : planes_.all())
            if (&other != &plane && other.of_face &&
                dot(other.normal, plane.normal) >= kSameHeading)
                take(other.normal);
        return longest;
    }
    const Vec3 centre = local(position_);
    for (const NearContact& near : near_.all()) {
        if (!(dot(near.normal, plane.normal) >= kSquare)) continue;
        if (const std::optional<Ground> ground = ground_below(*near.triangle, centre))
            take(ground->normal);
    }
    return longest;
}

// SM-8. Over an edge or a vertex the path is as long as in the better of the faces that end there,
// and where ground bends up by little as in the better of its faces; where it bends so within a
// move, the path keeps the length that it had. All up to 45
// degrees between move and displacement; from there on less is kept, down to the projection alone
// at 60 degrees: with the cosine c = length / requested at most the fraction 2 c^2, which is 1 and
// c there. A move is only ever lengthened, along itself: it still gains along the displacement
// (SM-5), and is no longer than what is left of that.
template <class Real>
void GrazeMover<Real>::keep_length(AllowedMove& move, const Vec3& displacement) noexcept {
    const double requested = left_ * length_;
    const double length = length_of(move.move);
    double kept = length;
    bool lifts = false;
    for (int i = 0; i < move.active_count; ++i)
        lifts = lifts || planes_[move.active[static_cast<std::size_t>(i)]].least > 0.0;
    if (length > 0.0 && length < requested && !lifts) {
        const double most = std::min(kKeptLength * length * (length / requested), requested);
        if (move.active_count == 1)
            kept = std::max(kept,
                            std::min(length_beside(planes_[move.active[0]], displacement), most));
        if (dot(move.move, heading_) >= kSameHeading * length * length_of(heading_))
            kept = std::max(kept, std::min(pace_ * left_, most));
        move.move = (kept / length) * move.move;
    }
    // What lands had the length of a fall, which is not to be kept.
    heading_ = move.move;
    pace_ = move.active_count > 0 ? kept / left_ : 0.0;
}

// Of a ball that no plane holds, but that has ground within a step: where ground bends away the ball
// leaves it by some skins, and comes down on the next face. The length that a bend must not take
// from the path is that along this ground.
template <class Real>
void GrazeMover<Real>::find_pace(const Vec3& displacement) noexcept {
    find_near(offsets_.witness, witnesses_);
    for (const NearContact& ground : witnesses_.all()) {
        const Vec3 along = along_plane(ground.normal, displacement);
        const double pace = length_of(along) / left_;
        if (!(dot(ground.normal, displacement) < 0.0) || !(pace > pace_)) continue;
        heading_ = along;
        pace_ = pace;
    }
}

// A face in the plane with this normal that the ball is right over: where a wall goes on in its
// next triangle. Null where there is none.
template <class Real>
const NearContact* GrazeMover<Real>::face_in_plane(const Vec3& normal,
                                                   const Vec3& centre) noexcept {
    if (!around_.complete()) return nullptr;
    const NearContact* result = nullptr;
    const PointProbe probe = point_probe_of(centre, offsets_.contact);
    const SumDirection along = around_.along(projected_path(normal, centre));
    const auto is_clear_of = [&](CoreSum<Real>& sum) {
        return result != nullptr || is_sum_apart(sum.itself, along, offsets_.contact) ||
               around_.is_beyond(sum, probe, offsets_.contact);
    };
    around_.for_each_list(is_clear_of, [&](const NearSpan& list) {
        if (!list.is_kept) return;
        for (std::size_t i = 0; result == nullptr && i < list.count; ++i) {
            const NearTriangle& t = list.triangle[i];
            if (is_box_beyond(t, probe)) continue;
            if (!(std::fabs(dot(normal, t.normal_vector())) >= kSquare) || t.is_round) continue;
            const double height = std::fabs(dot(t.normal_vector(), centre - t.vertex_at(0)));
            if (!(height <= offsets_.contact)) continue;
            const Direction direction = direction_to(t, centre);
            if (direction.feature == FeatureKind::Face)
                result = near_.remember({&t, direction, direction.w, height}, true);
        }
    });
    return result;
}

// The planes of the last iteration as they are here, with that of the obstacle. More may hold it:
// the next sweep finds out. False: find the contacts, since a plane that held it may have another
// in its stead, or only others can tell what an edge is.
template <class Real>
bool GrazeMover<Real>::renew_planes(const Obstacle& obstacle, const Direction& direction) noexcept {
    if (direction.feature != FeatureKind::Face || lift_ || !near_is_current_) return false;
    const Vec3 centre = local(position_);
    if (!around_.is_behind_left_out(centre)) return false;
    // In place: each plane makes at most one, and is read before that is written. Where it ends
    // early, what is there is not asked again but for a hint.
    const std::span<const ContactPlane> before = planes_.all();
    planes_.clear();
    const auto renew = [&](const NearTriangle& t, const NearContact* contact,
                           const Direction& from_face) {
        if (t.is_round) return false;
        const double height = dot(from_face.w, centre - t.vertex_at(0));
        if (!(height >= offsets_.settled && height <= offsets_.contact)) return false;
        planes_.add_made([&]() -> ContactPlane {
            return {{t.part, t.face, t.tag, false},
                    from_face,
                    (1.0 / length_of(from_face.w)) * from_face.w,
                    t.vertex_at(0),
                    height,
                    0.0,
                    true,
                    contact};
        });
        return true;
    };
    for (const ContactPlane& p : before) {
        const Direction now = direction_to(*p.contact->triangle, centre);
        if (now.feature == FeatureKind::Face && renew(*p.contact->triangle, p.contact, now))
            continue;
        const bool held = dot(p.normal, around_.frame().local_vector(request_.displacement)) < 0.0;
        if (!held) continue;
        const NearContact* next = face_in_plane(p.normal, centre);
        if (next == nullptr || !renew(*next->triangle, next, next->direction)) return false;
    }
    const NearContact* met = near_.remember(
        {obstacle.triangle, direction, direction.w, offsets_.rest}, obstacle.triangle != &met_);
    return met != nullptr && renew(*met->triangle, met, direction);
}

}  // namespace graze::slide
