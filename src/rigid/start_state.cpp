// How two bodies lie at given poses, exactly. Derivation: docs/derivations/rigid_start.md.
//
// 1. Balls around both bodies, then boxes, then a tree of boxes leave the pairs of triangles that
//    may meet; all of them are grown by the proved error of B's positions (RS-4).
// 2. Each pair is tested for a separating direction in doubles (RS-4), then by integers (RS-1,
//    RS-2).
// 3. Where no pair shares a point, one vertex of each shell decides whether it is inside: the
//    winding number of the other surface about it, by a ray along x (RS-3).
#include "graze/rigid/start_state.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "graze/broad/box_tree.hpp"
#include "graze/core/fp_environment.hpp"
#include "graze/core/norm_bounds.hpp"
#include "rigid/exact_frame.hpp"
#include "rigid/near_frame.hpp"

namespace graze::rigid {
namespace {

using detail::ExactFrame;
using detail::NearFrame;
using detail::Triangle;

bool is_usable(const Pose& pose) noexcept {
    const Quaternion& q = pose.rotation;
    const Vec3 vector = {q.x, q.y, q.z};
    return is_finite(q.w) && is_finite(vector) && is_finite(pose.translation) &&
           (q.w != 0.0 || vector != Vec3{});
}

// --- Boxes ---------------------------------------------------------------------------------------

// Holds every point that is within `by` of the box, coordinate by coordinate.
Box grown(const Box& box, double by) noexcept {
    Box result = box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        result.lower[axis] = sub_down(box.lower[axis], by);
        result.upper[axis] = add_up(box.upper[axis], by);
    }
    return result;
}

Box intersection(const Box& a, const Box& b) noexcept {
    Box result;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        result.lower[axis] = std::max(a.lower[axis], b.lower[axis]);
        result.upper[axis] = std::min(a.upper[axis], b.upper[axis]);
    }
    return result;
}

bool is_empty(const Box& box) noexcept {
    return box.lower.x > box.upper.x || box.lower.y > box.upper.y || box.lower.z > box.upper.z;
}

Box box_of(std::span<const Vec3> points) noexcept {
    Box box;
    for (const Vec3& p : points)
        box.add(p);
    return box;
}

// --- One body in the frame of A ------------------------------------------------------------------

// A in its own coordinates, which are exact, or B in those of A, each coordinate within the error.
struct PosedBody {
    const Polyhedron* surface;
    std::span<const Vec3> positions;  // of the vertices
    double error;
    Box box;  // of all vertices, the error included

    PosedBody(const Polyhedron& body, std::span<const Vec3> at, double off)
        : surface(&body), positions(at), error(off), box(grown(box_of(at), off)) {}

    // A triangle within the error; and its corners in the body's own coordinates.
    [[nodiscard]] Triangle near(std::uint32_t i) const noexcept { return corners(i, positions); }
    [[nodiscard]] Triangle given(std::uint32_t i) const noexcept {
        return corners(i, surface->positions());
    }
    // Triangles that may come into the box: their own, grown by the error, meets it.
    [[nodiscard]] std::vector<std::uint32_t> within(const Box& region) const {
        std::vector<std::uint32_t> result;
        const Box reach = grown(region, error);
        for (std::uint32_t i = 0; i < surface->triangles().size(); ++i)
            if (!is_empty(intersection(box_of(near(i)), reach))) result.push_back(i);
        return result;
    }

private:
    [[nodiscard]] Triangle corners(std::uint32_t i, std::span<const Vec3> from) const noexcept {
        const auto& [a, b, c] = surface->triangles()[i];
        return {from[a], from[b], from[c]};
    }
};

// A vertex has several triangles: where most of them are wanted its box is made once.
std::vector<GridBox> grid_boxes(const PosedBody& body, std::span<const std::uint32_t> triangles,
                                const Grid& grid) {
    const auto around = [&](std::size_t v) {
        return grid.around(body.positions[v], body.positions[v], 1.0, body.error);
    };
    std::vector<GridBox> of_vertices;
    if (2 * triangles.size() > body.positions.size()) {
        of_vertices.resize(body.positions.size());
        for (std::size_t v = 0; v < of_vertices.size(); ++v)
            of_vertices[v] = around(v);
    }
    std::vector<GridBox> boxes(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i)
        for (const std::uint32_t v : body.surface->triangles()[triangles[i]])
            boxes[i].add(of_vertices.empty() ? around(v) : of_vertices[v]);
    return boxes;
}

// One vertex of each connected component of the surface, by union-find over the edges (RS-3).
std::vector<std::uint32_t> shells(const Polyhedron& body) {
    std::vector<std::uint32_t> parent(body.positions().size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto root = [&](std::uint32_t v) {
        while (parent[v] != v)
            v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const PolyhedronEdge& edge : body.edges())
        parent[root(edge.from)] = root(edge.to);
    std::vector<std::uint32_t> roots;
    for (std::uint32_t v = 0; v < parent.size(); ++v)
        if (parent[v] == v && !body.vertex_faces(v).empty()) roots.push_back(v);
    return roots;
}

// --- The search ----------------------------------------------------------------------------------

class StartSearch {
public:
    StartSearch(const Polyhedron& a, const Pose& pose_a, const Polyhedron& b, const Pose& pose_b,
                const StopToken& stop)
        : stop_(stop),
          pose_a_(pose_a),
          pose_b_(pose_b),
          frame_(pose_a, pose_b, reach_of(b)),
          positions_b_(transformed(b, frame_)),
          a_(a, a.positions(), 0.0),
          b_(b, positions_b_, frame_.error()) {}

    // Nothing: not decided. What is in the intersection of both boxes, grown by the error, holds
    // every common point.
    [[nodiscard]] std::optional<bool> share_a_point() {
        if (!frame_.is_valid() || !(norm_max(a_.box.lower) < 0x1p+1000) ||
            !(norm_max(a_.box.upper) < 0x1p+1000)) {
            return std::nullopt;
        }
        const Box region = intersection(a_.box, b_.box);
        if (is_empty(region)) return false;
        const std::vector<std::uint32_t> near_a = a_.within(region);
        const std::vector<std::uint32_t> near_b = b_.within(region);
        return search_pairs(near_a, near_b);
    }

    // Is a shell of `inner` wound around by `outer`? Requires: they share no point. Then a shell is
    // wholly inside or wholly outside, so that one vertex of it decides: inside means that the
    // winding number of the closed surface about it is not 0 (RS-3).
    [[nodiscard]] std::optional<bool> is_inside(bool a_in_b) {
        const PosedBody& inner = a_in_b ? a_ : b_;
        const PosedBody& outer = a_in_b ? b_ : a_;
        if (!outer.surface->report().is_closed()) return false;
        const Box reach = grown(outer.box, inner.error);
        const auto may_be_inside = [&](std::size_t v) {
            return !is_empty(intersection(box_of(inner.positions.subspan(v, 1)), reach));
        };
        // Before the work of finding shells: one that is inside has its vertices in the box.
        bool any = false;
        for (std::size_t v = 0; v < inner.positions.size() && !any; ++v)
            any = may_be_inside(v);
        if (!any) return false;
        std::vector<std::uint32_t> starts = shells(*inner.surface);
        std::erase_if(starts, [&](std::uint32_t v) { return !may_be_inside(v); });
        const std::vector<int> winding = starts.size() <= kFewRays
                                             ? windings_by_scan(inner, outer, starts, a_in_b)
                                             : windings_by_tree(inner, outer, starts, a_in_b);
        if (is_spent()) return std::nullopt;
        return std::any_of(winding.begin(), winding.end(), [](int w) { return w != 0; });
    }

private:
    // Below it a scan over all triangles is faster than a tree.
    static constexpr std::size_t kFewRays = 8;

    // |y|_1 of every vertex of B at most: what NearFrame needs.
    static double reach_of(const Polyhedron& b) noexcept {
        double reach = 0.0;
        for (const Vec3& p : b.positions())
            reach = std::max(reach, norm_one_upper(p));
        return reach;
    }
    static std::vector<Vec3> transformed(const Polyhedron& b, const NearFrame& frame) {
        std::vector<Vec3> positions(b.positions().size());
        for (std::size_t v = 0; v < positions.size(); ++v)
            positions[v] = frame.transform(b.positions()[v]);
        return positions;
    }

    [[nodiscard]] bool is_spent() noexcept { return exact_tests_ > kMaxExactTests || stop_(); }

    // Both triangles as integers of one frame (RS-1). Made when it is needed first: it is large.
    [[nodiscard]] const ExactFrame::Pair& exact(const Triangle& a, const Triangle& b) {
        // Tests in plain numbers are too fast to ask at each of them, these are too slow not to.
        if (++exact_tests_ % 64 == 0) stop_.ask();
        if (!exact_frame_) {
            exact_frame_ = std::make_unique<ExactFrame>(pose_a_, pose_b_);
            pair_ = std::make_unique_for_overwrite<ExactFrame::Pair>();
        }
        exact_frame_->transform(a, b, *pair_);
        return *pair_;
    }

    // Doubles with a proved bound first (RS-4), integers for what they do not separate (RS-2).
    [[nodiscard]] bool pair_shares(std::uint32_t i, std::uint32_t k) {
        if (detail::certainly_disjoint(a_.near(i), b_.near(k), b_.error)) return false;
        const ExactFrame::Pair& pair = exact(a_.given(i), b_.given(k));
        return detail::have_common_point(pair.a, pair.b);
    }

    template <class Take>
    struct Sink final : PairSink {
        explicit Sink(Take& use) : use_(use) {}
        void take(std::span<const IndexPair> pairs) override {
            for (const IndexPair& pair : pairs)
                if (!use_(pair.first, pair.second)) return;
        }
        Take& use_;
    };

    // Boxes of both bodies on one grid of floats, rounded outwards.
    [[nodiscard]] Grid grid_of_both() const noexcept {
        Box scene = a_.box;
        scene.add(b_.box.lower);
        scene.add(b_.box.upper);
        return Grid(scene);
    }

    // Every pair of triangles whose boxes meet is tested until one shares a point: false is a
    // proof, since boxes of things that meet overlap (graze/broad/box.hpp).
    [[nodiscard]] std::optional<bool> search_pairs(std::span<const std::uint32_t> near_a,
                                                   std::span<const std::uint32_t> near_b) {
        const Grid grid = grid_of_both();
        tree_a_.build(grid_boxes(a_, near_a, grid));
        tree_b_.build(grid_boxes(b_, near_b, grid));
        bool found = false;
        auto use = [&](std::uint32_t i, std::uint32_t k) {
            if (!found && !is_spent()) found = pair_shares(near_a[i], near_b[k]);
            return !found && !is_spent();
        };
        Sink<decltype(use)> sink(use);
        for (std::size_t block = 0; block < tree_a_.blocks(); ++block) {
            tree_a_.search(block, tree_b_, sink);
            if (found) return true;
            if (is_spent()) return std::nullopt;
        }
        return false;
    }

    // What the ray from a vertex of `inner` along x adds to its winding number at a triangle of
    // `outer`: 0 where boxes show that it misses, also for the shifted ray of RS-3.
    [[nodiscard]] int crossing(const PosedBody& inner, const PosedBody& outer, std::uint32_t v,
                               std::uint32_t triangle, bool a_in_b) {
        const Box box = box_of(outer.near(triangle));
        const double off = add_up(inner.error, outer.error);
        const Vec3& at = inner.positions[v];
        if (sub_down(at.x, off) > box.upper.x || sub_down(at.y, off) > box.upper.y ||
            add_up(at.y, off) < box.lower.y || sub_down(at.z, off) > box.upper.z ||
            add_up(at.z, off) < box.lower.z || is_spent()) {
            return 0;
        }
        const Vec3& p = inner.surface->positions()[v];
        const Triangle point = {p, p, p};
        const Triangle other = outer.given(triangle);
        const ExactFrame::Pair& pair = a_in_b ? exact(point, other) : exact(other, point);
        return a_in_b ? detail::ray_crossing(pair.a[0], pair.b)
                      : detail::ray_crossing(pair.b[0], pair.a);
    }

    // The winding number about each start: all triangles for each of a few rays.
    [[nodiscard]] std::vector<int> windings_by_scan(const PosedBody& inner, const PosedBody& outer,
                                                    std::span<const std::uint32_t> starts,
                                                    bool a_in_b) {
        std::vector<int> winding(starts.size(), 0);
        for (std::size_t s = 0; s < starts.size(); ++s)
            for (std::uint32_t i = 0; i < outer.surface->triangles().size(); ++i)
                winding[s] += crossing(inner, outer, starts[s], i, a_in_b);
        return winding;
    }

    // A ray is the path of a point to the far end of the outer body, in a tree of boxes.
    [[nodiscard]] std::vector<int> windings_by_tree(const PosedBody& inner, const PosedBody& outer,
                                                    std::span<const std::uint32_t> starts,
                                                    bool a_in_b) {
        const Grid grid = grid_of_both();
        std::vector<GridBox> rays;
        for (const std::uint32_t v : starts) {
            const Vec3& p = inner.positions[v];
            const Vec3 end = {std::max(p.x, outer.box.upper.x), p.y, p.z};
            rays.push_back(grid.around(p, end, 1.0, inner.error));
        }
        std::vector<std::uint32_t> all(outer.surface->triangles().size());
        std::iota(all.begin(), all.end(), 0U);
        tree_a_.build(rays);
        tree_b_.build(grid_boxes(outer, all, grid));
        std::vector<int> winding(starts.size(), 0);
        auto use = [&](std::uint32_t s, std::uint32_t i) {
            winding[s] += crossing(inner, outer, starts[s], i, a_in_b);
            return !is_spent();
        };
        Sink<decltype(use)> sink(use);
        for (std::size_t block = 0; block < tree_a_.blocks() && !is_spent(); ++block)
            tree_a_.search(block, tree_b_, sink);
        return winding;
    }

    StopPoll stop_;
    Pose pose_a_;
    Pose pose_b_;
    NearFrame frame_;
    std::vector<Vec3> positions_b_;
    PosedBody a_;
    PosedBody b_;
    BoxTree tree_a_;
    BoxTree tree_b_;
    std::unique_ptr<ExactFrame> exact_frame_;
    std::unique_ptr<ExactFrame::Pair> pair_;
    std::uint64_t exact_tests_ = 0;
};

// RS-4. The balls around the bodies have no common point: sum of radii < distance of the centres,
// which is off by at most the error of each coordinate, sqrt(3) < 2 of it in all.
bool balls_disjoint(const Polyhedron& a, const Pose& pose_a, const Polyhedron& b,
                    const Pose& pose_b) noexcept {
    const NearFrame frame(pose_a, pose_b, norm_one_upper(b.centre()));
    if (!frame.is_valid()) return false;
    const double sum = add_up(add_up(a.radius(), b.radius()), mul_up(2.0, frame.error()));
    return distance_lower(a.centre(), frame.transform(b.centre())) > sum;
}

// Fails closed: whatever is not decided is Unresolved, never Separated.
StartState searched_state(const Polyhedron& a, const Pose& pose_a, const Polyhedron& b,
                          const Pose& pose_b, const StopToken& stop) {
    StartSearch search(a, pose_a, b, pose_b, stop);
    const std::optional<bool> shares = search.share_a_point();
    if (!shares) return StartState::Unresolved;
    if (*shares) return StartState::Contact;
    const std::optional<bool> a_in_b = search.is_inside(true);
    if (!a_in_b) return StartState::Unresolved;
    if (*a_in_b) return StartState::AInsideB;
    const std::optional<bool> b_in_a = search.is_inside(false);
    if (!b_in_a) return StartState::Unresolved;
    return *b_in_a ? StartState::BInsideA : StartState::Separated;
}

bool can_decide(const Pose& pose_a, const Pose& pose_b) noexcept {
    return is_usable(pose_a) && is_usable(pose_b);
}

// Unresolved where the body throws, and where the arithmetic that it needs cannot be set up.
template <class Body>
StartState sound_state(const Body& body) noexcept try {
    return with_sound_arithmetic(body, [] { return StartState::Unresolved; });
} catch (...) {
    return StartState::Unresolved;
}
template <class Body>
std::optional<bool> sound_answer(const Body& body) noexcept try {
    return with_sound_arithmetic(body, [] { return std::optional<bool>(); });
} catch (...) {
    return std::nullopt;
}

// The filter in doubles, then integers: as for a pair of the search.
std::optional<bool> found_common_point(const std::array<Vec3, 3>& a, const Pose& pose_a,
                                       const std::array<Vec3, 3>& b, const Pose& pose_b) {
    if (!can_decide(pose_a, pose_b)) return std::nullopt;
    double reach = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        if (!is_finite(a[i]) || !is_finite(b[i])) return std::nullopt;
        reach = std::max(reach, norm_one_upper(b[i]));
    }
    const NearFrame frame(pose_a, pose_b, reach);
    const Triangle near = {frame.transform(b[0]), frame.transform(b[1]), frame.transform(b[2])};
    if (frame.is_valid() && detail::certainly_disjoint(a, near, frame.error())) return false;
    const auto pair = std::make_unique_for_overwrite<ExactFrame::Pair>();
    std::make_unique<ExactFrame>(pose_a, pose_b)->transform(a, b, *pair);
    return detail::have_common_point(pair->a, pair->b);
}

}  // namespace

std::string_view name(StartState state) noexcept {
    switch (state) {
        case StartState::Separated:
            return "apart";
        case StartState::Contact:
            return "touching";
        case StartState::AInsideB:
            return "a-inside-b";
        case StartState::BInsideA:
            return "b-inside-a";
        case StartState::Unresolved:
            break;
    }
    return "unknown";
}

StartState start_state(const Polyhedron& a, const Pose& pose_a, const Polyhedron& b,
                       const Pose& pose_b, const StopToken& stop) noexcept {
    return sound_state([&] {
        if (!can_decide(pose_a, pose_b)) return StartState::Unresolved;
        if (balls_disjoint(a, pose_a, b, pose_b)) return StartState::Separated;
        return searched_state(a, pose_a, b, pose_b, stop);
    });
}

std::optional<bool> surfaces_share_a_point(const Polyhedron& a, const Pose& pose_a,
                                           const Polyhedron& b, const Pose& pose_b) noexcept {
    return sound_answer([&]() -> std::optional<bool> {
        if (!can_decide(pose_a, pose_b)) return std::nullopt;
        if (balls_disjoint(a, pose_a, b, pose_b)) return false;
        return StartSearch(a, pose_a, b, pose_b, {}).share_a_point();
    });
}

std::optional<bool> triangles_share_a_point(const std::array<Vec3, 3>& a, const Pose& pose_a,
                                            const std::array<Vec3, 3>& b,
                                            const Pose& pose_b) noexcept {
    return sound_answer([&] { return found_common_point(a, pose_a, b, pose_b); });
}

}  // namespace graze::rigid
