// A robot at a contact, with what it meets, as SVG that needs nothing else.
#pragma once

#include <string>

#include "graze/robot/check.hpp"

namespace graze::app {

// The link or the obstacle of a party.
[[nodiscard]] const std::string& name_of(const robot::Scene& scene,
                                         const robot::ContactParty& party);

// The configuration at the fraction t of a linear segment, to the nearest doubles.
[[nodiscard]] robot::Configuration configuration_at(const robot::Configuration& start,
                                                    const robot::Configuration& end, double t);

struct DrawnContact {
    const robot::Scene& scene;
    robot::Configuration q;  // where the contact is, about
    robot::SegmentResult result;
    std::string title;
};
// The whole robot in its environment, and the two that meet from near. z is up.
// Requires: result.contact; q that Robot::link_poses() takes.
[[nodiscard]] std::string contact_svg(const DrawnContact& contact);

}  // namespace graze::app
