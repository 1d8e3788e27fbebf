// Which pairs of nodes and pieces are separated in a slab, and for which fraction of it (RI-5). Any
// direction may be tried: a bad one costs time, never a proof.
#include <algorithm>

#include "rigid/impact/directions.hpp"
#include "rigid/impact/search.hpp"

namespace graze::rigid::detail {

namespace {

// Sizes of the boxes below are the sums of both nodes' sizes. None of these constants is part of a
// proof: they decide what is tested next, so a bad choice costs time only.
// A pair of nodes that moves is not split where this fraction of the slab is free of it anyway.
constexpr double kGoodFraction = 0.5;
// A pair of nodes moves where B is displaced by more than this many sizes of the boxes in the slab.
constexpr double kShortDisplacement = 0.25;
// Where B is displaced by more than this many sizes, the slab is too long for such boxes: it is
// halved before they are split.
constexpr double kLongDisplacement = 1.0;
// Below it, the nearest points of two pieces are sought.
constexpr double kPoorFraction = 0.01;

// Tries directions for a pair of pieces, and keeps the one that proves most of the slab free: each
// is a proof of its own, so that the best fraction is proved whatever the others gave.
struct DirectionTrial {
    PieceSlab pair;
    FreeFraction best{};
    Vec3 direction{};
    Source source = Source::None;

    bool operator()(Vec3 n, Source from) noexcept {
        const FreeFraction fraction = free_fraction(pair, n);
        if (fraction.proved > best.proved) {
            best = fraction;
            direction = n;
            source = from;
        }
        return fraction.proved == kAllFree;
    }
};

[[nodiscard]] DirectionTrial trial_of(const Slab& slab, const Piece& a, const Piece& b) noexcept {
    return {{corners_of(a), transformed(slab.first, b), transformed(slab.last, b), slab.slack,
             slab.bulge(b.reach)}};
}

}  // namespace

void Search::keep(const NodePair& pair, const FreeFraction& fraction) {
    Pair& kept = state_.pairs.emplace_back(Pair{pair.a, pair.b});
    kept.fraction = fraction;
}

// Both nodes are split at once where both can be: a pair of which one is split is rarely separated, so
// that its test would only cost.
void Search::split_both(const NodePair& pair) {
    const Node& a = a_.nodes[pair.a];
    const Node& b = b_.nodes[pair.b];
    if (a.is_leaf || b.is_leaf) return split(pair);
    for (std::uint32_t i = 0; i < 2; ++i) {
        todo_.push_back({a.child, b.child + i});
        todo_.push_back({a.child + 1, b.child + i});
    }
}

// The larger node is split, so that sizes stay alike.
void Search::split(const NodePair& pair) {
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

// A few directions: the one that did best before, followed to the start of the slab, and normals.
// What separates two pieces changes little from slab to slab, so that the first one tried is mostly
// enough.
void Search::test_pieces(const Slab& slab, Pair& kept) noexcept {
    const Piece& a = piece_a(kept);
    const Piece& b = piece_b(kept);
    DirectionTrial trial = trial_of(slab, a, b);
    const Vec3 normal_first = slab.first.rotation * b.normal;
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
        trial(unit(normal_first + slab.last.rotation * b.normal), Source::NormalB);
    };
    try_directions();
    kept.fraction = trial.best;
    kept.direction = trial.direction;
    kept.source = trial.source;
    kept.as_pieces = true;
}

// More directions, the best ones at the start of the slab, for a pair that limits the advance: the
// candidates of two flat convex pieces are their normals and the products of their edges, and the
// difference of the nearest points is the best of all where they are separated.
void Search::refine(const Slab& slab, Pair& kept) noexcept {
    ++result_.checks;
    const Piece& a = piece_a(kept);
    const Piece& b = piece_b(kept);
    DirectionTrial trial = trial_of(slab, a, b);
    trial.best = kept.fraction;
    trial.direction = kept.direction;
    trial.source = kept.source;
    const Vec3 normal = slab.first.rotation * b.normal;
    if (!trial(unit(normal), Source::NormalB)) {
        visit_edge_directions(trial.pair.a, a, trial.pair.first, b, normal,
                              [&](const Vec3& n, Source source) { return trial(n, source); });
    }
    if (trial.best.proved < kPoorFraction) {
        const Vec3 nearest =
            nearest_difference(trial.pair.a, trial.pair.first, trial.direction, 0x1p-30);
        trial(unit(nearest), Source::None);
    }
    kept.fraction = trial.best;
    kept.direction = trial.direction;
    kept.source = trial.source;
}

// The least fraction of the pairs from `first` on: every pair is free for that long. Only pairs
// that limit it are refined: those of the heap that are left when it ends have a larger fraction.
void Search::find_least(const Slab& slab, std::size_t first, Pass& found) {
    const auto is_later = [&](std::size_t i, std::size_t j) {
        const double at_i = state_.pairs[i].fraction.proved;
        const double at_j = state_.pairs[j].fraction.proved;
        return at_i != at_j ? at_i > at_j : i > j;  // a total order: the same on every platform
    };
    order_.clear();
    for (std::size_t i = first; i < state_.pairs.size(); ++i)
        order_.push_back(i);
    std::make_heap(order_.begin(), order_.end(), is_later);
    while (!order_.empty() && state_.pairs[order_.front()].fraction.proved < found.least.proved) {
        if (stop_()) {
            found.least = {};
            return;
        }
        std::pop_heap(order_.begin(), order_.end(), is_later);
        Pair& pair = state_.pairs[order_.back()];
        order_.pop_back();
        if (pair.as_pieces) refine(slab, pair);
        if (pair.fraction.proved < found.least.proved) {
            found.least = pair.fraction;
            found.limited_by_nodes = !pair.as_pieces;
        }
    }
}

// A pair of nodes: true if it is dealt with, being separated in all of the slab, kept to wait for a
// shorter slab, or split; false for two leaves whose boxes do not separate them.
bool Search::wait_or_split(const Slab& slab, const NodePair& pair, Pass& found) {
    const Node& a = a_.nodes[pair.a];
    const Node& b = b_.nodes[pair.b];
    const NodeBound bound = free_fraction(slab, a, b);
    if (bound.fraction.proved == kAllFree) return true;
    const bool is_divisible = slab.length > kIndivisible * state_.shortest;
    const double size = a.size + b.size;
    const auto is_displaced_by = [&](double sizes) {
        return is_divisible && bound.displacement_sq_est > sizes * sizes * (size * size);
    };
    if (is_displaced_by(kLongDisplacement)) {
        found.too_long = true;
        keep(pair, bound.fraction);
        return true;
    }
    if (a.is_leaf && b.is_leaf) return false;
    if (bound.fraction.proved >= kGoodFraction && is_displaced_by(kShortDisplacement)) {
        keep(pair, bound.fraction);
    } else if (out_of_budget()) {
        keep(pair, {});
    } else {
        split_both(pair);
    }
    return true;
}

void Search::keep_pieces(const Slab& slab, Pair pair) {
    test_pieces(slab, pair);
    if (pair.fraction.proved != kAllFree) state_.pairs.push_back(pair);
}

// Puts what is left of the pair at the end of state_.pairs. I3: every pair below it is separated in
// all of the slab, or is kept, or lies below one that is kept. After a stop nothing is concluded.
void Search::descend(const Slab& slab, const Pair& pair, Pass& found) {
    if (pair.as_pieces) {
        ++result_.checks;
        if (!stop_()) keep_pieces(slab, pair);
        return;
    }
    todo_.assign(1, {pair.a, pair.b});
    while (!todo_.empty() && !stop_()) {
        const NodePair next = todo_.back();
        todo_.pop_back();
        ++result_.checks;
        if (!wait_or_split(slab, next, found)) keep_pieces(slab, {next.a, next.b});
    }
}

// Over the list of a level: what it cannot separate in the slab goes to the end of state_.pairs.
Search::Pass Search::pass(const Level& level, const Slab& slab) {
    Pass found;
    for (std::size_t i = level.first; i < level.last && !stop_.is_stopped(); ++i)
        descend(slab, state_.pairs[i], found);
    return found;
}

}  // namespace graze::rigid::detail
