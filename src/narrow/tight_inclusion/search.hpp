// Algorithm 2 of the paper: level by level, in the order of time.
//
// Reading of its lines 15 to 22 (whose indentation is lost in print): a box that is small but not
// the first of its level is neither returned nor dropped. Here it is split like the others, since
// only the first box of a level is ever asked whether it is small.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "graze/narrow/tight_inclusion.hpp"
#include "narrow/tight_inclusion/extent.hpp"
#include "narrow/tight_inclusion/level.hpp"

namespace graze::inclusion {

// Lower corners stay exact: multiples of 2^-52 in [0, 1].
inline constexpr double kSmallestFraction = 0x1p-52;

// --- Memory -------------------------------------------------------------------------------------
//
// At most this many checks: the whole search goes level by level. With m checks the current level
// has at most m/2 boxes, since both halves of each are checked, and the next one at most m. Beyond
// it, a level above kParkedLevel boxes is halved: the earlier half is searched to its end before
// the later one is looked at. Each level can leave one half behind, and there are at most kMaxDepth
// levels.
inline constexpr std::uint64_t kBreadthFirstChecks = std::uint64_t{1} << 20;
inline constexpr std::size_t kParkedLevel = std::size_t{1} << 14;
inline constexpr std::size_t kMaxDepth = 3 * 52;
// What a thread keeps for its next query, and what it starts with, in boxes a level.
inline constexpr std::size_t kKeptBoxes = std::size_t{1} << 13;
inline constexpr std::size_t kFirstBoxes = std::size_t{1} << 10;

// A box, its two marks, and growth by a half; while an array grows, the old one is still there.
inline constexpr std::size_t kBoxBytes = 3 * sizeof(double);
inline constexpr std::size_t kMarkBytes = 2 * sizeof(std::int64_t);
static_assert((kBreadthFirstChecks / 2) * (kBoxBytes + kMarkBytes) * 3 / 2 +
                  kBreadthFirstChecks * (kBoxBytes + sizeof(double)) * 3 / 2 <
              kTightInclusionMaxBytes);
static_assert(kMaxDepth * kParkedLevel * kBoxBytes * 3 / 2 +
                  4 * kParkedLevel * (kBoxBytes + kMarkBytes) * 3 / 2 <
              kTightInclusionMaxBytes);
static_assert((2 * kBoxBytes + kMarkBytes) * (kKeptBoxes + kMaxLanes) < kTightInclusionKeptBytes);

// The levels that a search works on; kept by a thread from query to query.
struct Workspace {
    Level current;
    Level next;
    Lane<std::int64_t> first_halves;
    Lane<std::int64_t> second_halves;
    std::vector<Level> parked;

    void clear() noexcept {
        current.clear();
        next.clear();
        parked.clear();
    }
    void keep_only_a_little() noexcept {
        if (parked.capacity() > 0) std::vector<Level>().swap(parked);
        for (Level* level : {&current, &next}) {
            if (level->capacity() > kKeptBoxes) level->release();
        }
        for (Lane<std::int64_t>* lane : {&first_halves, &second_halves}) {
            if (lane->capacity() > kKeptBoxes) lane->release();
        }
    }
};

template <class Arithmetic>
class Search {
public:
    // Requires: an empty workspace.
    Search(const Arithmetic& arithmetic, const CcdOptions& options, Workspace& workspace) noexcept
        : arithmetic_(arithmetic),
          max_checks_(options.max_checks),
          t_max_(options.t_max),
          horizon_(options.t_max),
          whole_time_(whole_width(options.t_max)),
          has_separation_(options.min_separation > 0.0),
          workspace_(workspace) {}

    // Separated, or Contact with the earliest time that was not excluded. Throws std::bad_alloc.
    [[nodiscard]] CcdResult run() {
        check_whole_domain();
        for (;;) {
            if (current_->empty() && !resume_a_parked_level()) return answer();
            look_for_certain_contacts();
            if (current_->empty()) continue;
            const std::optional<Axis> axis = axis_to_split();
            if (!axis) {
                accept_first();
            } else if (!split_level(*axis)) {
                return answer();
            }
        }
    }

private:
    static constexpr std::size_t kSamples = 16;

    // A box that was not excluded: where its time begins, and what is known of F there.
    struct Found {
        double time = 0.0;
        Extent extent;
    };

    // The smallest power of two that is >= t_max: halving it stays exact, and t_max cuts the boxes
    // that reach beyond it.
    [[nodiscard]] static double whole_width(double t_max) noexcept {
        if (!(t_max > 0.0)) return 0.0;
        double width = 1.0;
        while (width * 0.5 >= t_max)
            width *= 0.5;
        return width;
    }

    // --- Choice -------------------------------------------------------------------------------

    // Cut at t_max, not at the horizon: as it was when it was checked.
    [[nodiscard]] BoxOfDomain domain(const Level& level, std::size_t i) const noexcept {
        const BoxView boxes = level.boxes();
        return {boxes.t[i], std::min(boxes.t[i] + level.widths.t, t_max_), boxes.u[i], boxes.v[i],
                level.widths};
    }
    [[nodiscard]] Found box(const Level& level, std::size_t i) const noexcept {
        return {level.time(i), arithmetic_.extent(domain(level, i))};
    }

    // Lines 15 and 26 to 38. Nothing: the first box is small, or cannot be split any more.
    [[nodiscard]] std::optional<Axis> axis_to_split() const noexcept {
        const Widths& w = current_->widths;
        const Rates& rates = arithmetic_.rates();
        if (rates.width(w) < arithmetic_.delta()) return std::nullopt;
        if (arithmetic_.is_small(domain(*current_, 0))) return std::nullopt;
        // Times stay exact: multiples of 2^-52 of the whole, and of the smallest double.
        const double smallest_time = std::max(kSmallestFraction * whole_time_, 0x1p-1074);
        std::optional<Axis> axis;
        double most = 0.0;
        const auto consider = [&](Axis candidate, double estimate, bool can_split) {
            if (!can_split || !(estimate > most)) return;
            axis = candidate;
            most = estimate;
        };
        consider(Axis::Time, w.t * rates.t, w.t > smallest_time);
        consider(Axis::U, w.u * rates.u, w.u > kSmallestFraction);
        consider(Axis::V, w.v * rates.v, w.v > kSmallestFraction);
        return axis;
    }

    // --- Levels -------------------------------------------------------------------------------

    // The whole domain, as the first half of a box of twice its length in time.
    void check_whole_domain() {
        constexpr std::array<double, kMaxLanes> kOrigin{};
        const BoxView origin{kOrigin.data(), kOrigin.data(), kOrigin.data(), 1};
        const Split split{Axis::Time, {whole_time_, 1.0, 1.0}, horizon_};
        std::array<std::int64_t, kMaxLanes> first{};
        std::array<std::int64_t, kMaxLanes> second{};
        arithmetic_.check_halves(origin, split, first.data(), second.data());
        checks_ = 1;
        current_->widths = split.halves;
        current_->reserve(kFirstBoxes);
        Corners to = current_->end();
        to.push(0.0, 0.0, 0.0, first[0]);
        current_->append(to.count);
    }

    // The halves of the current level's boxes that were not excluded become the current level.
    // False: the checks are spent, and the earliest box that is left has been accepted.
    [[nodiscard]] bool split_level(Axis axis) {
        Split split{axis, current_->widths, horizon_};
        (axis == Axis::Time ? split.halves.t
         : axis == Axis::U  ? split.halves.u
                            : split.halves.v) *= 0.5;
        BoxView boxes = current_->padded_boxes();
        boxes.count = static_cast<std::size_t>(
            std::min<std::uint64_t>(boxes.count, (max_checks_ - checks_) / 2));
        Lane<std::int64_t>& first = workspace_.first_halves;
        Lane<std::int64_t>& second = workspace_.second_halves;
        first.reserve(current_->capacity(), 0);
        second.reserve(current_->capacity(), 0);
        arithmetic_.check_halves(boxes, split, first.data(), second.data());
        checks_ += 2 * boxes.count;
        collect(boxes, split, first.data(), second.data());
        if (boxes.count < current_->size()) {
            accept_what_is_left(boxes.count);
            return false;
        }
        std::swap(current_, next_);
        if (max_checks_ > kBreadthFirstChecks && current_->size() > kParkedLevel) {
            workspace_.parked.push_back(take_later_half(*current_));
        }
        return true;
    }

    void collect(const BoxView& boxes, const Split& split, const std::int64_t* first,
                 const std::int64_t* second) {
        std::int64_t found = 0;
        for (std::size_t i = 0; i < boxes.count; ++i)
            found += first[i] + second[i];
        next_->clear();
        next_->widths = split.halves;
        next_->reserve(std::max(kFirstBoxes, static_cast<std::size_t>(found)));
        Corners to = next_->end();
        if (split.axis == Axis::Time) {
            collect_by_time(boxes, split.halves.t, first, second, to);
        } else {
            const double du = split.axis == Axis::U ? split.halves.u : 0.0;
            const double dv = split.axis == Axis::V ? split.halves.v : 0.0;
            for (std::size_t i = 0; i < boxes.count; ++i) {
                to.push(boxes.t[i], boxes.u[i], boxes.v[i], first[i]);
                to.push(boxes.t[i], boxes.u[i] + du, boxes.v[i] + dv, second[i]);
            }
        }
        next_->append(to.count);
    }

    // Of boxes with the same time, first the earlier halves, then the later ones.
    static void collect_by_time(const BoxView& boxes, double half, const std::int64_t* first,
                                const std::int64_t* second, Corners& to) noexcept {
        for (std::size_t begin = 0; begin < boxes.count;) {
            const double t = boxes.t[begin];
            std::size_t end = begin;
            for (; end < boxes.count && boxes.t[end] == t; ++end)
                to.push(t, boxes.u[end], boxes.v[end], first[end]);
            for (; begin < end; ++begin)
                to.push(t + half, boxes.u[begin], boxes.v[begin], second[begin]);
        }
    }

    // A box within the target is a contact that no splitting can take back, so that nothing after
    // its time is of interest. Some boxes of the level are asked, evenly spread, the earliest
    // first. With a separation, when such boxes are large, most of a level often lies behind one of
    // them.
    void look_for_certain_contacts() noexcept {
        if (!has_separation_ || current_->size() < kSamples) return;
        for (std::size_t sample = 1; sample < kSamples; ++sample) {
            const std::size_t i = current_->size() / kSamples * sample;
            const Found candidate = box(*current_, i);
            if (!candidate.extent.contained) continue;
            found_ = candidate;
            horizon_ = candidate.time;
            drop_what_begins_at_the_horizon();
            return;
        }
    }

    // --- Answers ------------------------------------------------------------------------------

    // Contact not before the level's first box; only earlier ones are of interest from here on.
    void accept_first() noexcept {
        found_ = box(*current_, 0);
        horizon_ = found_->time;
        current_->clear();
    }

    // Line 13, a little sharper: what was checked of the unfinished level counts. What is left
    // begins with the first survivor of that level, with the box that comes next in the current
    // one, or with a parked level.
    void accept_what_is_left(std::size_t next_box) noexcept {
        checks_ = max_checks_;  // one may be left over: halving a box takes two
        Found earliest = box(*current_, next_box);
        const auto consider = [&](const Level& level) {
            if (!level.empty() && level.time(0) < earliest.time) earliest = box(level, 0);
        };
        if (!next_->empty() && next_->time(0) <= earliest.time) earliest = box(*next_, 0);
        for (const Level& level : workspace_.parked)
            consider(level);
        if (!found_ || earliest.time < found_->time) found_ = earliest;
    }

    // The parked level that begins first is the last that was parked.
    [[nodiscard]] bool resume_a_parked_level() noexcept {
        std::vector<Level>& parked = workspace_.parked;
        while (current_->empty() && !parked.empty()) {
            *current_ = std::move(parked.back());
            parked.pop_back();
            if (found_) drop_what_begins_at_the_horizon();
        }
        return !current_->empty();
    }
    void drop_what_begins_at_the_horizon() noexcept {
        std::size_t kept = 0;
        while (kept < current_->size() && current_->time(kept) < horizon_)
            ++kept;
        current_->truncate(kept);
    }

    [[nodiscard]] CcdResult answer() const noexcept {
        if (!found_) return separated(checks_);
        return {Verdict::Contact, found_->time, kInfinity, checks_,
                arithmetic_.tolerance(found_->extent)};
    }

    const Arithmetic& arithmetic_;
    std::uint64_t max_checks_;
    double t_max_;
    double horizon_;  // nothing later is looked at: t_max, or the earliest contact so far
    double whole_time_;
    bool has_separation_;
    Workspace& workspace_;
    Level* current_ = &workspace_.current;
    Level* next_ = &workspace_.next;
    std::uint64_t checks_ = 0;
    std::optional<Found> found_;
};

}  // namespace graze::inclusion
