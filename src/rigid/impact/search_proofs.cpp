// Proofs of contact (RI-6), and what exact arithmetic decides at the poses of the step. Each proof
// sets toi_upper and ends the search (I4); what proves nothing leaves the state as it is.
#include <utility>

#include "rigid/impact/proof.hpp"
#include "rigid/impact/search.hpp"

namespace graze::rigid::detail {

namespace {

// A triangle of a piece, in the coordinates of the surface as given.
[[nodiscard]] std::array<Vec3, 3> triangle_of(const Polyhedron& body, const Piece& piece,
                                              std::size_t i) noexcept {
    const auto positions = body.positions();
    return {positions[piece.vertices[0]], positions[piece.vertices[i + 1]],
            positions[piece.vertices[i + 2]]};
}

// Does a box reach beyond another along an axis of the first, by more than the slack?
[[nodiscard]] bool sticks_out(double inner_centre, double inner_half, double outer_centre,
                              double outer_half, double slack) noexcept {
    const double ahead = (inner_centre + inner_half) - (outer_centre + outer_half);
    const double behind = (outer_centre - outer_half) - (inner_centre - inner_half);
    return ahead > slack || behind > slack;
}

}  // namespace

// Is there contact at the time of `frame`, by proof? Pairs of nodes are left out: only pieces have
// determinants whose signs are certain.
bool Search::prove_contact(const Level& level, const Frame& frame) {
    const double d = options_.min_separation;
    const double error = motion_.error();
    for (std::size_t i = level.first; i < level.last; ++i) {
        if (!state_.pairs[i].as_pieces) continue;
        if (stop_()) return false;
        ++result_.checks;
        const Piece& a = piece_a(state_.pairs[i]);
        const Piece& b = piece_b(state_.pairs[i]);
        const Corners at_a = corners_of(a);
        const Corners at_b = transformed(frame, b);
        if (d > 0.0 ? is_within(at_a, a.triangles, at_b, b.triangles, error, d)
                    : is_pierced(at_a, a.triangles, at_b, b.triangles, error)) {
            name_faces(state_.pairs[i]);
            result_.toi_upper = frame.t;
            return true;
        }
    }
    return false;
}

// Does a vertex pass through a piece between a moment before now and the time of `end`? Its side of
// the piece's plane changes while it is over the piece all the time (RI-6): there is contact at or
// before the end. Beginning before now makes the first side certain where now itself touches.
bool Search::prove_passage(const Level& level, const Frame& end) {
    const double before = state_.now.t - (end.t - state_.now.t);
    const Frame first = motion_.at(before >= RelativeMotion::kEarliest ? before : 0.0);
    const Slab slab = make_slab(motion_, first, end, 0.0);
    for (std::size_t i = level.first; i < level.last; ++i) {
        if (!state_.pairs[i].as_pieces) continue;
        if (stop_()) return false;
        ++result_.checks;
        const Piece& a = piece_a(state_.pairs[i]);
        const Piece& b = piece_b(state_.pairs[i]);
        if (is_passed(corners_of(a), a.triangles, transformed(first, b), transformed(end, b),
                      b.triangles, slab.bulge(b.reach), motion_.error())) {
            name_faces(state_.pairs[i]);
            result_.toi_upper = end.t;
            return true;
        }
    }
    return false;
}

// Do triangles of the pair's pieces share a point, with both bodies at the given poses? Exact;
// nothing where that is not decided.
std::optional<bool> Search::share_a_point(const Pair& pair, const Pose& pose_a,
                                          const Pose& pose_b) const noexcept {
    const Piece& a = piece_a(pair);
    const Piece& b = piece_b(pair);
    for (std::uint32_t i = 0; i < a.triangles; ++i) {
        for (std::uint32_t j = 0; j < b.triangles; ++j) {
            const std::optional<bool> answer = triangles_share_a_point(
                triangle_of(a_.surface, a, i), pose_a, triangle_of(b_.surface, b, j), pose_b);
            if (!answer || *answer) return answer;
        }
    }
    return false;
}

// Do pieces cross at t = 0, by determinants in doubles? Asked before anything else, so that bodies which
// are deep in each other need no slab and no exact arithmetic: boxes at t = 0, the nearer of two first.
// What is not found soon is left to the search. Which pair is found first decides what faces are named.
bool Search::overlaps_at_start() {
    constexpr int kMostNodes = 96;
    const Frame& frame = state_.now;
    const Slab start = make_slab(motion_, frame, frame, 0.0);
    todo_.assign(1, {0, 0});
    const auto distance_sq = [&](const NodePair& pair) {
        return norm_sq(frame.transform(b_.nodes[pair.b].centre) - a_.nodes[pair.a].centre);
    };
    for (int left = kMostNodes; left > 0 && !todo_.empty() && !out_of_budget(); --left) {
        const NodePair pair = todo_.back();
        todo_.pop_back();
        ++result_.checks;
        const Node& node_a = a_.nodes[pair.a];
        const Node& node_b = b_.nodes[pair.b];
        if (free_fraction(start, node_a, node_b).fraction.proved == kAllFree) continue;
        if (!node_a.is_leaf || !node_b.is_leaf) {
            split(pair);
            NodePair& last = todo_.back();
            NodePair& before = todo_[todo_.size() - 2];
            if (distance_sq(before) < distance_sq(last)) std::swap(before, last);
            continue;
        }
        const Piece& a = a_.pieces[node_a.child];
        const Piece& b = b_.pieces[node_b.child];
        const Corners at_a = corners_of(a);
        const Corners at_b = transformed(frame, b);
        if (has_gap_along(at_a, at_b, a.normal) ||
            has_gap_along(at_a, at_b, frame.rotation * b.normal))
            continue;
        if (!is_pierced(at_a, a.triangles, at_b, b.triangles, motion_.error())) continue;
        name_faces({pair.a, pair.b});
        result_.start = StartState::Contact;
        result_.toi_upper = 0.0;
        return true;
    }
    return false;
}

// Some pair is not proved separated at the start: asks exact arithmetic about all such pairs. True:
// there is contact at t = 0. False: start_disjoint tells whether all pairs are disjoint by proof.
bool Search::touches_at_start(const Level& level) {
    if (state_.start_tested) return false;
    state_.start_tested = true;
    if (options_.min_separation > 0.0 && prove_contact(level, state_.now)) {
        result_.start =
            start_state(a_.surface, step_.a.start, b_.surface, step_.b.start, options_.stop);
        return true;
    }
    bool all_disjoint = true;
    for (std::size_t i = level.first; i < level.last; ++i) {
        const Pair& pair = state_.pairs[i];
        if (pair.fraction.proved > 0.0 || !pair.as_pieces) continue;
        // An exact test takes some 50 microseconds.
        if (out_of_budget() || stop_.now()) return false;
        ++result_.checks;
        const std::optional<bool> touching = share_a_point(pair, step_.a.start, step_.b.start);
        all_disjoint = all_disjoint && touching.has_value();
        if (!touching.value_or(false)) continue;
        name_faces(pair);
        result_.start = StartState::Contact;
        result_.toi_upper = 0.0;
        return true;
    }
    state_.start_disjoint = all_disjoint;
    return all_disjoint && begins_inside();
}

void Search::name_faces(const Pair& pair) noexcept {
    result_.contact.a = piece_a(pair).face;
    result_.contact.b = piece_b(pair).face;
}

// Is neither body inside the other? True only with proof, where the surfaces are disjoint: a
// connected body with a single vertex outside the other's box is not inside it, and each side of a
// root box has a vertex on it, within rounding errors: 2 error() for the two projections.
bool Search::is_separated_by_boxes() const noexcept {
    const Frame start = motion_.at(0.0);
    const Slab slab = make_slab(motion_, start, start, 0.0);
    const Node& a = a_.nodes[0];
    const Node& b = b_.nodes[0];
    if (free_fraction(slab, a, b).fraction.proved == kAllFree) return true;
    if (!a_.connected || !b_.connected) return false;
    const double slack = 2.0 * motion_.error();
    const Vec3 centre_b = start.transform(b.centre);
    bool a_out = false;
    bool b_out = false;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t of_b = k + 3;
        a_out = a_out || sticks_out(a.centre[k], a.half[k], centre_b[k],
                                    slab.in_b_first.along(k, b.half), slack);
        b_out = b_out ||
                sticks_out(slab.axes.along(of_b, centre_b), slab.in_b_first.along(of_b, b.half),
                           slab.axes.along(of_b, a.centre), slab.in_a.along(of_b, a.half), slack);
    }
    return a_out && b_out;
}

// Requires: the surfaces are disjoint at the start.
StartState Search::state_of_separated() const {
    if (is_separated_by_boxes()) return StartState::Separated;
    return start_state(a_.surface, step_.a.start, b_.surface, step_.b.start, options_.stop);
}

// Is one solid body inside the other? Tested as soon as the surfaces are proved disjoint at the
// start, so that nothing is called free before, and a search that is stopped later keeps what it
// has. Only the start matters: whether a surface winds around a point changes only when the point
// crosses the surface, so a body that is outside at 0 is outside up to the first contact of the
// surfaces.
bool Search::begins_inside() {
    if (!state_.nesting_tested) result_.start = state_of_separated();
    state_.nesting_tested = true;
    const bool is_inside =
        result_.start == StartState::AInsideB || result_.start == StartState::BInsideA;
    if (!is_inside || options_.model == BodyModel::SurfaceOnly) return false;
    result_.toi_upper = 0.0;
    return true;
}

// The end of the whole step is a pair of poses, which exact arithmetic can decide. With a
// separation it would prove more than is asked for.
bool Search::touches_at_end(const Level& level, const Frame& end) noexcept {
    if (end.t != 1.0) return false;
    for (std::size_t i = level.first; i < level.last; ++i) {
        if (!state_.pairs[i].as_pieces) continue;
        if (out_of_budget() || stop_.now()) return false;
        ++result_.checks;
        if (!share_a_point(state_.pairs[i], step_.a.end, step_.b.end).value_or(false)) continue;
        name_faces(state_.pairs[i]);
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
    double low = state_.free_until;
    while (result_.toi_upper - low > options_.time_width && !out_of_budget()) {
        const double middle = low + 0.5 * (result_.toi_upper - low);
        if (!(low < middle && middle < result_.toi_upper)) return;
        if (middle < RelativeMotion::kEarliest) return;
        if (!prove_contact(level, motion_.at(middle))) low = middle;
    }
}

}  // namespace graze::rigid::detail
