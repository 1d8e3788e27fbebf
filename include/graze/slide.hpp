// A character that slides over a level of triangles: a ball or an axis-aligned ellipsoid, swept by
// continuous collision detection, that keeps a proved gap to every face.
//
//   slide::Level<float>          the triangles, in parts that can be moved or replaced
//   slide::World<float>          the same with a pose for each part, of which thousands may move
//   slide::move_and_slide()      one move along what it meets
//   slide::move_and_climb()      the same with slopes that are too steep, and stairs
//   slide::snap_to_ground()      downhill without flying
//   slide::Character             all of these for one capsule, with events
//   slide::ride_parts()          what moving parts of a world do to it
//   slide::first_contact()       the first contact of a sweep, never late
//   slide::smallest_gap()        the nearest face, with a proved lower bound
//
// float or double is the caller's choice; what is proved is proved for the numbers as given.
#pragma once

#include "graze/slide/character.hpp"
#include "graze/slide/controller.hpp"
#include "graze/slide/level.hpp"
#include "graze/slide/mover.hpp"
#include "graze/slide/ride.hpp"
#include "graze/slide/sweep.hpp"
#include "graze/slide/world.hpp"
