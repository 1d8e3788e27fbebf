// What a character can stand on: faces, and the edges where such faces end.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "graze/slide/controller.hpp"
#include "slide/surroundings.hpp"

namespace graze::slide {

// [cosine] Directions that differ by less are the same: normals and vertices are rounded to floats,
// that is by 2^-24 of their size on each axis, and a wall that leans by this does not carry anyone.
inline constexpr double kUpright = 0x1p-20;
// [skins] A body rests two skins over what carries it, and rounding takes a quarter at most.
inline constexpr double kSupport = 2.5;

// None for zero and for what is no number.
[[nodiscard]] inline std::optional<Vec3> unit(const Vec3& v) noexcept {
    const double length = norm(v);
    if (!is_finite(v) || !(length > 0.0)) return std::nullopt;
    return (1.0 / length) * v;
}

// The part of v perpendicular to `up`. Requires: `up` of unit length.
[[nodiscard]] inline Vec3 across(const Vec3& v, const Vec3& up) noexcept {
    return v - dot(v, up) * up;
}

// The support function of an ellipsoid: max u . (R x) over |x| <= 1 is |R u|.
// How far the shape reaches from its core along a direction of unit length.
template <class Real>
[[nodiscard]] double radius_along(const Shape<Real>& shape, const Vec3& up) noexcept {
    const Vec3 r = widened(shape.radii);
    return norm(Vec3{r.x * up.x, r.y * up.y, r.z * up.z});
}

// The normal of a face, from where its vertices run counterclockwise. None where the face is lower
// than `least_height`: then it carries nothing, and its normal is noise.
template <class Real>
[[nodiscard]] std::optional<Vec3> face_normal(const std::array<Vec<Real>, 3>& vertex,
                                              double least_height) noexcept {
    const Vec3 ab = widened(vertex[1]) - widened(vertex[0]);
    const Vec3 ac = widened(vertex[2]) - widened(vertex[0]);
    const double size = std::max(norm_max(ab), norm_max(ac));
    if (!(size > 0.0) || !is_finite(size)) return std::nullopt;
    // In units of the face, where nothing overflows or vanishes.
    const Vec3 u = (1.0 / size) * ab;
    const Vec3 v = (1.0 / size) * ac;
    const Vec3 normal = cross(u, v);
    const double longest = std::max({norm(u), norm(v), norm(v - u)});
    if (!(norm(normal) * size >= least_height * longest)) return std::nullopt;
    return unit(normal);
}

// Tells ground from slopes.
template <class Real>
class FootingRule {
public:
    // `centre`: of a shape whose feet are on the ground. `step`: the highest step up from there.
    FootingRule(const Obstacles<Real>& level, const Shape<Real>& shape, const Vec<Real>& centre,
                double step, const Vec3& up, double least_upward, std::uint32_t layers) noexcept
        : level_(level),
          shape_(shape),
          up_(up),
          least_upward_(least_upward),
          layers_(layers),
          highest_edge_(dot(widened(centre), up) - radius_along(shape, up) -
                        std::fabs(dot(widened(shape.half_axis), up)) -
                        std::fabs(dot(widened(shape.side_axes[0]), up)) -
                        std::fabs(dot(widened(shape.side_axes[1]), up)) +
                        (step > 0.0 ? step : 0.0)) {}

    // Is it a slope that stops the shape like a wall?
    [[nodiscard]] bool is_steep(const SweepContact<Real>& contact, double skin) const noexcept {
        const double upward = upward_of(contact, skin);
        return upward > kUpright && upward < least_upward_ && !is_edge_of_ground(contact, skin);
    }

    // What carries the shape at a position where it rests: the contact that points up most. None
    // where nothing there can be stood on. `low_edges`: edges and vertices higher than a step do
    // not count, whatever their normals.
    [[nodiscard]] std::optional<SweepContact<Real>> support_at(const Vec<Real>& centre, double skin,
                                                               bool low_edges) const noexcept {
        std::optional<SweepContact<Real>> best;
        double most = 0.0;
        Surroundings<Real> around(level_, shape_, centre, layers_);
        if (!around.frame().valid) return best;
        const double radius = around.frame().radius_with(kSupport * skin);
        around.gather(box_around(around.frame(), widened(centre), widened(centre), radius));
        around.for_each_within({}, radius, [&](const NearFace& face, const ListDistance& found) {
            const SweepContact<Real> contact = around.contact(face, found.direction, 0.0);
            const double upward = upward_of(contact, skin);
            if (!(upward > most)) return;
            const bool is_ground =
                upward >= least_upward_ && !(low_edges && contact.feature != FeatureKind::Face &&
                                             dot(widened(contact.point), up_) > highest_edge_);
            if (!is_ground && !ends_at(contact, face.part, face.face, skin)) return;
            best = contact;
            most = upward;
        });
        return best;
    }

private:
    // The cosine with `up` that a contact is judged by. A shape that slides over a face is near to
    // the edges around it, too, and its contact with those is tilted; where the plane of the face
    // is as near as that, it is the face that counts.
    [[nodiscard]] double upward_of(const SweepContact<Real>& contact, double skin) const noexcept {
        const Vec3 tilted = widened(contact.normal);
        if (contact.feature == FeatureKind::Face) return dot(tilted, up_);
        const auto vertices = level_.triangle(contact.part, contact.face);
        const std::optional<Vec3> normal = face_normal(vertices, skin);
        if (!normal) return dot(tilted, up_);
        const Vec3 r = widened(shape_.radii);
        const auto scaled = [&](const Vec3& v) { return Vec3{r.x * v.x, r.y * v.y, r.z * v.z}; };
        // Of the centre over the plane of the face, as a part of the shape's reach in that
        // direction.
        // The point of an ellipsoid with the normal n is R R n / |R n|: so far is the centre from
        // the contact, with the two skins of rest.
        const double skins = skin / std::min({r.x, r.y, r.z});
        const Vec3 reach = (1.0 / norm(scaled(tilted))) * scaled(scaled(tilted));
        const Vec3 centre = widened(contact.point) + (1.0 + 2.0 * skins) * reach;
        const double height = dot(*normal, centre - widened(vertices[0]));
        const bool is_near = std::fabs(height) >= (1.0 + skins) * norm(scaled(*normal));
        return dot(!is_near ? tilted : height < 0.0 ? -*normal : *normal, up_);
    }

    // Does ground end in an edge or vertex at the contact, low enough to step on?
    [[nodiscard]] bool is_edge_of_ground(const SweepContact<Real>& contact,
                                         double skin) const noexcept {
        if (contact.feature == FeatureKind::Face) return false;
        const Real reach = static_cast<Real>(skin);
        Surroundings<Real> around(level_, {{reach, reach, reach}}, contact.point, layers_);
        if (!around.frame().valid) return false;
        const double radius = around.frame().radius_with(0.0);
        const Vec3 point = widened(contact.point);
        around.gather(box_around(around.frame(), point, point, radius));
        bool is_edge = false;
        around.for_each_within({}, radius, [&](const NearFace& face, const ListDistance&) {
            is_edge = is_edge || ends_at(contact, face.part, face.face, skin);
        });
        return is_edge;
    }

    // Is this face ground that ends at the contact, so that the shape leans on its edge? Then all
    // of it is behind the plane of the contact: the contact is the point of it that is nearest to
    // the shape. A floor at the foot of a slope is not.
    [[nodiscard]] bool ends_at(const SweepContact<Real>& contact, std::uint32_t part,
                               std::uint32_t face, double skin) const noexcept {
        const Vec3 point = widened(contact.point);
        if (contact.feature == FeatureKind::Face || !(dot(point, up_) <= highest_edge_))
            return false;
        const auto vertices = level_.triangle(part, face);
        const std::optional<Vec3> normal = face_normal(vertices, skin);
        const double upward = normal ? dot(*normal, up_) : 0.0;
        // From below, a face with one side is not there.
        const bool is_solid = upward > 0.0 || !level_.marks(part, face).one_sided;
        if (!is_solid || !(std::fabs(upward) >= least_upward_)) return false;
        return std::all_of(vertices.begin(), vertices.end(), [&](const Vec<Real>& vertex) {
            const Vec3 offset = widened(vertex) - point;
            return dot(offset, widened(contact.normal)) <= skin + kUpright * norm(offset);
        });
    }

    const Obstacles<Real>& level_;
    const Shape<Real>& shape_;
    Vec3 up_;
    double least_upward_;
    std::uint32_t layers_;
    double highest_edge_;  // along `up`
};

template <class Real>
[[nodiscard]] FootingRule<Real> footing_rule_of(const Obstacles<Real>& level,
                                                const Shape<Real>& shape, const Vec<Real>& centre,
                                                const Vec3& up,
                                                const StairOptions<Real>& options) noexcept {
    return {level,
            shape,
            centre,
            double{options.height},
            up,
            double{options.footing.least_upward},
            options.move.layers};
}

}  // namespace graze::slide
