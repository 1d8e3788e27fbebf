// How long the covers of two bodies stay separated. Derivation: docs/derivations/rigid_impact.md, RI-9.
#include <algorithm>
#include <array>
#include <cmath>

#include "rigid/convex/free_time.hpp"
#include "rigid/convex/support.hpp"
#include "rigid/impact/cover.hpp"
#include "rigid/impact/slab.hpp"
#include "rigid/motion/joints.hpp"
#include "rigid/motion/larger_bound.hpp"

namespace graze::rigid::detail {

namespace {

// Balls are tested on so many intervals of the step at most.
constexpr std::size_t kMostIntervals = 12;
// Checks of one pair of parts: some ten to fifty are usual.
constexpr std::uint64_t kMostChecks = 400;

struct Times {
    std::array<double, kMostIntervals + 1> at{};
    std::size_t intervals = 0;
};

// The poses of one body at all times; of all of them the largest error and deviation.
struct Path {
    std::array<PoseEnclosure, kMostIntervals + 1> poses{};
    double linear_error = 0.0;
    double translation_error = 0.0;
    ChordDeviation deviation{0.0, 0.0};
    double farthest = 0.0;  // |translation| in the 1-norm

    void set(const Motion& motion, const Vec3& origin, const Times& times) noexcept {
        const bool rests = motion.is_at_rest();
        for (std::size_t k = 0; k <= times.intervals; ++k) {
            poses[k] = rests && k > 0 ? poses[0] : motion.at(times.at[k], origin);
            linear_error = larger_bound(linear_error, poses[k].linear_error);
            translation_error = larger_bound(translation_error, poses[k].translation_error);
            farthest = larger_bound(farthest, norm_one(poses[k].translation));
            if (k == 0) continue;
            const ChordDeviation own = motion.deviation(times.at[k - 1], times.at[k]);
            deviation.linear = larger_bound(deviation.linear, own.linear);
            deviation.translation = larger_bound(deviation.translation, own.translation);
        }
    }
};

// A ball on its path: around its centre at all times, and how far the part may be from the line
// between two of these, rounding errors included.
struct MovingBall {
    std::array<Vec3, kMostIntervals + 1> centre;
    double reach = 0.0;

    void set(const BoundingBall& ball, const Path& path, std::size_t intervals) noexcept {
        for (std::size_t k = 0; k <= intervals; ++k)
            centre[k] = linear_times(path.poses[k].linear, ball.centre) + path.poses[k].translation;
        const double size = norm_one(ball.centre);
        // L c + T: 5.3u |c| and a sum; the difference of two such centres once more.
        const double rounding = 0x1p-49 * (size + path.farthest);
        const double bulge = path.deviation.translation + path.deviation.linear * size;
        reach = (ball.radius + path.linear_error * size + path.translation_error + rounding +
                 0.25 * bulge) *
                    (1.0 + 0x1p-40) +
                0x1p-1000;
    }
};

// RI-5, balls: the nearest point of the segment from `first` to `last` to the origin, and whether a ball
// of this radius on it stays away from the origin.
struct SegmentTest {
    Vec3 nearest;
    bool is_clear = false;
};
[[nodiscard]] inline SegmentTest test_segment(const Vec3& first, const Vec3& last,
                                              double radius) noexcept {
    const Vec3 path = last - first;
    const double along = -dot(first, path);
    const double whole = norm_sq(path);
    const Vec3 p = !(along > 0.0) ? first : along >= whole ? last : first + (along / whole) * path;
    const double size_sq = norm_sq(p);
    // In this order the least is no number where one of both is none: then p is `first`.
    const double reached = std::min(dot(p, last), dot(p, first));
    return {p, size_sq > 0x1p-900 && reached > 0x1p-900 && reached > std::sqrt(size_sq) * radius};
}

// The intervals in which the balls of two parts may meet: first to last, none where first > last.
struct Near {
    std::size_t first = 1;
    std::size_t last = 0;
    Vec3 direction;         // from A to B where they come nearest in the first of them
    double distance = 0.0;  // estimate, then
};
[[nodiscard]] Near near_intervals(const MovingBall& a, const MovingBall& b, double separation,
                                  std::size_t intervals) noexcept {
    const double radius = (a.reach + b.reach + separation) * (1.0 + 0x1p-40);
    Near near;
    Vec3 first = b.centre[0] - a.centre[0];
    for (std::size_t k = 0; k < intervals; ++k) {
        const Vec3 last = b.centre[k + 1] - a.centre[k + 1];
        const SegmentTest test = test_segment(first, last, radius);
        first = last;
        if (test.is_clear) continue;
        if (near.first > near.last) {
            near.first = k;
            near.direction = test.nearest;
            near.distance = norm_sq(test.nearest);
        }
        near.last = k;
    }
    return near;
}

// Two parts whose balls may meet.
struct PartPair {
    std::size_t a;
    std::size_t b;
    Near near;
};
[[nodiscard]] bool is_earlier(const PartPair& x, const PartPair& y) noexcept {
    if (x.near.first != y.near.first) return x.near.first < y.near.first;
    if (x.near.distance != y.near.distance) return x.near.distance < y.near.distance;
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

class CoverSearch {
public:
    CoverSearch(const Cover& a, const Motion& motion_a, const Cover& b, const Motion& motion_b,
                const ImpactOptions& options)
        : a_(a), b_(b), motion_a_(motion_a), motion_b_(motion_b), options_(options) {
        own_.min_separation = options.min_separation;
        own_.time_width = 0.25 * options.time_width;
        own_.stop = options.stop;
    }

    [[nodiscard]] CoverTime run() {
        set_times();
        find_pairs();
        test_pairs();
        if (!(result_.free_until > 0.0)) return result_;
        result_.all_free = result_.free_until > options_.t_max;
        result_.is_disjoint_start = starts_disjoint();
        return result_;
    }

private:
    // Intervals in which bodies rotate by about an eighth of a radian.
    void set_times() noexcept {
        const double turned = std::max(motion_a_.deviation(0.0, options_.t_max).linear,
                                       motion_b_.deviation(0.0, options_.t_max).linear);
        const double count = 1.0 + 5.0 * std::sqrt(turned);
        times_.intervals = count < static_cast<double>(kMostIntervals)
                               ? static_cast<std::size_t>(count)
                               : kMostIntervals;
        times_.intervals = std::max<std::size_t>(times_.intervals, 2);
        for (std::size_t k = 0; k < times_.intervals; ++k)
            times_.at[k] =
                options_.t_max * (static_cast<double>(k) / static_cast<double>(times_.intervals));
        times_.at[times_.intervals] = options_.t_max;
    }

    // Parts of one body that come near the ball of the other, with their paths.
    [[nodiscard]] std::vector<std::size_t> near_parts(const Cover& cover, const Path& path,
                                                      const MovingBall& other,
                                                      std::vector<MovingBall>& balls) const {
        std::vector<std::size_t> near;
        near.reserve(cover.parts.size());
        balls.resize(cover.parts.size());
        for (std::size_t i = 0; i < cover.parts.size(); ++i) {
            balls[i].set(cover.parts[i].ball, path, times_.intervals);
            const Near found =
                near_intervals(balls[i], other, options_.min_separation, times_.intervals);
            if (found.first <= found.last) near.push_back(i);
        }
        return near;
    }
    void find_pairs() {
        const Vec3 origin = motion_a_.start();
        path_a_.set(motion_a_, origin, times_);
        path_b_.set(motion_b_, origin, times_);
        whole_a_.set(a_.ball, path_a_, times_.intervals);
        whole_b_.set(b_.ball, path_b_, times_.intervals);
        const auto near_a = near_parts(a_, path_a_, whole_b_, balls_a_);
        const auto near_b = near_parts(b_, path_b_, whole_a_, balls_b_);
        pairs_.reserve(near_a.size() + near_b.size());
        for (const std::size_t i : near_a) {
            for (const std::size_t j : near_b) {
                const Near near = near_intervals(balls_a_[i], balls_b_[j], options_.min_separation,
                                                 times_.intervals);
                if (near.first <= near.last) pairs_.push_back({i, j, near});
            }
        }
        ++result_.checks;
        std::sort(pairs_.begin(), pairs_.end(), is_earlier);
        begin_with_nearest_at_start();
    }
    // Bodies that overlap at the start do so, most likely, where parts are nearest to each other then.
    void begin_with_nearest_at_start() noexcept {
        if (are_apart_at_start()) return;
        std::size_t best = 0;
        double least = kInfinity;
        for (std::size_t i = 0; i < pairs_.size() && pairs_[i].near.first == 0; ++i) {
            const double distance =
                norm_sq(balls_b_[pairs_[i].b].centre[0] - balls_a_[pairs_[i].a].centre[0]);
            if (!(distance < least)) continue;
            least = distance;
            best = i;
        }
        if (best > 0) std::swap(pairs_[0], pairs_[best]);
    }
    [[nodiscard]] bool are_apart_at_start() const noexcept {
        const Vec3 between = whole_b_.centre[0] - whole_a_.centre[0];
        const double radius = (whole_a_.reach + whole_b_.reach) * (1.0 + 0x1p-40);
        return test_segment(between, between, radius).is_clear;
    }

    // Invariant: pairs before the present one are separated in [0, free_until), all others up to the
    // beginning of their first interval, and those come in the order of these.
    void test_pairs() noexcept {
        result_.free_until = kInfinity;
        for (const PartPair& pair : pairs_) {
            const double from = times_.at[pair.near.first];
            if (!(from < result_.free_until)) return;
            if (result_.checks >= options_.max_checks || options_.stop.stop_requested()) {
                result_.free_until = from;
                return;
            }
            options_.progress.tell(from / options_.t_max);
            const double end = times_.at[pair.near.last + 1];
            own_.t_max = std::min(end, result_.free_until);
            own_.max_checks = std::min(kMostChecks, options_.max_checks - result_.checks);
            const bool is_cut = own_.t_max < end;
            const FreeTimeStart start{from, unit(pair.near.direction), is_cut,
                                      poses_at(pair.near.first),
                                      is_cut ? KnownPoses{} : poses_at(pair.near.last + 1)};
            const ConvexFreeTime found = convex_free_time(
                a_.parts[pair.a].shape, motion_a_, b_.parts[pair.b].shape, motion_b_, start, own_);
            result_.checks += found.checks;
            if (found.all_free || !(found.until < result_.free_until)) continue;
            result_.free_until = found.until;
            result_.meeting = {pair.a, pair.b, found.on_a, found.on_b, found.direction};
        }
    }

    [[nodiscard]] KnownPoses poses_at(std::size_t k) const noexcept {
        return {&path_a_.poses[k], &path_b_.poses[k]};
    }

    // Bodies whose balls or boxes are disjoint at t = 0 are not inside each other.
    [[nodiscard]] bool starts_disjoint() noexcept {
        if (are_apart_at_start()) return true;
        ImpactOptions at_rest;
        at_rest.t_max = 0.0;
        return first_impact(a_.box.front(), motion_a_, b_.box.front(), motion_b_, at_rest)
                   .verdict == Verdict::Separated;
    }

    const Cover& a_;
    const Cover& b_;
    const Motion& motion_a_;
    const Motion& motion_b_;
    const ImpactOptions& options_;
    ImpactOptions own_;
    Times times_;
    Path path_a_;
    Path path_b_;
    MovingBall whole_a_;
    MovingBall whole_b_;
    std::vector<MovingBall> balls_a_;
    std::vector<MovingBall> balls_b_;
    std::vector<PartPair> pairs_;
    CoverTime result_;
};

}  // namespace

CoverTime free_by_covers(const Cover& a, const Motion& motion_a, const Cover& b,
                         const Motion& motion_b, const ImpactOptions& options) {
    if (a.parts.empty() || b.parts.empty()) return {};
    // Enclosures have no chord across a joint, and short steps are left to the search.
    constexpr double kShortest = 0x1p-20;
    if (!(options.t_max >= kShortest)) return {};
    if (smooth_end_of(motion_a, motion_b, 0.0, options.t_max) < options.t_max) return {};
    return CoverSearch(a, motion_a, b, motion_b, options).run();
}

}  // namespace graze::rigid::detail
