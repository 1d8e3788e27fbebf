#include "robot/leaf_pair.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

#include "graze/core/norm_bounds.hpp"
#include "rigid/impact/proof.hpp"
#include "robot/kinematics.hpp"

namespace graze::robot::detail {

namespace {

using rigid::ConvexShape;
using rigid::detail::Corners;
using rigid::detail::FreeFraction;
using rigid::detail::kAllFree;
using rigid::detail::MovingShape;
using rigid::detail::PairFrame;
using rigid::detail::Piece;
using rigid::detail::PieceSlab;
using rigid::detail::Simplex;
using rigid::detail::Source;

constexpr double kLeafSlack = 1.0 + 0x1p-40;

[[nodiscard]] Vec3 absolute(const Vec3& v) noexcept {
    return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)};
}
[[nodiscard]] rigid::detail::Frame frame_of(const PoseEnclosure& pose, double t) noexcept {
    return {t, pose.linear, pose.translation};
}

// --- Two pieces ----------------------------------------------------------------------------------

// Tries directions; each is a proof of its own.
struct DirectionTest {
    PieceSlab slab;
    double best = 0.0;
    Vec3 direction;
    Source source = Source::None;

    bool operator()(Vec3 n, Source from) noexcept {
        const FreeFraction fraction = free_fraction(slab, n);
        if (fraction.proved > best) {
            best = fraction.proved;
            direction = n;
            source = from;
        }
        return fraction.proved == kAllFree;
    }
};

[[nodiscard]] bool try_directions(DirectionTest& test, const PairSlab& slab, const Piece& a,
                                  const Piece& b, const NodePair& kept, bool is_thorough) noexcept {
    const Vec3 normal_first = rigid::detail::operator*(slab.first.linear, b.normal);
    if (kept.source != Source::None) {
        const Vec3 n = rigid::detail::direction_of(kept.source, test.slab.a, a.normal,
                                                   test.slab.first, normal_first);
        if (test(n, kept.source)) return true;
    } else if (kept.direction != Vec3{} && test(kept.direction, Source::None)) {
        return true;
    }
    const Vec3 near_first = rigid::detail::unit(
        rigid::detail::nearest_difference(test.slab.a, test.slab.first, kept.direction, 0x1p-6));
    if (near_first != Vec3{} && test(near_first, Source::None)) return true;
    if (!is_thorough) return false;
    if (kept.source != Source::NormalA && test(a.normal, Source::NormalA)) return true;
    const Vec3 normal_last = rigid::detail::operator*(slab.last.linear, b.normal);
    if (test(rigid::detail::unit(normal_first + normal_last), Source::NormalB)) return true;
    const Vec3 near_last = rigid::detail::unit(
        rigid::detail::nearest_difference(test.slab.a, test.slab.last, near_first, 0x1p-6));
    if (near_last == Vec3{}) return false;  // they overlap at the end
    if (test(near_last, Source::None)) return true;
    if (test(rigid::detail::unit(near_first + near_last), Source::None)) return true;
    bool is_free = false;
    visit_edge_directions(test.slab.a, a, test.slab.first, b, normal_first,
                          [&](const Vec3& n, Source source) {
                              is_free = test(n, source);
                              return is_free;
                          });
    return is_free;
}

[[nodiscard]] bool pieces_are_free(const Piece& a, const Piece& b, const PairSlab& slab,
                                   NodePair& pair, bool is_thorough) noexcept {
    DirectionTest test;
    test.slab = {corners_of(a), transformed(slab.boxes.first, b), transformed(slab.boxes.last, b),
                 slab.boxes.slack, slab.boxes.bulge(b.reach)};
    const bool is_free = try_directions(test, slab, a, b, pair, is_thorough);
    pair.direction = test.direction;
    pair.source = test.source;
    return is_free;
}

[[nodiscard]] bool pieces_meet(const Piece& a, const Piece& b, const PairSlab& slab, double margin,
                               SlabEnd end) noexcept {
    const Corners at_a = corners_of(a);
    const Corners first = transformed(slab.boxes.first, b);
    const Corners last = transformed(slab.boxes.last, b);
    const Corners& at_b = end == SlabEnd::First ? first : last;
    if (margin > 0.0) {
        return rigid::detail::is_within(at_a, a.triangles, at_b, b.triangles, slab.error, margin);
    }
    if (rigid::detail::is_pierced(at_a, a.triangles, at_b, b.triangles, slab.error)) return true;
    return end == SlabEnd::Last &&
           rigid::detail::is_passed(at_a, a.triangles, first, last, b.triangles,
                                    slab.boxes.bulge(b.reach), slab.error);
}

// --- Convex shapes, and pieces as hulls ----------------------------------------------------------

[[nodiscard]] const rigid::Motion& any_rigid_motion() noexcept {
    static const rigid::BodyMotion rest = rigid::BodyMotion::rest({});
    return rest;
}

// A leaf as a convex shape in the coordinates of its body.
class LeafShape {
public:
    LeafShape(const Body& body, std::uint32_t node) {
        if (body.convex != nullptr) {
            shape_ = body.convex;
            return;
        }
        const Piece& piece = body.piece(node);
        const std::array<Vec3, 4> corners = {piece.corner(0), piece.corner(1), piece.corner(2),
                                             piece.corner(3)};
        auto hull = ConvexShape::hull(corners);
        if (hull) shape_ = &hull_.emplace(*std::move(hull));
    }
    LeafShape(const LeafShape&) = delete;
    LeafShape& operator=(const LeafShape&) = delete;

    [[nodiscard]] const ConvexShape* get() const noexcept { return shape_; }

private:
    const ConvexShape* shape_ = nullptr;
    std::optional<ConvexShape> hull_;
};

// RC-2 with A at rest at the identity; corners of pieces are rounded differences, u of their size.
[[nodiscard]] PairFrame convex_frame(const MovingShape& a, const MovingShape& b,
                                     const PoseEnclosure& pose, double t) noexcept {
    constexpr double kU = 0x1p-53;
    PairFrame f;
    f.t = t;
    f.a.linear = {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};
    f.a.linear_error = f.a.translation_error = 0.0;
    f.b = pose;
    f.offset = pose.translation;
    f.error = (pose.translation_error + b.reach * (pose.linear_error + 18.0 * kU) +
               a.reach * 18.0 * kU + 8.0 * kU * norm_one(f.offset)) *
                  kLeafSlack +
              0x1p-1000;
    return f;
}

struct ConvexLeaves {
    LeafShape leaf_a;
    LeafShape leaf_b;
    MovingShape a;
    MovingShape b;
    PairFrame first;
    PairFrame last;

    ConvexLeaves(const Body& body_a, const Body& body_b, const PairSlab& slab, const NodePair& pair)
        : leaf_a(body_a, pair.a),
          leaf_b(body_b, pair.b),
          a(shape_or_point(leaf_a), any_rigid_motion()),
          b(shape_or_point(leaf_b), any_rigid_motion()),
          first(convex_frame(a, b, slab.first, slab.t_first)),
          last(convex_frame(a, b, slab.last, slab.t_last)) {}

    // Numbers that no shape can have prove nothing.
    [[nodiscard]] bool is_valid() const noexcept {
        return leaf_a.get() != nullptr && leaf_b.get() != nullptr;
    }
    [[nodiscard]] const PairFrame& at(SlabEnd end) const noexcept {
        return end == SlabEnd::First ? first : last;
    }
    [[nodiscard]] double rounding_upper() const noexcept {
        return add_up(a.separate_rounding(), b.separate_rounding());
    }
    [[nodiscard]] double rounding_lower() const noexcept {
        return add_down(a.separate_rounding(), b.separate_rounding());
    }

private:
    [[nodiscard]] static const ConvexShape& shape_or_point(const LeafShape& leaf) noexcept {
        static const ConvexShape point = *ConvexShape::sphere(0.0);
        return leaf.get() != nullptr ? *leaf.get() : point;
    }
};

[[nodiscard]] bool convex_leaves_are_free(const ConvexLeaves& c, const PairSlab& slab,
                                          NodePair& pair) noexcept {
    if (!c.is_valid()) return false;
    const double margin = add_up(c.rounding_upper(), slab.separation);
    const double slack = (larger_bound(c.first.error, c.last.error) + margin) * kLeafSlack;
    const double bulge =
        (slab.deviation.translation + slab.deviation.linear * c.b.reach) * kLeafSlack;
    double best = 0.0;
    Vec3 direction = pair.direction;
    const auto is_free = [&](const Vec3& n) {
        if (n == Vec3{}) return false;
        const double gap0 = rigid::detail::gap_along(c.a, c.b, c.first, n) - slack;
        const double gap1 = rigid::detail::gap_along(c.a, c.b, c.last, n) - slack;
        const double proved = rigid::detail::free_fraction(gap0, gap1, bulge).proved;
        if (proved > best) {
            best = proved;
            direction = n;
        }
        return proved == kAllFree;
    };
    const auto nearest = [&](const PairFrame& f) {
        Simplex simplex;
        return rigid::detail::unit(
            rigid::detail::nearest_difference(c.a, c.b, f, simplex, margin).v);
    };
    const auto test = [&] {
        if (is_free(pair.direction)) return true;
        const Vec3 at_first = nearest(c.first);
        if (is_free(at_first)) return true;
        const Vec3 at_last = nearest(c.last);
        return is_free(at_last) || is_free(rigid::detail::unit(at_first + at_last));
    };
    const bool result = test();
    pair.direction = direction;
    pair.source = Source::None;
    return result;
}

[[nodiscard]] bool convex_leaves_meet(const ConvexLeaves& c, const NodePair& pair, double margin,
                                      SlabEnd end) noexcept {
    if (!c.is_valid()) return false;
    const double upper = add_up(c.rounding_upper(), margin);
    const double lower = add_down(c.rounding_lower(), margin);
    const PairFrame& f = c.at(end);
    const auto meets = [&](Simplex& simplex) {
        const auto near = rigid::detail::nearest_difference(c.a, c.b, f, simplex, upper);
        if (!near.overlaps && !(norm_sq(near.v) <= upper * upper)) return false;
        return rigid::detail::certainly_meet(c.a, c.b, f, simplex, lower);
    };
    Simplex simplex;
    if (meets(simplex)) return true;
    if (pair.direction == Vec3{} || simplex.size == 0) return false;
    rigid::detail::add_farthest(c.a, c.b, f, pair.direction, simplex);
    return meets(simplex);
}

// --- A piece and a box ---------------------------------------------------------------------------

// What a body covers along a direction.
struct CoveredRange {
    double low = 0.0;
    double high = 0.0;
};
[[nodiscard]] CoveredRange covered(const Corners& c, const Vec3& n) noexcept {
    CoveredRange result;
    for (std::size_t i = 0; i < 4; ++i) {
        const double along = dot(c.corner(i), n);
        result.low = i == 0 ? along : std::min(result.low, along);
        result.high = i == 0 ? along : std::max(result.high, along);
    }
    return result;
}
[[nodiscard]] CoveredRange covered(const TreeNode& node, const Vec3& n) noexcept {
    const double middle = dot(node.centre, n);
    const double reach = dot(absolute(n), node.half);
    return {middle - reach, middle + reach};
}
[[nodiscard]] bool is_free_along(const CoveredRange& a, const CoveredRange& first,
                                 const CoveredRange& last, double slack, double bulge) noexcept {
    const double ahead = rigid::detail::free_fraction((first.low - a.high) - slack,
                                                      (last.low - a.high) - slack, bulge)
                             .proved;
    if (ahead == kAllFree) return true;
    return rigid::detail::free_fraction((a.low - first.high) - slack, (a.low - last.high) - slack,
                                        bulge)
               .proved == kAllFree;
}
// From the line of the piece's longest edge to the point: what separates long thin triangles.
[[nodiscard]] Vec3 direction_from_edge(const Corners& piece, const Vec3& p) noexcept {
    Vec3 edge;
    Vec3 start;
    double longest = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
        const Vec3 e = piece.corner((i + 1) % 4) - piece.corner(i);
        const double size = norm_sq(e);
        if (size <= longest) continue;
        longest = size;
        edge = e;
        start = piece.corner(i);
    }
    if (!(longest > 0.0)) return {};
    const Vec3 offset = p - start;
    return rigid::detail::unit(offset - (dot(offset, edge) / longest) * edge);
}
// From the piece to the point.
[[nodiscard]] Vec3 direction_to(const Corners& piece, const Vec3& p) noexcept {
    Corners at{};
    at.x.fill(p.x);
    at.y.fill(p.y);
    at.z.fill(p.z);
    return rigid::detail::unit(rigid::detail::nearest_difference(piece, at, {}, 0x1p-6));
}

[[nodiscard]] bool piece_and_box_are_free(const Piece& piece, const Body& b, const PairSlab& slab,
                                          std::uint32_t b_node, const SweptBox& swept,
                                          SeparatingHint& hint) noexcept {
    const TreeNode& node = b.node(b_node);
    const Corners at_a = corners_of(piece);
    const auto is_beside = [&](const SweptRange& range, const Vec3& n) {
        const CoveredRange along = covered(at_a, n);
        return along.low > range.high || along.high < range.low;
    };
    const auto is_free = [&](const Vec3 n) {  // by value: it may be that of the hint
        if (n == Vec3{}) return false;
        const SweptRange range = swept_range(slab.boxes, node, n);
        if (!is_beside(range, n)) return false;
        hint = {n, b_node, range};
        return true;
    };
    const bool has_range = hint.node == b_node && hint.direction != Vec3{};
    if (has_range ? is_beside(hint.range, hint.direction) : is_free(hint.direction)) return true;
    if (is_free(direction_from_edge(at_a, swept.middle))) return true;
    for (std::size_t k = 0; k < 3; ++k)
        if (is_beside({swept.low_own[k], swept.high_own[k]}, slab.boxes.axes.vector(3 + k)))
            return true;
    return is_free(direction_to(at_a, swept.middle)) || is_free(piece.normal);
}

}  // namespace

bool leaf_and_box_are_free(const Body& a, const Body& b, const PairSlab& slab, std::uint32_t a_node,
                           std::uint32_t b_node, const SweptBox& swept,
                           SeparatingHint& hint) noexcept {
    const TreeNode& node_a = a.node(a_node);
    const TreeNode& node_b = b.node(b_node);
    const bool is_piece_a = a.tree != nullptr && node_a.is_leaf;
    const bool is_piece_b = b.tree != nullptr && node_b.is_leaf;
    if (is_piece_a == is_piece_b) return false;
    if (is_piece_a) return piece_and_box_are_free(a.piece(a_node), b, slab, b_node, swept, hint);
    const double bulge = slab.boxes.bulge(node_b.reach);
    const double slack = slab.boxes.slack;
    const Piece& piece = b.piece(b_node);
    const Corners first = transformed(slab.boxes.first, piece);
    const Corners last = transformed(slab.boxes.last, piece);
    const auto is_free = [&](const Vec3& n) {
        return n != Vec3{} &&
               is_free_along(covered(node_a, n), covered(first, n), covered(last, n), slack, bulge);
    };
    Corners middle = first;
    for (std::size_t i = 0; i < 4; ++i) {
        middle.x[i] = 0.5 * (first.x[i] + last.x[i]);
        middle.y[i] = 0.5 * (first.y[i] + last.y[i]);
        middle.z[i] = 0.5 * (first.z[i] + last.z[i]);
    }
    return is_free(direction_from_edge(middle, node_a.centre)) ||
           is_free(direction_to(middle, node_a.centre)) || is_free({1.0, 0.0, 0.0}) ||
           is_free({0.0, 1.0, 0.0}) || is_free({0.0, 0.0, 1.0});
}

double projection_error(double radius_a, const Body& b, const PoseEnclosure& pose) noexcept {
    constexpr double kU = 0x1p-53;
    const double sizes = radius_a + b.radius + norm_one(pose.translation);
    return 2.0 *
               (pose.translation_error + 1.75 * pose.linear_error * b.radius + 40.0 * kU * sizes) *
               kLeafSlack +
           0x1p-1000;
}

AxisBox box_around(const Body& body, const PoseEnclosure& pose, const Vec3& centre,
                   const Vec3& half) noexcept {
    const double error = projection_error(0.0, body, pose);
    const Vec3 middle = frame_of(pose, 0.0).transform(centre);
    AxisBox result;
    for (std::size_t k = 0; k < 3; ++k) {
        const double reach = dot(absolute(pose.linear[k]), half) + error;
        result.low[k] = middle[k] - reach;
        result.high[k] = middle[k] + reach;
    }
    return result;
}

PairSlab make_pair_slab(double radius_a, const Body& b, const PoseEnclosure& first, double t_first,
                        const PoseEnclosure& last, double t_last,
                        const rigid::ChordDeviation& deviation, double separation) noexcept {
    PairSlab slab;
    slab.first = first;
    slab.last = last;
    slab.t_first = t_first;
    slab.t_last = t_last;
    slab.deviation = deviation;
    slab.separation = separation;
    slab.error =
        larger_bound(projection_error(radius_a, b, first), projection_error(radius_a, b, last));
    rigid::detail::Slab& s = slab.boxes;
    s.first = frame_of(first, t_first);
    s.last = frame_of(last, t_last);
    s.length = sub_up(t_last, t_first);
    s.slack = (slab.error + separation) * kLeafSlack;
    s.centre_bulge = deviation.translation * kLeafSlack;
    s.rotation_bulge = deviation.linear * kLeafSlack;
    rigid::detail::set_axes(s);
    return slab;
}

bool leaves_are_free(const Body& a, const Body& b, const PairSlab& slab, NodePair& pair,
                     bool is_thorough) noexcept {
    if (a.tree != nullptr && b.tree != nullptr)
        return pieces_are_free(a.piece(pair.a), b.piece(pair.b), slab, pair, is_thorough);
    try {
        return convex_leaves_are_free(ConvexLeaves(a, b, slab, pair), slab, pair);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

bool leaves_meet(const Body& a, const Body& b, const PairSlab& slab, const NodePair& pair,
                 double margin, SlabEnd end) noexcept {
    if (a.tree != nullptr && b.tree != nullptr)
        return pieces_meet(a.piece(pair.a), b.piece(pair.b), slab, margin, end);
    try {
        return convex_leaves_meet(ConvexLeaves(a, b, slab, pair), pair, margin, end);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

NearestEstimate nearest_estimate(const Body& a, const Body& b, const PairSlab& slab,
                                 const NodePair& pair, SlabEnd end) noexcept {
    NearestEstimate result;
    result.direction = pair.direction;
    try {
        const ConvexLeaves c(a, b, slab, pair);
        if (!c.is_valid()) return result;
        Simplex simplex;
        const PairFrame& f = c.at(end);
        const auto near = rigid::detail::nearest_difference(c.a, c.b, f, simplex, 0.0);
        const double size = norm(near.v);
        if (size > 0.0 && !near.overlaps) result.direction = rigid::detail::unit(near.v);
        result.distance = std::max(0.0, size - c.rounding_upper());
        Vec3 on_a;
        Vec3 on_b;
        double sum = 0.0;
        for (std::size_t i = 0; i < simplex.size; ++i) {
            const double weight = simplex.size == 4 ? 0.25 : simplex.weights[i];
            on_a += weight * simplex.points[i].on_a;
            on_b += weight * simplex.points[i].on_b;
            sum += weight;
        }
        if (!(sum > 0.0)) return result;
        const Vec3 p = (1.0 / sum) * on_a + c.a.separate_rounding() * result.direction;
        const Vec3 q = rigid::detail::linear_times(f.b.linear, (1.0 / sum) * on_b) +
                       f.b.translation - c.b.separate_rounding() * result.direction;
        result.point = 0.5 * (p + q);
    } catch (const std::bad_alloc&) {
        // An estimate that is missing.
    }
    return result;
}

}  // namespace graze::robot::detail
