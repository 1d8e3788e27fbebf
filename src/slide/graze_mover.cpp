#include "slide/graze_mover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "graze/core/assert.hpp"

namespace graze::slide {
namespace {

// In skins. The hard radius is one, rest two: what nearly meets may differ by a skin in height.
constexpr double kRest = 2.0;
// A ball that came nearer than this is moved back to rest; above it, it stays where it is, so that
// rest is exact. A quarter of a skin is at least what rounding a place takes (SkinRule).
constexpr double kSettled = 1.75;
// A plane farther than this has been left. What holds a ball from the side is an edge or a corner
// more often than not: it bends away from a straight way, by t^2 / 2R after t. A plane that were
// left as soon as it is beyond rest would be met again at once, and the next one in turn, in ever
// shorter ways; within this band both are kept, at the distances that they are at.
constexpr double kLeft = 2.25;
// Ground that differs by up to this is climbed like flat ground.
constexpr double kMostLift = 4.0;
// The way may leave the ball over the wish by what it is moved back to rest and lifted.
constexpr double kSlack = 2.0 + kMostLift;
constexpr int kMaxPushes = 8;
// A body is pushed out by at most this many of its own radii.
constexpr double kMostPush = 4.0;
// Cosine of the angle between wish and move, below which the end is looked at before it is taken.
constexpr double kAcross = 0.125;

// Cosine of an angle of a millionth, about: directions that differ by less are the same.
constexpr double kSquare = 1.0 - 0x1p-41;

// [fraction of the wish] A shorter move is none. The corners of a level are rounded to floats as
// well: slopes of that size are no slopes.
template <class Real>
constexpr double kStillMove = std::is_same_v<Real, float> ? 0x1p-20 : kStill;

// Of the radius. What is proved of a place in the frame of one move is proved again in that of the
// next one, whose sums differ: by 2^-48 of how far a triangle reaches, so that this is enough for
// 32 radii (M2). And it is less than what is left of `rounding` when a place has been rounded.
constexpr double kKeptMargin = 0x1p-43;
static_assert(kKeptMargin < kLeastRounding * (3.0 - 2.5981) / 3.0, "1.5 sqrt(3) units of three");

// Equal to no place.
constexpr Vec3 kNowhere{HUGE_VAL, HUGE_VAL, HUGE_VAL};

double length_of(const Vec3& v) noexcept {
    return std::sqrt(norm_sq(v));
}

// Of any finite numbers, without overflow where the length is a number.
double safe_length(const Vec3& v) noexcept {
    return std::hypot(v.x, v.y, v.z);
}

// `rounding` [length]: of a place.
Offsets offsets_of(const Frame& frame, double skin, double rounding) noexcept {
    Offsets o;
    o.skin = skin * frame.per_length;
    o.rounding = std::max(rounding * frame.per_length, kLeastRounding * frame.ball);
    o.hard = frame.radius_with(skin);
    o.kept = o.hard + kKeptMargin * frame.ball;
    o.settled = frame.radius_with(kSettled * skin);
    o.rest = frame.radius_with(kRest * skin);
    o.contact = frame.radius_with(kLeft * skin) + o.rounding;
    o.step = kMostLift * o.skin;
    o.witness = o.contact + o.step;
    return o;
}

// The planes that may part triangles from the ball on all of its way.
class PartingPlanes {
public:
    PartingPlanes(std::span<const ContactPlane> planes, const Path& path, double radius) noexcept
        : planes_(planes), path_(path), radius_(radius) {}

    // True is a proof: the slack is linear in time, and not negative at either end (two roundings
    // of the sum are taken off).
    [[nodiscard]] bool part(const NearTriangle& t) noexcept {
        for (std::size_t i = 0; i < planes_.size(); ++i) {
            if (i == known_) {
                std::construct_at(&ways_[i], way_along(planes_[i].normal, path_));
                ++known_;
            }
            const double at_from = slack_at_from(t, ways_[i], radius_);
            const double slope = ways_[i].slope;
            const double sizes = std::fabs(at_from) + std::fabs(slope);
            if (at_from >= 0.0 && at_from + slope - 0x1p-51 * sizes >= 0.0) return true;
        }
        return false;
    }

private:
    std::span<const ContactPlane> planes_;
    const Path& path_;
    double radius_;
    std::size_t known_ = 0;  // ways, of the first planes
    union {
        std::array<WayAlong, kMostPlanes> ways_;
    };
};

}  // namespace

template <class Real>
GrazeMover<Real>::GrazeMover(Surroundings<Real>& around, const MoveRequest<Real>& request,
                             MoveResult<Real>& result) noexcept
    : around_(around),
      request_(request),
      asked_(request.wish),
      offsets_(offsets_of(around.frame(), double{request.skin}, request.rounding)),
      per_unit_(1.0 / around.frame().per_length),
      is_sphere_(around.frame().smallest_radius == around.frame().largest_radius),
      unit_(is_sphere_ ? Vec3{per_unit_, per_unit_, per_unit_} : around.frame().radii),
      place_(widened(request.start)),
      proved_at_(kNowhere),
      wish_(around.frame().per_length * request.wish),
      wish_length_(length_of(wish_)),
      slack_(kSlack * offsets_.skin),
      result_(result) {
    result_.position = request.start;
    result_.skin = request.skin;
}

// With another skin, and only so much of the wish as stays where that suffices.
template <class Real>
void GrazeMover<Real>::use_skin(double skin) noexcept {
    const SkinRule<Real>& rule = request_.rule;
    request_.skin = static_cast<Real>(skin);
    skin = double{request_.skin};
    const double top = rule.top_of(skin);
    const double room = top - rule.reach_of(place_) - rule.lift(skin);
    const double length = safe_length(asked_);
    // Both were rounded: by less than is taken off.
    share_ = 1.0;
    if (length > 0.0 && !(length <= room)) share_ = (1.0 - 0x1p-50) * std::max(room, 0.0) / length;
    request_.wish = share_ * asked_;
    request_.reach = std::min(top, rule.reach_of(place_) + safe_length(request_.wish));
    request_.rounding = rule.rounding_at(request_.reach);
    offsets_ = offsets_of(around_.frame(), skin, request_.rounding);
    slack_ = kSlack * offsets_.skin;
    wish_ = around_.frame().per_length * request_.wish;
    wish_length_ = length_of(wish_);
    result_.skin = request_.skin;
}

// All of a wish that is too long at once, where nothing is in its way: proved with the skin of the
// start on the way, and with that of the end at the end.
template <class Real>
bool GrazeMover<Real>::flies() noexcept {
    const Vec3 to = widened(narrowed<Real>(place_ + request_.wish));
    if (!is_finite(to)) return false;
    const Frame& frame = around_.frame();
    around_.gather(box_around(frame, place_, to, offsets_.kept));
    if (!is_clear(to)) return false;
    const Real skin = static_cast<Real>(request_.rule.skin_at(to));
    const double kept = frame.radius_with(double{skin}) + kKeptMargin * frame.ball;
    around_.gather(box_around(frame, to, to, kept));
    if (!around_.is_clear_at(local(to), kept)) return false;
    go_to(to);
    proved_at_ = to;
    result_.skin = skin;
    result_.stopped = StopReason::Free;
    return true;
}

// A skin that suffices twice as far.
// False: the skin and the place are what they were.
template <class Real>
bool GrazeMover<Real>::widen_skin() noexcept {
    const double before = double{request_.skin};
    const double wider = request_.rule.skin_for(2.0 * request_.rule.reach_of(place_));
    if (!(wider <= double{std::numeric_limits<Real>::max()} / 16.0)) return false;
    const bool is_held = safe_length(request_.wish) < around_.frame().largest_radius;
    use_skin(wider);
    gather(slack_);
    // Pushed only where it could hardly move otherwise.
    if (look_for_contacts() || (is_held && push_out())) return true;
    use_skin(before);
    return false;
}

// A wish that is too long is cut where the skin ceases to suffice. Near there, where that would
// leave little of it, the skin is widened. False: the place could not be proved again.
template <class Real>
bool GrazeMover<Real>::fit_skin(bool pushed) noexcept {
    if (pushed) use_skin(double{request_.skin});
    const bool at_rim = share_ < 1.0 && safe_length(request_.wish) < request_.rule.reach_of(place_);
    if (at_rim && widen_skin()) return true;
    if (!pushed && !at_rim) return true;
    gather(slack_);
    return look_for_contacts();
}

// The way stays in the ball over the wish: each part of it is a part of the wish, projected, and
// all projections of w lie in the ball with diameter w (M4). Ways that leave the box are refused.
template <class Real>
void GrazeMover<Real>::gather(double slack) noexcept {
    gathered_again_ = true;
    const Vec3 middle = place_ + (0.5 * left_) * request_.wish;
    const double half = 0.5 * left_ * wish_length_ * per_unit_;
    const Vec3 corner{half, half, half};
    around_.gather(
        box_around(around_.frame(), middle - corner, middle + corner, offsets_.contact + slack));
}

template <class Real>
void GrazeMover<Real>::look_around(double reach, NearSet& seen) noexcept {
    const Vec3 centre = local(place_);
    const Probe probe = probe_of({centre, centre}, reach);
    const bool keeps = around_.complete();
    const bool all = reach > offsets_.contact;
    // Of the last faces in contact: a triangle that one of them parts from the ball by the hard
    // radius is covered, and would get no plane. This is proved, as its distance would be.
    std::array<WayAlong, 2> covers;
    std::size_t cover_count = 0;
    seen.clear();
    around_.for_each_list([&](const NearList& list) {
        for (std::size_t i = 0; i < list.count; ++i) {
            const NearTriangle& t = list.triangle[i];
            if (!may_meet_there(t, probe)) continue;
            bool covered = false;
            for (std::size_t k = 0; k < std::min(cover_count, covers.size()); ++k)
                covered = covered || slack_at_from(t, covers[k], offsets_.kept) >= 0.0;
            if (covered) continue;
            ListDistance found = distance_in_list(list, i, centre);
            if (!(found.lower <= reach)) continue;
            double length = found.length;
            if (!(length > 0.0)) {  // the centre is on an edge or a corner: any way out will do
                found.direction.w = t.normal_vector();
                length = length_of(found.direction.w);
            }
            const Vec3 normal = length > 0.0 ? (1.0 / length) * found.direction.w : Vec3{};
            // Right above the edge between two faces: as good as above one of them.
            if (std::fabs(dot(normal, t.normal_vector())) >= kSquare)
                found.direction.feature = Feature::Face;
            seen.add({&t, found.direction, normal, found.lower}, keeps);
            if (!all && found.direction.feature == Feature::Face)
                covers[cover_count++ % covers.size()] = way_along(normal, centre);
        }
    });
    seen.sort();
}

// All of them: a place at the rim of what was gathered is looked at afresh. Guarantee of true: the
// place keeps the hard radius from the level, and unless it is the start a little more.
template <class Real>
bool GrazeMover<Real>::look_for_contacts() noexcept {
    const Vec3 centre = local(place_);
    bool covered = around_.covers({centre, centre}, offsets_.contact);
    if (!covered) {
        gather(slack_);
        covered = around_.covers({centre, centre}, offsets_.contact);
    }
    gathered_again_ = false;
    look_around(offsets_.contact, near_);
    const double least = centre == Vec3{} ? offsets_.hard : offsets_.kept;
    if (!covered || !(near_.smallest() >= least)) return false;
    proved_at_ = place_;
    return true;
}

template <class Real>
void GrazeMover<Real>::make_planes() noexcept {
    const Vec3 centre = local(place_);
    planes_.clear();
    if (has_raised_) {
        const double height = dot(raised_.normal, centre - raised_.point);
        raised_.least = std::max(raised_.offset - height - offsets_.rounding, 0.0);
        if (height <= raised_.offset + 2.0 * offsets_.rounding) planes_.add(raised_);
    }
    if (!planes_.add_all(near_, centre, offsets_)) return;
    look_around(offsets_.witness, witnesses_);
    planes_.add_doubtful(near_, witnesses_, centre, offsets_);
}

template <class Real>
bool GrazeMover<Real>::is_clear(const Vec3& to) noexcept {
    return around_.is_clear(path_between(around_.frame(), place_, to), offsets_.kept);
}

// With room for rounding the place where it stops: the exact way up to there is clear by the hard
// radius and `rounding`, and so is, by the hard radius, every way that ends nearer to it than that.
template <class Real>
typename GrazeMover<Real>::Obstacle GrazeMover<Real>::first_obstacle(const Vec3& to) noexcept {
    const Path path = path_between(around_.frame(), place_, to);
    const double radius = offsets_.hard + offsets_.rounding;
    Obstacle first;
    if (!around_.covers(path, radius)) {
        gather(slack_ + offsets_.step);
        first.met_at_start = !around_.covers(path, radius);
        if (first.met_at_start) return first;
    }
    Probe probe = probe_of(path, radius);
    PartingPlanes planes(planes_.all(), path, radius);
    around_.for_each_list([&](const NearList& list) {
        const NearTriangle* nearest_one = nullptr;
        for (std::size_t i = 0; i < list.count; ++i) {
            const NearTriangle& t = list.triangle[i];
            if (!may_meet(t, probe) || planes.part(t)) continue;
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
        if (!around_.complete()) met_ = *nearest_one;
        first.triangle = around_.complete() ? nearest_one : &met_;
    });
    if (first.hit) {
        const Vec3 centre = path.from + first.time * (path.to - path.from);
        first.direction.on_triangle = foot_of(*first.triangle, first.direction, centre);
    }
    return first;
}

template <class Real>
HalfSpace GrazeMover<Real>::half_space(const Vec3& normal, double least) const noexcept {
    if (is_sphere_) return {normal, least};
    const Vec3 gradient = per_unit_ * around_.frame().local_vector(normal);
    const double steepness = length_of(gradient);
    if (!(steepness > 0.0)) return {};
    return {(1.0 / steepness) * gradient, least / steepness};
}

// The planes as half-spaces, with `part` of the way back to rest.
template <class Real>
AllowedMove GrazeMover<Real>::nearest(const Vec3& wish, double part) const noexcept {
    std::array<HalfSpace, kMostPlanes> spaces;
    std::size_t count = 0;
    for (const ContactPlane& p : planes_.all())
        spaces[count++] = half_space(p.normal, part * p.least);
    return nearest_allowed({spaces.data(), count}, wish);
}

// Back to rest only as far as the move still gains along the wish: then w . place grows with every
// frame that moves, and no two frames can lead to and fro for ever. Between planes too narrow for
// rest (or nearly so) it stays as near to them as it is.
template <class Real>
AllowedMove GrazeMover<Real>::allowed(const Vec3& wish) const noexcept {
    const AllowedMove back = nearest(wish, 1.0);
    const bool lifts = std::any_of(planes_.all().begin(), planes_.all().end(),
                                   [](const ContactPlane& p) { return p.least > 0.0; });
    if (!lifts) return back;
    const double most = length_of(wish) + slack_;
    const bool fits = back.found && norm_sq(back.move) <= most * most;
    const double gain = dot(wish, back.move);
    if (fits && gain > 0.0) return back;
    const AllowedMove along = nearest(wish, 0.0);
    const double length_sq = norm_sq(along.move);
    if (!fits || !(length_sq > 0.0)) return along;
    const AllowedMove less = nearest(wish, length_sq / (2.0 * (length_sq - gain)));
    return less.found && dot(wish, less.move) > 0.0 ? less : along;
}

// The end of one push. Its way is free of faces, as exact arithmetic tells: no push leads through
// one. (A ball that is too near has no way that is free of them as a ball.)
template <class Real>
bool GrazeMover<Real>::push_by(const Vec3& move, const Vec3& start) noexcept {
    if (move == Vec3{} || !(norm_sq(move) <= slack_ * slack_)) return false;
    const Vec3 to = moved(move);
    const double most = kMostPush * around_.frame().largest_radius;
    if (!is_finite(to) || to == place_ || !(norm(to - start) <= most)) return false;
    if (!around_.crosses_nothing(place_, to)) return false;
    for (const ContactPlane& p : planes_.all())
        touch(p.face, p.direction, 0.0);
    go_to(to, true);
    return true;
}

// Out of all that is too near at once; where that leads nowhere, out of the nearest alone.
template <class Real>
bool GrazeMover<Real>::push_once(const Vec3& start) noexcept {
    if (near_.all().empty()) return false;
    make_planes();
    if (push_by(nearest({}, 1.0).move, start)) return true;
    planes_.clear();
    const NearContact& deepest =
        *std::min_element(near_.all().begin(), near_.all().end(),
                          [](const auto& a, const auto& b) { return a.distance < b.distance; });
    planes_.add({deepest.face(), deepest.direction, deepest.normal, deepest.direction.on_triangle,
                 offsets_.rest, offsets_.rest - deepest.distance, false, nullptr});
    return push_by(nearest({}, 1.0).move, start);
}

// Again and again; each time to rest.
template <class Real>
bool GrazeMover<Real>::push_out() noexcept {
    const Vec3 start = place_;
    slack_ += kMostPush * around_.frame().largest_radius * around_.frame().per_length;
    gather(slack_);
    for (int push = 0; push < kMaxPushes; ++push) {
        if (look_for_contacts()) return true;
        if (!push_once(start)) break;
    }
    if (look_for_contacts()) return true;
    go_back_to(start);
    return false;
}

template <class Real>
void GrazeMover<Real>::touch(const NearFace& face, const Direction& direction,
                             double time) noexcept {
    for (const Contact<Real>& c : result_.touched())
        if (c.part == face.part && c.face == face.face) return;
    if (result_.contact_count == kMaxMoveContacts) return;
    const Frame& frame = around_.frame();
    const Vec3 across = is_sphere_ ? direction.w : per_unit_ * frame.local_vector(direction.w);
    const double length = length_of(across);
    const Vec3 normal = (length > 0.0 ? 1.0 / length : 0.0) * across;
    const Vec3& p = direction.on_triangle;
    const Vec3& r = unit_;
    const Vec3 point{frame.origin.x + r.x * p.x, frame.origin.y + r.y * p.y,
                     frame.origin.z + r.z * p.z};
    result_.contacts[static_cast<std::size_t>(result_.contact_count++)] = {
        face.part,
        face.face,
        face.tag,
        direction.feature,
        static_cast<Real>(share_ * time),
        narrowed<Real>(point),
        narrowed<Real>(normal)};
}

// An edge or corner that sticks out of the ground in front of the ball, and not much.
template <class Real>
bool GrazeMover<Real>::is_in_the_way(const Vec3& ground, const Direction& direction,
                                     const Vec3& wish) const noexcept {
    // The contact of a ball at rest with an edge that is h higher than the ground is tilted by an
    // angle with 1 - cos = (h - skin) / radius.
    const double upright = 1.0 - 2.0 * offsets_.step / offsets_.hard;
    const double length = length_of(direction.w);
    if (!(dot(ground, direction.w) >= upright * length)) return false;
    const Vec3 way = per_unit_ * around_.frame().local_vector(wish);
    const Vec3 along = way - dot(way, ground) * ground;
    return dot(along, direction.w) < -kStill * length * length_of(way);
}

// Raises the ball, and remembers the ground as that much higher.
template <class Real>
bool GrazeMover<Real>::lift_with(const ContactPlane& ground, double rise) noexcept {
    if (!(rise > 0.0) || !(lifted_ + rise <= offsets_.step)) return false;
    const HalfSpace up = half_space(ground.normal, rise);
    const Vec3 to = moved(up.least * up.normal);
    if (!is_finite(to) || !is_clear(to)) return false;
    before_lift_ = place_;
    after_lift_ = to;
    go_to(to);
    lifted_ += rise;
    raised_ = ground;
    raised_.offset += rise;
    raised_.contact = nullptr;
    has_raised_ = true;
    return true;
}

// With ground that carries the ball: so that it covers what is in the way.
template <class Real>
bool GrazeMover<Real>::lift_over(const NearTriangle& t, const Direction& direction,
                                 const Vec3& wish) noexcept {
    for (const ContactPlane& plane : planes_.all()) {
        if (!plane.of_face || !is_in_the_way(plane.normal, direction, wish)) continue;
        const double lack = height_over(plane, t) - (plane.offset - offsets_.rest);
        if (lift_with(plane, lack + 2.0 * offsets_.rounding)) return true;
    }
    return lift_over_own_ground(t, direction, wish);
}

// With the ground that the edge in the way belongs to, where that goes on below the ball.
template <class Real>
bool GrazeMover<Real>::lift_over_own_ground(const NearTriangle& t, const Direction& direction,
                                            const Vec3& wish) noexcept {
    const Vec3 centre = local(place_);
    const std::optional<Ground> ground = ground_below(t, centre);
    if (!ground || !is_in_the_way(ground->normal, direction, wish)) return false;
    look_around(offsets_.witness, witnesses_);
    if (!goes_on(direction, ground->normal, witnesses_, centre, offsets_)) return false;
    const ContactPlane plane{{t.part, t.face, t.tag, false},
                             direction,
                             ground->normal,
                             t.corner_at(0),
                             ground->height,
                             0.0,
                             true,
                             nullptr};
    return lift_with(plane, offsets_.rest - ground->height + 2.0 * offsets_.rounding);
}

template <class Real>
Vec3 GrazeMover<Real>::stop_on_way(const Vec3& to, double time) const noexcept {
    return widened(narrowed<Real>(place_ + time * (to - place_)));
}

// Was the place on the way rounded by no more than `rounding`? The difference, its product with a
// time of at most 1 and the sum have no larger coordinates than those that it was found for.
template <class Real>
bool GrazeMover<Real>::has_room(const Vec3& to, const Vec3& stop) const noexcept {
    return norm_max(to - place_) <= request_.reach && norm_max(stop) <= request_.reach;
}

// To where the gap to the obstacle is that of rest, as far as rounding allows.
template <class Real>
bool GrazeMover<Real>::advance_to(const Obstacle& obstacle, const Vec3& to) noexcept {
    const Path path = path_between(around_.frame(), place_, to);
    const Arrival arrival =
        arrival_at(*obstacle.triangle, path, offsets_.rest,
                   {obstacle.time, obstacle.direction, offsets_.hard + offsets_.rounding});
    GRAZE_ASSERT(arrival.time <= obstacle.time);
    const Vec3 stop = stop_on_way(to, arrival.time);
    if (stop == place_) return true;
    const bool proved = !obstacle.met_at_start && has_room(to, stop);
    if (!proved && !is_clear(stop)) return false;
    go_to(stop);
    left_ *= 1.0 - arrival.time;
    planes_known_ = renew_planes(obstacle, arrival.direction);
    return true;
}

// A face in the plane with this normal that the ball is right over: where a wall goes on in its
// next triangle. Null where there is none.
template <class Real>
const NearContact* GrazeMover<Real>::face_in_plane(const Vec3& normal,
                                                   const Vec3& centre) noexcept {
    if (!around_.complete()) return nullptr;
    const NearList& list = around_.list();
    for (std::size_t i = 0; i < list.count; ++i) {
        const NearTriangle& t = list.triangle[i];
        if (!(std::fabs(dot(normal, t.normal_vector())) >= kSquare)) continue;
        const double height = std::fabs(dot(t.normal_vector(), centre - t.corner_at(0)));
        if (!(height <= offsets_.contact)) continue;
        const Direction direction = direction_to(t, centre);
        if (direction.feature == Feature::Face)
            return near_.remember({&t, direction, direction.w, height}, true);
    }
    return nullptr;
}

// The planes of the last turn as they are here, with that of the obstacle. More may hold it: the
// next way tells. False: look around, since a plane that held it may have another in its place, or
// only others can tell what an edge is.
template <class Real>
bool GrazeMover<Real>::renew_planes(const Obstacle& obstacle, const Direction& direction) noexcept {
    if (direction.feature != Feature::Face || has_raised_ || gathered_again_) return false;
    const Vec3 centre = local(place_);
    ContactPlanes kept;
    const auto renew = [&](const NearTriangle& t, const NearContact* contact,
                           const Direction& from_face) {
        const double height = dot(from_face.w, centre - t.corner_at(0));
        if (!(height >= offsets_.settled && height <= offsets_.contact)) return false;
        kept.add({{t.part, t.face, t.tag, false},
                  from_face,
                  (1.0 / length_of(from_face.w)) * from_face.w,
                  t.corner_at(0),
                  height,
                  0.0,
                  true,
                  contact});
        return true;
    };
    for (const ContactPlane& p : planes_.all()) {
        const Direction now = direction_to(*p.contact->triangle, centre);
        if (now.feature == Feature::Face && renew(*p.contact->triangle, p.contact, now)) continue;
        const bool held = dot(p.normal, around_.frame().local_vector(request_.wish)) < 0.0;
        if (!held) continue;
        const NearContact* next = face_in_plane(p.normal, centre);
        if (next == nullptr || !renew(*next->triangle, next, next->direction)) return false;
    }
    const NearContact* met = near_.remember(
        {obstacle.triangle, direction, direction.w, offsets_.rest}, around_.complete());
    if (met == nullptr || !renew(*met->triangle, met, direction)) return false;
    planes_ = kept;
    return true;
}

// It stays. A lift that led nowhere is taken back, so that rest is rest.
template <class Real>
void GrazeMover<Real>::stand() noexcept {
    if (has_raised_ && place_ == after_lift_) go_back_to(before_lift_);
}

// Takes the end of a free way. Along a crease that is a curve (edges and corners make such), a move
// across the wish may pass the place that is farthest along it, and come back in the next frame,
// for ever; then the place between, where the wish points neither way, is taken.
template <class Real>
void GrazeMover<Real>::accept(const Vec3& to, const Vec3& move, const Vec3& wish,
                              bool proved_with_room) noexcept {
    const Vec3 from = place_;
    go_to(to);
    left_ = 0.0;
    result_.stopped = StopReason::Free;
    const double forward = dot(wish, move);
    const double length_sq = norm_sq(move);
    if (!(forward * forward < kAcross * kAcross * norm_sq(wish) * length_sq)) return;
    const bool is_straight = std::all_of(planes_.all().begin(), planes_.all().end(),
                                         [](const ContactPlane& p) { return p.of_face; });
    if (is_straight) return;
    if (!look_for_contacts()) return;  // not proved: nor will it be handed back
    make_planes();
    const double back = dot(allowed(wish).move, move);
    if (!(back < 0.0)) return;
    const double part = length_sq / (length_sq - back);
    go_back_to(from);
    const Vec3 between = stop_on_way(to, part);
    if ((proved_with_room && has_room(to, between)) || is_clear(between)) go_to(between);
}

template <class Real>
bool GrazeMover<Real>::turn() noexcept {
    const Vec3 wish = left_ * wish_;
    if (!planes_known_) make_planes();
    planes_known_ = false;
    const AllowedMove move = allowed(wish);
    for (int i = 0; i < move.active_count; ++i) {
        const ContactPlane& p = planes_[move.active[static_cast<std::size_t>(i)]];
        touch(p.face, p.direction, 1.0 - left_);
        if (!p.of_face && p.contact != nullptr &&
            lift_over(*p.contact->triangle, p.direction, wish))
            return true;
    }
    const double least = kStillMove<Real> * left_ * wish_length_;
    const Vec3 to = moved(move.move);
    if (!(norm_sq(move.move) > least * least) || to == place_) {
        result_.stopped = move.active_count > 0 ? StopReason::Blocked : StopReason::Free;
        stand();
        return false;
    }
    if (!is_finite(to)) return false;
    const Obstacle obstacle = first_obstacle(to);
    if (!obstacle.hit) {
        if (!obstacle.met_at_start || is_clear(to))
            accept(to, move.move, wish, !obstacle.met_at_start);
        return false;
    }
    const NearTriangle& met = *obstacle.triangle;
    touch({met.part, met.face, met.tag, false}, obstacle.direction,
          1.0 - left_ * (1.0 - obstacle.time));
    return lift_over(met, obstacle.direction, wish) || advance_to(obstacle, to);
}

// By the distances of all that is near, as if nothing were known of the way to here.
template <class Real>
bool GrazeMover<Real>::is_proved_here() noexcept {
    const Vec3 centre = local(place_);
    // The plane that led here may part most of it from the ball still.
    const Vec3 normal = planes_.all().empty() ? Vec3{} : planes_[0].normal;
    if (around_.is_clear_at(centre, offsets_.kept, normal)) return true;
    if (around_.covers({centre, centre}, offsets_.kept)) return false;
    around_.gather(box_around(around_.frame(), place_, place_, offsets_.kept));
    return around_.is_clear_at(centre, offsets_.kept);
}

template <class Real>
void GrazeMover<Real>::take_turns() noexcept {
    result_.stopped = StopReason::Blocked;
    while (turn()) {
        if (result_.iterations == kMaxMoveIterations) {
            result_.stopped = StopReason::Limit;
            return;
        }
        ++result_.iterations;
        if (!planes_known_ && !look_for_contacts()) return;
    }
    if (share_ < 1.0 && result_.stopped == StopReason::Free) result_.stopped = StopReason::Limit;
}

// Whatever led to the place: it is proved here, or the last one that was is handed back.
template <class Real>
void GrazeMover<Real>::finish(bool pushed) noexcept {
    const Vec3 start = widened(request_.start);
    if (place_ != proved_at_ && !is_proved_here()) {
        go_back_to(proved_at_);
        result_.stopped = StopReason::Blocked;
    }
    if (pushed) {
        result_.stopped = StopReason::PushedOut;
    } else if (!has_raised_ && place_ != start && !(dot(asked_, place_ - start) > 0.0)) {
        go_back_to(start);  // by rounding
        result_.stopped = StopReason::Blocked;
    }
    result_.position = narrowed<Real>(place_);
    GRAZE_ASSERT(widened(result_.position) == place_);
    result_.gap_proved = true;
}

template <class Real>
void GrazeMover<Real>::run() noexcept {
    result_.iterations = 1;
    if (request_.trail != nullptr) request_.trail->start(place_);
    if (request_.too_long) [[unlikely]] {
        if (flies()) return finish(false);
        use_skin(double{request_.skin});
    }
    gather(slack_);
    bool pushed = !look_for_contacts();
    if (pushed && !push_out()) return;  // the start, and nothing proved
    if (request_.too_long && !fit_skin(pushed)) return;
    pushed = pushed || place_ != widened(request_.start);
    result_.stopped = share_ < 1.0 ? StopReason::Limit : StopReason::Free;
    if (norm_max(request_.wish) > 0.0) take_turns();
    finish(pushed);
}

template class GrazeMover<float>;
template class GrazeMover<double>;

}  // namespace graze::slide
