#include "rigid/impact/search.hpp"

#include <algorithm>

#include "graze/core/rounding.hpp"
#include "rigid/impact/directions.hpp"
#include "rigid/impact/proof.hpp"

namespace graze::rigid::detail {

namespace {

// A pair of nodes is split unless this share of the slab is free of it anyway.
constexpr double kShareOfNodes = 0.5;
// And unless B moves by less than this many sizes of the boxes in the slab.
constexpr double kShortWay = 0.25;
// Where B moves by more than this many sizes, the slab is too long for such boxes: it is halved
// before they are split.
constexpr double kLongWay = 1.0;
// Below it, the nearest points of two pieces are sought.
constexpr double kShareOfPieces = 0.01;
// A slab after an advance has at least this share of the advance.
constexpr double kLeastShrink = 1.0 / 8.0;
// Pairs kept at a time at most: 40 bytes each.
constexpr std::size_t kMaxPairs = 20'000'000;

[[nodiscard]] Corners corners_of(const Piece& piece) noexcept {
    return {piece.x, piece.y, piece.z};
}

// A triangle of a piece, in the coordinates of the surface as given.
[[nodiscard]] std::array<Vec3, 3> triangle_of(const Polyhedron& body, const Piece& piece,
                                              std::size_t i) noexcept {
    const auto positions = body.positions();
    return {positions[piece.vertices[0]], positions[piece.vertices[i + 1]],
            positions[piece.vertices[i + 2]]};
}

}  // namespace

Search::Search(const RigidBody& a, const RigidBody& b, const PairStep& step,
               const ImpactOptions& options, const RelativeMotion& motion)
    : a_(tree_of(a)),
      b_(tree_of(b)),
      step_(step),
      options_(options),
      motion_(motion),
      stop_(options.stop) {
    pairs_.reserve(256);
    todo_.reserve(64);
    levels_.reserve(64);
    now_ = motion.at(0.0);
    // Eight spacings of doubles below 1: slabs of that length can still be split.
    shortest_ = std::max(0.25 * options.time_width, 0x1p-50);
}

bool Search::out_of_budget() noexcept {
    return result_.checks >= options_.max_checks || pairs_.size() >= kMaxPairs || stop_();
}

void Search::keep(Pair pair, const FreeShare& share) {
    pair.share = share;
    pairs_.push_back(pair);
}

void Search::split(const Pair& pair) {
    const Node& a = a_.nodes[pair.a];
    const Node& b = b_.nodes[pair.b];
    if (b.is_leaf || (!a.is_leaf && a.size >= b.size)) {
        todo_.push_back({a.child, pair.b});
        todo_.push_back({a.child + 1, pair.b});
    } else {
        todo_.push_back({pair.a, b.child});
        todo_.push_back({pair.a, b.child + 1});
    }
}

namespace {

// Tries directions for a pair of pieces, and keeps the one that frees most of the slab.
struct Trial {
    PieceSlab pair;
    FreeShare best{};
    Vec3 direction{};
    Source source = Source::None;

    bool operator()(Vec3 n, Source from) noexcept {
        const FreeShare share = free_share(pair, n);
        if (share.proved > best.proved) {
            best = share;
            direction = n;
            source = from;
        }
        return share.proved == kAllFree;
    }
};

[[nodiscard]] Trial trial_of(const Slab& slab, const Piece& a, const Piece& b) noexcept {
    return {{corners_of(a), placed(slab.first, b), placed(slab.last, b), slab.slack,
             slab.bulge(b.reach)}};
}

}  // namespace

// A few directions: the one that did best before, followed to the start of the slab, and normals.
void Search::look_at_pieces(const Slab& slab, Pair& kept) noexcept {
    const Piece& a = a_.pieces[a_.nodes[kept.a].child];
    const Piece& b = b_.pieces[b_.nodes[kept.b].child];
    Trial trial = trial_of(slab, a, b);
    const Vec3 normal_first = slab.first.rotation * b.normal;
    const Vec3 normal_last = slab.last.rotation * b.normal;
    // Until one frees all of the slab; the trial keeps the best.
    const auto try_directions = [&] {
        if (kept.source != Source::None) {
            const Vec3 n =
                direction_of(kept.source, trial.pair.a, a.normal, trial.pair.first, normal_first);
            if (trial(n, kept.source)) return;
        } else if (kept.direction != Vec3{} && trial(kept.direction, Source::None)) {
            return;
        }
        if (kept.source != Source::NormalA && trial(a.normal, Source::NormalA)) return;
        trial(unit(normal_first + normal_last), Source::NormalB);
    };
    try_directions();
    kept.share = trial.best;
    kept.direction = trial.direction;
    kept.source = trial.source;
    kept.as_pieces = true;
}

// More directions, the best ones at the start of the slab, for a pair that limits the advance.
void Search::refine(const Slab& slab, Pair& kept) noexcept {
    ++result_.checks;
    const Piece& a = a_.pieces[a_.nodes[kept.a].child];
    const Piece& b = b_.pieces[b_.nodes[kept.b].child];
    Trial trial = trial_of(slab, a, b);
    trial.best = kept.share;
    trial.direction = kept.direction;
    trial.source = kept.source;
    const Vec3 normal = slab.first.rotation * b.normal;
    if (!trial(unit(normal), Source::NormalB)) {
        visit_edge_directions(trial.pair.a, a, trial.pair.first, b, normal,
                              [&](const Vec3& n, Source source) { return trial(n, source); });
    }
    if (trial.best.proved < kShareOfPieces) {
        const Vec3 apart =
            nearest_difference(trial.pair.a, trial.pair.first, trial.direction, 0x1p-30);
        trial(unit(apart), Source::None);
    }
    kept.share = trial.best;
    kept.direction = trial.direction;
    kept.source = trial.source;
}

// The least share of the pairs from `first` on, after those that limit it have been refined.
FreeShare Search::least_share(const Slab& slab, std::size_t first) {
    const auto is_later = [&](std::size_t i, std::size_t j) {
        return pairs_[i].share.proved > pairs_[j].share.proved;
    };
    order_.clear();
    for (std::size_t i = first; i < pairs_.size(); ++i)
        order_.push_back(i);
    std::make_heap(order_.begin(), order_.end(), is_later);
    FreeShare least{kAllFree, kAllFree};
    limited_by_nodes_ = false;
    while (!order_.empty() && pairs_[order_.front()].share.proved < least.proved) {
        if (stop_()) return {};
        std::pop_heap(order_.begin(), order_.end(), is_later);
        Pair& pair = pairs_[order_.back()];
        order_.pop_back();
        if (pair.as_pieces) refine(slab, pair);
        if (pair.share.proved < least.proved) {
            least = pair.share;
            limited_by_nodes_ = !pair.as_pieces;
        }
    }
    return least;
}

// Puts what is left of the pair to the end of pairs_.
void Search::descend(const Slab& slab, Pair pair, Pass& found) {
    const bool divisible = slab.length > 1.5 * shortest_;
    todo_.clear();
    todo_.push_back(pair);
    while (!todo_.empty()) {
        // What is left undone is not asked for any more: after a stop nothing is concluded.
        if (stop_()) return;
        Pair next = todo_.back();
        todo_.pop_back();
        ++result_.checks;
        const Node& a = a_.nodes[next.a];
        const Node& b = b_.nodes[next.b];
        const bool leaves = a.is_leaf && b.is_leaf;
        if (!next.as_pieces) {
            const auto [share, way_sq] = free_share(slab, a, b);
            if (share.proved == kAllFree) continue;
            const double size = a.size + b.size;
            const bool is_too_long = divisible && way_sq > kLongWay * kLongWay * size * size;
            const bool is_long = divisible && way_sq > kShortWay * kShortWay * size * size;
            if (is_too_long) {
                found.too_long = true;
                keep(next, share);
                continue;
            }
            if (!leaves) {
                if (is_long && share.proved >= kShareOfNodes) {
                    keep(next, share);
                } else if (out_of_budget()) {
                    keep(next, {});
                } else {
                    split(next);
                }
                continue;
            }
        }
        look_at_pieces(slab, next);
        if (next.share.proved != kAllFree) pairs_.push_back(next);
    }
}

Search::Pass Search::pass(const Level& level, const Slab& slab) {
    Pass found;
    for (std::size_t i = level.first; i < level.last && !stop_.is_stopped(); ++i)
        descend(slab, pairs_[i], found);
    return found;
}

// Is there contact at the time of `frame`, by proof? Pairs of nodes are left out.
bool Search::prove_contact(const Level& level, const Frame& frame) {
    const double d = options_.min_separation;
    const double error = motion_.error();
    for (std::size_t i = level.first; i < level.last; ++i) {
        if (!pairs_[i].as_pieces) continue;
        if (stop_()) return false;
        ++result_.checks;
        const Piece& a = a_.pieces[a_.nodes[pairs_[i].a].child];
        const Piece& b = b_.pieces[b_.nodes[pairs_[i].b].child];
        const Corners at_a = corners_of(a);
        const Corners at_b = placed(frame, b);
        if (d > 0.0 ? is_within(at_a, a.triangles, at_b, b.triangles, error, d)
                    : is_pierced(at_a, a.triangles, at_b, b.triangles, error)) {
            name_faces(pairs_[i]);
            result_.toi_upper = frame.t;
            return true;
        }
    }
    return false;
}

// Is there contact between a moment before now and the time of `end`? With what is free up to now,
// that is contact from now on.
bool Search::prove_passage(const Level& level, const Frame& end) {
    const double before = now_.t - (end.t - now_.t);
    const Frame first = motion_.at(before >= RelativeMotion::kEarliest ? before : 0.0);
    const Slab slab = make_slab(motion_, first, end, 0.0);
    for (std::size_t i = level.first; i < level.last; ++i) {
        if (!pairs_[i].as_pieces) continue;
        if (stop_()) return false;
        ++result_.checks;
        const Piece& a = a_.pieces[a_.nodes[pairs_[i].a].child];
        const Piece& b = b_.pieces[b_.nodes[pairs_[i].b].child];
        if (is_passed(corners_of(a), a.triangles, placed(first, b), placed(end, b), b.triangles,
                      slab.bulge(b.reach), motion_.error())) {
            name_faces(pairs_[i]);
            result_.toi_upper = end.t;
            return true;
        }
    }
    return false;
}

// Do triangles of the pair's pieces share a point, with both bodies where the poses say? Exact;
// nothing where that cannot be told.
std::optional<bool> Search::share_a_point(const Pair& pair, const Pose& pose_a,
                                          const Pose& pose_b) const noexcept {
    const Piece& a = a_.pieces[a_.nodes[pair.a].child];
    const Piece& b = b_.pieces[b_.nodes[pair.b].child];
    for (std::uint32_t i = 0; i < a.triangles; ++i) {
        for (std::uint32_t j = 0; j < b.triangles; ++j) {
            const std::optional<bool> answer = triangles_share_a_point(
                triangle_of(a_.surface, a, i), pose_a, triangle_of(b_.surface, b, j), pose_b);
            if (!answer || *answer) return answer;
        }
    }
    return false;
}

// Some pair is not proved apart at the start: asks exact arithmetic about all such pairs. True:
// there is contact at once.
bool Search::settle_start(const Level& level) {
    if (start_settled_) return false;
    start_settled_ = true;
    if (options_.min_separation > 0.0 && prove_contact(level, now_)) {
        result_.start =
            start_state(a_.surface, step_.a.start, b_.surface, step_.b.start, options_.stop);
        return true;
    }
    bool all_apart = true;
    for (std::size_t i = level.first; i < level.last; ++i) {
        const Pair& pair = pairs_[i];
        if (pair.share.proved > 0.0 || !pair.as_pieces) continue;
        // An exact test takes some 50 microseconds.
        if (out_of_budget() || stop_.now()) return false;
        ++result_.checks;
        const std::optional<bool> touching = share_a_point(pair, step_.a.start, step_.b.start);
        all_apart = all_apart && touching.has_value();
        if (!touching.value_or(false)) continue;
        name_faces(pair);
        result_.start = StartState::Contact;
        result_.toi_upper = 0.0;
        return true;
    }
    apart_at_start_ = all_apart;
    return all_apart && begins_inside();
}

void Search::name_faces(const Pair& pair) noexcept {
    result_.contact.face_a = a_.pieces[a_.nodes[pair.a].child].face;
    result_.contact.face_b = b_.pieces[b_.nodes[pair.b].child].face;
}

namespace {

// Does a box reach beyond another along an axis of the first, by more than the slack?
[[nodiscard]] bool sticks_out(double inner_centre, double inner_half, double outer_centre,
                              double outer_half, double slack) noexcept {
    const double ahead = (inner_centre + inner_half) - (outer_centre + outer_half);
    const double behind = (outer_centre - outer_half) - (inner_centre - inner_half);
    return ahead > slack || behind > slack;
}

}  // namespace

// Is neither body inside the other? True only with proof, where the surfaces are apart: a body of
// one part with a single corner outside the other's box is not inside it, and each side of a root
// box has a corner on it, within rounding.
bool Search::is_apart_by_boxes() const noexcept {
    const Frame start = motion_.at(0.0);
    const Slab slab = make_slab(motion_, start, start, 0.0);
    const Node& a = a_.nodes[0];
    const Node& b = b_.nodes[0];
    if (free_share(slab, a, b).share.proved == kAllFree) return true;
    if (!a_.connected || !b_.connected) return false;
    const double slack = 2.0 * motion_.error();
    const Vec3 centre_b = start.place(b.centre);
    bool a_out = false;
    bool b_out = false;
    for (std::size_t k = 0; k < 3; ++k) {
        a_out = a_out || sticks_out(a.centre[k], a.half[k], centre_b[k],
                                    dot(slab.rotation_first_abs[k], b.half), slack);
        b_out =
            b_out || sticks_out(dot(slab.axes[k], centre_b), dot(slab.b_first[k], b.half),
                                dot(slab.axes[k], a.centre), dot(slab.axes_abs[k], a.half), slack);
    }
    return a_out && b_out;
}

// Requires: the surfaces are apart at the start.
StartState Search::state_of_apart() const {
    if (is_apart_by_boxes()) return StartState::Separated;
    return start_state(a_.surface, step_.a.start, b_.surface, step_.b.start, options_.stop);
}

// Is one solid body inside the other? Asked as soon as the surfaces are proved apart at the start,
// so that nothing is called free before, and a search that is stopped later keeps what it has.
bool Search::begins_inside() {
    if (!state_asked_) result_.start = state_of_apart();
    state_asked_ = true;
    const bool is_inside =
        result_.start == StartState::AInsideB || result_.start == StartState::BInsideA;
    if (!is_inside || options_.model == BodyModel::SurfaceOnly) return false;
    result_.toi_upper = 0.0;
    return true;
}

// Where a solid body may be inside the other at the start, no time is free of contact.
ImpactResult Search::finished(Verdict verdict) {
    const bool may_be_inside =
        options_.model == BodyModel::Solid && result_.start == StartState::Unresolved;
    if (may_be_inside && verdict == Verdict::Separated) verdict = Verdict::Unresolved;
    const double free = may_be_inside ? 0.0 : all_free_ ? now_.t : free_until_;
    result_.verdict = verdict;
    result_.toi_lower =
        verdict == Verdict::Separated ? kInfinity : std::min(free, result_.toi_upper);
    return result_;
}

// The end of the whole step is a pair of poses, which exact arithmetic can judge. With a separation
// it would prove more than is asked for.
bool Search::touches_at_end(const Level& level, const Frame& end) noexcept {
    if (end.t != 1.0) return false;
    for (std::size_t i = level.first; i < level.last; ++i) {
        if (!pairs_[i].as_pieces) continue;
        if (out_of_budget() || stop_.now()) return false;
        ++result_.checks;
        if (!share_a_point(pairs_[i], step_.a.end, step_.b.end).value_or(false)) continue;
        name_faces(pairs_[i]);
        result_.toi_upper = 1.0;
        return true;
    }
    return false;
}

// Is there contact at or before the end of a slab that could not be proved free?
bool Search::prove_later(const Level& level, const Frame& end) {
    if (!prove_contact(level, end) && !prove_passage(level, end) && !touches_at_end(level, end))
        return false;
    lower_upper_bound(level);
    return true;
}

// After a graze that nothing was proved of, slabs grow, and the first that ends in a proof may be
// long. Bodies that pass into each other stay there for a while: halving finds when that began, or
// some other time at which there is contact. Each one is a proof of its own.
void Search::lower_upper_bound(const Level& level) {
    double low = free_until_;
    while (result_.toi_upper - low > options_.time_width && !out_of_budget()) {
        const double middle = low + 0.5 * (result_.toi_upper - low);
        if (!(low < middle && middle < result_.toi_upper)) return;
        if (middle < RelativeMotion::kEarliest) return;
        if (!prove_contact(level, motion_.at(middle))) low = middle;
    }
}

// A stack of slabs of time, the earliest on top. State: now_, the levels, and `free`, which is now_.t
// while all_free_ holds and free_until_ afterwards.
//
// Invariant, at the head of the loop:
//   I1  [0, free) is proved free of contact.
//   I2  The ends of the levels do not increase from the bottom of the stack to its top; the bottom
//       ends at t_max, and now_.t is at most the end of the top or the top is popped next.
//   I3  Every pair of pieces that can meet in [now_.t, end of a level] lies below a pair of nodes in
//       that level's list: a pair leaves a list only where a bound over all of that slab separates
//       it (RI-5), and the lists of shorter slabs are made from those of longer ones.
//   I4  No finite toi_upper is set: each proof of contact returns at once.
// So an exit with Unresolved may report `free`, and an empty stack with all_free_ is a proof of
// Separated by I1 and I2. It ends: a pass over pairs costs checks of a finite budget, and one over
// no pairs proves its slab free and pops it.
ImpactResult Search::run() {
    pairs_.push_back({0, 0});
    levels_.push_back({options_.t_max, 0, 1});
    while (!levels_.empty()) {
        Level& level = levels_.back();
        // The slab is behind: I1 to I3 are about what comes after now. (A step of length 0 has one
        // slab [0, 0] that must be tested once.)
        if (now_.t >= level.end && now_.t > 0.0) {
            levels_.pop_back();
            continue;
        }
        if (out_of_budget() || stop_.now()) return finished(Verdict::Unresolved);
        options_.progress.tell(options_.t_max > 0.0 ? now_.t / options_.t_max : 0.0);
        // After a free slab comes one of four times its length, not at once the whole rest.
        if (stride_ > 0.0 && 2.0 * stride_ < level.end - now_.t) {
            levels_.push_back({now_.t + stride_, level.first, level.last});
            stride_ = 0.0;
            continue;
        }
        // I3 for [now, end]: the pass writes what it cannot separate behind the level's list.
        const Frame end = motion_.at(level.end);
        const Slab slab = make_slab(motion_, now_, end, options_.min_separation);
        pairs_.resize(level.last);
        Pass found = pass(level, slab);
        if (out_of_budget()) return finished(Verdict::Unresolved);
        found.least = least_share(slab, level.last);
        if (stop_.is_stopped()) return finished(Verdict::Unresolved);
        // All of [now, end] is free, its end included: now moves to the end and keeps I1. At time 0
        // the surfaces are separated now, so that one body may be inside the other (I1 needs both).
        if (found.least.proved == kAllFree) {
            if (now_.t == 0.0 && begins_inside()) return finished(Verdict::Contact);
            stride_ = 4.0 * slab.length;
            now_ = end;
            levels_.pop_back();
            continue;
        }
        stride_ = 0.0;
        // What is left replaces the level's list, unless the level below has the same one.
        const bool shared = levels_.size() > 1 && levels_[levels_.size() - 2].last == level.last;
        if (shared) {
            level.first = level.last;
            level.last = pairs_.size();
        } else {
            std::copy(pairs_.begin() + static_cast<std::ptrdiff_t>(level.last), pairs_.end(),
                      pairs_.begin() + static_cast<std::ptrdiff_t>(level.first));
            level.last = level.first + (pairs_.size() - level.last);
            pairs_.resize(level.last);
        }
        // [now, now + advance) is free for every pair: rounded down, so that I1 survives the step.
        const double length = slab.length;
        const double advance = mul_down(found.least.proved, sub_down(end.t, now_.t));
        double next = add_down(now_.t, advance);
        // Its end is not proved free: the slab is left before it.
        if (!(next < end.t)) next = 0.5 * (now_.t + end.t);
        if (!(next > now_.t) || next < RelativeMotion::kEarliest) next = now_.t;
        // No progress from the start: bounds in doubles cannot decide contact at t = 0, exact
        // arithmetic can. Contact returns; else I1 says nothing yet, as free = 0.
        if (next == 0.0 && !found.too_long && settle_start(level))
            return finished(Verdict::Contact);
        // The start is all there is, and exact arithmetic has answered.
        if (end.t == 0.0 && apart_at_start_ && options_.min_separation == 0.0)
            return finished(Verdict::Separated);
        const double from = now_.t;
        if (next > now_.t) {
            if (from == 0.0 && begins_inside()) return finished(Verdict::Contact);
            now_ = motion_.at(next);
        }
        // The slab is as short as slabs get and not proved free: it is left undecided. free stays
        // where it is from here on (I1 by free_until_), and only a proof of contact or the end of
        // the step can follow. Lists of longer slabs hold every pair for what comes after (I3).
        if (slab.length <= 1.5 * shortest_) {
            if (all_free_) {
                all_free_ = false;
                free_until_ = now_.t;
            }
            if (prove_later(level, end)) return finished(Verdict::Contact);
            if (stop_.is_stopped()) return finished(Verdict::Unresolved);
            now_ = end;
            shortest_ *= 2.0;
            levels_.pop_back();
            continue;
        }
        // Splits the slab: a shorter level with the same list on top keeps I2 and I3.
        // The next slab reaches a little beyond the guess of the contact.
        const double closes = from + found.least.closes_est * length;
        const double rest = level.end - now_.t;
        // Boxes that close do not tell of a contact: the rest of the slab is short for them now.
        if (rest <= 1.5 * shortest_ || (limited_by_nodes_ && !found.too_long)) continue;
        double width = std::max(3.0 * (closes - now_.t), kLeastShrink * (now_.t - from));
        if (found.too_long) width = rest;
        width = std::clamp(width, shortest_, std::max(0.5 * rest, shortest_));
        double stop = now_.t + width;
        if (!(stop > now_.t)) stop = next_up(now_.t);
        if (stop >= level.end) continue;
        levels_.push_back({stop, level.first, level.last});
    }
    if (!all_free_) return finished(Verdict::Unresolved);
    return finished(Verdict::Separated);
}

}  // namespace graze::rigid::detail
