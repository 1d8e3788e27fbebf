#include "rigid/ear_clipping.hpp"

#include <algorithm>

namespace graze::rigid {
namespace {

struct Clip {
    std::span<const Point2> polygon;
    std::vector<std::uint32_t>& next;
    std::vector<std::uint32_t>& previous;
    std::vector<std::uint32_t>& reflex;  // corners that are not strictly convex

    [[nodiscard]] int corner_turn(std::uint32_t i) const noexcept {
        return turn(polygon[previous[i]], polygon[i], polygon[next[i]]);
    }

    // p in the closed triangle a, b, c that turns counterclockwise.
    [[nodiscard]] static bool blocks(const Point2& p, const Point2& a, const Point2& b,
                                     const Point2& c) noexcept {
        // The box first: it spares exact signs of corners that are in line by design.
        if (p.x < std::min({a.x, b.x, c.x}) || p.x > std::max({a.x, b.x, c.x}) ||
            p.y < std::min({a.y, b.y, c.y}) || p.y > std::max({a.y, b.y, c.y})) {
            return false;
        }
        return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
    }

    // Of a simple polygon a triangle at a convex corner lies within iff no other corner lies in it,
    // and only reflex ones need a look.
    [[nodiscard]] bool is_ear(std::uint32_t i) const noexcept {
        if (corner_turn(i) <= 0) return false;
        const std::uint32_t before = previous[i];
        const std::uint32_t after = next[i];
        return std::none_of(reflex.begin(), reflex.end(), [&](std::uint32_t r) {
            return r != before && r != i && r != after &&
                   blocks(polygon[r], polygon[before], polygon[i], polygon[after]);
        });
    }

    void remove(std::uint32_t i) {
        next[previous[i]] = next[i];
        previous[next[i]] = previous[i];
        std::erase(reflex, i);
        // Cutting a corner off only opens the angles beside it to convex ones.
        std::erase_if(reflex, [&](std::uint32_t r) {
            return (r == previous[i] || r == next[i]) && corner_turn(r) > 0;
        });
    }
};

}  // namespace

bool EarClipper::cut(std::span<const Point2> polygon,
                     std::vector<std::array<std::uint32_t, 3>>& triangles) {
    const auto n = static_cast<std::uint32_t>(polygon.size());
    next.resize(n);
    previous.resize(n);
    reflex.clear();
    for (std::uint32_t i = 0; i < n; ++i) {
        next[i] = i + 1 == n ? 0 : i + 1;
        previous[i] = i == 0 ? n - 1 : i - 1;
    }
    Clip clip{polygon, next, previous, reflex};
    for (std::uint32_t i = 0; i < n; ++i)
        if (clip.corner_turn(i) <= 0) reflex.push_back(i);

    std::uint32_t i = 0;
    std::uint32_t tried = 0;
    for (std::uint32_t left = n; left > 3;) {
        if ((looks += reflex.size()) > kMaxLooks) return false;
        // After a whole round without an ear the polygon is not simple, or flat: cut anywhere.
        if (clip.is_ear(i) || tried >= left) {
            triangles.push_back({previous[i], i, next[i]});
            clip.remove(i);
            --left;
            tried = 0;
            i = next[i];  // the corner after next: narrow fans are avoided
        } else {
            ++tried;
        }
        i = next[i];
    }
    triangles.push_back({previous[i], i, next[i]});
    return true;
}

}  // namespace graze::rigid
