// All crossings (RI-7), in three steps:
//
// 1. divide(): slabs of time and pairs of nodes are halved until pieces are left that no direction
//    separates in a slab short enough for their boxes; their vertices, faces and edges become
//    candidates, with the slab as their window.
// 2. join_windows(): windows of one pair of features that follow each other become one.
// 3. resolve(): the roots of each candidate's determinant in its window (crossing.hpp).
//
// Whatever is left out, for whatever reason, sets `complete` to false: a list that is complete is a
// proof that there are no other crossings with a change of side.
#include "rigid/impact/event_search.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "rigid/impact/directions.hpp"

namespace graze::rigid::detail {

namespace {

// Slabs are halved while B's boxes move by more than this many sizes in them.
constexpr double kLongestDisplacement = 0.5;
constexpr double kShortestSlab = 0x1p-16;
constexpr std::size_t kMaxCandidates = 50'000'000;
constexpr std::size_t kMaxPairsOfSlab = 20'000'000;
// The fraction of the reported progress that the descent to candidates counts for.
constexpr double kDescentFraction = 0.25;
// Some milliseconds of them between two questions whether to stop.
constexpr std::size_t kCandidatesAtATime = 16;

// The edge of the polyhedron between two vertices, by bisection; kNoFace for a diagonal within a
// face.
[[nodiscard]] std::uint32_t edge_between(const Polyhedron& body, std::uint32_t v,
                                         std::uint32_t w) noexcept {
    using Ends = std::pair<std::uint32_t, std::uint32_t>;
    const auto edges = body.edges();
    const Ends key = std::minmax(v, w);
    const auto ends = [](const PolyhedronEdge& e) { return Ends(e.from, e.to); };
    const auto at =
        std::lower_bound(edges.begin(), edges.end(), key,
                         [&](const PolyhedronEdge& e, const Ends& k) { return ends(e) < k; });
    if (at == edges.end() || ends(*at) != key) return kNoFace;
    return static_cast<std::uint32_t>(at - edges.begin());
}

[[nodiscard]] Vec3 shifted(const BodyTree& body, std::uint32_t v) noexcept {
    return body.surface.positions()[v] - body.extent.centre;
}

// Buss 2005, section 5: min e . n over the edges at the vertex, n pointing to the vertex's own
// body. All edges are on that side iff it is not negative: then the bodies face each other there.
[[nodiscard]] double vertex_properness(const Polyhedron& body, std::uint32_t v,
                                       const Matrix& rotation, const Vec3& n) noexcept {
    double least = 1.0;
    for (const std::uint32_t i : body.vertex_edges(v)) {
        const PolyhedronEdge& e = body.edges()[i];
        const std::uint32_t other = e.from == v ? e.to : e.from;
        const Vec3 along = unit(rotation * (body.positions()[other] - body.positions()[v]));
        if (along != Vec3{}) least = std::min(least, dot(along, n));
    }
    return least;
}

constexpr Matrix kIdentity = {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};

// Of the faces at an edge: it points out of the body, at ridges and in valleys alike.
[[nodiscard]] Vec3 sum_of_normals(const Polyhedron& body, const PolyhedronEdge& edge) noexcept {
    Vec3 sum;
    if (edge.left != kNoFace) sum = sum + body.normal(edge.left);
    if (edge.right != kNoFace) sum = sum + body.normal(edge.right);
    return sum;
}

}  // namespace

bool EventSearch::is_spent() noexcept {
    return result_.checks >= options_.max_checks || stop_();
}

// True if all that is left are pieces, in `left`; false if the slab is too long for some boxes.
// What is not in `left` is separated in all of the slab, its ends included (RI-5). Without budget
// nothing is left, and the result is not complete.
bool EventSearch::descend(const Slab& slab, const std::vector<Pair>& pairs,
                          std::vector<Pair>& left) {
    std::vector<Pair> todo = pairs;
    bool all_pieces = true;
    while (!todo.empty()) {
        if (is_spent() || left.size() >= kMaxPairsOfSlab) {
            result_.complete = false;
            left.clear();
            return true;
        }
        const Pair next = todo.back();
        todo.pop_back();
        ++result_.checks;
        const Node& a = a_.nodes[next.a];
        const Node& b = b_.nodes[next.b];
        const auto [fraction, displacement_sq] = free_fraction(slab, a, b);
        if (fraction.proved == kAllFree) continue;
        const double size = a.size + b.size;
        if (displacement_sq > kLongestDisplacement * kLongestDisplacement * size * size &&
            slab.length > kShortestSlab) {
            all_pieces = false;
            left.push_back(next);
        } else if (a.is_leaf && b.is_leaf) {
            if (!are_separated(slab, a_.pieces[a.child], b_.pieces[b.child])) left.push_back(next);
        } else if (b.is_leaf || (!a.is_leaf && a.size >= b.size)) {
            todo.push_back({a.child, next.b});
            todo.push_back({a.child + 1, next.b});
        } else {
            todo.push_back({next.a, b.child});
            todo.push_back({next.a, b.child + 1});
        }
    }
    return all_pieces;
}

// Every pair of pieces that comes near in [first, last] becomes candidates of all its features,
// each with the slab as its window. Slabs in which boxes move far are halved, down to
// kShortestSlab: that bounds the depth.
void EventSearch::divide(const Frame& first, const Frame& last, const std::vector<Pair>& pairs) {
    if (is_spent() || candidates_.size() >= kMaxCandidates) {
        result_.complete = false;
        return;
    }
    if (options_.t_max > 0.0) options_.progress.tell(kDescentFraction * first.t / options_.t_max);
    const Slab slab = make_slab(motion_, first, last, 0.0);
    std::vector<Pair> left;
    const bool all_pieces = descend(slab, pairs, left);
    if (left.empty()) return;
    if (!all_pieces) {
        const Frame middle = motion_.at(0.5 * (first.t + last.t));
        divide(first, middle, left);
        divide(middle, last, left);
        return;
    }
    for (const Pair& pair : left) {
        if (candidates_.size() >= kMaxCandidates) {
            result_.complete = false;
            return;
        }
        const std::uint32_t a = a_.nodes[pair.a].child;
        const std::uint32_t b = b_.nodes[pair.b].child;
        add_candidates(a_.pieces[a], a, b_.pieces[b], b, first.t, last.t);
    }
}

// A bent face is cut into pieces that meet in ridges and valleys. Those are no edges of the body,
// so that what crosses them alone is in no list.
bool EventSearch::have_ridges(const Piece& a, const Piece& b) const noexcept {
    const auto is_bent = [](const Polyhedron& body, const Piece& piece) {
        const auto bent = body.bent_faces();
        return std::binary_search(bent.begin(), bent.end(), piece.face);
    };
    return is_bent(a_.surface, a) || is_bent(b_.surface, b);
}

// Vertices and sides of two pieces; diagonals within a face are no edges.
void EventSearch::add_candidates(const Piece& a, std::uint32_t index_a, const Piece& b,
                                 std::uint32_t index_b, double from, double to) {
    if (have_ridges(a, b)) result_.complete = false;
    const std::size_t corners_a = a.triangles + 2;
    const std::size_t corners_b = b.triangles + 2;
    for (std::size_t i = 0; i < corners_a; ++i)
        candidates_.push_back({ContactType::VertexFace, a.vertices[i], index_b, from, to});
    for (std::size_t j = 0; j < corners_b; ++j)
        candidates_.push_back({ContactType::FaceVertex, index_a, b.vertices[j], from, to});
    for (std::size_t i = 0; i < corners_a; ++i) {
        const std::uint32_t edge_a =
            edge_between(a_.surface, a.vertices[i], a.vertices[(i + 1) % corners_a]);
        if (edge_a == kNoFace) continue;
        for (std::size_t j = 0; j < corners_b; ++j) {
            const std::uint32_t edge_b =
                edge_between(b_.surface, b.vertices[j], b.vertices[(j + 1) % corners_b]);
            if (edge_b == kNoFace) continue;
            candidates_.push_back({ContactType::EdgeEdge, edge_a, edge_b, from, to});
        }
    }
}

// One window for slabs that follow each other, so that no root falls between two (RI-7).
// Millions of candidates take seconds to sort, and only a comparison can end that early.
void EventSearch::join_windows() {
    struct Stopped {};
    const auto key = [](const Candidate& c) { return std::tuple(c.type, c.a, c.b); };
    const auto comes_before = [&](const Candidate& x, const Candidate& y) {
        if (stop_()) throw Stopped();
        return std::tuple(x.type, x.a, x.b, x.from, x.to) <
               std::tuple(y.type, y.a, y.b, y.from, y.to);
    };
    try {
        std::sort(candidates_.begin(), candidates_.end(), comes_before);
    } catch (const Stopped&) {
        result_.complete = false;
        candidates_.clear();
        return;
    }
    std::size_t last = 0;
    for (std::size_t i = 1; i < candidates_.size(); ++i) {
        Candidate& open = candidates_[last];
        const Candidate& next = candidates_[i];
        if (key(open) == key(next) && next.from <= open.to)
            open.to = std::max(open.to, next.to);
        else
            candidates_[++last] = next;
    }
    if (!candidates_.empty()) candidates_.resize(last + 1);
}

// The corners of both features, in the shifted frames of the trees.
Crossing EventSearch::features_of(const Candidate& c) const noexcept {
    Crossing features;
    features.type = c.type;
    const auto set_piece = [](std::array<Vec3, 4>& to, const Piece& piece) {
        for (std::size_t i = 0; i < 4; ++i)
            to[i] = piece.corner(i);
    };
    const auto set_edge = [](std::array<Vec3, 4>& to, const BodyTree& body, std::uint32_t edge) {
        const PolyhedronEdge& e = body.surface.edges()[edge];
        to[0] = to[2] = shifted(body, e.from);
        to[1] = to[3] = shifted(body, e.to);
    };
    switch (c.type) {
        case ContactType::VertexFace:
            features.a.fill(shifted(a_, c.a));
            set_piece(features.b, b_.pieces[c.b]);
            break;
        case ContactType::FaceVertex:
            set_piece(features.a, a_.pieces[c.a]);
            features.b.fill(shifted(b_, c.b));
            break;
        case ContactType::EdgeEdge:
        case ContactType::FaceFace:  // no candidate
            set_edge(features.a, a_, c.a);
            set_edge(features.b, b_, c.b);
            break;
    }
    return features;
}

// Normal, properness and point of two edges that cross, in A's shifted frame. With
// n = a x b / |a x b| for the edges' directions a and b, and n_l, n_r the normals of the faces left
// and right of an edge, the properness is Buss 2005, equation 7:
//   min((n x a) . n_l, -(n x a) . n_r, -(n x b) . n_l, (n x b) . n_r),
// for n or for -n, whichever gives more; that is the normal, too.
void EventSearch::set_edge_contact(const Crossing& features, const Frame& frame,
                                   Contact& result) const noexcept {
    const PolyhedronEdge& edge_a = a_.surface.edges()[result.a];
    const PolyhedronEdge& edge_b = b_.surface.edges()[result.b];
    const std::array<Vec3, 4> b = transformed(frame, features);
    const Vec3 along_a = unit(features.a[1] - features.a[0]);
    const Vec3 along_b = unit(b[1] - b[0]);
    const Vec3 across = cross(along_a, along_b);
    const Vec3 n = unit(across);
    double plus = 1.0;
    double minus = 1.0;
    const auto term = [&](double value) {
        plus = std::min(plus, value);
        minus = std::min(minus, -value);
    };
    const Vec3 na = cross(n, along_a);
    const Vec3 nb = cross(n, along_b);
    if (edge_a.left != kNoFace) term(dot(na, a_.surface.normal(edge_a.left)));
    if (edge_a.right != kNoFace) term(-dot(na, a_.surface.normal(edge_a.right)));
    if (edge_b.left != kNoFace) term(-dot(nb, frame.rotation * b_.surface.normal(edge_b.left)));
    if (edge_b.right != kNoFace) term(dot(nb, frame.rotation * b_.surface.normal(edge_b.right)));
    result.normal = plus >= minus ? n : -n;
    result.properness = std::max(plus, minus);
    // In a valley the equation is not negative for the normal that points into the body.
    const double out_of_a = dot(result.normal, sum_of_normals(a_.surface, edge_a));
    const double out_of_b = dot(result.normal, frame.rotation * sum_of_normals(b_.surface, edge_b));
    if (out_of_a < 0.0 || out_of_b > 0.0) result.properness = -std::fabs(result.properness);
    // The point of A's edge that is nearest to the line of B's: with r from A's edge to B's,
    // (r x b) . (a x b) / |a x b|^2 along a.
    const Vec3 r = b[0] - features.a[0];
    const double fraction =
        dot(cross(r, b[1] - b[0]), across) /
        (norm(features.a[1] - features.a[0]) * norm(b[1] - b[0]) * norm_sq(across));
    result.point = features.a[0] + fraction * norm(features.a[1] - features.a[0]) * along_a;
}

// Point, normal and properness at the time, in A's local frame: estimates, to some ulps.
Contact EventSearch::contact_at(const Candidate& c, const Crossing& features,
                                double t) const noexcept {
    const Frame frame = motion_.at(t);
    Contact result;
    result.type = c.type;
    result.a = c.a;
    result.b = c.b;
    result.time = t;
    if (c.type == ContactType::VertexFace) {
        result.b = b_.pieces[c.b].face;
        result.normal = unit(-(frame.rotation * b_.pieces[c.b].normal));
        result.point = features.a[0];
        result.properness = vertex_properness(a_.surface, c.a, kIdentity, -result.normal);
    } else if (c.type == ContactType::FaceVertex) {
        result.a = a_.pieces[c.a].face;
        result.normal = a_.pieces[c.a].normal;
        result.point = frame.transform(features.b[0]);
        result.properness = vertex_properness(b_.surface, c.b, frame.rotation, result.normal);
    } else {
        set_edge_contact(features, frame, result);
    }
    result.point = result.point + a_.extent.centre;
    return result;
}

// Bodies that face each other and separate there: B's point moves along the normal.
bool EventSearch::is_end_of_overlap(const Contact& c) const noexcept {
    if (c.properness < 0.0) return false;
    const double step = 0x1p-20;
    const double before = std::max(0.0, c.time - step);
    const double after = std::min(1.0, c.time + step);
    const Frame now = motion_.at(c.time);
    const Vec3 local = transposed_times(now.rotation, c.point - a_.extent.centre - now.centre);
    const auto at = [&](double t) {
        return motion_.at(t < RelativeMotion::kEarliest ? 0.0 : t).transform(local);
    };
    return dot(at(after) - at(before), c.normal) > 0.0;
}

// All roots of f in the window of a candidate, each with its bracket (crossing.hpp).
void EventSearch::resolve(const Candidate& candidate, double min_properness) {
    const Crossing features = features_of(candidate);
    const CrossingRoots found =
        crossings(motion_, features, candidate.from, candidate.to, 0.25 * options_.time_width);
    result_.checks += found.checks;
    result_.complete = result_.complete && found.complete;
    for (const CrossingRoot& root : found.roots) {
        Contact contact = contact_at(candidate, features, 0.5 * (root.lower + root.upper));
        // At -1 and below all are kept: rounded, a properness may be below -1.
        const bool is_selective = min_properness > -1.0;
        if (is_selective && !(contact.properness >= min_properness)) continue;
        if (is_selective && is_end_of_overlap(contact)) continue;
        contact.time_lower = root.lower;
        contact.time_upper = root.upper;
        result_.collisions.push_back(contact);
    }
}

// Complete at first; whatever is left out for the budget, a stop or a doubt makes it false.
AllImpacts EventSearch::run(double min_properness) {
    result_.complete = true;
    divide(motion_.at(0.0), motion_.at(options_.t_max), {{0, 0}});
    join_windows();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (is_spent() || (i % kCandidatesAtATime == 0 && stop_.now())) {
            result_.complete = false;
            break;
        }
        if (i % kCandidatesAtATime == 0) {
            const double fraction =
                static_cast<double>(i) / static_cast<double>(candidates_.size());
            options_.progress.tell(kDescentFraction + (1.0 - kDescentFraction) * fraction);
        }
        resolve(candidates_[i], min_properness);
    }
    std::sort(result_.collisions.begin(), result_.collisions.end(),
              [](const Contact& x, const Contact& y) {
                  const auto key = [](const Contact& c) {
                      return std::tuple(c.time_lower, c.type, c.a, c.b);
                  };
                  return key(x) < key(y);
              });
    return std::move(result_);
}

}  // namespace graze::rigid::detail
