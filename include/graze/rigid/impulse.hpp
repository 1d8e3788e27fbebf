// Collision response: impulses for all contacts of a group at once.
//
// A search that lists all collisions of a step lets an application treat those that happen nearly
// at one time as simultaneous (Buss, Collision detection with relative screw motion, 2005, section
// 3): a box that lands slightly tilted then answers like one that lands flat, because the corner
// that arrives second takes its part of the impulse, too. Nothing here is proved, and nothing needs
// to be: whatever velocities come out, SafeStepper lets no body into another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graze/core/pose.hpp"
#include "graze/core/vec3.hpp"
#include "graze/rigid/contact.hpp"
#include "graze/rigid/stepper.hpp"

namespace graze::rigid {

// The centre of mass is the origin of the local frame, whose axes are the principal axes.
struct BodyMass {
    double inverse_mass = 0.0;  // 0: the body never moves
    Vec3 inverse_inertia;       // about the axes of the local frame
};

struct BodyVelocity {
    Vec3 linear;   // of the origin of the local frame, in the world
    Vec3 angular;  // in the world
};

// A point where two bodies push each other, in the world.
struct ImpulseContact {
    BodyPair pair;
    Vec3 position;
    Vec3 normal;  // unit length, from the first body to the second
    Pose pose_first;
    Pose pose_second;
    // >= 0: the velocity along the normal at which the bodies separate here at least.
    double least_separation_rate = 0.0;
};

struct ResponseGroup {
    // Collisions below it are left out: -0.1 keeps those that are slightly improper.
    double min_properness = -0.1;
    // [fraction of the step] within which collisions count as simultaneous.
    double time_gap = 0.25;
};
// The first group of simultaneous collisions among those that are not too improper. `sorted`: in
// the world, by time, as in Obstruction::collisions. Poses are those at the time of each collision.
[[nodiscard]] std::vector<ImpulseContact> first_contacts(const BodyPair& pair, const PairStep& step,
                                                         std::span<const Contact> sorted,
                                                         const ResponseGroup& group = {});

struct ImpulseOptions {
    double restitution = 0.0;  // [0, 1] of the approach velocity, contact by contact (Newton)
    double friction = 0.0;     // >= 0, Coulomb
    // Sweeps of projected Gauss-Seidel at most, and the change of a contact's velocity, relative to
    // the fastest approach, below which they stop.
    int max_sweeps = 200;
    double tolerance = 1e-10;
};

struct ImpulseReport {
    std::vector<double> impulses;  // >= 0, by contact, along its normal
    int sweeps = 0;
    bool converged = false;
};

// Changes the velocities such that every contact separates as fast as its restitution and
// least_separation_rate ask for, by impulses >= 0 along the normals and friction within Coulomb's
// cone. Where max_sweeps do not suffice, as many more only stop what still approaches (inelastic).
// Without friction the velocities are those of least kinetic energy of the change: unique, so that
// the order of the contacts does not matter beyond the tolerance.
// Requires: numbers of bodies that masses and velocities have.
ImpulseReport apply_impulses(std::span<const ImpulseContact> contacts,
                             std::span<const BodyMass> masses, std::span<BodyVelocity> velocities,
                             const ImpulseOptions& options = {});

}  // namespace graze::rigid
