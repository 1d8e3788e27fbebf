// The first impact of two convex bodies. Derivation: docs/derivations/rigid_convex.md, RC-3 to RC-5.
#include <algorithm>
#include <cmath>
#include <optional>

#include "graze/core/norm_bounds.hpp"
#include "graze/rigid/convex.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "rigid/convex/box_axes.hpp"
#include "rigid/convex/exact_touch.hpp"
#include "rigid/convex/simplex.hpp"
#include "rigid/impact/options.hpp"
#include "rigid/impact/slab.hpp"
#include "rigid/motion/joints.hpp"
#include "rigid/witness.hpp"

namespace graze::rigid {

namespace {

using detail::BoxAxes;
using detail::BoxAxis;
using detail::free_fraction;
using detail::FreeFraction;
using detail::kAllFree;
using detail::MovingShape;
using detail::NearestDifference;
using detail::PairFrame;
using detail::PairFrames;
using detail::Simplex;

// Whatever the caller allows: two convex bodies take some ten to a hundred.
constexpr std::uint64_t kMostChecks = 1 << 20;

// What the search begins with.
struct ConvexPair {
    MovingShape a;
    MovingShape b;
    Vec3 origin;
    double margin;        // what is rounded about both cores and the separation, at least
    double margin_lower;  // and at most

    ConvexPair(const ConvexShape& shape_a, const Motion& motion_a, const ConvexShape& shape_b,
               const Motion& motion_b, double separation) noexcept
        : a(shape_a, motion_a),
          b(shape_b, motion_b),
          origin(motion_a.start()),
          margin(add_up(add_up(a.separate_rounding(), b.separate_rounding()), separation)),
          margin_lower(
              add_down(add_down(a.separate_rounding(), b.separate_rounding()), separation)) {}
    // No joint of a motion is between t and this.
    [[nodiscard]] double smooth_end(double t, double t_max) const noexcept {
        return smooth_end_of(a.motion, b.motion, t, t_max);
    }
};

struct Offset {
    Vec3 offset;
    double error = 0.0;
};
[[nodiscard]] Offset offset_at(const ConvexPair& pair, double t) noexcept {
    const PointEnclosure a = pair.a.motion.origin_at(t, pair.origin);
    const PointEnclosure b = pair.b.motion.origin_at(t, pair.origin);
    const Vec3 d = b.point - a.point;
    return {d, (a.error + b.error + 0x1p-50 * (norm_one(d) + pair.a.reach + pair.b.reach)) *
                       (1.0 + 0x1p-40) +
                   0x1p-1000};
}

// RC-3. Balls about the origins of both frames hold the bodies: the direction is that of the nearest
// point of the line between the offsets. It is the first guess for the bodies themselves, too.
struct BallTest {
    bool are_separated = false;
    Vec3 direction;
    double nearest_est = 0.0;  // the time at which the offset is nearest
};
[[nodiscard]] BallTest test_balls(const ConvexPair& pair, double t_max) noexcept {
    const double end = std::max(pair.smooth_end(0.0, t_max), 0.0);
    const Offset first = offset_at(pair, 0.0);
    const Offset last = offset_at(pair, end);
    const Vec3 e = last.offset - first.offset;
    const double length_sq = norm_sq(e);
    const double s =
        length_sq > 0.0 ? std::clamp(-dot(first.offset, e) / length_sq, 0.0, 1.0) : 0.0;
    const Vec3 n = detail::unit(first.offset + s * e);
    if (end != t_max || !pair.a.motion.is_rigid() || !pair.b.motion.is_rigid())
        return {false, n, s * end};
    const double reach = (pair.a.reach + pair.b.reach + pair.margin) * (1.0 + 0x1p-40);
    const double gap0 = dot(n, first.offset) - (reach + first.error);
    const double gap1 = dot(n, last.offset) - (reach + last.error);
    const double bulge = (pair.a.motion.deviation(0.0, end).translation +
                          pair.b.motion.deviation(0.0, end).translation) *
                         (1.0 + 0x1p-40);
    return {free_fraction(gap0, gap1, bulge).proved == kAllFree, n, s * end};
}

// Invariant: [0, now) is proved free, unless is_undecided_: then [0, result_.toi_lower) is.
class ConvexSearch {
public:
    ConvexSearch(const ConvexPair& pair, const ImpactOptions& options, const BallTest& balls,
                 const PairStep* step) noexcept
        : pair_(pair),
          step_(step),
          a_(pair.a),
          b_(pair.b),
          options_(options),
          origin_(pair.origin),
          frames_(pair.a, pair.b, pair.origin),
          gaps_(pair.a, pair.b, pair.margin, frames_.a_rests()),
          poll_(options.stop),
          margin_(pair.margin),
          direction_(balls.direction),
          nearest_est_(balls.nearest_est),
          budget_(std::min(options.max_checks, kMostChecks)),
          stride_(std::max(0.25 * options.time_width, 0x1p-52)) {
        are_boxes_ = margin_ == 0.0 && a_.shape.core() == ConvexShape::Core::Box &&
                     b_.shape.core() == ConvexShape::Core::Box && a_.motion.is_rigid() &&
                     b_.motion.is_rigid();
        const auto is_thin = [](const MovingShape& body) {
            const ConvexShape::Core core = body.shape.core();
            return core == ConvexShape::Core::Point || core == ConvexShape::Core::Segment;
        };
        are_round_ = margin_ > 0.0 && is_thin(a_) && is_thin(b_);
    }

    [[nodiscard]] ImpactResult run() noexcept {
        if (options_.t_max == 0.0) return at_rest();
        first_ = frame(0.0);
        limit_ = last_ = frame(smooth_end(0.0));
        // Far off the direction of the balls does, and no other is needed.
        const double proved = along(direction_, bulge(0.0, last_->t)).free.proved;
        if (proved == kAllFree && last_->t == options_.t_max) return separated();
        if (are_boxes_ && (proved > 0.0 || gap(*first_, detail::unit(first_->offset)) > 0.0)) {
            look_ahead();
        } else if (meets_at_start()) {
            return contact(0.0, 0.0);
        } else if (are_boxes_) {
            look_ahead();
        } else {
            if (!(proved > 0.0)) direction_ = start_direction_;
            if (are_round_) look_for_touch();
        }
        while (result_.checks < budget_ && !poll_()) {
            if (advance()) return result_;
            report();
        }
        return unresolved();
    }

private:
    [[nodiscard]] const PairFrame* frame(double t) noexcept {
        return slots_.make(frames_, t, {}, first_, last_, limit_, contact_);
    }
    [[nodiscard]] double smooth_end(double t) const noexcept {
        return std::max(pair_.smooth_end(t, options_.t_max), t);
    }
    [[nodiscard]] double gap(const PairFrame& f, const Vec3& n) noexcept {
        return gaps_.at(f, n, result_.checks);
    }
    // Kept for the next question, which is often the same.
    [[nodiscard]] double bulge(double begin, double end) noexcept {
        if (begin != bulge_.begin || end != bulge_.end)
            bulge_ = {begin, end, frames_.bulge(begin, end)};
        return bulge_.k;
    }

    // --- Unproved proposals ----------------------------------------------------------------------

    // A direction from A to B at the time of the frame; 0 where the bodies seem to overlap.
    [[nodiscard]] Vec3 separating_direction(const PairFrame& f, Simplex& simplex) noexcept {
        if (are_boxes_) {
            const BoxAxes axes = box_axes(f);
            const BoxAxis best = axes.best();
            return best.gap > 0.0 ? axes.direction(best.id, f) : Vec3{};
        }
        return detail::unit(nearest(f, simplex).v);
    }
    [[nodiscard]] NearestDifference nearest(const PairFrame& f, Simplex& simplex) noexcept {
        const NearestDifference near = detail::nearest_difference(a_, b_, f, simplex, margin_);
        result_.checks += near.steps + 1;
        return near;
    }
    [[nodiscard]] BoxAxes box_axes(const PairFrame& f) noexcept {
        ++result_.checks;
        return {a_, b_, f};
    }

    // --- Where to begin --------------------------------------------------------------------------

    // Boxes at the time at which they are about nearest to each other: they overlap then, or their axis
    // of then separates them for long. What it does not reach is begun with the axis at the start.
    void look_ahead() noexcept {
        if (!(nearest_est_ > 0.0 && nearest_est_ < limit_->t)) return begin_with_start();
        const PairFrame* const near = frame(nearest_est_);
        const BoxAxes axes = box_axes(*near);
        const BoxAxis best = axes.best();
        if (!(best.gap > 0.0)) {
            last_ = near;
            return close_in(best);
        }
        const Vec3 n = axes.direction(best.id, *near);
        if (gap(*limit_, n) > 0.0) later_ = n;
        if (!(gap(*first_, n) > 0.0)) {
            begin_with_start();
        } else {
            direction_ = n;
            if (later_ != Vec3{} && proves_all_that_is_left(n)) return;
        }
        last_ = near;
    }
    void begin_with_start() noexcept {
        if (start_direction_ == Vec3{}) start_direction_ = separating_direction(*first_, simplex_);
        if (start_direction_ != Vec3{}) direction_ = start_direction_;
    }
    [[nodiscard]] bool proves_all_that_is_left(const Vec3& n) noexcept {
        if (!(gap(*first_, n) > 0.0)) return false;
        const double k = bulge(first_->t, limit_->t);
        return free_fraction(gap(*first_, n), gap(*limit_, n), k).proved == kAllFree;
    }
    // Of boxes: a direction that separates them at limit_ is tried on all that is left, or they overlap
    // there and the contact is looked for. False: neither.
    [[nodiscard]] bool goes_to_limit() noexcept {
        if (!are_boxes_ || is_closing_in_) return false;
        if (later_ == Vec3{} && !is_limit_known_) {
            is_limit_known_ = true;
            const BoxAxes axes = box_axes(*limit_);
            const BoxAxis best = axes.best();
            if (best.gap > 0.0) {
                later_ = axes.direction(best.id, *limit_);
            } else {
                last_ = limit_;
                close_in(best);
                return true;
            }
        }
        if (later_ == Vec3{} || !proves_all_that_is_left(later_)) return false;
        direction_ = later_;
        last_ = limit_;
        return true;
    }

    // --- Contact ---------------------------------------------------------------------------------

    [[nodiscard]] bool meets_at_start() noexcept {
        const Vec3 n = separating_direction(*first_, simplex_);
        if (n != Vec3{} && gap(*first_, n) > 0.0) {
            start_direction_ = n;
            return false;
        }
        return meets(*first_, simplex_) || touches_at_start();
    }
    // Nothing in doubles separates the bodies at the start, or proves that they meet. Of the nearest
    // points of polytopes exact arithmetic decides whether they are common points (RC-4).
    [[nodiscard]] bool touches_at_start() noexcept {
        // Points of a core that has the rounding radius in it are rounded to doubles.
        if (margin_ > 0.0 || a_.inflation > 0.0 || b_.inflation > 0.0) return false;
        const std::optional<Pose> pose_a = step_ ? step_->a.start : a_.motion.exact_start();
        const std::optional<Pose> pose_b = step_ ? step_->b.start : b_.motion.exact_start();
        if (!pose_a || !pose_b) return false;
        ++result_.checks;
        return detail::have_common_point_exactly(a_.shape, *pose_a, b_.shape, *pose_b, simplex_);
    }
    [[nodiscard]] bool meets(const PairFrame& f, Simplex& simplex) noexcept {
        const NearestDifference near = nearest(f, simplex);
        if (!near.overlaps && !(norm_sq(near.v) <= margin_ * margin_)) return false;
        return detail::certainly_meet(a_, b_, f, simplex, pair_.margin_lower);
    }
    // Of boxes right after the time at which the gap along an axis has closed.
    [[nodiscard]] bool meets_at_features() noexcept {
        if (!are_boxes_ || last_ != contact_) return false;
        ++result_.checks;
        Simplex simplex;
        if (!detail::boxes_meet_along(a_, b_, *last_, contact_direction_, simplex)) return false;
        simplex_ = simplex;
        return true;
    }
    // A contact at the end of the slab, proved.
    [[nodiscard]] bool is_closed() noexcept {
        if (!meets_at_features()) {
            Simplex simplex = simplex_;
            detail::add_farthest(a_, b_, *last_, direction_, simplex);
            if (!meets(*last_, simplex)) return false;
            simplex_ = simplex;
        }
        result_ = contact(is_undecided_ ? result_.toi_lower : now_, last_->t);
        return true;
    }

    // --- Slabs -----------------------------------------------------------------------------------

    // Gaps at both ends of the slab, and what they prove.
    struct Bound {
        double gap0 = 0.0;
        double gap1 = 0.0;
        FreeFraction free;
    };
    [[nodiscard]] Bound along(const Vec3& n, double k) noexcept {
        if (n == Vec3{}) return {};
        const double gap0 = gap(*first_, n);
        if (!(gap0 > 0.0)) return {gap0, 0.0, {}};
        const double gap1 = gap(*last_, n);
        return {gap0, gap1, free_fraction(gap0, gap1, k)};
    }

    // One slab, from first_ to last_, with the direction kept from the last one and, where that one
    // does not separate the bodies at first_, another. True: result_ is the answer.
    [[nodiscard]] bool advance() noexcept {
        if (is_closing_in_ && contact_->t - first_->t <= 2.0 * stride_) {
            last_ = contact_;
            is_closing_in_ = false;
            if (is_closed()) return true;
        }
        const double k = bulge(first_->t, last_->t);
        Bound best = along(direction_, k);
        if (best.free.proved == kAllFree) return pass();
        const bool is_short = last_->t - first_->t <= 2.0 * stride_;
        if (is_short && is_closed()) return true;
        if (!(best.free.proved > 0.0)) {
            const Vec3 n = start_direction_ != Vec3{} ? start_direction_
                                                      : separating_direction(*first_, simplex_);
            start_direction_ = {};
            if (const Bound other = along(n, k); other.free.proved > 0.0) {
                best = other;
                direction_ = n;
                if (best.free.proved == kAllFree) return pass();
            }
        }
        if (is_short && !(best.free.proved > 0.125)) return skip();
        cut(best, k);
        return false;
    }

    // The slab is free, its end included.
    [[nodiscard]] bool pass() noexcept {
        if (last_->t == options_.t_max) {
            result_ = is_undecided_ ? unresolved() : separated();
            return true;
        }
        first_ = last_;
        if (!is_undecided_) now_ = first_->t;
        if (is_closing_in_) {
            last_ = contact_;
            return false;
        }
        if (first_->t == limit_->t && !has_next_piece()) return true;
        last_ = limit_;
        if (are_boxes_ && !(gap(*limit_, direction_) > 0.0)) static_cast<void>(goes_to_limit());
        return false;
    }
    // Joints come one after the other. A motion whose next one is not later is not followed any more.
    [[nodiscard]] bool has_next_piece() noexcept {
        const double end = smooth_end(first_->t);
        if (!(end > first_->t)) {
            result_ = unresolved();
            return false;
        }
        limit_ = frame(end);
        later_ = {};
        is_limit_known_ = false;
        return true;
    }

    // The slab is free up to a fraction. The next begins there and ends a little after the time at
    // which the gap seems to close; a direction that separates the bodies there is tried on all that
    // is left.
    void cut(const Bound& best, double k) noexcept {
        const double length = last_->t - first_->t;
        double next = first_->t + stride_;
        if (best.free.proved > 0.0) {
            const double proved = std::min(best.free.proved, 1.0 - 0x1p-40);
            const double begin =
                add_down(first_->t, mul_down(proved, sub_down(last_->t, first_->t)));
            const double end = first_->t + length * reach_of(best, k);
            next = begin + std::max(1.25 * (end - begin), stride_);
            if (!(next < last_->t)) next = begin + std::max(0.5 * (last_->t - begin), stride_);
            if (begin > first_->t) {
                first_ = frame(begin);
                if (!is_undecided_) now_ = begin;
            }
            if (last_->t - first_->t <= 2.0 * stride_) return;  // is_closed() is next
            if (takes_direction_ahead() || goes_to_limit()) return;
            // The end and its direction are as good as they get: what is left is less curved.
            if (is_closing_in_ && proved > 0.5) return;
        }
        is_closing_in_ = false;
        next = std::min(std::max(next, next_up(first_->t)), limit_->t);
        last_ = next < limit_->t ? frame(next) : limit_;
        steer();
    }
    // Takes the direction that separates boxes at about last_ where it proves more of the slab.
    [[nodiscard]] bool takes_direction_ahead() noexcept {
        if (ahead_.t != last_->t || ahead_.n == direction_ || !(gap(*first_, ahead_.n) > 0.0))
            return false;
        const double k = bulge(first_->t, last_->t);
        const double proved = along(ahead_.n, k).free.proved;
        if (proved != kAllFree && !(proved > along(direction_, k).free.proved)) return false;
        direction_ = ahead_.n;
        return true;
    }
    // The fraction of the slab up to which the same direction is likely to do: where the gap closes;
    // or, where only the curvature of the paths is in the way, so much that it is not.
    [[nodiscard]] static double reach_of(const Bound& best, double k) noexcept {
        if (best.gap1 <= 0.0) return best.free.closes_est;
        return std::min(std::sqrt(2.0 * best.gap0 / k), 0.5);
    }
    void steer() noexcept {
        if (are_boxes_) {
            const BoxAxes axes = box_axes(*last_);
            const BoxAxis best = axes.best();
            return best.gap > 0.0 ? follow(axes.direction(best.id, *last_)) : close_in(best);
        }
        Simplex simplex = simplex_;
        if (const Vec3 n = separating_direction(*last_, simplex); n != Vec3{}) follow(n);
    }
    // The direction separates the bodies at last_-> A gap that opens mostly proves the slab as it is;
    // one that closes is followed to its end.
    void follow(const Vec3& n) noexcept {
        const double gap0 = gap(*first_, n);
        if (!(gap0 > 0.0)) return;
        direction_ = n;
        const double gap1 = gap(*last_, n);
        const double closing = gap0 - gap1;
        if (!(closing > 0.0)) return;
        const double next = last_->t + 1.5 * (last_->t - first_->t) * (gap1 / closing);
        last_ = next < limit_->t ? frame(std::max(next, last_->t)) : limit_;
        if (!are_boxes_ || !(next < limit_->t)) return;
        const BoxAxes axes = box_axes(*last_);
        const BoxAxis best = axes.best();
        if (!(best.gap > 0.0)) return close_in(best);
        ahead_ = {last_->t, axes.direction(best.id, *last_)};
    }
    // The factor by which the value at the end that stays is taken smaller, after two steps to the same
    // side (Anderson and Bjorck 1973).
    [[nodiscard]] static double shrink(double here, double before) noexcept {
        const double factor = 1.0 - here / before;
        return factor > 0.0 ? factor : 0.5;
    }
    // Boxes that overlap at last_, and not at first_, `axis` being that of the largest gap at last_->
    // contact_ becomes a time right after that at which the last gap closes, last_ one right before it,
    // and the direction the axis of then, where it proves more: mostly all up to there.
    void close_in(const BoxAxis& axis) noexcept {
        // What was found from an earlier first_ may do again.
        if (!(contact_ && contact_->t > first_->t && contact_->t < last_->t)) find_overlap(axis);
        approach_contact();
    }
    void approach_contact() noexcept {
        is_closing_in_ = true;
        const double before = contact_->t - 1.75 * stride_;
        last_ = before > first_->t ? frame(before) : contact_;
        ahead_ = {last_->t, contact_direction_};
        static_cast<void>(takes_direction_ahead());
    }
    // contact_, between first_ and last_, by regula falsi along the axis that is open longest.
    void find_overlap(BoxAxis axis) noexcept {
        constexpr int kMostSteps = 24;
        contact_ = last_;
        BoxAxes at_contact = box_axes(*last_);
        const BoxAxes at_begin = box_axes(*first_);
        double low = first_->t;
        double gap_low = at_begin.gap(axis.id);
        if (!(gap_low > 0.0)) {
            axis = at_begin.best();
            gap_low = axis.gap;
        }
        double gap_high = at_contact.gap(axis.id);
        int side = 0;  // of the last step along this axis: 1 low, -1 high
        for (int i = 0; i < kMostSteps && gap_low > 0.0; ++i) {
            const double length = contact_->t - low;
            const double after = length * (-gap_high / (gap_low - gap_high));
            const double t = low + (length - after) + 0.5 * stride_;
            if (after <= stride_ || !(t > low && t < contact_->t)) break;
            const PairFrame* const f = frame(t);
            const BoxAxes axes = box_axes(*f);
            const BoxAxis best = axes.best();
            if (best.gap > 0.0 && best.id != axis.id) {
                axis = best;
                gap_high = at_contact.gap(best.id);
                side = 0;
            }
            if (best.gap > 0.0) {
                if (side > 0) gap_high *= shrink(best.gap, gap_low);
                low = t;
                gap_low = best.gap;
                side = 1;
            } else {
                const double gap_here = axes.gap(axis.id);
                if (side < 0) gap_low *= shrink(gap_here, gap_high);
                contact_ = f;
                at_contact = axes;
                gap_high = gap_here;
                side = -1;
            }
        }
        contact_direction_ = at_contact.direction(axis.id, *contact_);
    }

    // Of rounded points and segments by the distance of their cores: negative where they overlap.
    struct CoreGap {
        double gap;
        Vec3 direction;
    };
    [[nodiscard]] CoreGap core_gap(const PairFrame& f) noexcept {
        ++result_.checks;
        const auto second_end = [](const ConvexShape& shape) {
            return shape.core() == ConvexShape::Core::Segment ? shape.size() : shape.centre();
        };
        const auto at_b = [&](const Vec3& p) {
            return f.offset + detail::linear_times(f.b.linear, p);
        };
        const detail::Witness near =
            detail::nearest_of_segments(detail::linear_times(f.a.linear, a_.shape.centre()),
                                        detail::linear_times(f.a.linear, second_end(a_.shape)),
                                        at_b(b_.shape.centre()), at_b(second_end(b_.shape)));
        const Vec3 v = near.b - near.a;
        return {std::sqrt(norm_sq(v)) - margin_, v};
    }
    // Such bodies where they overlap at the time at which they are about nearest to each other: contact_
    // becomes a time right after that at which they meet. The square of the distance of two points in
    // straight motion is quadratic in time, and least at the nearest: that leads to a time near the
    // touch, and the secant method from there. Where a few steps do not do, shorter slabs follow.
    void look_for_touch() noexcept {
        constexpr int kMostSteps = 8;
        if (start_direction_ == Vec3{} || !(nearest_est_ > 0.0 && nearest_est_ < limit_->t)) return;
        const PairFrame* const near = frame(nearest_est_);
        CoreGap at_contact = core_gap(*near);
        if (!(at_contact.gap < 0.0)) return;
        contact_ = near;
        const double least = at_contact.gap + margin_;
        double low = first_->t;
        double t = low;
        double gap_t = gap(*first_, start_direction_);
        double slope = 0.0;  // of the secant; 0 where there is none yet
        for (int i = 0; i < kMostSteps; ++i) {
            const double distance = gap_t + margin_;
            const double ratio =
                (margin_ - least) * (margin_ + least) / ((distance - least) * (distance + least));
            const double touch = slope < 0.0 ? t - gap_t / slope
                                             : nearest_est_ - (nearest_est_ - t) * std::sqrt(ratio);
            const double next = touch + 0.5 * stride_;
            if (!(next > low && next < contact_->t && contact_->t - touch > stride_)) break;
            const PairFrame* const f = frame(next);
            const CoreGap here = core_gap(*f);
            if (i > 0) slope = (here.gap - gap_t) / (next - t);
            t = next;
            gap_t = here.gap;
            if (here.gap > 0.0) {
                low = t;
            } else {
                contact_ = f;
                at_contact = here;
            }
        }
        contact_direction_ = detail::unit(at_contact.direction);
        approach_contact();
    }

    // Neither free nor in contact by proof: the slab is left undecided, and those that follow are at
    // least twice as long, so that they are few.
    [[nodiscard]] bool skip() noexcept {
        if (!is_undecided_) {
            is_undecided_ = true;
            result_.toi_lower = now_;
        }
        if (last_->t == options_.t_max) {
            result_ = unresolved();
            return true;
        }
        stride_ *= 2.0;
        is_closing_in_ = false;
        first_ = last_;
        if (first_->t == limit_->t && !has_next_piece()) return true;
        last_ = frame(std::min(first_->t + stride_, limit_->t));
        return false;
    }

    [[nodiscard]] ImpactResult at_rest() noexcept {
        first_ = frame(0.0);
        if (meets_at_start()) return contact(0.0, 0.0);
        return start_direction_ != Vec3{} ? separated() : unresolved();
    }

    void report() const noexcept {
        if (options_.t_max > 0.0) options_.progress.tell(first_->t / options_.t_max);
    }

    [[nodiscard]] ImpactResult separated() noexcept {
        result_.verdict = Verdict::Separated;
        result_.toi_lower = kInfinity;
        result_.start = StartState::Separated;
        return result_;
    }
    [[nodiscard]] ImpactResult contact(double lower, double upper) noexcept {
        result_.verdict = Verdict::Contact;
        result_.toi_lower = lower;
        result_.toi_upper = upper;
        result_.start = upper == 0.0  ? StartState::Contact
                        : lower > 0.0 ? StartState::Separated
                                      : StartState::Unresolved;
        result_.contact.time_lower = lower;
        result_.contact.time_upper = upper;
        estimate();
        return result_;
    }
    [[nodiscard]] ImpactResult unresolved() noexcept {
        result_.verdict = Verdict::Unresolved;
        if (!is_undecided_) result_.toi_lower = now_;
        result_.start = result_.toi_lower > 0.0 ? StartState::Separated : StartState::Unresolved;
        result_.contact.time_lower = result_.toi_lower;
        estimate();
        return result_;
    }
    // The middle between the nearest points, at first_->
    void estimate() noexcept {
        result_.contact.time = first_->t;
        result_.contact.normal = direction_;
        Vec3 on_a;
        Vec3 on_b;
        double sum = 0.0;
        for (std::size_t i = 0; i < simplex_.size; ++i) {
            on_a += simplex_.weights[i] * simplex_.points[i].on_a;
            on_b += simplex_.weights[i] * simplex_.points[i].on_b;
            sum += simplex_.weights[i];
        }
        if (!(sum > 0.0)) return;
        const Vec3 p = detail::linear_times(first_->a.linear, (1.0 / sum) * on_a) +
                       first_->a.translation + a_.separate_rounding() * direction_;
        const Vec3 q = detail::linear_times(first_->b.linear, (1.0 / sum) * on_b) +
                       first_->b.translation - b_.separate_rounding() * direction_;
        result_.contact.point = origin_ + 0.5 * (p + q);
    }

    const ConvexPair& pair_;
    const PairStep* step_;  // that the motions were made from, or nothing
    const MovingShape& a_;
    const MovingShape& b_;
    const ImpactOptions& options_;
    Vec3 origin_;
    PairFrames frames_;
    detail::PairGaps gaps_;
    StopPoll poll_;
    double margin_ = 0.0;
    ImpactResult result_;
    detail::FrameSlots slots_;
    const PairFrame* first_ = nullptr;
    const PairFrame* last_ = nullptr;
    const PairFrame* limit_ = nullptr;  // the end of what is left before a joint
    // Of close_in(): a time at which the bodies seem to overlap, or nothing.
    const PairFrame* contact_ = nullptr;
    Vec3 contact_direction_;  // whose gap closes there
    double now_ = 0.0;
    bool is_undecided_ = false;
    Vec3 direction_;
    Vec3 later_;                   // of boxes: separates them at limit_, or 0
    bool is_limit_known_ = false;  // later_ was asked for
    double nearest_est_ = 0.0;     // when the balls about the bodies come nearest to each other
    Vec3 start_direction_;         // a direction that separates the bodies at 0
    Simplex simplex_;
    bool are_boxes_ = false;
    bool are_round_ = false;      // rounded points or segments
    bool is_closing_in_ = false;  // last_, direction_ and contact_ are those of close_in()
    struct DirectionAt {
        double t = -1.0;
        Vec3 n;
    };
    DirectionAt ahead_;  // of boxes, at a time later than first_
    struct KnownBulge {
        double begin = -1.0;  // no time
        double end = -1.0;
        double k = 0.0;
    };
    KnownBulge bulge_;
    std::uint64_t budget_ = 0;
    double stride_ = 0.0;  // slabs up to twice as long are not cut any more
};

[[nodiscard]] ImpactResult sound_convex_impact(const ConvexShape& a, const Motion& motion_a,
                                               const ConvexShape& b, const Motion& motion_b,
                                               const PairStep* step,
                                               const ImpactOptions& options) noexcept {
    if (!detail::is_valid(options)) return {};
    if (!motion_a.is_valid() || !motion_b.is_valid()) return {};
    const ConvexPair pair(a, motion_a, b, motion_b, options.min_separation);
    const BallTest balls = test_balls(pair, options.t_max);
    if (balls.are_separated) {
        ImpactResult result;
        result.verdict = Verdict::Separated;
        result.toi_lower = kInfinity;
        result.start = StartState::Separated;
        result.checks = 1;
        return result;
    }
    return ConvexSearch(pair, options, balls, step).run();
}

}  // namespace

ImpactResult first_impact(const ConvexShape& a, const Motion& motion_a, const ConvexShape& b,
                          const Motion& motion_b, const ImpactOptions& options) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept { return sound_convex_impact(a, motion_a, b, motion_b, nullptr, options); },
        []() noexcept { return ImpactResult{}; });
}

// Where A rests the motion of B is its own screw; else it is seen from A, and the contact brought back.
ImpactResult first_impact(const ConvexShape& a, const ConvexShape& b, const PairStep& step,
                          const ImpactOptions& options) noexcept {
    const auto search = [&]() noexcept {
        if (step.a.start == step.a.end) {
            return sound_convex_impact(a, BodyMotion::rest(step.a.start), b,
                                       BodyMotion::screw(step.b), &step, options);
        }
        ImpactResult found = sound_convex_impact(a, BodyMotion::rest({}), b,
                                                 BodyMotion::relative_screw(step), &step, options);
        const double t = found.contact.time;
        const Pose pose = world_pose_a(step, t);
        found.contact.point = apply(pose, found.contact.point);
        found.contact.normal = rotate(pose.rotation, found.contact.normal);
        return found;
    };
    return with_sound_arithmetic(search, []() noexcept { return ImpactResult{}; });
}

}  // namespace graze::rigid
