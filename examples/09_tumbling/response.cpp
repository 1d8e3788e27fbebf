#include "response.hpp"

namespace tumbling {
namespace {

using graze::Pose;
using graze::Vec3;
using graze::rigid::ImpulseContact;
using graze::rigid::Obstruction;

// Where the search found the bodies nearest to each other. Where it could not decide, the line
// between the bodies' origins has to do.
ImpulseContact nearest_contact(const Scene& scene, std::span<const Pose> poses,
                               const Obstruction& obstruction) {
    const Pose& first = poses[obstruction.pair.first];
    const Pose& second = poses[obstruction.pair.second];
    ImpulseContact contact{obstruction.pair,
                           obstruction.contact.point,
                           obstruction.contact.normal,
                           first,
                           second,
                           0.0};
    if (contact.normal != Vec3{}) return contact;
    const Vec3 between = second.translation - first.translation;
    const double length = norm(between);
    // The box is around its bodies, so that its normals point the other way.
    const double sign = scene.masses[obstruction.pair.first].inverse_mass > 0.0 ? 1.0 : -1.0;
    contact.position = second.translation;
    contact.normal = length > 0.0 ? (sign / length) * between : Vec3{0.0, 0.0, 1.0};
    return contact;
}

// The nearest points, where the bodies were stopped, and all collisions of the first group, for which
// they would have had to go on. That list may be empty: it is not proved to be complete.
std::vector<ImpulseContact> contacts_of(const Scene& scene, std::span<const Pose> poses,
                                        const Obstruction& obstruction,
                                        const ResponseOptions& options) {
    std::vector<ImpulseContact> contacts =
        first_contacts(obstruction.pair, obstruction.step, obstruction.collisions, options.group);
    contacts.push_back(nearest_contact(scene, poses, obstruction));
    const bool is_pressed = obstruction.free < options.pressed;
    for (ImpulseContact& contact : contacts)
        contact.least_separation_rate =
            is_pressed ? options.least_speed_pressed : options.least_speed;
    return contacts;
}

}  // namespace

std::size_t bounce(const Scene& scene, std::span<const Pose> poses,
                   const std::vector<Obstruction>& obstructions,
                   std::vector<graze::rigid::BodyVelocity>& velocities,
                   const ResponseOptions& options) {
    std::vector<ImpulseContact> contacts;
    for (const Obstruction& obstruction : obstructions) {
        const auto more = contacts_of(scene, poses, obstruction, options);
        contacts.insert(contacts.end(), more.begin(), more.end());
    }
    graze::rigid::ImpulseOptions impulses;
    impulses.restitution = options.restitution;
    impulses.friction = options.friction;
    impulses.max_sweeps = 50;
    impulses.tolerance = 1e-3;
    apply_impulses(contacts, scene.masses, velocities, impulses);
    return contacts.size();
}

}  // namespace tumbling
