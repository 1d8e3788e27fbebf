// How a surface is covered by convex parts. Which pieces share a part is decided in plain doubles: a
// part holds its pieces whatever was decided, since it is the hull of their corners as given.
#include "rigid/impact/cover.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <utility>

#include "graze/broad/box.hpp"
#include "graze/core/norm_bounds.hpp"
#include "rigid/impact/tree.hpp"

namespace graze::rigid::detail {

namespace {

// More pieces than this are not grouped: it takes some microseconds for each.
constexpr std::size_t kMostPieces = 1'000;
// A part with more corners costs more than it saves.
constexpr std::size_t kMostCorners = 64;
// Corners are beyond a plane where they are farther than this from it, as a fraction of the body.
constexpr double kFlat = 0x1p-40;

[[nodiscard]] Box box_of(std::span<const Vec3> points) {
    Box box;
    for (const Vec3& p : points)
        box.add(p);
    return box;
}

// The centre is the box's, the radius is rounded up.
[[nodiscard]] BoundingBall ball_of(std::span<const Vec3> points) {
    const Box box = box_of(points);
    BoundingBall ball;
    ball.centre = 0.5 * box.lower + 0.5 * box.upper;
    for (const Vec3& p : points)
        ball.radius = std::max(ball.radius, distance_upper(p, ball.centre));
    return ball;
}

// Half sizes are rounded up about a centre that is a double: the box holds all points.
[[nodiscard]] std::optional<ConvexShape> box_around(std::span<const Vec3> points) {
    const Box box = box_of(points);
    Vec3 centre;
    Vec3 half;
    for (std::size_t i = 0; i < 3; ++i) {
        centre[i] = 0.5 * box.lower[i] + 0.5 * box.upper[i];
        half[i] = std::max(sub_up(box.upper[i], centre[i]), sub_up(centre[i], box.lower[i]));
    }
    auto shape = ConvexShape::box(half, centre);
    if (!shape) return std::nullopt;
    return std::move(*shape);
}

[[nodiscard]] bool are_corners_of_their_box(std::span<const Vec3> points) {
    if (points.size() != 8) return false;
    const Box box = box_of(points);
    return std::all_of(points.begin(), points.end(), [&](const Vec3& p) {
        for (std::size_t i = 0; i < 3; ++i)
            if (p[i] != box.lower[i] && p[i] != box.upper[i]) return false;
        return true;
    });
}

// Pieces that share a part, with all their corners.
struct Group {
    std::vector<std::uint32_t> pieces;
    std::vector<std::uint32_t> corners;  // ascending
    Box box;
    std::vector<std::uint32_t> neighbours;  // groups, ascending
    std::vector<std::uint32_t> refused;     // ascending
    std::uint32_t version = 0;
    bool is_merged = false;
};

template <class T>
[[nodiscard]] std::vector<T> united(const std::vector<T>& a, const std::vector<T>& b) {
    std::vector<T> all;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    return all;
}
[[nodiscard]] bool holds(const std::vector<std::uint32_t>& sorted, std::uint32_t i) {
    return std::binary_search(sorted.begin(), sorted.end(), i);
}
void replace(std::vector<std::uint32_t>& sorted, std::uint32_t old, std::uint32_t by) {
    if (const auto at = std::lower_bound(sorted.begin(), sorted.end(), old);
        at != sorted.end() && *at == old)
        sorted.erase(at);
    if (const auto at = std::lower_bound(sorted.begin(), sorted.end(), by);
        at == sorted.end() || *at != by)
        sorted.insert(at, by);
}

// Merges neighbouring groups, the smallest first, as long as all corners are behind all planes and no
// other corner of the surface is in the hull: by then the hull is inside the body.
class Grouping {
public:
    Grouping(const Polyhedron& surface, std::span<const Piece> pieces)
        : positions_(surface.positions()),
          pieces_(pieces),
          centre_(surface.centre()),
          flat_(kFlat * surface.radius()) {
        make_groups();
        find_neighbours();
    }

    [[nodiscard]] std::vector<Group> run() {
        for (std::uint32_t i = 0; i < groups_.size(); ++i)
            push_neighbours(i);
        while (!queue_.empty()) {
            const Candidate next = queue_.top();
            queue_.pop();
            if (is_outdated(next)) continue;
            if (may_merge(groups_[next.a], groups_[next.b])) {
                merge(next.a, next.b);
            } else {
                groups_[next.a].refused = united(groups_[next.a].refused, {next.b});
                groups_[next.b].refused = united(groups_[next.b].refused, {next.a});
            }
        }
        std::erase_if(groups_, [](const Group& group) { return group.is_merged; });
        return std::move(groups_);
    }

private:
    struct Candidate {
        double size;
        std::uint32_t a;
        std::uint32_t b;
        std::uint32_t version_a;
        std::uint32_t version_b;
        // The smallest is the top of the queue; a total order: the same groups everywhere.
        [[nodiscard]] bool operator<(const Candidate& other) const noexcept {
            if (size != other.size) return size > other.size;
            if (a != other.a) return a > other.a;
            return b > other.b;
        }
    };

    void make_groups() {
        groups_.resize(pieces_.size());
        for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
            Group& group = groups_[i];
            group.pieces = {i};
            group.corners.assign(pieces_[i].vertices.begin(), pieces_[i].vertices.end());
            std::sort(group.corners.begin(), group.corners.end());
            group.corners.erase(std::unique(group.corners.begin(), group.corners.end()),
                                group.corners.end());
            for (const std::uint32_t v : group.corners)
                group.box.add(positions_[v]);
            used_.insert(used_.end(), group.corners.begin(), group.corners.end());
        }
        std::sort(used_.begin(), used_.end());
        used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    }
    void find_neighbours() {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first;
        for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
            const auto& v = pieces_[i].vertices;
            for (std::size_t k = 0; k < 4; ++k) {
                const auto edge = std::minmax(v[k], v[(k + 1) % 4]);
                if (edge.first == edge.second) continue;
                const auto [at, is_new] = first.try_emplace({edge.first, edge.second}, i);
                if (is_new || at->second == i) continue;
                replace(groups_[i].neighbours, at->second, at->second);
                replace(groups_[at->second].neighbours, i, i);
            }
        }
    }
    void push_neighbours(std::uint32_t i) {
        for (const std::uint32_t j : groups_[i].neighbours) {
            if (holds(groups_[i].refused, j)) continue;
            Box box = groups_[i].box;
            box.add(groups_[j].box.lower);
            box.add(groups_[j].box.upper);
            queue_.push({norm_sq(box.upper - box.lower), std::min(i, j), std::max(i, j),
                         groups_[std::min(i, j)].version, groups_[std::max(i, j)].version});
        }
    }
    [[nodiscard]] bool is_outdated(const Candidate& c) const {
        const Group& a = groups_[c.a];
        const Group& b = groups_[c.b];
        return a.is_merged || b.is_merged || a.version != c.version_a || b.version != c.version_b ||
               holds(a.refused, c.b);
    }

    // How far a position is beyond the plane of a piece.
    [[nodiscard]] double beyond(std::uint32_t piece, const Vec3& p) const noexcept {
        const Piece& of = pieces_[piece];
        return dot(of.normal, (p - centre_) - of.corner(0));
    }
    [[nodiscard]] bool is_behind(const Group& planes, const Group& corners) const {
        for (const std::uint32_t v : corners.corners)
            for (const std::uint32_t piece : planes.pieces)
                if (!(beyond(piece, positions_[v]) <= flat_)) return false;
        return true;
    }
    [[nodiscard]] bool may_merge(const Group& a, const Group& b) const {
        if (!is_behind(a, b) || !is_behind(b, a)) return false;
        const std::vector<std::uint32_t> corners = united(a.corners, b.corners);
        if (corners.size() > kMostCorners) return false;
        Box box = a.box;
        box.add(b.box.lower);
        box.add(b.box.upper);
        for (const std::uint32_t v : used_) {
            if (!is_in_box(box, positions_[v]) || holds(corners, v)) continue;
            if (is_inside_planes(a, v) && is_inside_planes(b, v) && is_in_hull(corners, v))
                return false;
        }
        return true;
    }
    [[nodiscard]] static bool is_in_box(const Box& box, const Vec3& p) noexcept {
        return box.lower.x <= p.x && p.x <= box.upper.x && box.lower.y <= p.y &&
               p.y <= box.upper.y && box.lower.z <= p.z && p.z <= box.upper.z;
    }
    [[nodiscard]] bool is_inside_planes(const Group& group, std::uint32_t v) const {
        return std::all_of(group.pieces.begin(), group.pieces.end(), [&](std::uint32_t piece) {
            return beyond(piece, positions_[v]) < -flat_;
        });
    }
    // A walk to the nearest point of the hull (Frank, Wolfe) that ends at a plane between; what has
    // none by then counts as inside.
    [[nodiscard]] bool is_in_hull(const std::vector<std::uint32_t>& corners,
                                  std::uint32_t v) const {
        constexpr int kMostSteps = 24;
        const Vec3 target = positions_[v];
        Vec3 at = positions_[corners.front()];
        for (int i = 0; i < kMostSteps; ++i) {
            const Vec3 d = target - at;
            Vec3 farthest = at;
            double largest = -graze::detail::kInfinite;
            for (const std::uint32_t corner : corners) {
                const double along = dot(d, positions_[corner]);
                if (along <= largest) continue;
                largest = along;
                farthest = positions_[corner];
            }
            if (dot(d, target) > largest) return false;
            const Vec3 e = farthest - at;
            const double whole = norm_sq(e);
            if (!(whole > 0.0)) return true;
            at = at + std::clamp(dot(d, e) / whole, 0.0, 1.0) * e;
        }
        return true;
    }

    void merge(std::uint32_t into, std::uint32_t from) {
        Group& a = groups_[into];
        Group& b = groups_[from];
        a.pieces.insert(a.pieces.end(), b.pieces.begin(), b.pieces.end());
        a.corners = united(a.corners, b.corners);
        a.box.add(b.box.lower);
        a.box.add(b.box.upper);
        a.neighbours = united(a.neighbours, b.neighbours);
        std::erase_if(a.neighbours, [&](std::uint32_t i) { return i == into || i == from; });
        // A hull that was too large with a part of the group is so with all of it.
        a.refused = united(a.refused, b.refused);
        ++a.version;
        b.is_merged = true;
        for (const std::uint32_t i : a.neighbours)
            replace(groups_[i].neighbours, from, into);
        for (const std::uint32_t i : a.refused)
            replace(groups_[i].refused, from, into);
        push_neighbours(into);
    }

    std::span<const Vec3> positions_;
    std::span<const Piece> pieces_;
    Vec3 centre_;  // corners of pieces are relative to it
    double flat_;
    std::vector<std::uint32_t> used_;  // vertices of pieces, ascending
    std::vector<Group> groups_;
    std::priority_queue<Candidate> queue_;
};

// False where the shape is refused: numbers beyond its range.
[[nodiscard]] bool add_part(Cover& cover, std::span<const Vec3> points,
                            const std::vector<std::uint32_t>& pieces) {
    if (are_corners_of_their_box(points)) {
        if (auto box = box_around(points)) {
            cover.parts.push_back({std::move(*box), ball_of(points), pieces});
            return true;
        }
        return false;
    }
    auto hull = ConvexShape::hull(points);
    if (!hull) return false;
    cover.parts.push_back({std::move(*hull), ball_of(points), pieces});
    return true;
}

[[nodiscard]] bool add_groups(Cover& cover, const Polyhedron& surface,
                              std::span<const Piece> pieces) {
    const std::vector<Group> groups = Grouping(surface, pieces).run();
    if (groups.size() > Cover::kMostParts) return false;
    std::vector<Vec3> points;
    for (const Group& group : groups) {
        points.clear();
        for (const std::uint32_t v : group.corners)
            points.push_back(surface.positions()[v]);
        if (!add_part(cover, points, group.pieces)) return false;
    }
    return true;
}

}  // namespace

Cover make_cover(const Polyhedron& surface, std::span<const Piece> pieces) {
    Cover cover;
    std::vector<Vec3> used;
    for (const auto& triangle : surface.triangles())
        for (const std::uint32_t v : triangle)
            used.push_back(surface.positions()[v]);
    auto box = used.empty() ? std::nullopt : box_around(used);
    if (!box) return cover;
    cover.ball = ball_of(used);
    const SurfaceReport& report = surface.report();
    const bool is_solid = report.is_closed() && report.is_oriented();
    if (!is_solid || pieces.size() > kMostPieces || !add_groups(cover, surface, pieces)) {
        cover.parts.clear();
        cover.parts.push_back({*box, cover.ball, {}});
    }
    cover.box.push_back(std::move(*box));
    return cover;
}

}  // namespace graze::rigid::detail
