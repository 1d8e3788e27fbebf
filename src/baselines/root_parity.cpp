#include "graze/baselines/root_parity.hpp"

#include <bit>
#include <cstdint>
#include <span>

#include "baselines/root_parity/exact_parity.hpp"
#include "baselines/root_parity/rounded_image.hpp"
#include "graze/core/fp_environment.hpp"

namespace graze {
namespace {

using parity::Parity;
using parity::RoundedImage;
using parity::TriangleList;

// Numbers in [-1, 1) that follow from the query, so that the same query gets the same rays.
// (Steele, Lea, Flood 2014: SplitMix64.)
class Directions {
public:
    explicit Directions(std::span<const Vec3> corners) noexcept {
        for (const Vec3& c : corners) {
            for (std::size_t axis = 0; axis < 3; ++axis)
                state_ = mix(state_ ^ std::bit_cast<std::uint64_t>(c[axis]));
        }
    }
    [[nodiscard]] Vec3 next() noexcept {
        const double x = number();
        const double y = number();
        return {x, y, number()};
    }

private:
    std::uint64_t state_ = 0;

    [[nodiscard]] static std::uint64_t mix(std::uint64_t z) noexcept {
        z += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    [[nodiscard]] double number() noexcept {
        state_ = mix(state_);
        return static_cast<double>(static_cast<std::int64_t>(state_) >> 11) * 0x1p-52;
    }
};

// After so many rays that come too near to an edge, integers are the faster way.
constexpr int kRays = 4;

template <class Motion>
Parity rounded_parity(const Motion& motion) noexcept {
    RoundedImage<Motion> image(motion);
    if (image.is_on_one_side()) return Parity::Even;
    image.bound_errors();
    TriangleList<Motion> list;
    const Parity found = parity::cut_into_triangles(image, list);
    if (found != Parity::Even) return found;
    Directions directions(image.corners());
    for (int i = 0; i < kRays; ++i) {
        const Parity parity = parity::crossings(list, image.ray(directions.next()));
        if (parity != Parity::Unknown) return parity;
    }
    return Parity::Unknown;
}

template <class Motion>
CcdResult filtered(const Motion& motion, const CcdOptions& options) noexcept {
    if (!is_valid(options) || options.min_separation != 0.0 || !is_finite_motion(motion)) return {};
    // Positions at other times than 0 and 1 are rounded; integers have them exactly.
    Parity parity = options.t_max == 1.0 ? rounded_parity(motion) : Parity::Unknown;
    if (parity == Parity::Unknown) parity = parity::exact_parity(motion, options.t_max);
    if (parity == Parity::Even) return separated(1);
    return {.verdict = Verdict::Contact, .checks = 1};
}

template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    return filtered(motion, options);
}

}  // namespace

template <CoplanarityMotion Motion>
CcdResult root_parity(const Motion& motion, const CcdOptions& options) noexcept {
    return with_sound_arithmetic([&]() noexcept { return filtered(motion, options); },
                                 []() noexcept { return CcdResult{}; });
}
template CcdResult root_parity(const VertexFaceMotion&, const CcdOptions&) noexcept;
template CcdResult root_parity(const EdgeEdgeMotion&, const CcdOptions&) noexcept;

Method make_root_parity() noexcept {
    return {
        .name = "root-parity",
        .summary = "parity of the number of contacts, filtered; misses pairs of contacts",
        .guarantee = {.no_false_positives = true, .always_resolves = true, .scale_invariant = true},
        .vertex_face = {&as_method<VertexFaceMotion>},
        .edge_edge = {&as_method<EdgeEdgeMotion>}};
}

}  // namespace graze
