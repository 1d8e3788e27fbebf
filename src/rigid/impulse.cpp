#include "graze/rigid/impulse.hpp"

#include <algorithm>
#include <cmath>

#include "graze/rigid/screw_motion.hpp"

namespace graze::rigid {
namespace {

// One end of a contact: what an impulse at its arm does to the body.
struct ContactEnd {
    std::uint32_t body = 0;
    Vec3 arm;  // from the centre of mass to the contact, in the world
    double inverse_mass = 0.0;
    Vec3 inverse_inertia;
    Quaternion rotation;

    [[nodiscard]] Vec3 velocity(std::span<const BodyVelocity> of) const {
        return of[body].linear + cross(of[body].angular, arm);
    }
    [[nodiscard]] Vec3 angular_change(const Vec3& impulse) const {
        const Vec3 local = rotate(conjugated(), cross(arm, impulse));
        return rotate(rotation, {inverse_inertia.x * local.x, inverse_inertia.y * local.y,
                                 inverse_inertia.z * local.z});
    }
    void push(std::span<BodyVelocity> of, const Vec3& impulse) const {
        of[body].linear = of[body].linear + inverse_mass * impulse;
        of[body].angular = of[body].angular + angular_change(impulse);
    }
    // How much faster the contact moves along a unit direction for an impulse of 1 along it.
    [[nodiscard]] double compliance(const Vec3& direction) const {
        return inverse_mass + dot(cross(angular_change(direction), arm), direction);
    }

private:
    [[nodiscard]] Quaternion conjugated() const {
        return {rotation.w, -rotation.x, -rotation.y, -rotation.z};
    }
};

ContactEnd end_of(std::uint32_t body, const Pose& pose, const Vec3& position,
                  std::span<const BodyMass> masses) {
    return {body, position - pose.translation, masses[body].inverse_mass,
            masses[body].inverse_inertia, pose.rotation};
}

class ContactSolver {
public:
    ContactSolver(std::span<const ImpulseContact> contacts, std::span<const BodyMass> masses,
                  std::span<BodyVelocity> velocities, const ImpulseOptions& options)
        : velocities_(velocities), options_(options) {
        for (const ImpulseContact& c : contacts)
            add(c, masses);
    }

    ImpulseReport solve();

private:
    struct Row {
        ContactEnd first;
        ContactEnd second;
        Vec3 normal;
        double compliance = 0.0;  // along the normal
        double target = 0.0;      // rate of separation along the normal
        double impulse = 0.0;     // along the normal, so far
        Vec3 friction;            // impulse across the normal, so far
    };

    void add(const ImpulseContact& contact, std::span<const BodyMass> masses);
    [[nodiscard]] Vec3 relative_velocity(const Row& row) const {
        return row.second.velocity(velocities_) - row.first.velocity(velocities_);
    }
    void push(const Row& row, const Vec3& impulse) {
        row.first.push(velocities_, -impulse);
        row.second.push(velocities_, impulse);
    }
    double push_along_normal(Row& row);
    double rub(Row& row);
    double sweep();
    void stop_approaches(ImpulseReport& report);

    std::span<BodyVelocity> velocities_;
    ImpulseOptions options_;
    std::vector<Row> rows_;
    double fastest_ = 0.0;  // approach or requested separation
};

void ContactSolver::add(const ImpulseContact& c, std::span<const BodyMass> masses) {
    Row row;
    row.first = end_of(c.pair.first, c.pose_first, c.position, masses);
    row.second = end_of(c.pair.second, c.pose_second, c.position, masses);
    row.normal = c.normal;
    row.compliance = row.first.compliance(c.normal) + row.second.compliance(c.normal);
    const double separation = dot(relative_velocity(row), c.normal);
    row.target = std::max(-options_.restitution * separation, c.least_separation_rate);
    fastest_ = std::max({fastest_, std::fabs(separation), row.target});
    rows_.push_back(row);
}

// Returns how much the velocity at the contact changed. The impulse so far never falls below 0: a
// contact that others have made separate faster than it asks for gives its own back.
double ContactSolver::push_along_normal(Row& row) {
    if (!(row.compliance > 0.0)) return 0.0;
    const double missing = row.target - dot(relative_velocity(row), row.normal);
    const double next = std::max(0.0, row.impulse + missing / row.compliance);
    const double change = next - row.impulse;
    row.impulse = next;
    push(row, change * row.normal);
    return std::fabs(change) * row.compliance;
}

// Against the sliding, within the cone of the impulse along the normal.
double ContactSolver::rub(Row& row) {
    if (!(options_.friction > 0.0)) return 0.0;
    const Vec3 velocity = relative_velocity(row);
    const Vec3 sliding = velocity - dot(velocity, row.normal) * row.normal;
    const double rate = norm(sliding);
    Vec3 next = row.friction;
    if (rate > 0.0) {
        const Vec3 direction = (1.0 / rate) * sliding;
        const double compliance =
            row.first.compliance(direction) + row.second.compliance(direction);
        if (compliance > 0.0) next = next - (rate / compliance) * direction;
    }
    const double size = norm(next);
    const double most = options_.friction * row.impulse;
    if (size > most) next = (most / size) * next;
    const Vec3 change = next - row.friction;
    row.friction = next;
    push(row, change);
    return norm(change) * row.compliance;
}

double ContactSolver::sweep() {
    double largest = 0.0;
    for (Row& row : rows_) {
        largest = std::max(largest, push_along_normal(row));
        largest = std::max(largest, rub(row));
    }
    return largest;
}

// Inelastic: impulses are added where bodies still approach, and none is given back.
void ContactSolver::stop_approaches(ImpulseReport& report) {
    for (int i = 0; i < options_.max_sweeps; ++i) {
        ++report.sweeps;
        double largest = 0.0;
        for (Row& row : rows_) {
            const double approach = -dot(relative_velocity(row), row.normal);
            if (!(row.compliance > 0.0) || !(approach > 0.0)) continue;
            row.impulse += approach / row.compliance;
            push(row, (approach / row.compliance) * row.normal);
            largest = std::max(largest, approach);
        }
        if (largest <= options_.tolerance * fastest_) return;
    }
}

ImpulseReport ContactSolver::solve() {
    ImpulseReport report;
    for (int i = 0; i < options_.max_sweeps && !report.converged; ++i) {
        ++report.sweeps;
        report.converged = sweep() <= options_.tolerance * fastest_;
    }
    if (!report.converged) stop_approaches(report);
    for (const Row& row : rows_)
        report.impulses.push_back(row.impulse);
    return report;
}

}  // namespace

std::vector<ImpulseContact> first_contacts(const BodyPair& pair, const PairStep& step,
                                           std::span<const Contact> sorted,
                                           const ResponseGroup& group) {
    std::vector<Contact> proper;
    for (const Contact& c : sorted)
        if (c.properness >= group.min_properness) proper.push_back(c);
    const std::vector<std::size_t> groups = simultaneous_groups(proper, group.time_gap);
    const std::size_t last = groups.size() > 1 ? groups[1] : proper.size();
    std::vector<ImpulseContact> contacts;
    for (std::size_t i = 0; i < last; ++i) {
        const Contact& c = proper[i];
        contacts.push_back(
            {pair, c.point, c.normal, world_pose_a(step, c.time), world_pose_b(step, c.time), 0.0});
    }
    return contacts;
}

ImpulseReport apply_impulses(std::span<const ImpulseContact> contacts,
                             std::span<const BodyMass> masses, std::span<BodyVelocity> velocities,
                             const ImpulseOptions& options) {
    return ContactSolver(contacts, masses, velocities, options).solve();
}

}  // namespace graze::rigid
