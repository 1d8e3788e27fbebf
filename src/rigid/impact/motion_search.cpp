// Slabs of time, earliest first, each halved until boxes, directions or proofs of contact decide it
// (RI-8). Invariant: [0, now_) is free while all_free_ holds, [0, free_until_) afterwards; two pieces
// that can meet between now_ and the end of a level lie below a pair of its list.
#include "rigid/impact/motion_search.hpp"

#include <algorithm>
#include <new>
#include <optional>

#include "graze/core/norm_bounds.hpp"
#include "graze/core/rounding.hpp"
#include "graze/rigid/impact.hpp"
#include "rigid/impact/directions.hpp"
#include "rigid/impact/options.hpp"
#include "rigid/impact/proof.hpp"
#include "rigid/motion/joints.hpp"
#include "rigid/motion/larger_bound.hpp"
#include "rigid/nearest_faces.hpp"

namespace graze::rigid {

namespace detail {

namespace {

constexpr double kMotionUnit = 0x1p-53;
constexpr double kMotionSlack = 1.0 + 0x1p-40;
// Where B is displaced by more than this many sizes of the boxes, the slab is halved before they are
// split. No part of a proof.
constexpr double kMostSizes = 1.0;
constexpr double kUndivided = 1.5;
constexpr std::size_t kMostNodePairs = 4'000'000;

// The body's centre as the origin: x -> pose(x + centre).
[[nodiscard]] PoseEnclosure about_centre(const PoseEnclosure& pose, const Vec3& centre) noexcept {
    PoseEnclosure shift;
    shift.linear = {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};
    shift.translation = centre;
    shift.linear_error = shift.translation_error = 0.0;
    return compose(pose, shift);
}

[[nodiscard]] Frame frame_at(const PoseEnclosure& pose, double t) noexcept {
    Frame frame;
    frame.t = t;
    frame.rotation = {pose.linear[0], pose.linear[1], pose.linear[2]};
    frame.centre = pose.translation;
    return frame;
}

[[nodiscard]] std::optional<Pose> pose_est(const Motion& motion, double t) {
    const PoseEnclosure at = motion.at(t, {});
    const std::array<double, 12> rows = {at.linear[0].x,   at.linear[0].y,   at.linear[0].z,
                                         at.translation.x, at.linear[1].x,   at.linear[1].y,
                                         at.linear[1].z,   at.translation.y, at.linear[2].x,
                                         at.linear[2].y,   at.linear[2].z,   at.translation.z};
    const auto pose = pose_from_matrix(rows);
    if (!pose) return std::nullopt;
    return *pose;
}

// More directions, those of the start of the slab: crosses of edges, and the nearest points as well as
// they can be had.
[[nodiscard]] bool are_separated_by_edges(const Slab& slab, const Piece& a,
                                          const Piece& b) noexcept {
    const PieceSlab pair = {corners_of(a), transformed(slab.first, b), transformed(slab.last, b),
                            slab.slack, slab.bulge(b.reach)};
    bool is_free = false;
    const auto try_direction = [&](Vec3 n, Source) {
        is_free = is_free || free_fraction(pair, n).proved == kAllFree;
        return is_free;
    };
    visit_edge_directions(pair.a, a, pair.first, b, slab.first.rotation * b.normal, try_direction);
    return is_free ||
           try_direction(unit(nearest_difference(pair.a, pair.first, {}, 0x1p-30)), Source::None);
}

}  // namespace

MotionPair::MotionPair(const BodyTree& a, const Motion& motion_a, const BodyTree& b,
                       const Motion& motion_b) noexcept
    : a_(a), b_(b), motion_a_(motion_a), motion_b_(motion_b), origin_(motion_a.start()) {}

// RI-8: L = L_A^T L_B and T = L_A^T (y_B - y_A), y the centres in the world. The difference rounds by u
// of each coordinate.
MotionPair::Factors MotionPair::at(double t) const noexcept {
    const PoseEnclosure of_a = about_centre(motion_a_.at(t, origin_), a_.extent.centre);
    const PoseEnclosure of_b = about_centre(motion_b_.at(t, origin_), b_.extent.centre);
    Factors factors;
    const Matrix3& m = of_a.linear;
    factors.outer.linear = {Vec3{m[0].x, m[1].x, m[2].x}, Vec3{m[0].y, m[1].y, m[2].y},
                            Vec3{m[0].z, m[1].z, m[2].z}};
    factors.outer.linear_error = of_a.linear_error;
    factors.outer.translation_error = 0.0;
    factors.inner = of_b;
    factors.inner.translation = of_b.translation - of_a.translation;
    factors.inner.translation_error = (of_a.translation_error + of_b.translation_error +
                                       2.0 * kMotionUnit * norm_one(factors.inner.translation)) *
                                      kMotionSlack;
    return factors;
}

// RI-8: of the positions of B's corners and boxes, and of their projections.
double MotionPair::error_of(const PoseEnclosure& pose) const noexcept {
    const double radius = b_.extent.radius;
    const double sizes = a_.extent.radius + radius + norm_one(pose.translation);
    return (pose.translation_error + 1.75 * pose.linear_error * radius +
            40.0 * kMotionUnit * sizes) *
               kMotionSlack +
           0x1p-1000;
}

MotionPair::ErrorSlab MotionPair::slab(double first, double last,
                                       double separation) const noexcept {
    const Factors at_first = at(first);
    const Factors at_last = at(last);
    const ChordDeviation of_a = motion_a_.deviation(first, last);
    const ChordDeviation of_b = motion_b_.deviation(first, last);
    const double centre_a = norm_upper(a_.extent.centre);
    const double centre_b = norm_upper(b_.extent.centre);
    // Of the difference of the centres: both translations, and both centres carried by the rotations.
    const double of_centres =
        (of_a.translation + of_a.linear * centre_a + of_b.translation + of_b.linear * centre_b) *
        kMotionSlack;
    const ChordDeviation k =
        deviation_of_product({at_first.outer, at_last.outer, {0.0, of_a.linear}},
                             {at_first.inner, at_last.inner, {of_centres, of_b.linear}});
    const PoseEnclosure pose_first = compose(at_first.outer, at_first.inner);
    const PoseEnclosure pose_last = compose(at_last.outer, at_last.inner);
    ErrorSlab result;
    result.error = larger_bound(error_of(pose_first), error_of(pose_last));
    Slab& s = result.slab;
    s.first = frame_at(pose_first, first);
    s.last = frame_at(pose_last, last);
    s.length = sub_up(last, first);
    s.slack = (result.error + separation) * kMotionSlack;
    s.centre_bulge = k.translation * kMotionSlack;
    s.rotation_bulge = k.linear * kMotionSlack;
    set_axes(s);
    return result;
}

MotionPair::ErrorFrame MotionPair::frame(double t) const noexcept {
    const Factors factors = at(t);
    const PoseEnclosure pose = compose(factors.outer, factors.inner);
    return {frame_at(pose, t), error_of(pose)};
}

double MotionPair::smooth_end(double t, double t_max) const noexcept {
    return smooth_end_of(motion_a_, motion_b_, t, t_max);
}

MotionSearch::MotionSearch(const RigidBody& a, const Motion& motion_a, const RigidBody& b,
                           const Motion& motion_b, const ImpactOptions& options)
    : a_(tree_of(a)),
      b_(tree_of(b)),
      motion_a_(motion_a),
      motion_b_(motion_b),
      options_(options),
      motion_(a_, motion_a, b_, motion_b),
      stop_(options.stop),
      shortest_(std::max(0.25 * options.time_width, 0x1p-50)) {}

// Exact where both poses are given. Otherwise boxes that are disjoint at t = 0 prove all; surfaces that
// are not closed have no inside; and of others nothing is known.
bool MotionSearch::begins_in_contact() {
    const std::optional<Pose> pose_a = motion_a_.exact_start();
    const std::optional<Pose> pose_b = motion_b_.exact_start();
    if (pose_a && pose_b) {
        result_.start = start_state(a_.surface, *pose_a, b_.surface, *pose_b, options_.stop);
    } else {
        const Slab at_start = motion_.slab(0.0, 0.0, 0.0).slab;
        if (free_fraction(at_start, a_.nodes[0], b_.nodes[0]).fraction.proved == kAllFree)
            result_.start = StartState::Separated;
    }
    const bool has_inside = a_.surface.report().is_closed() || b_.surface.report().is_closed();
    const bool is_solid = options_.model == BodyModel::Solid && has_inside;
    may_be_inside_ = is_solid && result_.start == StartState::Unresolved;
    const bool is_inside =
        result_.start == StartState::AInsideB || result_.start == StartState::BInsideA;
    if (result_.start != StartState::Contact && !(is_solid && is_inside)) return false;
    result_.toi_upper = 0.0;
    return true;
}

bool MotionSearch::is_spent() noexcept {
    return result_.checks >= options_.max_checks || stop_();
}

// Replaces the pairs by what is not proved separated in the slab. A pair waits unsplit where the slab is
// too long for its boxes. Without budget the rest stays as it is.
void MotionSearch::descend(const Slab& slab, std::vector<Pair>& pairs) {
    todo_.swap(pairs);
    pairs.clear();
    const bool is_divisible = slab.length > kUndivided * shortest_;
    while (!todo_.empty()) {
        const Pair next = todo_.back();
        todo_.pop_back();
        ++result_.checks;
        if (is_spent() || pairs.size() >= kMostNodePairs) {
            pairs.push_back(next);
            continue;
        }
        const Node& a = a_.nodes[next.a];
        const Node& b = b_.nodes[next.b];
        const NodeBound bound = free_fraction(slab, a, b);
        if (bound.fraction.proved == kAllFree) continue;
        const double size = kMostSizes * (a.size + b.size);
        if (is_divisible && bound.displacement_sq_est > size * size) {
            pairs.push_back(next);
        } else if (a.is_leaf && b.is_leaf) {
            const Piece& of_a = a_.pieces[a.child];
            const Piece& of_b = b_.pieces[b.child];
            if (!are_separated(slab, of_a, of_b) && !are_separated_by_edges(slab, of_a, of_b))
                pairs.push_back(next);
        } else if (b.is_leaf || (!a.is_leaf && a.size >= b.size)) {
            todo_.push_back({a.child, next.b});
            todo_.push_back({a.child + 1, next.b});
        } else {
            todo_.push_back({next.a, b.child});
            todo_.push_back({next.a, b.child + 1});
        }
    }
}

// Calls proves(a, b) for pairs of pieces until one is proved to be in contact by the time.
template <class Proves>
bool MotionSearch::any_contact(const std::vector<Pair>& pairs, double time, const Proves& proves) {
    for (const Pair& pair : pairs) {
        const Node& node_a = a_.nodes[pair.a];
        const Node& node_b = b_.nodes[pair.b];
        if (!node_a.is_leaf || !node_b.is_leaf) continue;
        if (is_spent()) return false;
        ++result_.checks;
        const Piece& a = a_.pieces[node_a.child];
        const Piece& b = b_.pieces[node_b.child];
        if (!proves(a, b)) continue;
        result_.contact.a = a.face;
        result_.contact.b = b.face;
        result_.toi_upper = time;
        return true;
    }
    return false;
}

// At the end of the slab, by proof (RI-6).
bool MotionSearch::has_contact(const MotionPair::ErrorSlab& at, const std::vector<Pair>& pairs) {
    const double d = options_.min_separation;
    return any_contact(pairs, at.slab.last.t, [&](const Piece& a, const Piece& b) {
        const Corners at_b = transformed(at.slab.last, b);
        return d > 0.0 ? is_within(corners_of(a), a.triangles, at_b, b.triangles, at.error, d)
                       : is_pierced(corners_of(a), a.triangles, at_b, b.triangles, at.error);
    });
}

// Does a point of one piece pass through the other between a moment before now_ and the end? Beginning
// before makes the first side certain where now_ itself touches; not before a joint.
bool MotionSearch::has_passage(double end, const std::vector<Pair>& pairs) {
    const double before = std::max(now_ - (end - now_), 0.0);
    const double first = motion_.smooth_end(before, end) >= end ? before : now_;
    const MotionPair::ErrorSlab at = motion_.slab(first, end, 0.0);
    return any_contact(pairs, end, [&](const Piece& a, const Piece& b) {
        return is_passed(corners_of(a), a.triangles, transformed(at.slab.first, b),
                         transformed(at.slab.last, b), b.triangles, at.slab.bulge(b.reach),
                         at.error);
    });
}

// After a slab that was not decided slabs grow: halving finds an earlier time of contact, by a proof of
// its own.
void MotionSearch::lower_upper_bound(const std::vector<Pair>& pairs) {
    double low = free_until_;
    while (result_.toi_upper - low > options_.time_width && !is_spent()) {
        const double middle = low + 0.5 * (result_.toi_upper - low);
        if (!(low < middle && middle < result_.toi_upper)) return;
        if (!has_contact(motion_.slab(middle, middle, 0.0), pairs)) low = middle;
    }
}

// The slab is as short as slabs get: true where contact is proved by its end. Otherwise what comes later
// can only be contact or Unresolved; slabs double, so that some thirty cover the step.
bool MotionSearch::leave_undecided(const MotionPair::ErrorSlab& at, const Level& level) {
    if (all_free_) {
        all_free_ = false;
        free_until_ = now_;
    }
    if (has_contact(at, level.pairs) || has_passage(level.end, level.pairs)) {
        lower_upper_bound(level.pairs);
        return true;
    }
    now_ = level.end;
    shortest_ *= 2.0;
    return false;
}

// The covers are disjoint in [0, free_until), and so are the surfaces within them. Parts that fit closely
// meet where the bodies do: the first slab is as short as slabs get.
void MotionSearch::begin_after(const CoverTime& covered) {
    if (!(covered.free_until > 0.0)) return;
    // Not reached by covers; then the end of the step itself would be open.
    if (!covered.all_free && !(covered.free_until < options_.t_max)) return;
    now_ = std::min(covered.free_until, options_.t_max);
    levels_.push_back({options_.t_max, {{0, 0}}});
    const double end = now_ + shortest_;
    if (now_ < end && end < options_.t_max) levels_.push_back({end, {{0, 0}}});
}

ImpactResult MotionSearch::run() {
    const CoverTime covered = free_by_covers(a_.cover, motion_a_, b_.cover, motion_b_, options_);
    if (decide_by_covers(a_, motion_a_, b_, motion_b_, options_, covered, result_)) return result_;
    result_ = {};
    result_.checks = covered.checks;
    if (begins_in_contact()) return finished(Verdict::Contact);
    begin_after(covered);
    // Where the start is all there is, the exact answer is that of the query.
    if (options_.t_max == 0.0 && options_.min_separation == 0.0 &&
        result_.start != StartState::Unresolved)
        return finished(Verdict::Separated);
    if (covered.all_free) return finished(Verdict::Separated);
    do {
        if (levels_.empty()) {
            const double end = motion_.smooth_end(now_, options_.t_max);
            // Joints come one after the other: a motion whose next one is not later is followed no more.
            if (!(end > now_) && now_ < options_.t_max) return finished(Verdict::Unresolved);
            levels_.push_back({end, {{0, 0}}});
        }
        Level& level = levels_.back();
        options_.progress.tell(options_.t_max > 0.0 ? now_ / options_.t_max : 0.0);
        const MotionPair::ErrorSlab at = motion_.slab(now_, level.end, options_.min_separation);
        descend(at.slab, level.pairs);
        if (is_spent()) return finished(Verdict::Unresolved);
        if (level.pairs.empty()) {
            now_ = level.end;
            levels_.pop_back();
        } else if (at.slab.length <= kUndivided * shortest_) {
            if (leave_undecided(at, level)) return finished(Verdict::Contact);
            levels_.pop_back();
        } else {
            const double middle = now_ + 0.5 * (level.end - now_);
            levels_.push_back({middle, level.pairs});
        }
    } while (!levels_.empty() || now_ < options_.t_max);
    return finished(all_free_ ? Verdict::Separated : Verdict::Unresolved);
}

ImpactResult MotionSearch::finished(Verdict verdict) {
    if (may_be_inside_ && verdict == Verdict::Separated) verdict = Verdict::Unresolved;
    const double free = may_be_inside_ ? 0.0 : all_free_ ? now_ : free_until_;
    result_.verdict = verdict;
    result_.toi_lower =
        verdict == Verdict::Separated ? kInfinity : std::min(free, result_.toi_upper);
    if (result_.contact.has_features()) estimate();
    return result_;
}

// Point and normal at toi_lower: the middle between the nearest points of the faces.
void MotionSearch::estimate() {
    Contact& contact = result_.contact;
    contact.time = contact.time_lower = result_.toi_lower;
    contact.time_upper = result_.toi_upper;
    const std::optional<Pose> pose_a = pose_est(motion_a_, contact.time);
    const std::optional<Pose> pose_b = pose_est(motion_b_, contact.time);
    if (!pose_a || !pose_b) return;
    const NearestPoints nearest =
        nearest_of_faces(a_.surface, contact.a, *pose_a, b_.surface, contact.b, *pose_b);
    contact.point = 0.5 * (nearest.on_a + nearest.on_b);
    const Vec3 across = unit(nearest.on_b - nearest.on_a);
    contact.normal = across != Vec3{} ? across : nearest.normal;
}

}  // namespace detail

namespace {

[[nodiscard]] ImpactResult sound_motion_impact(const RigidBody& a, const Motion& motion_a,
                                               const RigidBody& b, const Motion& motion_b,
                                               const ImpactOptions& options) noexcept {
    if (!motion_a.is_valid() || !motion_b.is_valid()) return {};
    if (!motion_a.is_rigid() || !motion_b.is_rigid()) return {};
    try {
        return detail::MotionSearch(a, motion_a, b, motion_b, options).run();
    } catch (const std::bad_alloc&) {
        return {};
    }
}

}  // namespace

ImpactResult first_impact(const RigidBody& a, const Motion& motion_a, const RigidBody& b,
                          const Motion& motion_b, const ImpactOptions& options) noexcept {
    if (!detail::is_valid(options)) return {};
    if (detail::tree_of(a).nodes.empty() || detail::tree_of(b).nodes.empty()) return {};
    return with_sound_arithmetic(
        [&]() noexcept { return sound_motion_impact(a, motion_a, b, motion_b, options); },
        []() noexcept { return ImpactResult{}; });
}

}  // namespace graze::rigid
