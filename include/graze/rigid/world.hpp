// Many rigid bodies in one step: which of them meet, when first, and how far all can go.
//
// Shapes are added once and shared by the bodies that are instances of them. Every step sets how the
// bodies move and asks search(). Convex shapes (graze/rigid/convex.hpp) move by the motions that were
// set; a pair with a surface in it (RigidBody) is searched on the relative screw of its two steps, as
// first_impact() does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "graze/core/executor.hpp"
#include "graze/core/expected.hpp"
#include "graze/rigid/convex.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/motion.hpp"
#include "graze/rigid/stepper.hpp"

namespace graze::rigid {

using ShapeId = std::uint32_t;
using BodyId = std::uint32_t;

// How a body gets from its pose to its target.
enum class MotionModel : std::uint8_t { Slerp, Nlerp, Screw };

// Two bodies are searched if the group of each is in the mask of the other; contact is a distance of at
// most the sum of both margins and the separation of the search.
struct BodyFilter {
    std::uint32_t group = 1;
    std::uint32_t mask = 0xffff'ffff;
    double margin = 0.0;
};

struct WorldOptions {
    // Of each pair. `progress` is not used.
    ImpactOptions impact{};
    // Asked of each pair whose swept boxes overlap, on several threads: false leaves it out.
    std::function<bool(BodyId first, BodyId second)> pair_filter{};
    // Threads at most; the results are the same bits for any number. The executor runs them.
    std::size_t threads = 1;
    Executor executor{};
};

struct PairImpact {
    BodyPair pair;
    ImpactResult result;
};

struct WorldImpacts {
    // Pairs in contact or not decided, by toi_lower, then by pair. All others are proved separated.
    std::vector<PairImpact> impacts;
    // All bodies are proved separated in [0, safe_fraction); infinity: in the whole step.
    double safe_fraction = 0.0;
    // The earliest time at or before which some contact is proved; infinity: none.
    double contact_by = kInfinity;
    std::size_t candidates = 0;  // pairs whose swept boxes overlap and that no filter left out
};

class BodyWorld {
public:
    BodyWorld();
    ~BodyWorld();
    BodyWorld(BodyWorld&&) noexcept;
    BodyWorld& operator=(BodyWorld&&) noexcept;

    // --- Shapes ----------------------------------------------------------------------------------
    [[nodiscard]] ShapeId add_shape(ConvexShape shape);
    [[nodiscard]] ShapeId add_shape(RigidBody surface);
    // Convex to convex shapes, a surface to surfaces: for bodies that meet both.
    [[nodiscard]] ShapeId add_shape(ConvexShape shape, RigidBody surface);

    // --- Bodies ----------------------------------------------------------------------------------
    // Ids are not used again. Errors: no such shape, a pose that check() refuses, a negative margin.
    [[nodiscard]] Expected<BodyId> add_body(ShapeId shape, const Pose& pose,
                                            const BodyFilter& filter = {});
    // Error: no such body, for these and all below.
    [[nodiscard]] Expected<void> remove_body(BodyId body);
    // Elsewhere, at rest.
    [[nodiscard]] Expected<void> set_pose(BodyId body, const Pose& pose);
    // From its pose to `target` in the next search. Error: a pose that check() refuses.
    [[nodiscard]] Expected<void> set_target(BodyId body, const Pose& target,
                                            MotionModel model = MotionModel::Slerp);
    // Origin straight to `end`, with a constant angular velocity [radians per step], by any number of
    // rotations. For bodies whose shape is convex. Error: numbers that cannot be worked with.
    [[nodiscard]] Expected<void> set_spin(BodyId body, const Vec3& end,
                                          const Vec3& angular_velocity);
    [[nodiscard]] std::size_t size() const noexcept;  // bodies
    [[nodiscard]] Expected<Pose> pose(BodyId body) const;

    // --- Questions -------------------------------------------------------------------------------
    // The first impact of every pair of bodies in the step. Guarantee: a pair that is not listed is
    // proved separated in [0, t_max], as first_impact() of the pair proves it, or its swept bounds are
    // disjoint by proof (RC-6). A convex shape and a surface without a common kind are listed as
    // Unresolved, where their bounds overlap. Errors: options out of range, "cancelled".
    [[nodiscard]] Expected<WorldImpacts> search(const WorldOptions& options = {}) const;

    // Bodies take the fraction of their motions, to the nearest doubles, and rest there.
    void advance(double fraction);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace graze::rigid
