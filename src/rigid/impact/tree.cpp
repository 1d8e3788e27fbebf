// Flat pieces and a binary tree of boxes over them, in coordinates relative to the body's centre.
//
// What the proofs use: every corner below a node is in its box and in its ball, `reach` bounds the distance of
// corners from the centre, and extent.radius that of all. The shape of the tree decides about time
// alone.
#include "rigid/impact/tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "graze/core/norm_bounds.hpp"

namespace graze::rigid {

namespace {

using detail::Node;
using detail::Piece;

// Of unit length within 2^-50 at any scale; 0 where there is no direction.
[[nodiscard]] Vec3 unit_or_zero(const Vec3& v) noexcept {
    const double largest = norm_max(v);
    if (!(largest > 0.0) || !is_finite(v)) return {};
    const Vec3 scaled = (1.0 / largest) * v;
    if (!is_finite(scaled)) return {};
    return (1.0 / std::sqrt(norm_sq(scaled))) * scaled;
}

// Pieces have coordinates relative to the body's centre, each rounded once: the u |b| of RI-3.
struct Cutter {
    const Polyhedron& body;
    Vec3 centre;

    [[nodiscard]] Vec3 shifted(std::uint32_t v) const noexcept {
        return body.positions()[v] - centre;
    }
    [[nodiscard]] Piece piece(std::array<std::uint32_t, 4> v, std::uint32_t triangles,
                              std::uint32_t face) const noexcept;
    [[nodiscard]] std::vector<Piece> pieces() const;
};

// Parallel within a few ulps: the directions that such edges give differ by no more.
void list_edges(Piece& p) noexcept {
    constexpr double kParallel = 0x1p-48;
    for (std::uint8_t i = 0; i < 4; ++i) {
        const Vec3 e = p.corner((i + 1U) % 4) - p.corner(i);
        bool is_new = norm_max(e) > 0.0;
        for (std::uint8_t k = 0; k < p.edge_count && is_new; ++k) {
            const std::uint8_t j = p.edges[k];
            const Vec3 f = p.corner((j + 1U) % 4) - p.corner(j);
            is_new = !(norm(cross(e, f)) <= kParallel * norm(e) * norm(f));
        }
        if (is_new) p.edges[p.edge_count++] = i;
    }
}

Piece Cutter::piece(std::array<std::uint32_t, 4> v, std::uint32_t triangles,
                    std::uint32_t face) const noexcept {
    Piece p;
    for (std::size_t i = 0; i < 4; ++i) {
        const Vec3 at = shifted(v[i]);
        p.x[i] = at.x;
        p.y[i] = at.y;
        p.z[i] = at.z;
        p.reach = std::max(p.reach, norm_upper(at));
    }
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j)
            p.size = std::max(p.size, distance_upper(p.corner(i), p.corner(j)));
    }
    p.normal =
        unit_or_zero(triangles == 2 ? cross(p.corner(2) - p.corner(0), p.corner(3) - p.corner(1))
                                    : cross(p.corner(1) - p.corner(0), p.corner(2) - p.corner(0)));
    p.face = face;
    p.triangles = triangles;
    p.vertices = v;
    list_edges(p);
    return p;
}

// Do triangles p q r and p r s make a flat convex piece? A wrong yes costs proofs of separation
// (the test of directions takes the hull of the corners, which holds both triangles: RI-5), and
// makes none wrong. The bound on flatness, 2^-50 of the size, is what RI-7 counts on: heights of
// neighbouring corners differ by at most 12 u of the size, with the rounding errors of this test.
[[nodiscard]] bool is_flat_and_convex(const Piece& piece) noexcept {
    constexpr double kFlat = 0x1p-50;
    for (std::size_t i = 0; i < 4; ++i) {
        const Vec3 at = piece.corner(i);
        const Vec3 next = piece.corner((i + 1) % 4);
        const Vec3 after = piece.corner((i + 2) % 4);
        if (!(dot(cross(next - at, after - next), piece.normal) > 0.0)) return false;
        if (!(std::fabs(dot(next - at, piece.normal)) <= kFlat * piece.size)) return false;
    }
    return true;
}

// Both are wound alike, so that a shared edge runs against itself in the other.
// p q r s such that the triangles are p q r and p r s; nothing (p = s) if they share no edge.
[[nodiscard]] std::array<std::uint32_t, 4> joined(const std::array<std::uint32_t, 3>& one,
                                                  const std::array<std::uint32_t, 3>& two) {
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            // The shared edge runs from p' = one[i] to one[i + 1], and back in the other.
            if (one[i] == two[(j + 1) % 3] && one[(i + 1) % 3] == two[j]) {
                const std::uint32_t r = one[i];
                const std::uint32_t p = one[(i + 1) % 3];
                return {p, one[(i + 2) % 3], r, two[(j + 2) % 3]};
            }
        }
    }
    return {};
}

// Triangles of one face follow each other: two in a row that make a flat convex piece become one,
// so that the diagonal is no edge, and half as many pairs are tested.
std::vector<Piece> Cutter::pieces() const {
    const auto triangles = body.triangles();
    std::vector<Piece> result;
    result.reserve(triangles.size());
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const std::uint32_t face = body.face_of_triangle(i);
        if (i + 1 < triangles.size() && body.face_of_triangle(i + 1) == face) {
            const auto corners = joined(triangles[i], triangles[i + 1]);
            if (corners[0] != corners[3]) {
                const Piece both = piece(corners, 2, face);
                if (is_flat_and_convex(both)) {
                    result.push_back(both);
                    ++i;
                    continue;
                }
            }
        }
        const auto& t = triangles[i];
        result.push_back(piece({t[0], t[1], t[2], t[2]}, 1, face));
    }
    return result;
}

// Top down: each node holds a range of `order_`, split at the median of the widest axis.
class Builder {
public:
    Builder(std::span<const Piece> pieces, std::vector<Node>& nodes)
        : pieces_(pieces), nodes_(nodes), order_(pieces.size()), middles_(pieces.size()) {
        std::iota(order_.begin(), order_.end(), 0U);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const Piece& p = pieces[i];
            middles_[i] = 0.25 * (p.corner(0) + p.corner(1) + p.corner(2) + p.corner(3));
        }
        nodes_.reserve(2 * pieces.size());
        nodes_.resize(1);
        build(0, order_, 1);
    }
    [[nodiscard]] std::size_t depth() const noexcept { return depth_; }

private:
    void build(std::size_t at, std::span<std::uint32_t> range, std::size_t level);
    [[nodiscard]] Node box(std::span<const std::uint32_t> range) const noexcept;
    [[nodiscard]] double radius(std::span<const std::uint32_t> range,
                                const Node& node) const noexcept;
    [[nodiscard]] std::size_t widest_axis(std::span<const std::uint32_t> range) const noexcept;

    std::span<const Piece> pieces_;
    std::vector<Node>& nodes_;
    std::vector<std::uint32_t> order_;
    std::vector<Vec3> middles_;
    std::size_t depth_ = 0;
};

// Halves are split at the median, so that the depth is at most the logarithm, rounded up, plus 1.
void Builder::build(std::size_t at, std::span<std::uint32_t> range, std::size_t level) {
    depth_ = std::max(depth_, level);
    nodes_[at] = box(range);
    if (range.size() == 1) {
        nodes_[at].is_leaf = true;
        nodes_[at].child = range[0];
        return;
    }
    const std::size_t axis = widest_axis(range);
    const std::size_t half = range.size() / 2;
    std::nth_element(range.begin(), range.begin() + static_cast<std::ptrdiff_t>(half), range.end(),
                     [&](std::uint32_t i, std::uint32_t j) {
                         const double at_i = middles_[i][axis];
                         const double at_j = middles_[j][axis];
                         return at_i != at_j ? at_i < at_j
                                             : i < j;  // a total order: the same halves everywhere
                     });
    const std::size_t child = nodes_.size();
    nodes_[at].child = static_cast<std::uint32_t>(child);
    nodes_.resize(child + 2);
    build(child, range.first(half), level + 1);
    build(child + 1, range.subspan(half), level + 1);
}

std::size_t Builder::widest_axis(std::span<const std::uint32_t> range) const noexcept {
    Vec3 low = middles_[range[0]];
    Vec3 high = low;
    for (const std::uint32_t i : range) {
        for (std::size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], middles_[i][k]);
            high[k] = std::max(high[k], middles_[i][k]);
        }
    }
    const Vec3 width = high - low;
    if (width.x >= width.y) return width.x >= width.z ? 0 : 2;
    return width.y >= width.z ? 1 : 2;
}

// `half` is rounded up about the rounded centre, so that the box holds every corner; `reach` and
// what it adds to the projections are those of RI-3 (1.75 times the radius).
Node Builder::box(std::span<const std::uint32_t> range) const noexcept {
    Vec3 low = pieces_[range[0]].corner(0);
    Vec3 high = low;
    Node node;
    for (const std::uint32_t i : range) {
        const Piece& p = pieces_[i];
        for (std::size_t c = 0; c < 4; ++c) {
            for (std::size_t k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], p.corner(c)[k]);
                high[k] = std::max(high[k], p.corner(c)[k]);
            }
        }
        node.reach = std::max(node.reach, p.reach);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        node.centre[k] = 0.5 * low[k] + 0.5 * high[k];
        node.half[k] = std::max(sub_up(high[k], node.centre[k]), sub_up(node.centre[k], low[k]));
    }
    node.size = norm(node.half);
    node.radius = radius(range, node);
    return node;
}

// Of the ball around the box's centre: that of the box, or of the corners, which is mostly less. Squares
// above 2^-900 are off by 4 ulps at most, with the rounding of the difference; smaller ones by less
// than the largest may be.
double Builder::radius(std::span<const std::uint32_t> range, const Node& node) const noexcept {
    const double of_box = norm_upper(node.half);
    double square = 0.0;
    for (const std::uint32_t i : range) {
        for (std::size_t c = 0; c < 4; ++c)
            square = std::max(square, norm_sq(pieces_[i].corner(c) - node.centre));
    }
    if (!(square > 0x1p-900 && square < 0x1p+900)) return of_box;
    return std::min(of_box, std::sqrt(square) * (1.0 + 0x1p-48));
}

// One component: all vertices that triangles use are joined by triangles (union-find).
[[nodiscard]] bool is_connected(const Polyhedron& body) {
    std::vector<std::uint32_t> parent(body.positions().size());
    std::iota(parent.begin(), parent.end(), 0U);
    const auto root = [&](std::uint32_t v) {
        while (parent[v] != v)
            v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const auto& t : body.triangles()) {
        parent[root(t[1])] = root(t[0]);
        parent[root(t[2])] = root(t[0]);
    }
    const std::uint32_t first = root(body.triangles()[0][0]);
    for (const auto& t : body.triangles()) {
        if (root(t[0]) != first) return false;
    }
    return true;
}

}  // namespace

// Nodes are empty only where there is no piece: whoever finds none proves nothing.
detail::BodyTree::BodyTree(Polyhedron body) : surface(std::move(body)) {
    extent.centre = surface.centre();
    pieces = Cutter{surface, extent.centre}.pieces();
    for (const Piece& p : pieces)
        extent.radius = std::max(extent.radius, p.reach);
    if (pieces.empty()) return;
    depth = Builder(pieces, nodes).depth();
    connected = is_connected(surface);
    cover = make_cover(surface, pieces);
}

}  // namespace graze::rigid
