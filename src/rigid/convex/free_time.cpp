// How long two convex bodies stay separated. Slabs and their proofs are those of RC-2 and RC-3
// (docs/derivations/rigid_convex.md); contacts are not proved here, so that the bodies may be parts of a
// cover, and the search is a walk to the first of them by Newton steps.
#include "rigid/convex/free_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "graze/core/rounding.hpp"
#include "rigid/convex/simplex.hpp"
#include "rigid/convex/support.hpp"
#include "rigid/impact/slab.hpp"

namespace graze::rigid::detail {

namespace {

// Invariant: the bodies are disjoint in [from, first_->t).
class FreeTimeSearch {
public:
    FreeTimeSearch(const ConvexShape& a, const Motion& motion_a, const ConvexShape& b,
                   const Motion& motion_b, const FreeTimeStart& start,
                   const ImpactOptions& options) noexcept
        : a_(a, motion_a),
          b_(b, motion_b),
          options_(options),
          frames_(a_, b_, motion_a.start(), start.at_begin.a),
          margin_(add_up(add_up(a_.separate_rounding(), b_.separate_rounding()),
                         options.min_separation)),
          gaps_(a_, b_, margin_, frames_.a_rests()),
          stride_(std::max(0.25 * options.time_width, 0x1p-52)) {}

    [[nodiscard]] ConvexFreeTime run(const FreeTimeStart& start) noexcept {
        first_ = frame(start.from, start.at_begin);
        last_ = limit_ = frame(options_.t_max, start.at_end);
        direction_ = start.direction;
        tries_end_ = start.is_near_at_end;
        StopPoll stop(options_.stop);
        while (checks_ < options_.max_checks && !stop()) {
            Bound best = best_bound();
            if (best.free.proved == kAllFree && is_closing_) follow(best);
            if (best.free.proved == kAllFree) {
                if (last_->t == options_.t_max) return {options_.t_max, true, checks_, {}, {}, {}};
                pass(best);
            } else if (!(best.free.proved > 0.0) || cut(best)) {
                break;
            }
        }
        return met();
    }

private:
    // Gaps at both ends of the slab along a direction, and what they prove.
    struct Bound {
        double gap0 = 0.0;
        double gap1 = 0.0;
        FreeFraction free;
    };

    [[nodiscard]] const PairFrame* frame(double t, const KnownPoses& known = {}) noexcept {
        return slots_.make(frames_, t, known, first_, last_, limit_);
    }
    [[nodiscard]] double gap(const PairFrame& f, const Vec3& n) noexcept {
        return gaps_.at(f, n, checks_);
    }
    [[nodiscard]] double bulge() const noexcept { return frames_.bulge(first_->t, last_->t); }
    // Keeps the direction where it proves more than the best one so far.
    void try_direction(const Vec3& n, double k, Bound& best) noexcept {
        if (n == Vec3{}) return;
        const double gap0 = gap(*first_, n);
        if (!(gap0 > 0.0)) return;
        const double gap1 = gap(*last_, n);
        const FreeFraction free = free_fraction(gap0, gap1, k);
        if (!(free.proved > best.free.proved)) return;
        best = {gap0, gap1, free};
        direction_ = n;
    }
    // An estimate; 0 where the bodies seem to overlap. The difference of nearest points that are 1e-9
    // of the sizes from each other has lost nine digits, the normal of the triangle that it is across
    // none.
    [[nodiscard]] Vec3 separating_direction(const PairFrame& f, Simplex& simplex) noexcept {
        if (simplex.size == 0 && direction_ != Vec3{})
            add_farthest(a_, b_, f, -direction_, simplex);
        const NearestDifference near = nearest_difference(a_, b_, f, simplex, margin_);
        checks_ += near.steps + 1;
        if (near.overlaps || simplex.size != 3) return unit(near.v);
        const Vec3& p = simplex.points[0].difference;
        const Vec3 n =
            unit(cross(simplex.points[1].difference - p, simplex.points[2].difference - p));
        return dot(n, p) < 0.0 ? -n : n;
    }

    // The direction of before, then that of the nearest points at the end, which proves what has a gap
    // at both ends, then that at the beginning. Where a gap closes within the slab the last is the one.
    // Bodies that pass each other in a whole step have mostly another one at its end.
    [[nodiscard]] Bound best_bound() noexcept {
        const double k = bulge();
        Bound best;
        if (!is_closing_) {
            try_direction(direction_, k, best);
            if (best.free.proved == kAllFree) return best;
            if (tries_end_) try_direction(separating_direction(*last_, at_end_), k, best);
            if (best.free.proved == kAllFree) return best;
            tries_end_ = true;
        }
        bulge_ = k;
        if (is_closing_ && try_facets(k, best)) return best;
        try_direction(separating_direction(*first_, at_begin_), k, best);
        return best;
    }
    // A gap that closes is that of a facet, mostly the one of before. It rotates, and what matters is its
    // normal when it closes, about the end of the slab. True: no other direction is needed.
    [[nodiscard]] bool try_facets(double k, Bound& best) noexcept {
        const Facet at_end = facet_of(at_begin_, *last_);
        try_direction(at_end.normal, k, best);
        const Facet facet = facet_of(at_begin_, *first_);
        if (facet.normal == Vec3{}) return false;
        if (best.free.proved > 0.0) return best.gap0 > 0.5 * (facet.distance - margin_);
        try_direction(facet.normal, k, best);
        if (best.gap0 > 0.5 * (facet.distance - margin_)) return true;
        return facet.distance - margin_ < 8.0 * first_->error;
    }
    // The triangle that the nearest difference was across in an earlier frame, in the present one; none
    // where the nearest is not within it any more.
    struct Facet {
        Vec3 normal;
        double distance = 0.0;
    };
    [[nodiscard]] static Facet facet_of(const Simplex& simplex, const PairFrame& f) noexcept {
        if (simplex.size != 3) return {};
        const Vec3 p = difference_of(simplex.points[0], f);
        const Vec3 q = difference_of(simplex.points[1], f);
        const Vec3 r = difference_of(simplex.points[2], f);
        const Vec3 n = unit(cross(q - p, r - p));
        if (!(dot(n, cross(p, q)) >= 0.0 && dot(n, cross(q, r)) >= 0.0 &&
              dot(n, cross(r, p)) >= 0.0))
            return {};
        const double distance = dot(n, p);
        return distance < 0.0 ? Facet{-n, -distance} : Facet{n, distance};
    }

    // The slab is free, and its gap closes: it is made longer, to a little after the time at which that
    // is closed.
    void follow(Bound& best) noexcept {
        const double closing = best.gap0 - best.gap1;
        if (!(closing > 0.0) || last_->t == limit_->t) return;
        const double length = (last_->t - first_->t) * (best.gap0 / closing);
        const double next = first_->t + std::max(kBeyond * length, stride_);
        last_ = next < limit_->t ? frame(std::max(next, last_->t)) : limit_;
        bulge_ = bulge();
        best.gap1 = gap(*last_, direction_);
        best.free = free_fraction(best.gap0, best.gap1, bulge_);
    }
    // The slab is free, its end included.
    void pass(const Bound& best) noexcept {
        const double length = last_->t - first_->t;
        const double closing = best.gap0 - best.gap1;
        first_ = last_;
        last_ = limit_;
        is_closing_ = is_closing_ && closing > 0.0;
        if (!is_closing_) return;
        const double next = first_->t + std::max(kBeyond * length * (best.gap1 / closing), stride_);
        if (next < limit_->t) last_ = frame(next);
    }

    // The slab is free up to a fraction. The next begins there and ends a little after the time at
    // which the gap seems to close; or, where the curvature of the paths alone is in the way, so early
    // that it is not. True: the slab was as short as slabs get.
    [[nodiscard]] bool cut(const Bound& best) noexcept {
        const double length = last_->t - first_->t;
        const double proved = std::min(best.free.proved, 1.0 - 0x1p-40);
        const double begin = add_down(first_->t, mul_down(proved, sub_down(last_->t, first_->t)));
        is_closing_ = best.gap1 <= 0.0;
        const double reach =
            is_closing_ ? best.free.closes_est : std::min(std::sqrt(2.0 * best.gap0 / bulge_), 0.5);
        const double end = first_->t + length * reach;
        const bool is_short = length <= 2.0 * stride_;
        double next = begin + std::max(kBeyond * (end - begin), stride_);
        if (!(next < last_->t)) next = begin + std::max(0.5 * (last_->t - begin), stride_);
        if (begin > first_->t) first_ = frame(begin);
        if (is_short) return true;
        next = std::min(std::max(next, next_up(first_->t)), limit_->t);
        last_ = next < limit_->t ? frame(next) : limit_;
        return false;
    }

    [[nodiscard]] ConvexFreeTime met() const noexcept {
        ConvexFreeTime result;
        result.until = first_->t;
        result.checks = checks_;
        result.direction = direction_;
        const std::array<double, 4> weights = weights_of(at_begin_);
        for (std::size_t i = 0; i < at_begin_.size; ++i) {
            result.on_a += weights[i] * at_begin_.points[i].on_a;
            result.on_b += weights[i] * at_begin_.points[i].on_b;
        }
        return result;
    }
    // Of the point of the triangle that is nearest to the origin, in the present frame.
    [[nodiscard]] std::array<double, 4> weights_of(const Simplex& simplex) const noexcept {
        if (simplex.size != 3) return simplex.weights;
        const Vec3 p = difference_of(simplex.points[0], *first_);
        const Vec3 q = difference_of(simplex.points[1], *first_);
        const Vec3 r = difference_of(simplex.points[2], *first_);
        const double of_p = std::max(dot(direction_, cross(q, r)), 0.0);
        const double of_q = std::max(dot(direction_, cross(r, p)), 0.0);
        const double of_r = std::max(dot(direction_, cross(p, q)), 0.0);
        const double sum = of_p + of_q + of_r;
        if (!(sum > 0.0)) return simplex.weights;
        return {of_p / sum, of_q / sum, of_r / sum, 0.0};
    }
    [[nodiscard]] static Vec3 difference_of(const SimplexPoint& point,
                                            const PairFrame& f) noexcept {
        return (linear_times(f.b.linear, point.on_b) - linear_times(f.a.linear, point.on_a)) +
               f.offset;
    }

    // A slab is longer by this than the time after which its gap seems to close.
    static constexpr double kBeyond = 1.25;

    MovingShape a_;
    MovingShape b_;
    const ImpactOptions& options_;
    PairFrames frames_;
    double margin_;
    PairGaps gaps_;
    double stride_;  // slabs up to twice as long are not cut any more
    FrameSlots slots_;
    const PairFrame* first_ = nullptr;
    const PairFrame* last_ = nullptr;
    const PairFrame* limit_ = nullptr;
    Vec3 direction_;
    Simplex at_begin_;
    Simplex at_end_;
    double bulge_ = 0.0;  // of the present slab
    bool is_closing_ = false;
    bool tries_end_ =
        true;  // of a first slab whose ends are far from each other no use is made of it
    std::uint64_t checks_ = 0;
};

}  // namespace

ConvexFreeTime convex_free_time(const ConvexShape& a, const Motion& motion_a, const ConvexShape& b,
                                const Motion& motion_b, const FreeTimeStart& start,
                                const ImpactOptions& options) noexcept {
    return FreeTimeSearch(a, motion_a, b, motion_b, start, options).run(start);
}

}  // namespace graze::rigid::detail
