#include "surface/nesting.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "graze/broad/box_tree.hpp"
#include "graze/core/orientation.hpp"
#include "graze/surface/orientation.hpp"

namespace graze::detail {
namespace {

using Triangle = std::array<Vec3, 3>;

Point2 flattened(const Vec3& p, std::size_t axis) noexcept {
    return {p[(axis + 1) % 3], p[(axis + 2) % 3]};
}

bool in_box(const Vec3& p, const Triangle& t) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto [low, high] = std::minmax({t[0][axis], t[1][axis], t[2][axis]});
        if (p[axis] < low || p[axis] > high) return false;
    }
    return true;
}

// The point is on the closed triangle, exactly: in its plane, and in no projection outside. (A
// triangle without area is a segment or a point: then the box leaves no more than that.)
bool is_on(const Vec3& p, const Triangle& t) noexcept {
    if (!in_box(p, t) || plane_side(t[0], t[1], t[2], p) != 0) return false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        bool left = false;
        bool right = false;
        for (std::size_t i = 0; i < 3; ++i) {
            const int sense =
                turn(flattened(t[i], axis), flattened(t[(i + 1) % 3], axis), flattened(p, axis));
            left |= sense > 0;
            right |= sense < 0;
        }
        if (left && right) return false;
    }
    return true;
}

// How a, b and p turn, seen along x, with p off by an infinitely small (e, e^2): 0 only where a and
// b are one. With d = b - a, (p - a) turns about d by d x (p - a), which the shift changes by
// d.y e^2 - d.z e (of the axes y and z as they are projected).
int turn_beside(const Point2& a, const Point2& b, const Point2& p) noexcept {
    if (const int sense = turn(a, b, p); sense != 0) return sense;
    if (a.y != b.y) return b.y < a.y ? 1 : -1;
    return b.x > a.x ? 1 : b.x < a.x ? -1 : 0;
}

// What the ray from p along x adds to the winding number of the triangle's surface about p: 1 where
// it leaves on the side that the corners turn about counterclockwise, -1 where it enters there.
int ray_crossing(const Vec3& p, const Triangle& t) noexcept {
    const Point2 at = flattened(p, 0);
    const int first = turn_beside(flattened(t[0], 0), flattened(t[1], 0), at);
    if (first == 0) return 0;
    for (std::size_t i = 1; i < 3; ++i)
        if (turn_beside(flattened(t[i], 0), flattened(t[(i + 1) % 3], 0), at) != first) return 0;
    // The plane is hit ahead iff p lies on the side that the ray does not leave to.
    return plane_side(t[0], t[1], t[2], p) == -first ? first : 0;
}

// The segment goes through the inside of the triangle, from one side of its plane to the other.
// (Its sides do not count: a wall that touches another along a side does not go through it.)
bool goes_through(const Vec3& p, const Vec3& q, const Triangle& t) noexcept {
    const int from = plane_side(t[0], t[1], t[2], p);
    if (from == 0 || plane_side(t[0], t[1], t[2], q) != -from) return false;
    const int first = plane_side(p, q, t[0], t[1]);
    return first != 0 && plane_side(p, q, t[1], t[2]) == first &&
           plane_side(p, q, t[2], t[0]) == first;
}

bool cross_each_other(const Triangle& a, const Triangle& b) noexcept {
    for (std::size_t i = 0; i < 3; ++i) {
        if (goes_through(a[i], a[(i + 1) % 3], b)) return true;
        if (goes_through(b[i], b[(i + 1) % 3], a)) return true;
    }
    return false;
}

class Nesting {
public:
    Nesting(std::span<const Vec3> positions, std::span<const NestedTriangle> triangles,
            std::size_t component_count)
        : positions_(positions), triangles_(triangles), first_triangle_(component_count, 0) {
        for (std::size_t i = triangles.size(); i-- > 0;)
            first_triangle_[triangles[i].component] = static_cast<std::uint32_t>(i);
        for (const NestedTriangle& triangle : triangles)
            for (const std::uint32_t v : triangle.vertices)
                scene_.add(positions[v]);
        grid_ = Grid(scene_);
        build_tree();
    }

    std::optional<std::vector<std::uint32_t>> depths() {
        shoot_rays();
        ask_those_that_touch();
        if (!is_spent()) drop_those_that_cross();
        if (is_spent()) return std::nullopt;
        std::vector<std::uint32_t> result(first_triangle_.size(), 0);
        for (const auto& [pair, relation] : relations_)
            if (relation.winding != 0 && !relation.crosses) ++result[pair.first];
        return result;
    }

private:
    // Of an inner and an outer component.
    struct Relation {
        int winding = 0;
        bool touches = false;
        bool crosses = false;
    };
    using ComponentPair = std::pair<std::uint32_t, std::uint32_t>;

    template <class Use>
    struct Sink final : PairSink {
        explicit Sink(Use& take_pair) : use(take_pair) {}
        void take(std::span<const IndexPair> pairs) override {
            for (const IndexPair& pair : pairs)
                use(pair.first, pair.second);
        }
        Use& use;
    };

    [[nodiscard]] bool is_spent() const noexcept { return tests_ > kMaxNestingTests; }
    [[nodiscard]] Triangle corners(std::uint32_t i) const noexcept {
        const auto& [a, b, c] = triangles_[i].vertices;
        return {positions_[a], positions_[b], positions_[c]};
    }

    void build_tree() {
        std::vector<GridBox> boxes(triangles_.size());
        for (std::size_t i = 0; i < boxes.size(); ++i)
            for (const std::uint32_t v : triangles_[i].vertices)
                boxes[i].add(grid_.around(positions_[v], positions_[v], 1.0, 0.0));
        tree_.build(boxes);
    }

    // One ray from each component, against all others at once.
    void shoot_rays() {
        std::vector<GridBox> rays;
        for (const std::uint32_t first : first_triangle_) {
            const Vec3& p = positions_[triangles_[first].vertices[0]];
            rays.push_back(grid_.around(p, {scene_.upper.x, p.y, p.z}, 1.0, 0.0));
        }
        BoxTree tree;
        tree.build(rays);
        auto use = [&](std::uint32_t inner, std::uint32_t triangle) {
            const std::uint32_t outer = triangles_[triangle].component;
            if (inner == outer || is_spent()) return;
            ++tests_;
            const Vec3& p = positions_[triangles_[first_triangle_[inner]].vertices[0]];
            const Triangle t = corners(triangle);
            const bool touches = is_on(p, t);
            const int crossing = touches ? 0 : ray_crossing(p, t);
            if (!touches && crossing == 0) return;
            Relation& relation = relations_[{inner, outer}];
            relation.touches |= touches;
            relation.winding += crossing;
        };
        Sink<decltype(use)> sink(use);
        for (std::size_t block = 0; block < tree.blocks() && !is_spent(); ++block)
            tree.search(block, tree_, sink);
    }

    // The winding about a vertex of `inner` that is not on `outer`; 0 without any.
    [[nodiscard]] int winding_of_another_vertex(std::uint32_t inner, std::uint32_t outer) {
        for (const NestedTriangle& triangle : triangles_) {
            if (triangle.component != inner) continue;
            for (const std::uint32_t v : triangle.vertices) {
                bool touches = false;
                int winding = 0;
                for (std::uint32_t i = 0; i < triangles_.size() && !touches; ++i) {
                    if (triangles_[i].component != outer) continue;
                    ++tests_;
                    touches = is_on(positions_[v], corners(i));
                    winding += ray_crossing(positions_[v], corners(i));
                }
                if (!touches) return winding;
                if (is_spent()) return 0;
            }
        }
        return 0;
    }

    void ask_those_that_touch() {
        for (auto& [pair, relation] : relations_) {
            if (is_spent()) return;
            if (relation.touches)
                relation.winding = winding_of_another_vertex(pair.first, pair.second);
        }
    }

    void drop_those_that_cross() {
        std::erase_if(relations_, [](const auto& entry) { return entry.second.winding == 0; });
        if (relations_.empty()) return;
        auto use = [&](std::uint32_t i, std::uint32_t k) {
            const std::uint32_t a = triangles_[i].component;
            const std::uint32_t b = triangles_[k].component;
            if (a == b || is_spent()) return;
            ++tests_;
            const auto a_in_b = relations_.find({a, b});
            const auto b_in_a = relations_.find({b, a});
            const bool is_asked = (a_in_b != relations_.end() && !a_in_b->second.crosses) ||
                                  (b_in_a != relations_.end() && !b_in_a->second.crosses);
            if (!is_asked || !cross_each_other(corners(i), corners(k))) return;
            if (a_in_b != relations_.end()) a_in_b->second.crosses = true;
            if (b_in_a != relations_.end()) b_in_a->second.crosses = true;
        };
        Sink<decltype(use)> sink(use);
        for (std::size_t block = 0; block < tree_.blocks() && !is_spent(); ++block)
            tree_.search_self(block, sink);
    }

    std::span<const Vec3> positions_;
    std::span<const NestedTriangle> triangles_;
    std::vector<std::uint32_t> first_triangle_;  // by component
    Box scene_;
    Grid grid_;
    BoxTree tree_;
    std::map<ComponentPair, Relation> relations_;  // inner, outer
    std::uint64_t tests_ = 0;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> nesting_depths(std::span<const Vec3> positions,
                                                         std::span<const NestedTriangle> triangles,
                                                         std::size_t component_count) {
    if (component_count < 2) return std::vector<std::uint32_t>(component_count, 0);
    return Nesting(positions, triangles, component_count).depths();
}

}  // namespace graze::detail
