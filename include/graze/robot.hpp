// Motions of robots that are proved free of collision: include this header, link graze::robot.
//
//   Robot            links on joints: revolute, continuous, prismatic, fixed, mimic
//   Scene            a robot and obstacles, with the pairs of links that may touch
//   check_motion()   is the motion from one configuration to another free? Separated, Contact or
//                    Unresolved, for all of the continuous motion, with a proved bracket of the time
//   certify_path()   the same for each segment of a path, in parallel, with the least clearance
//
// Guide: docs/robot.md.
#pragma once

#include "graze/robot/check.hpp"
#include "graze/robot/robot.hpp"
