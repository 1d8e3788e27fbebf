#include "graze/baselines/root_parity_published.hpp"

#include <algorithm>
#include <cmath>

#include "baselines/root_parity/exact_image.hpp"
#include "baselines/root_parity/rounded_image.hpp"
#include "graze/core/elementary.hpp"
#include "graze/core/fp_environment.hpp"

namespace graze {
namespace {

using parity::Coordinate;
using parity::ExactImage;
using parity::Parity;
using parity::PatchSigns;
using parity::Quad;
using parity::RoundedImage;
using parity::SidedTriangle;
using parity::Triangle;

constexpr int kPublishedRays = 10;

// Two triangles that stand for a patch.
struct TrianglePair {
    std::array<SidedTriangle, 2> triangles;
    bool counts_once = false;  // crossing both is crossing once
};

template <class Motion>
class PublishedImage {
public:
    PublishedImage(const Motion& motion, double t_max) noexcept : image_(motion, t_max) {}

    // OnImage, or Even: ready for rays.
    Parity prepare() noexcept {
        for (std::size_t i = 0; i < kCaps; ++i) {
            const Triangle& cap = parity::BoundaryImage<Motion>::kCaps[i];
            caps_[i] = {cap, image_.side(cap)};
            if (caps_[i].side == 0 && image_.holds_origin(cap)) return Parity::OnImage;
        }
        for (std::size_t i = 0; i < kPatches; ++i) {
            if (is_on(parity::BoundaryImage<Motion>::kPatches[i], pairs_[i]))
                return Parity::OnImage;
        }
        return Parity::Even;
    }

    // Even or Odd; Unknown for a ray that meets an edge.
    template <class Ray>
    [[nodiscard]] Parity crossings(const Ray& ray) const noexcept {
        int count = 0;
        for (const SidedTriangle& cap : caps_) {
            const Parity crossing = passes(cap, ray);
            if (crossing == Parity::Unknown) return crossing;
            count += crossing == Parity::Odd ? 1 : 0;
        }
        for (const TrianglePair& pair : pairs_) {
            const Parity first = passes(pair.triangles[0], ray);
            const Parity second = passes(pair.triangles[1], ray);
            if (first == Parity::Unknown || second == Parity::Unknown) return Parity::Unknown;
            const int both = (first == Parity::Odd ? 1 : 0) + (second == Parity::Odd ? 1 : 0);
            count += pair.counts_once ? std::min(both, 1) : both;
        }
        return count % 2 == 0 ? Parity::Even : Parity::Odd;
    }

    [[nodiscard]] const ExactImage<Motion>& exact() const noexcept { return image_; }

private:
    static constexpr std::size_t kCaps = parity::BoundaryImage<Motion>::kCaps.size();
    static constexpr std::size_t kPatches = parity::BoundaryImage<Motion>::kPatches.size();

    ExactImage<Motion> image_;
    std::array<SidedTriangle, kCaps> caps_;
    std::array<TrianglePair, kPatches> pairs_;

    template <class Ray>
    [[nodiscard]] static Parity passes(const SidedTriangle& triangle, const Ray& ray) noexcept {
        return triangle.side == 0 ? Parity::Even : parity::passes(triangle, ray);
    }

    // The pair of triangles that stands for the patch; true where the origin is on it.
    bool is_on(const Quad& q, TrianglePair& pair) const noexcept {
        const PatchSigns signs = image_.patch_signs(q);
        const auto& w = signs.w;
        if (signs.in_plane()) return is_in_hull(q);
        if (signs.may_hold() && signs.phi == 0) return true;
        // Inside a tetrahedron a ray leaves through one face of a pair, not through both; and two
        // triangles of a flat patch do not overlap unless it is an hourglass.
        pair.counts_once = signs.may_hold() || image_.is_flat(q);
        if (!signs.may_hold() || signs.phi < 0) {
            pair.triangles = {{{{q[0], q[1], q[3]}, w[2]}, {{q[0], q[3], q[2]}, w[1]}}};
        } else {
            pair.triangles = {{{{q[0], q[1], q[2]}, -w[3]}, {{q[1], q[3], q[2]}, -w[0]}}};
        }
        return false;
    }
    // Of corners in one plane with the origin.
    [[nodiscard]] bool is_in_hull(const Quad& q) const noexcept {
        return image_.holds_origin(Triangle{q[0], q[1], q[2]}) ||
               image_.holds_origin(Triangle{q[1], q[2], q[3]}) ||
               image_.holds_origin(Triangle{q[0], q[1], q[3]}) ||
               image_.holds_origin(Triangle{q[0], q[2], q[3]});
    }
};

// Coordinates of an order that ExactImage::ray() takes.
Vec3 ray_at(double angle) noexcept {
    const auto of_size = [](double x) { return std::fabs(x) < 0x1p-100 ? 0.0 : x; };
    return {of_size(cosine(angle)), of_size(-sine(angle)), 0.0};
}

template <class Motion>
Parity published_parity(const Motion& motion, double t_max, double angle) noexcept {
    if (RoundedImage<Motion>(motion).is_on_one_side()) return Parity::Even;
    PublishedImage<Motion> image(motion, t_max);
    const Parity found = image.prepare();
    if (found != Parity::Even) return found;
    Vec3 direction{1.0, 1.0, 0.0};
    for (int i = 0; i < kPublishedRays; ++i) {
        const Parity parity = image.crossings(image.exact().ray(direction));
        if (parity != Parity::Unknown) return parity;
        direction = ray_at(angle);
        angle += 2.39996322972865332;  // the golden angle: no two rays are near each other
    }
    return Parity::OnImage;
}

template <class Motion>
CcdResult published_answer(const Motion& motion, const CcdOptions& options, double angle) noexcept {
    if (!is_valid(options) || options.min_separation != 0.0 || !is_finite_motion(motion) ||
        !is_finite(angle))
        return {};
    if (published_parity(motion, options.t_max, angle) == Parity::Even) return separated(1);
    return {.verdict = Verdict::Contact, .checks = 1};
}

template <class Motion>
CcdResult as_method(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    return published_answer(motion, options, kPublishedRayAngle);
}

}  // namespace

template <CoplanarityMotion Motion>
CcdResult root_parity_published(const Motion& motion, const CcdOptions& options,
                                double ray_angle) noexcept {
    return with_sound_arithmetic(
        [&]() noexcept { return published_answer(motion, options, ray_angle); },
        []() noexcept { return CcdResult{}; });
}
template CcdResult root_parity_published(const VertexFaceMotion&, const CcdOptions&,
                                         double) noexcept;
template CcdResult root_parity_published(const EdgeEdgeMotion&, const CcdOptions&, double) noexcept;

Method make_root_parity_published() noexcept {
    return {.name = "root-parity-published",
            .summary = "root parity with the failures of its publication; not safe",
            .guarantee = {.always_resolves = true},
            .role = MethodRole::AsPublished,
            .vertex_face = {&as_method<VertexFaceMotion>},
            .edge_edge = {&as_method<EdgeEdgeMotion>}};
}

}  // namespace graze
