// The last steps (Buss 2005, sections 5 and 9): pairs of features as collisions of a vertex and a
// face or of two edges, with time, position, normal and properness.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graze/core/stop.hpp"
#include "graze/rigid/contact.hpp"
#include "rigid/pixels/scan.hpp"

namespace graze::rigid::pixels {

struct Resolved {
    std::vector<Contact> collisions;  // sorted by time; positions and normals in A's local frame
    std::size_t not_converged = 0;
};

// Not all of them after a stop.
[[nodiscard]] Resolved resolve(const PixelBody& a, const PixelBody& b, const Flow& flow,
                               const Scan& scan, double pixel, double min_properness,
                               StopPoll& stop);

// The time at which a point that starts at x and goes along the flow is in the plane of a face that
// rests, by Newton's method from the guess, at most a few dozen steps. None where it does not
// converge, or where it leaves the side that the normal points to.
[[nodiscard]] std::optional<double> time_in_plane(const Flow& flow, const Vec3& x,
                                                  const Vec3& normal, const Vec3& on_plane,
                                                  double guess, double sign) noexcept;

}  // namespace graze::rigid::pixels
