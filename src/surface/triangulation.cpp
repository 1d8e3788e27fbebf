#include "graze/surface/triangulation.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "graze/core/fp_environment.hpp"
#include "graze/core/orientation.hpp"
#include "graze/surface/local_face.hpp"

namespace graze {
namespace {

using Triangle = EarClipper::Triangle;

[[nodiscard]] bool is_same(const Point2& p, const Point2& q) noexcept {
    return p.x == q.x && p.y == q.y;
}

// p in the closed triangle a, b, c that is counterclockwise.
[[nodiscard]] bool is_in_triangle(const Point2& p, const Point2& a, const Point2& b,
                                  const Point2& c) noexcept {
    // The box first: it spares exact signs of corners that are in line by design.
    if (p.x < std::min({a.x, b.x, c.x}) || p.x > std::max({a.x, b.x, c.x}) ||
        p.y < std::min({a.y, b.y, c.y}) || p.y > std::max({a.y, b.y, c.y})) {
        return false;
    }
    return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

// Seen whole from the first corner.
[[nodiscard]] bool is_fan(std::span<const Point2> polygon) noexcept {
    for (std::size_t i = 2; i < polygon.size(); ++i)
        if (turn(polygon[0], polygon[i - 1], polygon[i]) <= 0) return false;
    return true;
}

void append_fan(std::size_t corners, std::vector<Triangle>& triangles) {
    for (std::uint32_t i = 2; i < corners; ++i)
        triangles.push_back({0, i - 1, i});
}

}  // namespace

// Buffers, and the work in both orders.
struct EarClipper::Work {
    void cut_fan(Ring& ring, std::vector<Triangle>& triangles);
    [[nodiscard]] bool cut_alternating(Ring& ring, std::vector<Triangle>& triangles);

    std::vector<std::uint32_t> next;
    std::vector<std::uint32_t> previous;
    std::vector<std::uint32_t> reflex;
    std::vector<char> is_ear;
    std::vector<Point2> flat;
    std::uint64_t tests = 0;
};
EarClipper::EarClipper() : work_(std::make_unique<Work>()) {}
EarClipper::~EarClipper() = default;

// The corners that are left, as a doubly linked ring. Invariant: `reflex` lists those of them that
// are not strictly convex.
class EarClipper::Ring {
public:
    Ring(std::span<const Point2> polygon, Work& work)
        : polygon_(polygon),
          next_(work.next),
          previous_(work.previous),
          reflex_(work.reflex),
          size_(static_cast<std::uint32_t>(polygon.size())) {
        next_.resize(size_);
        previous_.resize(size_);
        reflex_.clear();
        for (std::uint32_t i = 0; i < size_; ++i) {
            next_[i] = i + 1 == size_ ? 0 : i + 1;
            previous_[i] = i == 0 ? size_ - 1 : i - 1;
        }
        for (std::uint32_t i = 0; i < size_; ++i)
            if (!is_convex(i)) reflex_.push_back(i);
    }

    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t reflex_count() const noexcept { return reflex_.size(); }
    [[nodiscard]] std::uint32_t next(std::uint32_t i) const noexcept { return next_[i]; }
    [[nodiscard]] std::uint32_t previous(std::uint32_t i) const noexcept { return previous_[i]; }
    [[nodiscard]] Triangle triangle(std::uint32_t i) const noexcept {
        return {previous_[i], i, next_[i]};
    }

    // The triangle at a convex corner of a simple polygon lies within it iff no other corner lies
    // in it, and if any does a reflex one does: the one farthest from the diagonal. Corners at the
    // position of one of its own do not count, as where the outline passes along a bridge twice:
    // what enters the triangle there has another corner in it.
    [[nodiscard]] bool is_ear(std::uint32_t i) const noexcept {
        if (!is_convex(i)) return false;
        const Point2& a = polygon_[previous_[i]];
        const Point2& b = polygon_[i];
        const Point2& c = polygon_[next_[i]];
        return std::none_of(reflex_.begin(), reflex_.end(), [&](std::uint32_t r) {
            const Point2& p = polygon_[r];
            return is_in_triangle(p, a, b, c) && !is_same(p, a) && !is_same(p, b) && !is_same(p, c);
        });
    }

    void remove(std::uint32_t i) {
        next_[previous_[i]] = next_[i];
        previous_[next_[i]] = previous_[i];
        --size_;
        std::erase(reflex_, i);
        // Cutting a corner off only opens the angles beside it to convex ones.
        std::erase_if(reflex_, [&](std::uint32_t r) {
            return (r == previous_[i] || r == next_[i]) && is_convex(r);
        });
    }

    // The first corner behind `head` that is marked.
    [[nodiscard]] std::optional<std::uint32_t> first_marked(
        std::uint32_t head, const std::vector<char>& marks) const noexcept {
        std::uint32_t i = next_[head];
        for (std::uint32_t k = 0; k < size_; ++k, i = next_[i])
            if (marks[i] != 0) return i;
        return std::nullopt;
    }
    // Marks the ears among all corners, from one of them on; false where there is none.
    [[nodiscard]] bool mark_ears(std::uint32_t from, std::vector<char>& marks) const noexcept {
        bool any = false;
        for (std::uint32_t i = from, k = 0; k < size_; ++k, i = next_[i]) {
            marks[i] = is_ear(i) ? 1 : 0;
            any = any || marks[i] != 0;
        }
        return any;
    }

private:
    [[nodiscard]] bool is_convex(std::uint32_t i) const noexcept {
        return turn(polygon_[previous_[i]], polygon_[i], polygon_[next_[i]]) > 0;
    }

    std::span<const Point2> polygon_;
    std::vector<std::uint32_t>& next_;
    std::vector<std::uint32_t>& previous_;
    std::vector<std::uint32_t>& reflex_;
    std::uint32_t size_;
};

// After a whole round without an ear the polygon is not simple, or has no area: cut anywhere.
bool EarClipper::Work::cut_alternating(Ring& ring, std::vector<Triangle>& triangles) {
    std::uint32_t i = 0;
    std::uint32_t tried = 0;
    while (ring.size() > 3) {
        if ((tests += ring.reflex_count()) > kMaxTests) return false;
        if (ring.is_ear(i) || tried >= ring.size()) {
            triangles.push_back(ring.triangle(i));
            ring.remove(i);
            tried = 0;
            i = ring.next(i);  // the corner after next: narrow fans are avoided
        } else {
            ++tried;
        }
        i = ring.next(i);
    }
    triangles.push_back(ring.triangle(i));
    return true;
}

// What was no ear can become one when a corner in its triangle is cut, but only neighbours of what
// was cut are tested again: first the ears that are known are used up, then all corners are tested
// anew. What has no ear then crosses itself or has no area: its rest becomes a fan.
void EarClipper::Work::cut_fan(Ring& ring, std::vector<Triangle>& triangles) {
    // At most 2^24 tests of reflex corners each: some seconds in all.
    constexpr int kMaxPasses = 64;
    is_ear.assign(ring.size(), 0);
    std::uint32_t head = 0;
    for (int passes = 0; ring.size() > 3;) {
        const std::optional<std::uint32_t> ear = ring.first_marked(head, is_ear);
        if (!ear) {
            if (passes++ == kMaxPasses || !ring.mark_ears(head, is_ear)) break;
            continue;
        }
        triangles.push_back(ring.triangle(*ear));
        ring.remove(*ear);
        if (*ear == head) head = ring.next(*ear);
        for (const std::uint32_t beside : {ring.previous(*ear), ring.next(*ear)})
            is_ear[beside] = ring.is_ear(beside) ? 1 : 0;
    }
    std::uint32_t corner = ring.next(head);
    for (std::uint32_t i = 2; i < ring.size(); ++i, corner = ring.next(corner))
        triangles.push_back({head, corner, ring.next(corner)});
}

bool EarClipper::cut(std::span<const Point2> polygon, EarOrder order,
                     std::vector<Triangle>& triangles) {
    if (order == EarOrder::Fan) {
        if (is_fan(polygon)) {
            append_fan(polygon.size(), triangles);
            return true;
        }
        if (polygon.size() > kMaxConcaveCorners) return false;
    }
    Ring ring(polygon, *work_);
    if (order == EarOrder::Alternating) return work_->cut_alternating(ring, triangles);
    work_->cut_fan(ring, triangles);
    return true;
}

bool EarClipper::cut(std::span<const std::uint32_t> face, std::span<const Vec3> positions,
                     const Vec3& normal, EarOrder order, std::vector<Triangle>& triangles) {
    // A triangle is its own, beginning with the corner that the loop of its order begins with.
    if (face.size() == 3) {
        const std::size_t first = order == EarOrder::Fan ? 0 : 2;
        triangles.push_back({face[first], face[(first + 1) % 3], face[(first + 2) % 3]});
        return true;
    }
    const auto [first, second] = projection_axes(normal);
    std::vector<Point2>& flat = work_->flat;
    flat.clear();
    for (const std::uint32_t v : face)
        flat.push_back({positions[v][first], positions[v][second]});
    const std::size_t begin = triangles.size();
    const bool is_cut = cut(flat, order, triangles);
    for (std::size_t i = begin; i < triangles.size(); ++i)
        for (std::uint32_t& corner : triangles[i])
            corner = face[corner];
    return is_cut;
}

namespace {

std::string of_face(std::size_t f, std::size_t corners) {
    return "face " + std::to_string(f) + ": has " + std::to_string(corners) + " corners";
}

Expected<std::vector<Triangle>> sound_triangles(const FaceView& faces,
                                                std::span<const Vec3> positions) {
    std::vector<Triangle> triangles;
    LocalFace local;
    EarClipper clipper;
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const std::span<const std::uint32_t> face = faces[f];
        if (face.size() < 3)
            return Error{of_face(f, face.size()) + ", and a face needs three", ErrorCode::WrongSize,
                         f};
        local.set(positions, face);
        const Vec3 area = face.size() == 3 ? Vec3{} : local.area_sum();
        if (area == Vec3{}) {
            for (std::size_t i = 2; i < face.size(); ++i)
                triangles.push_back({face[0], face[i - 1], face[i]});
        } else if (!clipper.cut(face, positions, area, EarOrder::Fan, triangles)) {
            return Error{
                of_face(f, face.size()) + " and is not seen whole from its first; at most " +
                    std::to_string(EarClipper::kMaxConcaveCorners) + " are then cut to triangles",
                ErrorCode::WrongSize, f};
        }
    }
    return triangles;
}

}  // namespace

Expected<std::vector<Triangle>> triangulate(const FaceView& faces,
                                            std::span<const Vec3> positions) {
    return with_sound_arithmetic([&] { return sound_triangles(faces, positions); });
}

}  // namespace graze
