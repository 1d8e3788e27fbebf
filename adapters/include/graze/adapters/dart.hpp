// Primitive queries in the shape of DART's: Hit, Miss or Indeterminate.
//
// Any vectors with v[0], v[1], v[2] of floats or doubles; all positions at the start, then all at the end.
#pragma once

#include <cstdint>

#include "graze/adapters/conservative.hpp"
#include "graze/ccd.hpp"
#include "graze/narrow/contact_point.hpp"

namespace graze::adapters {

enum class DartCcdStatus : std::uint8_t {
    Hit,            // contact: proved (within `tolerance` where there is a minimum separation)
    Miss,           // no contact in [0, tMax]: proved
    Indeterminate,  // neither
};

struct DartCcdResult {
    DartCcdStatus status = DartCcdStatus::Indeterminate;
    // [0, timeOfImpact) is proved to be free, whatever the status: never later than the contact. The end of the
    // search for a Miss.
    double timeOfImpact = 0.0;
    double timeUpper = kInfinity;  // contact at or before it is proved
    Vec3 point;                    // of a Hit, on the first primitive: an estimate
    Vec3 normal;                   // from the second primitive to the first: an estimate
};

namespace detail {

template <QueryMotion Motion>
[[nodiscard]] DartCcdResult dart_answer(const Motion& motion, const CcdOptions& options) noexcept {
    const CcdResult answer = ccd(motion, options);
    if (answer.verdict == Verdict::Separated)
        return {DartCcdStatus::Miss, options.t_max, kInfinity, {}, {}};
    DartCcdResult result;
    result.timeOfImpact = answer.toi_lower;
    result.timeUpper = answer.toi_upper;
    if (answer.verdict != Verdict::Contact) return result;
    result.status = DartCcdStatus::Hit;
    const ContactPoint contact = contact_point(motion, answer.toi_lower);
    result.point = contact.on_a;
    result.normal = contact.normal;
    return result;
}

}  // namespace detail

template <class V>
[[nodiscard]] DartCcdResult pointTriangleCcd(const V& p0, const V& a0, const V& b0, const V& c0,
                                             const V& p1, const V& a1, const V& b1, const V& c1,
                                             const CcdOptions& options = {}) {
    return detail::dart_answer(
        VertexFaceMotion{
            {to_vec3(p0), to_vec3(p1)},
            {{{to_vec3(a0), to_vec3(a1)}, {to_vec3(b0), to_vec3(b1)}, {to_vec3(c0), to_vec3(c1)}}}},
        options);
}

template <class V>
[[nodiscard]] DartCcdResult edgeEdgeCcd(const V& a0, const V& b0, const V& c0, const V& d0,
                                        const V& a1, const V& b1, const V& c1, const V& d1,
                                        const CcdOptions& options = {}) {
    return detail::dart_answer(
        EdgeEdgeMotion{{{{to_vec3(a0), to_vec3(a1)}, {to_vec3(b0), to_vec3(b1)}}},
                       {{{to_vec3(c0), to_vec3(c1)}, {to_vec3(d0), to_vec3(d1)}}}},
        options);
}

}  // namespace graze::adapters
