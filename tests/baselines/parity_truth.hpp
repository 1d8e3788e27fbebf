// What the oracle knows of the number of contacts, and of contacts at the ends of parameters.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>

#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/narrow/query_kind.hpp"
#include "graze/oracle/oracle.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::testing {

template <class Motion>
[[nodiscard]] oracle::Query oracle_query(const Motion& motion) {
    return verify::oracle_query(io::record_of(motion), Motion::kKind);
}
template <class Motion>
[[nodiscard]] bool touches(const Motion& motion) {
    return oracle::first_contact(oracle_query(motion)).state == oracle::State::Contact;
}

// At how many times the primitives touch, those less than 2^-30 apart counted once; 16 if more, as
// where they stay in touch. Roots of F, for motions without a coincidence: one a time.
template <class Motion>
[[nodiscard]] int contact_times(const Motion& motion) {
    constexpr double kApart = 0x1p-30;
    constexpr int kMost = 16;
    const oracle::Query query = oracle_query(motion);
    int count = 0;
    double begin = 0.0;
    while (begin < 1.0 && count < kMost) {
        const oracle::Truth truth = oracle::first_contact_in(query, begin, 1.0);
        if (truth.state != oracle::State::Contact) break;
        ++count;
        begin += truth.toi_upper * (1.0 - begin) + kApart;
    }
    return count;
}

[[nodiscard]] constexpr MovingPoint stays(const Vec3& at) noexcept {
    return {at, at};
}

// Is a root of F on the boundary of its domain? Lower queries tell: primitives that rest at the
// start or at the end of the step, and a corner of one against an edge of the other.
[[nodiscard]] inline bool touches_on_boundary(const VertexFaceMotion& m) {
    const auto& f = m.face;
    for (const bool at_end : {false, true}) {
        const auto at = [&](const MovingPoint& p) { return stays(at_end ? p.end : p.start); };
        if (touches(VertexFaceMotion{at(m.vertex), {at(f[0]), at(f[1]), at(f[2])}})) return true;
    }
    return touches(VertexEdgeMotion{m.vertex, {f[0], f[1]}}) ||
           touches(VertexEdgeMotion{m.vertex, {f[1], f[2]}}) ||
           touches(VertexEdgeMotion{m.vertex, {f[2], f[0]}});
}
[[nodiscard]] inline bool touches_on_boundary(const EdgeEdgeMotion& m) {
    const auto& a = m.edge_a;
    const auto& b = m.edge_b;
    for (const bool at_end : {false, true}) {
        const auto at = [&](const MovingPoint& p) { return stays(at_end ? p.end : p.start); };
        if (touches(EdgeEdgeMotion{{at(a[0]), at(a[1])}, {at(b[0]), at(b[1])}})) return true;
    }
    return touches(VertexEdgeMotion{a[0], b}) || touches(VertexEdgeMotion{a[1], b}) ||
           touches(VertexEdgeMotion{b[0], a}) || touches(VertexEdgeMotion{b[1], a});
}

// check(motion) for both kinds and every family, `count` seeds from `first` on; fewer wild ones,
// whose exact answers take long.
template <class Check>
void for_each_motion(std::uint64_t first, std::uint64_t count, const Check& check) {
    for (const generate::Family family : generate::kAllFamilies) {
        const std::uint64_t share = family == generate::Family::Wild ? (count + 9) / 10 : count;
        for (std::uint64_t seed = first; seed < first + share; ++seed) {
            const auto ask = [&]<class Motion>(const Motion*) {
                const auto record = generate::query(family, Motion::kKind, seed);
                SCOPED_TRACE(std::string(generate::name(family)) + " #" + std::to_string(seed) +
                             '\n' + io::to_hex(record, Motion::kKind));
                check(io::motion_of<Motion>(record), family);
            };
            ask(static_cast<const VertexFaceMotion*>(nullptr));
            ask(static_cast<const EdgeEdgeMotion*>(nullptr));
        }
    }
}

}  // namespace graze::testing
