// The straight pieces that a move consists of: for those who judge it.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "graze/slide/mover.hpp"

namespace graze::slide {

struct TrailPoint {
    Vec3 place;
    double skin = 0.0;       // [length] that is kept on the way to it, unless it was pushed
    bool is_pushed = false;  // to it, from the place before
};

class MoveTrail {
public:
    void start(const Vec3& place) noexcept {
        count_ = 0;
        add({place, 0.0, false});
    }
    void add(const TrailPoint& point) noexcept {
        if (count_ < points_.size()) points_[count_++] = point;
    }
    // Back to the last point that is this place: what came after was not gone.
    void back_to(const Vec3& place) noexcept {
        while (count_ > 1 && points_[count_ - 1].place != place)
            --count_;
    }
    [[nodiscard]] std::span<const TrailPoint> points() const noexcept {
        return {points_.data(), count_};
    }

private:
    // A start, eight pushes (twice, where the skin is widened), and two places for each turn.
    static constexpr std::size_t kMostPoints = 1 + 2 * 8 + 2 * kMaxMoveIterations + 1;
    std::array<TrailPoint, kMostPoints> points_;
    std::size_t count_ = 0;
};

// move_and_slide(), and the way that it went.
template <class Real>
[[nodiscard]] MoveResult<Real> move_and_slide_traced(const Level<Real>& level,
                                                     const Shape<Real>& shape,
                                                     const Vec<Real>& start, const Vec<Real>& wish,
                                                     const MoveOptions<Real>& options,
                                                     MoveTrail& trail) noexcept;

}  // namespace graze::slide
