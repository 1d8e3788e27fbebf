// One query as solvers with barriers ask it: until when does part of the distance stay?
//
// Solvers step to the time that they are given and divide by the distance that is left there. So they
// want a time > 0 where the primitives are separated, and at that time some of the distance they have:
// that is one query with a minimum separation, of which the first contact is proved.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "graze/ccd.hpp"
#include "graze/narrow/distance.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::adapters {

struct ConservativeOptions {
    // [length] >= 0: contact means distance <= min_distance (Euclidean).
    double min_distance = 0.0;
    // In (0, 1]: the fraction of the distance beyond min_distance that may be used up; the rest is kept.
    double rescaling = 0.8;
    // Clamped to [0, 1]; the end of the step where it is NaN.
    double t_max = 1.0;
    // A motion that never comes within min_distance is a hit where it comes within the kept distance.
    bool near_approach_counts = false;
    // [length] No more than this is kept; infinity: no cap.
    double largest_kept = std::numeric_limits<double>::infinity();
    std::uint64_t max_checks = 100'000;  // work budget of each question with a separation
};

struct ConservativeResult {
    bool hit = true;
    // [0, toi) is proved to be farther than min_distance. Infinity without a hit: all of [0, t_max] is.
    double toi = 0.0;
    Verdict verdict = Verdict::Unresolved;  // of the question that decided
};

namespace detail {

// The largest difference of coordinates of vertices, at either end.
template <QueryMotion Motion>
[[nodiscard]] double extent_of(const Motion& motion) noexcept {
    double extent = 0.0;
    const auto points = vertices(motion);
    for (const MovingPoint& p : points)
        for (std::size_t axis = 0; axis < 3; ++axis)
            extent = std::max({extent, std::fabs(p.start[axis] - points[0].start[axis]),
                               std::fabs(p.end[axis] - points[0].end[axis])});
    return extent;
}

// Questions with a separation are decided within a tolerance, which rounding bounds from below: some 2^-47 of
// the extent. With 2^-40 of it an answer does not depend on how the last bits fell.
inline constexpr double kToleranceFloor = 0x1p-40;
// Of the free time: by how much the time that comes back may be early.
inline constexpr double kTimeWidth = 1e-3;

// A time t <= 1 such that the distance is > d on [0, t): the distance changes by no more than points move, that is
// L = the sum of how far each vertex goes. 0 where the distance at the start is not proved to be above d. The factor
// covers the rounding errors of a dozen operations, whatever the flags and the rounding mode.
template <QueryMotion Motion>
[[nodiscard]] double free_time(const Motion& motion, double d) noexcept {
    double length = 0.0;
    for (const MovingPoint& p : vertices(motion))
        for (std::size_t axis = 0; axis < 3; ++axis)
            length += std::fabs(p.end[axis] - p.start[axis]);
    const double room = (distance_lower(motion) - d) * (1.0 - 0x1p-40);
    return room > 0.0 && is_finite(length) ? (room < length ? room / length : 1.0) : 0.0;
}

template <QueryMotion Motion>
class ConservativeQuery {
public:
    ConservativeQuery(const Motion& motion, const ConservativeOptions& options) noexcept
        : motion_(motion), options_(options), t_max_(clamped(options.t_max)) {}

    [[nodiscard]] ConservativeResult answer() const noexcept {
        return options_.near_approach_counts ? near_approach_answer() : exact_answer();
    }

private:
    // The verdict comes first: most pairs are separated, and are asked nothing else. It is about the whole
    // step: asked until t_max, which solvers lower from pair to pair, it would lose pairs that use up their
    // distance before t_max and touch after it, and the step would depend on the order of pairs.
    [[nodiscard]] ConservativeResult exact_answer() const noexcept {
        const double d = options_.min_distance;
        CcdResult at_min = ask(d, 1.0, d);
        if (at_min.verdict == Verdict::Separated) return miss();
        const double kept = kept_distance();
        if (d > 0.0 && at_min.tolerance > fine_tolerance(kept)) {
            const CcdResult again = ask(d, 1.0, fine_tolerance(kept));
            if (again.verdict == Verdict::Separated) return miss();
            at_min = again.toi_lower >= at_min.toi_lower ? again : at_min;
        }
        return kept_answer(kept, at_min);
    }
    [[nodiscard]] ConservativeResult near_approach_answer() const noexcept {
        const double kept = kept_distance();
        if (kept > 0.0) {
            const CcdResult at_kept = ask(options_.min_distance + kept, t_max_, 0.25 * kept);
            if (at_kept.verdict == Verdict::Separated) return miss();
            if (at_kept.toi_lower > 0.0) return {true, at_kept.toi_lower, at_kept.verdict};
        }
        const CcdResult at_min = ask(options_.min_distance, t_max_, fine_tolerance(kept));
        return at_min.verdict == Verdict::Separated ? miss() : rescaled_answer(at_min);
    }

    // What of the distance at the start is to be kept beyond min_distance; 0: nothing.
    [[nodiscard]] double kept_distance() const noexcept {
        if (!(options_.rescaling < 1.0)) return 0.0;
        const double room = distance_lower(motion_) - options_.min_distance;
        return room > 0.0 ? std::min((1.0 - options_.rescaling) * room, options_.largest_kept)
                          : 0.0;
    }
    // With a separation, contact is decided within a tolerance: a quarter of what it is about.
    [[nodiscard]] double fine_tolerance(double kept) const noexcept {
        const double d = options_.min_distance;
        return 0.25 * (kept > 0.0 ? std::min(d, kept) : d);
    }
    [[nodiscard]] ConservativeResult kept_answer(double kept,
                                                 const CcdResult& at_min) const noexcept {
        if (kept > 0.0) {
            // The kept distance is used up before contact; a thousandth of that time is near enough, and takes
            // two thirds of the checks that the default width does.
            const double width = std::max(kTimeWidth * at_min.toi_lower, CcdOptions{}.time_width);
            const CcdResult at_kept = ask(options_.min_distance + kept, t_max_, 0.25 * kept, width);
            if (at_kept.verdict == Verdict::Separated) return miss();
            if (at_kept.toi_lower > 0.0) return {true, at_kept.toi_lower, at_kept.verdict};
        }
        return rescaled_answer(at_min);
    }
    // Where no distance can be kept: a fraction of the free time, and never 0 of a free time that is not.
    [[nodiscard]] ConservativeResult rescaled_answer(const CcdResult& at_min) const noexcept {
        double free = at_min.toi_lower;
        if (!(free > 0.0)) free = free_time(motion_, options_.min_distance);
        double toi = options_.rescaling * free;
        if (!(toi > 0.0)) toi = free;
        return toi > t_max_ ? miss() : ConservativeResult{true, toi, at_min.verdict};
    }

    [[nodiscard]] CcdResult ask(double separation, double t_max, double tolerance,
                                double width = CcdOptions{}.time_width) const noexcept {
        CcdOptions query;
        query.time_width = width;
        query.min_separation = separation;
        query.t_max = t_max;
        query.max_checks = std::max<std::uint64_t>(options_.max_checks, 1);
        // Of no meaning without a separation, where answers are exact.
        const double floor = kToleranceFloor * extent_of(motion_);
        if (separation > 0.0 && std::max(tolerance, floor) > 0.0)
            query.distance_tolerance = std::max(tolerance, floor);
        return ccd(motion_, query);
    }
    [[nodiscard]] static ConservativeResult miss() noexcept {
        return {false, std::numeric_limits<double>::infinity(), Verdict::Separated};
    }
    [[nodiscard]] static double clamped(double t_max) noexcept {
        return is_finite(t_max) ? std::clamp(t_max, 0.0, 1.0) : 1.0;
    }

    const Motion& motion_;
    const ConservativeOptions& options_;
    double t_max_;
};

}  // namespace detail

// Guarantee: without a hit, the distance is > min_distance on all of [0, t_max] (and without
// near_approach_counts, where the kept distance is not used up before t_max either). With a hit, it is >
// min_distance on [0, toi); toi > 0 where the primitives are farther than that at the start, by more than
// rounding errors hide, and toi <= t_max. Coordinates that are not finite: a hit at 0.
// Throws std::invalid_argument: a min_distance that is negative or not finite, a rescaling not in (0, 1].
template <QueryMotion Motion>
[[nodiscard]] ConservativeResult conservative_ccd(const Motion& motion,
                                                  const ConservativeOptions& options = {}) {
    if (!is_finite(options.min_distance) || options.min_distance < 0.0)
        throw std::invalid_argument("min_distance is " + std::to_string(options.min_distance) +
                                    ", not >= 0");
    if (!is_finite(options.rescaling) || !(options.rescaling > 0.0) || options.rescaling > 1.0)
        throw std::invalid_argument("rescaling is " + std::to_string(options.rescaling) +
                                    ", not in (0, 1]");
    return detail::ConservativeQuery<Motion>(motion, options).answer();
}

// A vector of another library: v[0], v[1], v[2] of floats or doubles, or members x, y, z.
template <class V>
[[nodiscard]] Vec3 to_vec3(const V& v) {
    if constexpr (requires { v[2]; })
        return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
    else
        return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

}  // namespace graze::adapters
