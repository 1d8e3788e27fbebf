// Continuous collision detection of two rigid bodies: include this header, link graze::rigid.
//
//   RigidBody         a polygon surface (graze/io/rigid_body.hpp reads one from a file)
//   Pose, BodyStep    where a body is at both ends of a step: BodyStep::rest(pose),
//                     BodyStep::between(start, end); it moves on the screw between them
//   first_impact()    the first contact of two bodies in a step: Separated, Contact or Unresolved,
//                     with a proved bracket of the time of impact
//   ConvexShape       box, sphere, capsule, cylinder or hull; the same question, under any two motions
//   BodyMotion        screw, slerp, nlerp, constant angular velocity, rotation vector, affine map;
//                     PiecewiseMotion, ComposedMotion, or your own   (graze/rigid/motion.hpp)
//   start_state()     do two bodies touch, or is one inside the other, at given poses? Exact
//   distance()        how far are two bodies from each other at given poses? A proved bracket
//   all_impacts()     every crossing of features in the step, with proved brackets
//   SafeStepper       many bodies, many steps: no pose ever overlaps   (graze/rigid/stepper.hpp)
//   Dynamics          bodies that push each other: gravity, friction, sleep; every accepted motion is
//                     proved free   (graze/rigid/dynamics.hpp)
//   apply_impulses()  a response to all collisions at once   (graze/rigid/impulse.hpp)
//   RasterSearch      all collisions, approximate: Buss's screen by chords (graze/rigid/raster.hpp)
//   PixelSearch       the same by pixels, as published: may miss   (graze/rigid/pixels.hpp)
//
//   const auto result = graze::rigid::first_impact(chair, door, {
//       graze::rigid::BodyStep::rest(here), graze::rigid::BodyStep::between(open, closed)});
//   if (result.verdict == graze::Verdict::Separated) ...       // proved for the whole step
//
// Guide: docs/rigid.md.
#pragma once

#include "graze/core/pose.hpp"
#include "graze/rigid/convex.hpp"
#include "graze/rigid/distance.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/motion.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/start_state.hpp"
#include "graze/rigid/step.hpp"
