// Rigid bodies that push each other: gravity, impulses with friction and restitution, sleeping, on top
// of the proved searches of BodyWorld.
//
// Velocities come from an estimate (sequential impulses over contact points); whatever they are, a step
// is taken only as far as it is proved free: every accepted motion keeps all bodies farther apart than
// a separation > 0, at every time of the step (RDY-1, docs/derivations/rigid_dynamics.md). So no state
// and no motion between two states ever interpenetrates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "graze/core/executor.hpp"
#include "graze/core/expected.hpp"
#include "graze/core/stop.hpp"
#include "graze/rigid/convex.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/impulse.hpp"
#include "graze/rigid/motion.hpp"
#include "graze/rigid/world.hpp"

namespace graze::rigid {

// --- Mass ------------------------------------------------------------------------------------------

struct MassProperties {
    double mass = 0.0;
    Vec3 centre;        // in the frame of the shape
    Matrix3 inertia{};  // about the centre, in the axes of the frame
};
// Of a solid of constant density, by the formulas of the solids, to rounding errors: spheres, capsules,
// boxes, cylinders, hulls. The rounding of a box, a cylinder or a hull counts as a body that is larger
// by it in every direction (exact for none, but between the core and the true one of no rounding).
// Errors: no volume, a density that is not positive.
[[nodiscard]] Expected<MassProperties> mass_properties(const ConvexShape& shape,
                                                       double density = 1.0);
// Of a closed surface. Error: no positive volume.
[[nodiscard]] Expected<MassProperties> mass_properties(const Polyhedron& surface,
                                                       double density = 1.0);
// The triangles of the hull of points, counterclockwise from outside, as an estimate: points that are
// within rounding errors of a face are left out. Empty where the points lie in a plane.
[[nodiscard]] std::vector<std::array<std::uint32_t, 3>> hull_triangles(
    std::span<const Vec3> points);

// --- Bodies ----------------------------------------------------------------------------------------

enum class BodyKind : std::uint8_t {
    Static,  // never moves
    Driven,  // moves with the velocity that is set for it; nothing pushes it, but it stops where it would
             // get into another body
    Dynamic,  // moves by forces and impulses
};

// What a dynamic body can do.
enum class Freedom : std::uint8_t {
    All,
    Hinge,   // rotates about `axis` through its origin alone
    Slider,  // moves along `axis` alone
};

struct DynamicBody {
    ShapeId shape = 0;
    // The origin of the frame is the centre of mass.
    Pose pose;
    BodyKind kind = BodyKind::Dynamic;
    BodyVelocity velocity;
    Freedom freedom = Freedom::All;
    Vec3 axis{0.0, 0.0, 1.0};  // in the world
    double density = 1.0;
    // In place of those of the shape. Their centre must be the origin.
    std::optional<MassProperties> mass;
    double friction = 0.5;     // >= 0, Coulomb; of a pair: the geometric mean
    double restitution = 0.0;  // [0, 1], Newton; of a pair: the larger
    BodyFilter filter{};       // margin must be 0
};

struct DynamicsOptions {
    Vec3 gravity{0.0, 0.0, -9.81};  // [length / time^2]
    double time_step = 1.0 / 60.0;  // [time] > 0
    // [length] Bodies come to rest at this distance; 0: a hundredth of the smallest body.
    double resting_gap = 0.0;
    // (0, 1): the distance that every accepted motion is proved to keep, as a fraction of resting_gap.
    double separation_fraction = 0.25;
    int velocity_iterations = 20;  // sweeps over all contacts
    int relax_iterations = 6;      // sweeps without the velocity that restores the resting gap
    int max_rounds = 6;            // how often obstructed motions are shortened before bodies stay
    double linear_damping = 0.0;   // [1 / time]
    double angular_damping = 0.0;
    // Bodies in contact sleep when all are slower than `sleep_speed` for `sleep_time`; speed is that of the
    // fastest point. 0: half of what gravity adds in a step; without gravity nothing sleeps then.
    bool sleeping = true;
    double sleep_speed = 0.0;
    double sleep_time = 0.5;
    // Of each search. `progress` and `min_separation` are not used.
    ImpactOptions impact{.time_width = 1e-3, .max_checks = 100'000};
    // Threads at most; the results are the same bits for any number.
    std::size_t threads = 1;
    Executor executor{};
};

// A point at which two bodies push each other, or nearly touch.
struct TouchPoint {
    BodyPair pair;
    Vec3 position;         // in the world, in the middle of the gap
    Vec3 normal;           // unit length, from the first to the second
    double gap = 0.0;      // after the step, by its velocities
    double impulse = 0.0;  // of the last step, along the normal
};

struct DynamicsReport {
    std::size_t pairs = 0;     // whose bounds are near
    std::size_t contacts = 0;  // points
    std::size_t searches = 0;  // rounds of searches of the world
    std::size_t searched = 0;  // pairs in them
    // Bodies whose motion was shortened for an impact, and those of them that stayed.
    std::size_t shortened = 0;
    std::size_t stopped = 0;
    std::size_t asleep = 0;
    // Impacts on the motions that were first proposed: verdict, bracket, point and normal.
    std::vector<PairImpact> impacts;
};

// How the bodies lie, pair by pair. Independent of the searches: intervals for convex shapes, exact
// integers for surfaces (start_state()).
struct StateCheck {
    std::size_t proved = 0;       // pairs that are proved to have no point in common
    std::size_t not_proved = 0;   // neither
    std::size_t overlapping = 0;  // pairs with a common point, proved
    [[nodiscard]] bool is_free() const noexcept { return not_proved == 0 && overlapping == 0; }
};

class Dynamics {
public:
    explicit Dynamics(const DynamicsOptions& options = {});
    ~Dynamics();
    Dynamics(Dynamics&&) noexcept;
    Dynamics& operator=(Dynamics&&) noexcept;

    [[nodiscard]] ShapeId add_shape(ConvexShape shape);
    [[nodiscard]] ShapeId add_shape(RigidBody surface);
    // Errors: no such shape, numbers out of range, a body without volume that is to move by forces.
    [[nodiscard]] Expected<BodyId> add_body(const DynamicBody& body);

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] const Pose& pose(BodyId body) const;
    [[nodiscard]] const BodyVelocity& velocity(BodyId body) const;
    [[nodiscard]] bool is_asleep(BodyId body) const;
    // Wakes the body and those that sleep with it.
    void set_velocity(BodyId body, const BodyVelocity& velocity);
    void wake(BodyId body);

    // Guarantee: for every pair of bodies the motion from the poses before to the poses after is proved
    // free (BodyWorld::search()), with a distance above separation() at every time of it; bodies for
    // which that could not be proved stay, and where nothing could nobody moves. The first step proves
    // that the start is free. A driven body that is obstructed is shortened like others.
    // Not guaranteed: that momentum and energy are those of exact bodies.
    // Errors, which leave all poses as they were: bodies within separation() of each other at the start
    // of the first step (by their numbers), options out of range, "cancelled".
    [[nodiscard]] Expected<DynamicsReport> step();

    // Points of the last step, by pair.
    [[nodiscard]] std::span<const TouchPoint> contacts() const noexcept;
    // Dynamic bodies with a contact within twice the resting gap, now.
    [[nodiscard]] std::size_t bodies_in_contact() const;
    [[nodiscard]] double kinetic_energy() const noexcept;
    [[nodiscard]] double separation() const noexcept;
    [[nodiscard]] double resting_gap() const noexcept;

    // All pairs whose bounds are not disjoint.
    [[nodiscard]] StateCheck check() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace graze::rigid
