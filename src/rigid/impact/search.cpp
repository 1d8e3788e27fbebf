// The transitions of the search. The invariant I1 to I5 that each of them keeps is stated once, at
// SearchState (search.hpp).
#include "rigid/impact/search.hpp"

#include <algorithm>

#include "graze/core/rounding.hpp"

namespace graze::rigid::detail {

namespace {

// A slab after an advance is at least this fraction of the advance.
constexpr double kLeastShrink = 1.0 / 8.0;
// How much longer than a free slab the one after it is.
constexpr double kStrideGrowth = 4.0;

}  // namespace

Search::Search(const RigidBody& a, const RigidBody& b, const PairStep& step,
               const ImpactOptions& options, const RelativeMotion& motion)
    : a_(tree_of(a)),
      b_(tree_of(b)),
      step_(step),
      options_(options),
      motion_(motion),
      stop_(options.stop) {
    state_.pairs.reserve(256);
    todo_.reserve(64);
    state_.levels.reserve(64);
    state_.now = motion.at(0.0);
    // Eight spacings of doubles below 1: slabs of that length can still be split.
    state_.shortest = std::max(0.25 * options.time_width, 0x1p-50);
}

// The invariant holds at first: free = 0, so that I1 claims nothing; one level ends at t_max, and
// the two roots are above all pieces.
ImpactResult Search::run(const CoverTime& covered) {
    result_.checks = covered.checks;
    state_.pairs.push_back({0, 0});
    state_.levels.push_back({options_.t_max, 0, 1});
    if (covered.free_until >= RelativeMotion::kEarliest) {
        if (const Outcome outcome = begin_after(covered)) return finished(*outcome);
    } else if (!stop_.now() && overlaps_at_start()) {
        return finished(Verdict::Contact);
    }
    while (!state_.levels.empty()) {
        if (const Outcome outcome = iterate()) return finished(*outcome);
    }
    return finished(state_.all_free ? Verdict::Separated : Verdict::Unresolved);
}

// The covers are disjoint in [0, free_until), t = 0 included, and so are the surfaces within them: with
// the nesting at t = 0 that is I1 for now = free_until. Parts that fit closely meet where the bodies do,
// so that the first slab is as short as slabs get; I2, I3 and I5 as in push_stride().
Search::Outcome Search::begin_after(const CoverTime& covered) {
    state_.start_tested = state_.start_disjoint = true;
    if (covered.is_disjoint_start) {
        result_.start = StartState::Separated;
        state_.nesting_tested = true;
    }
    if (begins_inside()) return Verdict::Contact;
    if (covered.all_free) {
        state_.now = motion_.at(options_.t_max);
        return Verdict::Separated;
    }
    // Not reached by covers; then the end of the step itself would be open.
    if (!(covered.free_until < options_.t_max)) return Verdict::Unresolved;
    state_.now = motion_.at(covered.free_until);
    const double end = state_.now.t + state_.shortest;
    if (state_.now.t < end && end < options_.t_max) state_.levels.push_back({end, 0, 1});
    return std::nullopt;
}

// One pass over the list of the top level, and the transition that it allows; or, without a pass, a
// change of the stack alone.
Search::Outcome Search::iterate() {
    if (pop_slab_behind()) return std::nullopt;
    if (out_of_budget() || stop_.now()) return Verdict::Unresolved;
    options_.progress.tell(options_.t_max > 0.0 ? state_.now.t / options_.t_max : 0.0);
    if (push_stride()) return std::nullopt;
    // The pass writes what it cannot separate behind the level's list, which stays as it is until
    // keep_pairs(): I3 holds wherever the search ends before.
    const Level& level = state_.levels.back();
    const Frame end = motion_.at(level.end);
    const Slab slab = make_slab(motion_, state_.now, end, options_.min_separation);
    state_.pairs.resize(level.last);
    Pass found = pass(level, slab);
    if (out_of_budget()) return Verdict::Unresolved;
    find_least(slab, level.last, found);
    if (stop_.is_stopped()) return Verdict::Unresolved;
    return found.least.proved == kAllFree ? leave_free_slab(slab) : enter_slab(slab, found);
}

// I1 to I3 are about what comes after now, and the level below covers that (I2). (A step of
// length 0 has one slab [0, 0] that must be tested once.)
bool Search::pop_slab_behind() {
    if (!(state_.now.t >= state_.levels.back().end && state_.now.t > 0.0)) return false;
    state_.levels.pop_back();
    return true;
}

// After a free slab comes one of four times its length, not at once the whole rest. I2: it ends
// before the level below. I3, I5: it has the list of that level, which holds for a longer slab.
bool Search::push_stride() {
    const Level& level = state_.levels.back();
    if (!(state_.stride > 0.0 && 2.0 * state_.stride < level.end - state_.now.t)) return false;
    state_.levels.push_back({state_.now.t + state_.stride, level.first, level.last});
    state_.stride = 0.0;
    return true;
}

// All of [now, end] is free, its end included: now moves to the end and keeps I1; with the level
// popped I2 and I3 are those of the levels below. At time 0 the surfaces are disjoint by the same
// bound, so that one body may be inside the other: I1 needs that answer as well.
Search::Outcome Search::leave_free_slab(const Slab& slab) {
    if (state_.now.t == 0.0 && begins_inside()) return Verdict::Contact;
    state_.stride = kStrideGrowth * slab.length;
    state_.now = slab.last;
    state_.levels.pop_back();
    return std::nullopt;
}

// A fraction of the slab, maybe none, is free of every pair: now moves on by it, and what follows
// is the rest of the slab or a shorter one.
Search::Outcome Search::enter_slab(const Slab& slab, const Pass& found) {
    state_.stride = 0.0;
    keep_pairs();
    const double next = time_after(slab, found);
    if (const Outcome outcome = settle_start(slab, found, next)) return outcome;
    // [now, next) is free by the least fraction of all pairs (RI-5): I1, with the nesting at t = 0.
    if (next > state_.now.t) {
        if (state_.now.t == 0.0 && begins_inside()) return Verdict::Contact;
        state_.now = motion_.at(next);
    }
    if (slab.length <= kIndivisible * state_.shortest) return leave_undecided_slab(slab);
    push_shorter_slab(slab, found);
    return std::nullopt;
}

// What the pass left replaces the level's list, unless the level below has the same one (I5). I3:
// the pass dropped only pairs that are separated in all of [now, end].
void Search::keep_pairs() {
    std::vector<Level>& levels = state_.levels;
    std::vector<Pair>& pairs = state_.pairs;
    Level& level = levels.back();
    const bool is_shared = levels.size() > 1 && levels[levels.size() - 2].last == level.last;
    if (is_shared) {
        level.first = level.last;
        level.last = pairs.size();
        return;
    }
    std::copy(pairs.begin() + static_cast<std::ptrdiff_t>(level.last), pairs.end(),
              pairs.begin() + static_cast<std::ptrdiff_t>(level.first));
    level.last = level.first + (pairs.size() - level.last);
    pairs.resize(level.last);
}

// Where now moves to: now + fraction * (end - now), each operation rounded down, so that
// [now, result) is free. Before the end of the slab, which is not proved free itself; and not to a
// time that frames are not proved for (RelativeMotion::kEarliest). At least now.
double Search::time_after(const Slab& slab, const Pass& found) const noexcept {
    const double now = state_.now.t;
    const double end = slab.last.t;
    double next = add_down(now, mul_down(found.least.proved, sub_down(end, now)));
    if (!(next < end)) next = 0.5 * (now + end);
    if (!(next > now) || next < RelativeMotion::kEarliest) next = now;
    return next;
}

// No progress from the start: bounds in doubles cannot decide contact at t = 0, exact arithmetic
// can. A contact ends the search (I4); else nothing changes, and I1 claims nothing yet (free = 0).
// Where the start is all there is ([0, 0], distance 0), the exact answer is that of the query.
Search::Outcome Search::settle_start(const Slab& slab, const Pass& found, double next) {
    if (next == 0.0 && !found.too_long && touches_at_start(state_.levels.back()))
        return Verdict::Contact;
    if (slab.last.t == 0.0 && state_.start_disjoint && options_.min_separation == 0.0)
        return Verdict::Separated;
    return std::nullopt;
}

// The slab is as short as slabs get and not proved free. free stays where it is from here on (I1 by
// free_until), and only a proof of contact or the end of the step can follow. now moves to its end
// all the same: lists of longer slabs hold every pair for what comes after (I3). The next one may
// be twice as long, so that some thirty of them cover the step.
Search::Outcome Search::leave_undecided_slab(const Slab& slab) {
    if (state_.all_free) {
        state_.all_free = false;
        state_.free_until = state_.now.t;
    }
    if (prove_later(state_.levels.back(), slab.last)) return Verdict::Contact;
    if (stop_.is_stopped()) return Verdict::Unresolved;
    state_.now = slab.last;
    state_.shortest *= 2.0;
    state_.levels.pop_back();
    return std::nullopt;
}

// A shorter level with the same list on top: I2 since it ends before the one below, I3 and I5 as in
// push_stride(). It reaches a little beyond the guess of the contact, by Newton's step along the
// best direction of the pair that limits the advance. Without a push the rest of the slab is next.
void Search::push_shorter_slab(const Slab& slab, const Pass& found) {
    const Level& level = state_.levels.back();
    const double now = state_.now.t;
    const double from = slab.first.t;
    const double closes = from + found.least.closes_est * slab.length;
    const double rest = level.end - now;
    // Boxes that close in are no sign of a contact: the rest of the slab is short for them now.
    if (rest <= kIndivisible * state_.shortest || (found.limited_by_nodes && !found.too_long))
        return;
    double width = std::max(3.0 * (closes - now), kLeastShrink * (now - from));
    if (found.too_long) width = rest;
    width = std::clamp(width, state_.shortest, std::max(0.5 * rest, state_.shortest));
    double end = now + width;
    if (!(end > now)) end = next_up(now);
    if (end < level.end) state_.levels.push_back({end, level.first, level.last});
}

// What is proved (I1), as a result. Where a solid body may be inside the other at the start, no
// time is free of contact.
ImpactResult Search::finished(Verdict verdict) {
    const bool may_be_inside =
        options_.model == BodyModel::Solid && result_.start == StartState::Unresolved;
    if (may_be_inside && verdict == Verdict::Separated) verdict = Verdict::Unresolved;
    const double free = may_be_inside ? 0.0 : state_.free();
    result_.verdict = verdict;
    result_.toi_lower =
        verdict == Verdict::Separated ? kInfinity : std::min(free, result_.toi_upper);
    return result_;
}

}  // namespace graze::rigid::detail
