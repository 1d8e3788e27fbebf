#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <set>

#include "graze/core/fork_join.hpp"
#include "graze/core/fp_environment.hpp"
#include "graze/robot/check.hpp"
#include "robot/model.hpp"
#include "robot/search.hpp"

namespace graze::robot {

using detail::Body;
using detail::BodyPair;
using detail::SceneModel;
using detail::SearchGoal;
using detail::SegmentSearch;

struct Scene::State {
    SceneModel model;
    std::vector<std::uint32_t> link_pairs;  // those of two links
};

namespace {

[[nodiscard]] Expected<void> check_ids(const Robot& robot, const SceneOptions& options) {
    const std::size_t links = robot.links().size();
    const auto missing = [](LinkId id) {
        return Error{"link " + std::to_string(id) + " is not there", ErrorCode::IndexOutOfRange};
    };
    for (const auto& [first, second] : options.allowed) {
        if (first >= links) return missing(first);
        if (second >= links) return missing(second);
    }
    for (const LinkId link : options.on_environment)
        if (link >= links) return missing(link);
    return {};
}

[[nodiscard]] Configuration default_rest(const Robot& robot) {
    Configuration q;
    for (const JointId j : robot.variables()) {
        const Joint& joint = robot.joints()[j];
        const bool is_free = joint.kind == JointKind::Continuous;
        q.push_back(is_free ? 0.0 : std::clamp(0.0, joint.lower, joint.upper));
    }
    return q;
}

// Links with at most one joint that moves between them.
[[nodiscard]] bool are_neighbours(const Robot& robot, const detail::Path& path) {
    const auto moving = std::count_if(path.steps.begin(), path.steps.end(), [&](const auto& step) {
        return detail::is_moving(robot.joints()[step.joint].kind);
    });
    return moving <= 1;
}

// Paths grow with the cube of the length of a chain: some 640 links with a geometry each.
constexpr std::size_t kMostPairBytes = std::size_t{1} << 30;

class ModelBuilder {
public:
    ModelBuilder(Robot robot, std::vector<Obstacle> obstacles, const SceneOptions& options)
        : options_(options), model_{std::move(robot),
                                    {},
                                    std::move(obstacles),
                                    {},
                                    {},
                                    {},
                                    {},
                                    {},
                                    {},
                                    {},
                                    true,
                                    options.allowed,
                                    options.margin} {
        model_.mechanism = detail::Mechanism(model_.robot);
        add_bodies();
    }

    [[nodiscard]] Expected<SceneModel> build() {
        for (LinkPair& pair : model_.allowed)
            if (pair.first > pair.second) std::swap(pair.first, pair.second);
        sort_allowed();
        if (const auto good = check_size(); !good) return good.error();
        if (options_.derive_allowed) {
            if (const auto done = derive_allowed(); !done) return done.error();
        }
        add_environment_pairs();
        for_each_link_pair([&](std::uint32_t a, std::uint32_t b) {
            add_link_pair(a, b);
            return true;
        });
        model_.are_all_usable = std::all_of(model_.pairs.begin(), model_.pairs.end(),
                                            [&](const BodyPair& pair) { return is_usable(pair); });
        return std::move(model_);
    }

private:
    [[nodiscard]] bool is_usable(const BodyPair& pair) const noexcept {
        return model_.body_a(pair).is_usable() && model_.body_b(pair).is_usable();
    }

    void add_bodies() {
        const auto links = model_.robot.links();
        for (std::uint32_t i = 0; i < links.size(); ++i) {
            for (std::uint32_t g = 0; g < links[i].geometry.size(); ++g) {
                model_.bodies.emplace_back(links[i].geometry[g]);
                model_.owners.push_back({i, g});
            }
        }
        for (const Obstacle& obstacle : model_.obstacles)
            model_.obstacle_bodies.emplace_back(obstacle.geometry);
    }

    void sort_allowed() {
        std::sort(model_.allowed.begin(), model_.allowed.end());
        model_.allowed.erase(std::unique(model_.allowed.begin(), model_.allowed.end()),
                             model_.allowed.end());
    }
    [[nodiscard]] LinkPair links_of(std::uint32_t a, std::uint32_t b) const {
        return {model_.owners[a].owner, model_.owners[b].owner};
    }
    [[nodiscard]] bool meets_environment(std::uint32_t body) const {
        const auto& ignored = options_.on_environment;
        return std::find(ignored.begin(), ignored.end(), model_.owners[body].owner) ==
               ignored.end();
    }

    // Calls `use` with pairs of bodies of different links that are not allowed, until it returns false.
    template <class Use>
    void for_each_link_pair(const Use& use) const {
        const auto& allowed = model_.allowed;
        std::uint32_t next = 0;  // body of the next link
        for (std::uint32_t a = 0; a < model_.bodies.size(); ++a) {
            while (next < model_.bodies.size() &&
                   model_.owners[next].owner == model_.owners[a].owner)
                ++next;
            for (std::uint32_t b = next; b < model_.bodies.size(); ++b) {
                if (std::binary_search(allowed.begin(), allowed.end(), links_of(a, b))) continue;
                if (!use(a, b)) return;
            }
        }
    }

    // Before any pair is made.
    [[nodiscard]] Expected<void> check_size() const {
        const auto& topology = model_.mechanism.topology();
        std::size_t bytes = 0;
        const auto add = [&](std::size_t steps, std::size_t pairs) {
            bytes +=
                sizeof(detail::Path) + steps * sizeof(detail::PathStep) + pairs * sizeof(BodyPair);
            return bytes <= kMostPairBytes;
        };
        bool fits = true;
        for (std::uint32_t b = 0; fits && b < model_.bodies.size(); ++b)
            if (meets_environment(b))
                fits = add(topology.depth[model_.owners[b].owner], model_.obstacle_bodies.size());
        LinkPair known = {0, 0};
        std::size_t steps = 0;
        if (fits) {
            for_each_link_pair([&](std::uint32_t a, std::uint32_t b) {
                const LinkPair links = links_of(a, b);
                if (links != known)
                    steps = step_count(model_.robot, topology, links.first, links.second);
                known = links;
                return fits = add(steps, 1);
            });
        }
        if (fits) return {};
        return Error{
            "the pairs of geometries, with the joints between them, take more than 1 GiB: "
            "allow pairs of links that need no check, or leave links out",
            ErrorCode::WrongSize};
    }

    void add_link_pair(std::uint32_t a, std::uint32_t b) {
        const auto [i, j] = links_of(a, b);
        const auto path = static_cast<std::uint32_t>(model_.paths.size());
        model_.paths.push_back(
            path_between(model_.robot, model_.mechanism.topology(), i, j, model_.bodies[b]));
        model_.pairs.push_back({false, a, b, path});
    }

    void add_environment_pairs() {
        for (std::uint32_t b = 0; b < model_.bodies.size(); ++b) {
            if (!meets_environment(b)) continue;
            const LinkId link = model_.owners[b].owner;
            const auto path = static_cast<std::uint32_t>(model_.paths.size());
            model_.paths.push_back(
                path_from_root(model_.robot, model_.mechanism.topology(), link, model_.bodies[b]));
            model_.environment.push_back({b, static_cast<std::uint32_t>(model_.pairs.size())});
            for (std::uint32_t a = 0; a < model_.obstacle_bodies.size(); ++a)
                model_.pairs.push_back({true, a, b, path});
        }
        model_.obstacle_index = detail::ObstacleIndex(model_.obstacle_bodies);
    }

    [[nodiscard]] Expected<void> derive_allowed() {
        const Configuration rest = options_.rest ? *options_.rest : default_rest(model_.robot);
        if (const auto good = model_.robot.check(rest); !good)
            return located("rest configuration", good.error());
        const Segment at_rest{rest, rest, std::nullopt, nullptr};
        const CheckOptions options;
        std::set<LinkPair> found;
        // One pair at a time: a search looks at all paths of its model.
        for_each_link_pair([&](std::uint32_t a, std::uint32_t b) {
            if (found.contains(links_of(a, b))) return true;
            add_link_pair(a, b);
            const std::array<std::uint32_t, 1> only = {0};
            if (are_neighbours(model_.robot, model_.paths[0]) || !is_usable(model_.pairs[0]) ||
                SegmentSearch(model_, at_rest, options, only).run({0.0, 0.0, 0.0}).verdict !=
                    Verdict::Separated)
                found.insert(links_of(a, b));
            model_.pairs.clear();
            model_.paths.clear();
            return true;
        });
        model_.allowed.insert(model_.allowed.end(), found.begin(), found.end());
        sort_allowed();
        return {};
    }

    const SceneOptions& options_;
    SceneModel model_;
};

[[nodiscard]] Expected<void> check_segment(const Robot& robot, const Segment& segment) {
    const auto check_size = [&](const Configuration& q, const char* what) -> Expected<void> {
        if (q.size() != robot.variables().size()) {
            return Error{std::string(what) + " has " + std::to_string(q.size()) +
                             " values, the robot " + std::to_string(robot.variables().size()) +
                             " variables",
                         ErrorCode::WrongSize};
        }
        for (std::size_t i = 0; i < q.size(); ++i) {
            if (!is_finite(q[i])) {
                return Error{std::string(what) + ": value " + std::to_string(i) + " is not finite",
                             ErrorCode::NotFinite, i};
            }
        }
        return {};
    };
    if (const auto good = check_size(segment.start, "start"); !good) return good.error();
    if (const auto good = check_size(segment.end, "end"); !good) return good.error();
    if (segment.velocities) {
        const auto& [first, last] = *segment.velocities;
        if (const auto good = check_size(first, "velocity at the start"); !good)
            return good.error();
        if (const auto good = check_size(last, "velocity at the end"); !good) return good.error();
    }
    if (segment.base != nullptr && (!segment.base->is_valid() || !segment.base->is_rigid()))
        return Error{"the motion of the base is not valid or not rigid", ErrorCode::InvalidInput};
    return {};
}
[[nodiscard]] Expected<void> check_options(const CheckOptions& options) {
    if (!(options.time_width > 0.0))
        return Error{"time_width must be above 0", ErrorCode::InvalidOption};
    if (!(options.clearance_accuracy >= 0.0 && options.clearance_accuracy < 1.0))
        return Error{"clearance_accuracy must be at least 0 and below 1", ErrorCode::InvalidOption};
    return {};
}

// RB-8: the clearance is shown by a search of its own, with a gap that must exceed a fraction of the
// least one seen.
void show_clearance(SegmentSearch& search, SegmentResult& result, const CheckOptions& options,
                    double margin, double t_end) {
    const double fraction = 1.0 - options.clearance_accuracy;
    const double seen = search.clearance_estimate();
    if (!(seen > margin)) return;
    const double clearance = std::min(fraction * (seen - margin), 0x1p+300);
    const SegmentResult shown = search.run({t_end, clearance, fraction});
    result.checks += shown.checks;
    if (shown.verdict == Verdict::Separated) result.clearance_lower = search.clearance();
}

[[nodiscard]] Expected<SegmentResult> sound_check(const SceneModel& model,
                                                  std::span<const std::uint32_t> pairs,
                                                  const Segment& segment,
                                                  const CheckOptions& options, double t_end) {
    if (const auto good = check_segment(model.robot, segment); !good) return good.error();
    if (const auto good = check_options(options); !good) return good.error();
    try {
        SegmentSearch search(model, segment, options, pairs);
        SegmentResult result = search.run({t_end, 0.0, 0.0});
        if (options.clearance_accuracy > 0.0 && result.verdict == Verdict::Separated)
            show_clearance(search, result, options, model.margin, t_end);
        return result;
    } catch (const std::bad_alloc&) {
        return SegmentResult{};
    }
}

}  // namespace

bool PathResult::is_free() const noexcept {
    return !segments.empty() && std::all_of(segments.begin(), segments.end(), [](const auto& s) {
        return s.verdict == Verdict::Separated;
    });
}

double PathResult::free_length() const noexcept {
    double length = 0.0;
    for (const SegmentResult& s : segments) {
        if (s.verdict != Verdict::Separated) return length + std::clamp(s.toi_lower, 0.0, 1.0);
        length += 1.0;
    }
    return length;
}

Expected<Scene> Scene::create(Robot robot, std::vector<Obstacle> obstacles, SceneOptions options) {
    if (!(options.margin >= 0.0 && options.margin <= kMaxTranslation))
        return Error{"the margin must not be negative, and be finite", ErrorCode::InvalidOption};
    if (const auto good = check_ids(robot, options); !good) return good.error();
    for (const Obstacle& obstacle : obstacles) {
        if (const auto good = graze::check(obstacle.geometry.pose, "the pose"); !good)
            return located("obstacle '" + obstacle.name + "'", good.error());
        const auto* surface =
            std::get_if<std::shared_ptr<const rigid::RigidBody>>(&obstacle.geometry.shape);
        if (surface != nullptr && !*surface)
            return Error{"obstacle '" + obstacle.name + "': a surface is missing",
                         ErrorCode::InvalidInput};
    }
    return with_sound_arithmetic([&]() -> Expected<Scene> {
        try {
            auto model = ModelBuilder(std::move(robot), std::move(obstacles), options).build();
            if (!model) return model.error();
            auto state = std::make_shared<State>(State{*std::move(model), {}});
            for (std::uint32_t i = 0; i < state->model.pairs.size(); ++i)
                if (!state->model.pairs[i].is_environment) state->link_pairs.push_back(i);
            Scene scene;
            scene.state_ = std::move(state);
            return scene;
        } catch (const std::bad_alloc&) {
            return Error{"out of memory for the pairs of the scene", ErrorCode::OutOfMemory};
        }
    });
}

const Robot& Scene::robot() const noexcept {
    return state_->model.robot;
}
std::span<const Obstacle> Scene::obstacles() const noexcept {
    return state_->model.obstacles;
}
std::span<const LinkPair> Scene::allowed() const noexcept {
    return state_->model.allowed;
}

Expected<SegmentResult> Scene::check_motion(const Segment& segment,
                                            const CheckOptions& options) const {
    return with_sound_arithmetic(
        [&] { return sound_check(state_->model, state_->link_pairs, segment, options, 1.0); });
}

Expected<SegmentResult> Scene::check_motion(const Configuration& start, const Configuration& end,
                                            const CheckOptions& options) const {
    return check_motion(Segment{start, end, std::nullopt, nullptr}, options);
}

Expected<SegmentResult> Scene::check_state(const Configuration& q,
                                           const CheckOptions& options) const {
    return with_sound_arithmetic([&] {
        return sound_check(state_->model, state_->link_pairs, {q, q, std::nullopt, nullptr},
                           options, 0.0);
    });
}

Expected<PathResult> Scene::certify_path(std::span<const Configuration> waypoints,
                                         const CheckOptions& options, std::size_t threads,
                                         const Executor& executor,
                                         const ProgressSink& progress) const {
    if (waypoints.size() < 2)
        return Error{"a path needs two waypoints at least", ErrorCode::WrongSize};
    if (const auto good = check_options(options); !good) return good.error();
    for (std::size_t i = 0; i < waypoints.size(); ++i) {
        const Segment segment{waypoints[i], waypoints[i], std::nullopt, nullptr};
        if (const auto good = check_segment(robot(), segment); !good)
            return located("waypoint " + std::to_string(i), good.error());
    }
    PathResult path;
    path.segments.resize(waypoints.size() - 1);
    std::mutex mutex;
    std::size_t done = 0;
    const auto check_segments = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            // Checked above: no error, but for arithmetic that cannot be made sound.
            const auto result = check_motion(waypoints[i], waypoints[i + 1], options);
            if (result) path.segments[i] = *result;
        }
        const std::lock_guard lock(mutex);
        done += end - begin;
        progress.tell(static_cast<double>(done) / static_cast<double>(path.segments.size()));
    };
    for_each_chunk(executor ? executor : Executor(run_on_new_threads), threads,
                   path.segments.size(), 1, check_segments);
    return path;
}

}  // namespace graze::robot
