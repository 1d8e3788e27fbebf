// A barrier that keeps elements separated, and friction between those that are near (Li et al. 2020).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graze/mesh/candidates.hpp"
#include "graze/narrow/ccd.hpp"
#include "graze/sim/closest_points.hpp"
#include "graze/sim/energy.hpp"

namespace graze::sim {

// b(s) = -(s - 1)^2 ln s for 0 < s < 1: infinite at 0, zero with two derivatives from 1 on.
struct BarrierValue {
    double value = 0.0;
    double first = 0.0;
    double second = 0.0;
};
[[nodiscard]] BarrierValue barrier(double s) noexcept;

// Two elements that can come near each other.
struct ContactPair {
    QueryKind kind = QueryKind::VertexFace;
    std::array<std::uint32_t, 4> v{};
    double thickness = 0.0;  // sum of the largest radii of both
    // Edges: |e0 x e1|^2 below which the barrier is faded out, since nearest points of parallel edges
    // jump; 0 for all others.
    double parallel = 0.0;
    [[nodiscard]] std::span<const std::uint32_t> vertices() const noexcept {
        return {v.data(), vertex_count(kind)};
    }
};

// The vertices of a pair of elements of a mesh (as in Impact), those of the first element first; zeros
// past the last one.
[[nodiscard]] std::array<std::uint32_t, 4> vertices_of_pair(const MeshTopology& mesh,
                                                            QueryKind kind, std::uint32_t a,
                                                            std::uint32_t b);

// The sum of the largest radii of both elements; 0 without thickness.
[[nodiscard]] double thickness_of(const Model& model, const ContactPair& pair);
// [length] below which contacts stick in one step.
[[nodiscard]] double friction_slip(const Model& model, double model_size);

// The pairs of the candidates that have a vertex that is not fixed, in their order.
[[nodiscard]] std::vector<ContactPair> contact_pairs(const Model& model,
                                                     const Candidates& candidates);

// stiffness * sum over pairs of m b(s), s = (D - thickness^2) / (distance^2 + 2 thickness distance):
// from 0 where surfaces touch to 1 where they are `distance` apart. Infinite for s <= 0.
class BarrierEnergy final : public Energy {
public:
    // distance > 0, stiffness > 0 [energy].
    BarrierEnergy(std::vector<ContactPair> pairs, double distance, double stiffness)
        : pairs_(std::move(pairs)), distance_(distance), stiffness_(stiffness) {}

    [[nodiscard]] std::size_t element_count() const noexcept override { return pairs_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> vertices(std::size_t element) const override {
        return pairs_[element].vertices();
    }
    [[nodiscard]] double value(std::size_t element, std::span<const Vec3> x) const override;
    void derivatives(std::size_t element, std::span<const Vec3> x,
                     ElementDerivatives& out) const override;

    // The pairs whose barrier does not vanish there: all that derivatives are needed of.
    [[nodiscard]] BarrierEnergy active_at(std::span<const Vec3> x) const;
    // The least distance of a pair, less its thickness; `distance` where none is nearer.
    [[nodiscard]] double least_distance(std::span<const Vec3> x) const;
    [[nodiscard]] const std::vector<ContactPair>& pairs() const noexcept { return pairs_; }
    // Magnitude of the force between the two of a pair.
    [[nodiscard]] double normal_force(std::size_t element, std::span<const Vec3> x) const;

private:
    [[nodiscard]] double reach(const ContactPair& pair) const noexcept {
        return distance_ + pair.thickness;
    }
    [[nodiscard]] double scale(const ContactPair& pair) const noexcept {
        return distance_ * (distance_ + 2.0 * pair.thickness);
    }

    std::vector<ContactPair> pairs_;
    double distance_;
    double stiffness_;
};

// A contact that friction acts on.
struct FrictionContact {
    ContactPair pair;
    std::array<double, 4> weight{};  // of its nearest points, as of ClosestPoints
    Vec3 normal{};
    double force = 0.0;  // > 0, along the normal
};

// Coulomb friction with normal forces and tangent planes of earlier positions (lagged):
// mu N f(|u|), u the tangential displacement of the nearest points since the start of the step, and f
// smoothed below `slip` [length > 0], where contacts stick.
class FrictionEnergy final : public Energy {
public:
    // Contacts as of the barrier at `at`; displacements from `start`, which outlives this.
    FrictionEnergy(const BarrierEnergy& barrier, std::span<const Vec3> at,
                   std::span<const Vec3> start, double coefficient, double slip);

    FrictionEnergy(std::span<const FrictionContact> contacts, std::span<const Vec3> start,
                   double coefficient, double slip);

    [[nodiscard]] std::size_t element_count() const noexcept override { return contacts_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> vertices(std::size_t element) const override {
        return contacts_[element].pair.vertices();
    }
    [[nodiscard]] double value(std::size_t element, std::span<const Vec3> x) const override;
    void derivatives(std::size_t element, std::span<const Vec3> x,
                     ElementDerivatives& out) const override;

private:
    struct Contact {
        ContactPair pair;
        std::array<double, 4> weight{};
        Eigen::Matrix<double, 3, 2> tangents;
        double limit = 0.0;  // coefficient times normal force
    };
    [[nodiscard]] Eigen::Vector2d slide(const Contact& contact, std::span<const Vec3> x) const;

    std::vector<Contact> contacts_;
    std::span<const Vec3> start_;
    double slip_;
};

}  // namespace graze::sim
