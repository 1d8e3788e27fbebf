#include "narrow/certified/separation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "graze/core/rounding.hpp"
#include "graze/narrow/start_separation.hpp"
#include "narrow/certified/nearest.hpp"
#include "narrow/certified/separation_bounds.hpp"

// Nothing here is proof but what separation_bounds.hpp says: distances, slopes and times to look at
// are estimates, and decide how soon the answer is found.
namespace graze::certified {
namespace {

// --- Looks (CS-5) ----------------------------------------------------------------------------------

// What is seen at one time: how far apart the primitives are, and directions that separate them,
// the best first in the Euclidean norm.
struct Look {
    static constexpr std::size_t kMostDirections = 13;

    double t = 0.0;
    HullCorners corners;
    double distance = 0.0;
    Vec3 best;        // the direction in which they are that far apart
    Weights weights;  // of the nearest point, in the Euclidean norm
    std::array<Vec3, kMostDirections> direction;
    std::size_t count = 0;
    // Is the first direction much worse than it should be? Else the others are not needed.
    bool is_doubtful = true;
};

double least_along(const Vec3& n, const HullCorners& c) noexcept {
    return std::min({dot(n, c[0]), dot(n, c[1]), dot(n, c[2]), dot(n, c[3])});
}

// The direction of the nearest point is the best there is. Where it has lost its digits, those that
// are perpendicular to an edge or to all of the hull are better.
void see_euclidean(const SeparationQuery& q, const NearestPoint& nearest, Look& look) noexcept {
    look.distance = std::sqrt(norm_sq(nearest.point));
    look.best = nearest.point;
    look.direction[0] = nearest.point;
    look.direction[1] = nearest.across_edge;
    look.direction[2] = nearest.normal;
    look.count = 3;
    const double hope = look.distance - 0.25 * (look.distance - q.reach_upper);
    look.is_doubtful = !(least_along(nearest.point, look.corners) >= hope * look.distance);
}

// One of the axes and of cube_directions() is the best there is.
void see_max_norm(const SeparationQuery& q, Look& look) noexcept {
    const auto see = [&](const Vec3& direction) {
        const Vec3 n = dot(direction, look.corners[0]) < 0.0 ? -direction : direction;
        look.direction[look.count++] = n;
        const double length = norm_one(n);
        if (!(length > 0.0)) return;
        const double distance = least_along(n, look.corners) / length;
        if (distance > look.distance) look.best = n;
        look.distance = std::max(look.distance, distance);
    };
    see({1.0, 0.0, 0.0});
    see({0.0, 1.0, 0.0});
    see({0.0, 0.0, 1.0});
    const CubeDirections others = cube_directions(q.pairs.shape, look.corners);
    for (std::size_t i = 0; i < others.count; ++i)
        see(others.direction[i]);
}

Look look_at(const SeparationQuery& q, double t) noexcept {
    Look look;
    look.t = t;
    look.corners = corners_at(q, t);
    const NearestPoint nearest = nearest_point(q.pairs.shape, look.corners);
    look.weights = nearest.weights;
    if (q.norm == Norm::Max) {
        see_max_norm(q, look);
    } else {
        see_euclidean(q, nearest, look);
    }
    return look;
}

double dual_length(const SeparationQuery& q, const Vec3& n) noexcept {
    return q.norm == Norm::Max ? norm_one(n) : std::sqrt(norm_sq(n));
}
// n with the dual length 1, about; zero stays what it is.
Vec3 unit(const SeparationQuery& q, const Vec3& n) noexcept {
    const Vec3 near_one = normalised(n).value_or(Vec3{});
    const double length = dual_length(q, near_one);
    return length > 0.0 ? (1.0 / length) * near_one : Vec3{};
}

// How fast the distance decreases at that time, about.
double closing_speed(const SeparationQuery& q, const Look& look) noexcept {
    Vec3 velocity;
    for (std::size_t i = 0; i < kHullCorners; ++i) {
        const std::size_t e = i + kHullCorners;
        const Vec3 move = {q.x[e] - q.x[i], q.y[e] - q.y[i], q.z[e] - q.z[i]};
        velocity = velocity + look.weights[i] * move;
    }
    return -dot(unit(q, look.best), velocity);
}

// --- The search (CS-6) -----------------------------------------------------------------------------

// How often time may advance within the tolerance, in the hope of a proof that the distance is <=
// d, or that it never is, before it is called contact; twice as often before the next attempt where
// that cannot be proved.
constexpr std::uint64_t kNearSteps = 24;

// In steps: where time advances no further than this, it does not advance.
constexpr double kShortestStep = 0x1p-80;
// What cannot be told from a distance <= d by the proofs, in scaled units.
constexpr double kNoise = 0x1p-48;

class Search {
public:
    Search(const SeparationQuery& query, const CcdOptions& options) noexcept
        : q_(query), options_(options), last_(options.t_max), stride_(options.t_max) {}

    [[nodiscard]] CcdResult run() noexcept;

private:
    [[nodiscard]] bool is_free() const noexcept { return free_until_ > last_; }
    [[nodiscard]] bool is_spent() const noexcept { return checks_ >= options_.max_checks; }
    [[nodiscard]] Look look(double t) noexcept {
        ++checks_;
        return look_at(q_, t);
    }
    [[nodiscard]] CcdResult open() const noexcept {
        return {Verdict::Unresolved, free_until_, kInfinity, checks_, kInfinity};
    }
    [[nodiscard]] double gap(const Look& look) const noexcept {
        return look.distance - q_.reach_upper;
    }

    void add(const FreeSpan& span) noexcept;
    void try_axes() noexcept;
    void try_directions(const Look& look) noexcept;
    void advance(const Look& there) noexcept;
    [[nodiscard]] bool is_beyond(const Look& there) const noexcept;
    void bracket(const Look& there) noexcept;
    void judge(const Look& there) noexcept;
    [[nodiscard]] double next_time() noexcept;
    [[nodiscard]] double next_time_in_bracket(double way) noexcept;
    [[nodiscard]] bool is_near() const noexcept;
    [[nodiscard]] bool is_bracketed() const noexcept;

    [[nodiscard]] std::optional<Weights> witness_within(double t, double distance) const noexcept;
    [[nodiscard]] bool is_within(double t) const noexcept;
    [[nodiscard]] std::optional<double> time_within() const noexcept;
    [[nodiscard]] CcdResult contact_at(double t, double excess) const noexcept;
    [[nodiscard]] std::optional<CcdResult> proved_contact() const noexcept;

    const SeparationQuery& q_;
    const CcdOptions& options_;
    double free_until_ = 0.0;  // [0, free_until_) is free
    double last_;              // so is (last_, t_max]
    Look here_;                // at free_until_
    double stride_;            // how far ahead to look next, at most
    // A time after here_ at which the distance seems to be <= d, or beyond which the primitives
    // have passed through each other; 2 if there is none. The distance then, less d, and the
    // direction.
    double within_ = 2.0;
    double within_gap_ = 0.0;
    Vec3 within_best_{};
    double margin_ = 0.25;  // how far from the expected time to look, against the way to it
    bool look_beyond_ = false;
    double bracket_width_ = 1.0;  // when it was last halved
    int lazy_looks_ = 0;          // since then
    std::uint64_t checks_ = 0;
};

// Extends what is free by what else is, where the two meet.
void Search::add(const FreeSpan& span) noexcept {
    if (span.begin < free_until_) free_until_ = std::max(free_until_, span.end);
    if (span.end > last_) last_ = std::min(last_, span.begin);
}

void Search::try_axes() noexcept {
    for (std::size_t axis = 0; axis < 3 && !is_free(); ++axis)
        add(free_along_axis(q_, axis));
}

void Search::try_directions(const Look& look) noexcept {
    for (std::size_t i = 0; i < (look.is_doubtful ? look.count : 1) && !is_free(); ++i)
        if (const std::optional<Vec3> n = normalised(look.direction[i])) add(free_along(q_, *n));
}

// From here_ towards `there`, along directions that turn from those seen here to those seen there.
void Search::advance(const Look& there) noexcept {
    const double begin = here_.t;
    const std::size_t count = here_.is_doubtful || there.is_doubtful ? there.count : 1;
    double reach = begin;
    for (std::size_t i = 0; i < count && reach < there.t; ++i) {
        const Turn first{begin, here_.corners, unit(q_, here_.direction[i])};
        const Turn last{there.t, there.corners, unit(q_, there.direction[i])};
        reach = std::max(reach, free_between(q_, first, last));
    }
    const bool whole = reach >= there.t;
    stride_ = whole ? 4.0 * stride_ : reach > begin ? 2.0 * (reach - begin) : (there.t - begin) / 8;
    free_until_ = std::max(free_until_, reach);
    if (!whole) return;
    if (there.t >= last_) last_ = -1.0;  // there.t included: all is free
    here_ = there;
    const bool sides_differ = within_gap_ < -q_.reach_upper;
    if (sides_differ && dot(here_.best, within_best_) >= 0.0) within_ = 2.0;
}

// Is the first time at which the distance is <= d before `there`, as it seems? So it is where the
// primitives are on the other side of each other then.
bool Search::is_beyond(const Look& there) const noexcept {
    return gap(there) <= kNoise || dot(here_.best, there.best) < 0.0;
}

void Search::bracket(const Look& there) noexcept {
    within_ = there.t;
    within_best_ = there.best;
    within_gap_ =
        gap(there) <= kNoise ? std::min(gap(there), 0.0) : -(there.distance + q_.reach_upper);
}

// Moves one end of the bracket.
void Search::judge(const Look& there) noexcept {
    const bool beyond = is_beyond(there);
    margin_ = beyond == look_beyond_ ? 0.125 * margin_ : std::min(0.5, 4.0 * margin_);
    look_beyond_ = !beyond;
    if (beyond) {
        bracket(there);
    } else {
        advance(there);
    }
    const bool halved = within_ - free_until_ <= 0.5 * bracket_width_;
    lazy_looks_ = halved || within_ > last_ ? 0 : lazy_looks_ + 1;
    if (halved || lazy_looks_ > 2) bracket_width_ = within_ - free_until_;
}

// In turn somewhat before and somewhat beyond the expected time, so that the bracket closes from
// both ends; in the middle where it does not.
double Search::next_time_in_bracket(double way) noexcept {
    const double width = within_ - here_.t;
    if (!(way < width)) way = width * (gap(here_) / (gap(here_) - within_gap_));
    const double away = std::max(margin_ * way, 0.25 * options_.time_width);
    if (!(way + away < width)) look_beyond_ = false;
    const double ahead = here_.t + (look_beyond_ ? way + away : way - away);
    const bool inside = ahead > here_.t && ahead < within_ && lazy_looks_ < 2;
    return inside ? ahead : here_.t + 0.5 * width;
}

double Search::next_time() noexcept {
    const double speed = closing_speed(q_, here_);
    const double way = speed > 0.0 ? gap(here_) / speed : kInfinity;
    if (within_ <= last_) return std::min(next_time_in_bracket(way), here_.t + stride_);
    look_beyond_ = true;
    return std::min(here_.t + std::min(stride_, 1.125 * way + 0.25 * options_.time_width), last_);
}

bool Search::is_near() const noexcept {
    return here_.distance <= q_.reach_lower + 0.875 * q_.tolerance;
}

// --- Contact -------------------------------------------------------------------------------------

// A point of K(t) that seems to be as near as `distance`.
std::optional<Weights> Search::witness_within(double t, double distance) const noexcept {
    const HullCorners corners = corners_at(q_, t);
    if (q_.norm == Norm::Max) return point_in_cube(q_.pairs.shape, corners, distance);
    return nearest_point(q_.pairs.shape, corners).weights;
}

bool Search::is_within(double t) const noexcept {
    const std::optional<Weights> witness = witness_within(t, q_.reach_lower);
    return witness && excess_upper(q_, t, *witness) == 0.0;
}

bool Search::is_bracketed() const noexcept {
    return within_ <= last_ && within_ - free_until_ <= options_.time_width && is_within(within_);
}

// A time in [free_until_, t_max] at which the distance is proved to be <= d: within the wished
// width if possible, and then further and further ahead.
std::optional<double> Search::time_within() const noexcept {
    const double begin = free_until_;
    if (is_within(begin)) return begin;
    double width = options_.time_width;
    for (int probe = 0; probe < 8; ++probe, width *= 32.0) {
        double t = std::min(add_down(begin, width), options_.t_max);
        if (!(t > begin)) continue;
        if (is_within(t)) {
            while (t - begin > options_.time_width && is_within(begin + 0.5 * (t - begin)))
                t = begin + 0.5 * (t - begin);
            return t;
        }
        if (t >= options_.t_max) break;
    }
    return std::nullopt;
}

CcdResult Search::contact_at(double t, double excess) const noexcept {
    // excess <= tolerance 2^k holds exactly, so that the bound is not above the tolerance either.
    const double tolerance = std::min(q_.scale.back_up(excess), options_.distance_tolerance);
    return {Verdict::Contact, free_until_, t, checks_, tolerance};
}

// The primitives are near each other at free_until_: at or soon after it within d, or else within
// the tolerance of it.
std::optional<CcdResult> Search::proved_contact() const noexcept {
    if (within_ <= last_ && is_within(within_)) return contact_at(within_, 0.0);
    if (const std::optional<double> t = time_within()) return contact_at(*t, 0.0);
    const double goal = std::max(here_.distance, q_.reach_lower) + 0x1p-5 * q_.tolerance;
    const std::optional<Weights> witness = witness_within(free_until_, goal);
    if (!witness) return std::nullopt;
    const double excess = excess_upper(q_, free_until_, *witness);
    if (!(excess <= q_.tolerance)) return std::nullopt;
    return contact_at(free_until_, excess);
}

CcdResult Search::run() noexcept {
    try_axes();
    if (is_free()) return separated(1);
    try_directions(look(0.5 * options_.t_max));
    if (is_free()) return separated(checks_);
    if (is_spent()) return open();
    try_directions(here_ = look(free_until_));
    std::uint64_t near_steps = 0;
    std::uint64_t patience = kNearSteps;
    while (!is_free()) {
        if (is_bracketed()) return contact_at(within_, 0.0);
        if (is_spent()) return open();
        if (here_.t < free_until_) {
            here_ = look(free_until_);
            continue;
        }
        const double ahead = next_time();
        const bool stuck =
            !(ahead - here_.t > kShortestStep && ahead < within_) || !(gap(here_) > kNoise);
        near_steps += is_near() ? 1 : 0;
        const bool narrow = within_ - here_.t <= options_.time_width;
        if (stuck || near_steps >= patience || (narrow && is_near())) {
            if (const std::optional<CcdResult> contact = proved_contact()) return *contact;
            if (stuck) return open();
            patience = 2 * near_steps;
        }
        judge(look(ahead));
    }
    return separated(checks_);
}

// --- The start (CS-7) ------------------------------------------------------------------------------

// Where nothing has been proved free although the start may be apart: integers.
template <class Motion>
CcdResult with_free_start(CcdResult result, const Motion& motion,
                          const CcdOptions& options) noexcept {
    const bool touches_at_start = result.toi_upper == 0.0 && result.tolerance == 0.0;
    if (result.verdict == Verdict::Separated || result.toi_lower > 0.0 || touches_at_start) {
        return result;
    }
    const double time = free_time_from_start(motion, options.min_separation);
    if (time > options.t_max) return separated(result.checks);
    result.toi_lower = time;
    result.toi_upper = std::max(result.toi_upper, time);
    return result;
}

template <class Motion>
CcdResult answer(const Motion& motion, const CcdOptions& options) noexcept {
    if (!is_valid(options) || !(options.min_separation > 0.0) || !is_finite_motion(motion)) {
        return {};
    }
    const std::optional<SeparationQuery> query = scaled_query(corner_pairs(motion), options);
    // All corners coincide for good; or d is beyond all differences, which are below 2 on each
    // axis.
    if (!query || query->reach_lower >= 8.0) return {Verdict::Contact, 0.0, 0.0, 1, 0.0};
    return with_free_start(Search(*query, options).run(), motion, options);
}

}  // namespace

CcdResult within_separation(const VertexFaceMotion& motion, const CcdOptions& options) noexcept {
    return answer(motion, options);
}
CcdResult within_separation(const EdgeEdgeMotion& motion, const CcdOptions& options) noexcept {
    return answer(motion, options);
}
CcdResult within_separation(const VertexVertexMotion& motion, const CcdOptions& options) noexcept {
    return answer(motion, options);
}
CcdResult within_separation(const VertexEdgeMotion& motion, const CcdOptions& options) noexcept {
    return answer(motion, options);
}

}  // namespace graze::certified
