// The straight pieces that a move consists of: for those who verify it.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "graze/slide/mover.hpp"

namespace graze::slide {

struct TrailPoint {
    Vec3 position;
    double skin = 0.0;       // [length] kept on the path to it, unless it was pushed
    bool is_pushed = false;  // to it, from the position before
};

class MoveTrail {
public:
    void start(const Vec3& position) noexcept {
        count_ = 0;
        add({position, 0.0, false});
    }
    void add(const TrailPoint& point) noexcept {
        if (count_ < points_.size()) points_[count_++] = point;
    }
    // Back to the last point at this position: what came after was not moved along.
    void back_to(const Vec3& position) noexcept {
        while (count_ > 1 && points_[count_ - 1].position != position)
            --count_;
    }
    [[nodiscard]] std::span<const TrailPoint> points() const noexcept {
        return {points_.data(), count_};
    }

private:
    // A start, eight pushes (twice, where the skin is widened; and at the end, through one-sided
    // faces), and two positions for each iteration.
    static constexpr std::size_t kMostPoints = 1 + 3 * 8 + 2 * kMaxMoveIterations + 1;
    std::array<TrailPoint, kMostPoints> points_;
    std::size_t count_ = 0;
};

// move_and_slide(), and the path that it took.
template <class Real>
[[nodiscard]] MoveResult<Real> move_and_slide_traced(
    const Obstacles<Real>& level, const Shape<Real>& shape, const Vec<Real>& start,
    const Vec<Real>& displacement, const MoveOptions<Real>& options, MoveTrail& trail) noexcept;

}  // namespace graze::slide
