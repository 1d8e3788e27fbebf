// Is a motion of a robot free of collision? Proved, over the whole of each segment, with itself and with
// its environment.
//
//   Expected<Scene> scene = Scene::create(robot, environment);
//   SegmentResult result = scene->check_motion(q0, q1);
//
// Derivation: docs/derivations/robot.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graze/core/executor.hpp"
#include "graze/core/expected.hpp"
#include "graze/core/stop.hpp"
#include "graze/core/verdict.hpp"
#include "graze/robot/robot.hpp"

namespace graze::robot {

// A named obstacle at rest in the world.
struct Obstacle {
    std::string name;
    Geometry geometry;
};

// Two links that may touch: they are not checked against each other. first < second.
using LinkPair = std::pair<LinkId, LinkId>;

struct SceneOptions {
    // Contact is a distance of at most this. [length] >= 0
    double margin = 0.0;
    // Pairs of links that may touch.
    std::vector<LinkPair> allowed;
    // Adds neighbours (by a joint, over fixed joints too) and pairs that touch or cannot be proved
    // separated at `rest`. With an SRDF usually false.
    bool derive_allowed = true;
    std::optional<Configuration> rest;  // all zero, moved into the limits, where there is none
    // Links that may touch the environment (a base that stands on the ground).
    std::vector<LinkId> on_environment;
};

struct CheckOptions {
    // [fraction of the segment] > 0: target width of [toi_lower, toi_upper].
    double time_width = 1e-6;
    // Work budget per segment, in bounds of pairs of nodes over slabs of time; beyond it Unresolved.
    std::uint64_t max_checks = 100'000'000;
    // Also prove a lower bound of the clearance of the segment, within this fraction of the true one
    // where budget allows; 0 does not ask for it.
    double clearance_accuracy = 0.0;
    StopToken stop{};
};

// Whom a contact belongs to. `obstacle` is an index into the obstacles where there is no second link.
struct ContactParty {
    std::optional<LinkId> link;
    std::optional<std::size_t> obstacle;
    std::size_t geometry = 0;                 // of the link
    std::optional<std::uint32_t> triangle{};  // of a surface
};

struct RobotContact {
    ContactParty a;
    ContactParty b;
    Vec3 point;   // estimates at toi_lower, in the world
    Vec3 normal;  // from b to a
};

struct SegmentResult {
    Verdict verdict = Verdict::Unresolved;
    double toi_lower = 0.0;  // [0, toi_lower) is proved free; infinity for Separated
    double toi_upper =
        std::numeric_limits<double>::infinity();  // contact at or before it is proved
    std::optional<RobotContact> contact;  // of Contact, and of Unresolved where a pair is to blame
    // [length] Proved for the free part of the segment, beyond the margin; 0 where it was not asked.
    double clearance_lower = 0.0;
    std::uint64_t checks = 0;
};

struct PathResult {
    std::vector<SegmentResult> segments;
    // Every segment is proved free.
    [[nodiscard]] bool is_free() const noexcept;
    // [segments] The path is proved free up to here: 2.25 is a quarter into the third segment.
    [[nodiscard]] double free_length() const noexcept;
};

class Scene {
public:
    // Errors: a margin that is negative or no number, ids that are not there, a rest configuration that
    // Robot::check() refuses.
    [[nodiscard]] static Expected<Scene> create(Robot robot, std::vector<Obstacle> obstacles = {},
                                                SceneOptions options = {});

    [[nodiscard]] const Robot& robot() const noexcept;
    [[nodiscard]] std::span<const Obstacle> obstacles() const noexcept;
    // Sorted. What is not in it is checked.
    [[nodiscard]] std::span<const LinkPair> allowed() const noexcept;

    // Guarantee: Separated and [0, toi_lower) are proved for the exact motion of the joint values and
    // numbers as given; a finite toi_upper is a time at or before which contact is proved. Unresolved
    // where bodies graze within rounding errors, the budget is spent or a stop was requested.
    // Same bits for any thread; may be called from several threads at once.
    // Error: configurations that Robot::link_poses() refuses.
    [[nodiscard]] Expected<SegmentResult> check_motion(const Segment& segment,
                                                       const CheckOptions& options = {}) const;
    [[nodiscard]] Expected<SegmentResult> check_motion(const Configuration& start,
                                                       const Configuration& end,
                                                       const CheckOptions& options = {}) const;
    // One configuration: proved free, in contact, or neither.
    [[nodiscard]] Expected<SegmentResult> check_state(const Configuration& q,
                                                      const CheckOptions& options = {}) const;
    // Linear segments between waypoints, in parallel on up to `threads` threads; same bits for any
    // number. Errors: fewer than two waypoints, and those of check_motion() with the waypoint.
    [[nodiscard]] Expected<PathResult> certify_path(std::span<const Configuration> waypoints,
                                                    const CheckOptions& options = {},
                                                    std::size_t threads = 1,
                                                    const Executor& executor = {},
                                                    const ProgressSink& progress = {}) const;

private:
    struct State;
    std::shared_ptr<const State> state_;
};

}  // namespace graze::robot
