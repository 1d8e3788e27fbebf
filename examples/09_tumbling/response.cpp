#include "response.hpp"

#include <algorithm>
#include <cmath>

namespace tumbling {
namespace {

using graze::Pose;
using graze::Vec3;
using graze::rigid::Obstruction;

constexpr int kSweeps = 8;

struct Contact {
    graze::rigid::BodyPair pair;
    Vec3 normal;  // from the first body to the second
    Vec3 arm_first;
    Vec3 arm_second;
    double wished = 0.0;  // [m/s] at which the bodies shall part here
};

Vec3 speed_at(const Velocity& velocity, const Vec3& arm) {
    return velocity.linear + cross(velocity.angular, arm);
}

class Response {
public:
    Response(const Scene& scene, std::span<const Pose> poses, std::vector<Velocity>& velocities,
             const ResponseOptions& options)
        : scene_(scene), poses_(poses), velocities_(velocities), options_(options) {}

    void add(const Obstruction& obstruction);
    void solve();

private:
    void add_contact(const graze::rigid::BodyPair& pair, const Vec3& position, const Vec3& normal,
                     double least);
    [[nodiscard]] Vec3 relative_speed(const Contact& contact) const;
    [[nodiscard]] double inverse_mass(const Contact& contact, const Vec3& direction) const;
    void push(const Contact& contact, const Vec3& impulse);
    void apply(const Contact& contact);

    const Scene& scene_;
    std::span<const Pose> poses_;
    std::vector<Velocity>& velocities_;
    const ResponseOptions& options_;
    std::vector<Contact> contacts_;
};

// Where the search found the bodies nearest to each other. Where it could not tell, the line
// between the bodies' origins has to do.
void Response::add(const Obstruction& obstruction) {
    const bool is_pressed = obstruction.free < options_.pressed;
    const double least = is_pressed ? options_.least_speed_pressed : options_.least_speed;
    if (obstruction.contact.normal != Vec3{}) {
        return add_contact(obstruction.pair, obstruction.contact.point, obstruction.contact.normal,
                           least);
    }
    const Vec3 from = poses_[obstruction.pair.first].translation;
    const Vec3 to = poses_[obstruction.pair.second].translation;
    const double length = norm(to - from);
    // The box is around its bodies, so that its normals point the other way.
    const double sign = scene_.masses[obstruction.pair.first].inverse > 0.0 ? 1.0 : -1.0;
    const Vec3 normal = length > 0.0 ? (sign / length) * (to - from) : Vec3{0.0, 0.0, 1.0};
    add_contact(obstruction.pair, to, normal, least);
}

void Response::add_contact(const graze::rigid::BodyPair& pair, const Vec3& position,
                           const Vec3& normal, double least) {
    Contact contact{pair, normal, position - poses_[pair.first].translation,
                    position - poses_[pair.second].translation, 0.0};
    const double parting = dot(relative_speed(contact), normal);
    contact.wished = std::max(-options_.restitution * parting, least);
    contacts_.push_back(contact);
}

Vec3 Response::relative_speed(const Contact& contact) const {
    return speed_at(velocities_[contact.pair.second], contact.arm_second) -
           speed_at(velocities_[contact.pair.first], contact.arm_first);
}

double Response::inverse_mass(const Contact& contact, const Vec3& direction) const {
    const Mass& first = scene_.masses[contact.pair.first];
    const Mass& second = scene_.masses[contact.pair.second];
    return first.inverse + second.inverse +
           first.inverse_inertia * norm_sq(cross(contact.arm_first, direction)) +
           second.inverse_inertia * norm_sq(cross(contact.arm_second, direction));
}

void Response::push(const Contact& contact, const Vec3& impulse) {
    const Mass& first = scene_.masses[contact.pair.first];
    const Mass& second = scene_.masses[contact.pair.second];
    Velocity& of_first = velocities_[contact.pair.first];
    Velocity& of_second = velocities_[contact.pair.second];
    of_first.linear = of_first.linear - first.inverse * impulse;
    of_first.angular = of_first.angular - first.inverse_inertia * cross(contact.arm_first, impulse);
    of_second.linear = of_second.linear + second.inverse * impulse;
    of_second.angular =
        of_second.angular + second.inverse_inertia * cross(contact.arm_second, impulse);
}

// Pushes along the normal where the bodies part too slowly, and against their sliding (Coulomb).
void Response::apply(const Contact& contact) {
    const double missing = contact.wished - dot(relative_speed(contact), contact.normal);
    if (!(missing > 0.0)) return;
    const double size = missing / inverse_mass(contact, contact.normal);
    push(contact, size * contact.normal);
    const Vec3 speed = relative_speed(contact);
    const Vec3 sliding = speed - dot(speed, contact.normal) * contact.normal;
    const double rate = norm(sliding);
    if (!(rate > 0.0)) return;
    const Vec3 direction = (1.0 / rate) * sliding;
    const double stops = rate / inverse_mass(contact, direction);
    push(contact, -std::min(stops, options_.friction * size) * direction);
}

void Response::solve() {
    for (int sweep = 0; sweep < kSweeps; ++sweep)
        for (const Contact& contact : contacts_)
            apply(contact);
}

}  // namespace

void bounce(const Scene& scene, std::span<const Pose> poses,
            const std::vector<Obstruction>& obstructions, std::vector<Velocity>& velocities,
            const ResponseOptions& options) {
    Response response(scene, poses, velocities, options);
    for (const Obstruction& obstruction : obstructions)
        response.add(obstruction);
    response.solve();
}

}  // namespace tumbling
