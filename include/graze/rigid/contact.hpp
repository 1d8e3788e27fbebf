// A contact of two rigid bodies: which features meet, when and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "graze/core/vec3.hpp"
#include "graze/narrow/ccd.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid {

// The features that meet, A's first. Searches for all collisions report the first three; the first
// impact reports the two faces that come within its bracket.
enum class ContactType : std::uint8_t { VertexFace, FaceVertex, EdgeEdge, FaceFace };
// "vf", "fv", "ee", "ff": the first letter is A's feature.
[[nodiscard]] std::string_view short_name(ContactType type) noexcept;

// The default is the safe one: no feature is known, nothing is proved. Point and normal are in the
// world or in the local frame of A, at `time`: the functions that return contacts document which.
struct Contact {
    ContactType type = ContactType::FaceFace;
    std::uint32_t a = kNoFace;  // vertex, face or edge of A, by type
    std::uint32_t b = kNoFace;  // and of B
    double time = 0.0;          // [fraction of the step] of point and normal
    Vec3 point;
    Vec3 normal;  // from A to B, of unit length; 0 where nothing is known
    // >= 0: the bodies face each other there, as at every first contact; below 0: they already
    // overlap nearby. For vertex and face min e_i . n over the edges at the vertex; for two edges
    // Buss 2005, equation 7, which is the true value where they are perpendicular. 0 for two faces.
    double properness = 0.0;
    // It happens in [time_lower, time_upper] by proof; [0, infinity] without one.
    double time_lower = 0.0;
    double time_upper = kInfinity;

    [[nodiscard]] bool has_features() const noexcept { return a != kNoFace && b != kNoFace; }
    [[nodiscard]] bool is_proved() const noexcept { return time_upper < kInfinity; }
};

// The same in the world, for point and normal in the local frame of A.
[[nodiscard]] Contact to_world(const Contact& local, const PairStep& step) noexcept;

// Indices of the first contact of each group: contacts, sorted by time, are in one group while each
// comes within `time_gap` of the first of the group.
[[nodiscard]] std::vector<std::size_t> simultaneous_groups(std::span<const Contact> sorted,
                                                           double time_gap);

}  // namespace graze::rigid
