// What the movers that we compare with are given and give back: the step from a collision to the
// next velocity, independent of how collisions are found.
#pragma once

#include <array>
#include <cstddef>

#include "graze/slide/mover.hpp"

namespace graze::slide {

// Of unit length; the zero vector stays what it is.
template <class Real>
[[nodiscard]] Vec<Real> normalised(const Vec<Real>& a) noexcept {
    const Real size = norm(a);
    return size > Real{0} ? Vec<Real>{a.x / size, a.y / size, a.z / size} : a;
}

// In the space where the shape is a ball.
template <class Real>
struct Ball {
    Real radius{};
    Real very_close{};  // [length] the gap that is kept, along the path: the published tolerance
};

template <class Real, class Hit>
struct Response {
    Vec<Real> position;
    StopReason stopped = StopReason::Blocked;
    int iterations = 0;  // searches for a collision
    int hit_count = 0;
    std::array<Hit, kMaxMoveContacts> hits{};

    void add(const Hit& hit) noexcept {
        if (hit_count < kMaxMoveContacts) hits[static_cast<std::size_t>(hit_count++)] = hit;
    }
};

}  // namespace graze::slide
