// Rigid bodies: poses on the way, first impact, all collisions.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "exports.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/screw_motion.hpp"

namespace graze::wasm {
namespace {

using rigid::RigidBody;

// Numbers of one pose: quaternion w x y z, translation.
constexpr std::size_t kPoseNumbers = 7;
// Numbers of one contact: type, a, b, time, point, normal, properness, time_lower, time_upper.
constexpr std::size_t kContactNumbers = 13;

Pose pose_from(const double* n) noexcept {
    return {{n[0], n[1], n[2], n[3]}, {n[4], n[5], n[6]}};
}
// Start and end of A, start and end of B.
rigid::PairStep step_from(const double* n) noexcept {
    return {{pose_from(n), pose_from(n + kPoseNumbers)},
            {pose_from(n + 2 * kPoseNumbers), pose_from(n + 3 * kPoseNumbers)}};
}

void write_pose(const Pose& pose, double* to) noexcept {
    const std::array numbers = {pose.rotation.w,   pose.rotation.x,    pose.rotation.y,
                                pose.rotation.z,   pose.translation.x, pose.translation.y,
                                pose.translation.z};
    std::copy(numbers.begin(), numbers.end(), to);
}

void write_contact(const rigid::Contact& c, double* to) noexcept {
    const auto feature = [](std::uint32_t i) { return i == rigid::kNoFace ? -1.0 : double{1} * i; };
    const std::array numbers = {static_cast<double>(c.type),
                                feature(c.a),
                                feature(c.b),
                                c.time,
                                c.point.x,
                                c.point.y,
                                c.point.z,
                                c.normal.x,
                                c.normal.y,
                                c.normal.z,
                                c.properness,
                                c.time_lower,
                                c.time_upper};
    static_assert(numbers.size() == kContactNumbers);
    std::copy(numbers.begin(), numbers.end(), to);
}

std::string& last_error() {
    static std::string message;
    return message;
}

}  // namespace

// What went wrong with the last body or level that could not be made.
GRAZE_WASM_EXPORT(graze_last_error) const char* graze_last_error() {
    return last_error().c_str();
}
void set_last_error(const std::string& message) {
    last_error() = message;
}

// Null: graze_last_error().
GRAZE_WASM_EXPORT(graze_body_create)
RigidBody* graze_body_create(std::size_t vertex_count, const double* vertices,
                             std::size_t face_count, const std::uint32_t* faces) {
    std::vector<Vec3> positions(vertex_count);
    for (std::size_t i = 0; i < vertex_count; ++i)
        positions[i] = {vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]};
    std::vector<std::array<std::uint32_t, 3>> triangles(face_count);
    for (std::size_t f = 0; f < face_count; ++f)
        triangles[f] = {faces[3 * f], faces[3 * f + 1], faces[3 * f + 2]};
    Expected<RigidBody> body = RigidBody::create(positions, triangles);
    if (!body) {
        set_last_error(body.error().message);
        return nullptr;
    }
    return new RigidBody(std::move(*body));
}
GRAZE_WASM_EXPORT(graze_body_destroy) void graze_body_destroy(RigidBody* body) {
    delete body;
}

// The world pose of A (which = 0) or B at the time.
GRAZE_WASM_EXPORT(graze_pair_pose)
void graze_pair_pose(const double* step, std::uint32_t which, double time, double* to) {
    const rigid::PairStep pair = step_from(step);
    write_pose(which == 0 ? world_pose_a(pair, time) : world_pose_b(pair, time), to);
}

// verdict, toi_lower, toi_upper, checks, start state; then the contact.
GRAZE_WASM_EXPORT(graze_first_impact)
void graze_first_impact(const RigidBody* a, const RigidBody* b, const double* step,
                        double min_separation, double max_checks, double* to) {
    rigid::ImpactOptions options;
    options.min_separation = min_separation;
    options.max_checks = static_cast<std::uint64_t>(std::clamp(max_checks, 1.0, 0x1p+62));
    const rigid::ImpactResult result = first_impact(*a, *b, step_from(step), options);
    to[0] = static_cast<double>(result.verdict);
    to[1] = result.toi_lower;
    to[2] = result.toi_upper;
    to[3] = static_cast<double>(result.checks);
    to[4] = static_cast<double>(result.start);
    write_contact(result.contact, to + 5);
}

// Writes complete (0 or 1), then at most `capacity` contacts with point and normal in the world;
// returns how many there are.
GRAZE_WASM_EXPORT(graze_all_impacts)
std::size_t graze_all_impacts(const RigidBody* a, const RigidBody* b, const double* step,
                              double max_checks, double min_properness, std::size_t capacity,
                              double* to) {
    const rigid::PairStep pair = step_from(step);
    rigid::ImpactOptions options;
    options.max_checks = static_cast<std::uint64_t>(std::clamp(max_checks, 1.0, 0x1p+62));
    const rigid::AllImpacts all = all_impacts(*a, *b, pair, options, min_properness);
    to[0] = all.complete ? 1.0 : 0.0;
    const std::size_t written = std::min(capacity, all.collisions.size());
    for (std::size_t i = 0; i < written; ++i)
        write_contact(to_world(all.collisions[i], pair), to + 1 + i * kContactNumbers);
    return all.collisions.size();
}

}  // namespace graze::wasm
