// Derivation: docs/derivations/rigid_dynamics.md, RDY-1 and RDY-2.
#include "graze/rigid/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "graze/core/fork_join.hpp"
#include "graze/core/quaternion.hpp"
#include "graze/rigid/start_state.hpp"
#include "rigid/convex/support.hpp"
#include "rigid/dynamics/contact_rows.hpp"
#include "rigid/dynamics/manifold.hpp"
#include "rigid/dynamics/state_check.hpp"

namespace graze::rigid {
namespace {

using detail::ContactRow;
using detail::Manifold;
using detail::SolverBody;

constexpr std::uint32_t kNoIsland = 0xffff'ffff;
// [radians per step] Faster rotations are cut to it: targets name the smaller angle.
constexpr double kMostRotation = 2.0;
// Of a path that is proved free, the fraction that is taken: what is left lets the next step begin.
constexpr double kTakenFraction = 0.875;
// Motions that could only be shorter than this fraction are not made at all.
constexpr double kLeastFraction = 0x1p-10;

struct DynamicShape {
    std::optional<ConvexShape> convex;
    std::optional<RigidBody> surface;
    double radius = 0.0;                                  // about the origin
    std::vector<std::array<std::uint32_t, 3>> triangles;  // of a hull
};

struct SimulatedBody {
    DynamicBody made;
    Pose pose;
    BodyVelocity velocity;
    double inverse_mass = 0.0;
    Matrix3 inertia{};  // in the frame
    Matrix3 inverse_inertia{};
    bool asleep = false;
    std::uint32_t island = kNoIsland;  // with which it sleeps
    double quiet = 0.0;                // [time] below the speed of sleep

    [[nodiscard]] bool is_dynamic() const noexcept { return made.kind == BodyKind::Dynamic; }
};

struct AxisBox {
    Vec3 lower;
    Vec3 upper;
    std::uint32_t body = 0;

    [[nodiscard]] bool overlaps(const AxisBox& o) const noexcept {
        return lower.x <= o.upper.x && o.lower.x <= upper.x && lower.y <= o.upper.y &&
               o.lower.y <= upper.y && lower.z <= o.upper.z && o.lower.z <= upper.z;
    }
};

[[nodiscard]] std::array<Vec3, 3> rows_of(const Quaternion& q) noexcept {
    const Vec3 x = rotate(q, {1.0, 0.0, 0.0});
    const Vec3 y = rotate(q, {0.0, 1.0, 0.0});
    const Vec3 z = rotate(q, {0.0, 0.0, 1.0});
    return {Vec3{x.x, y.x, z.x}, Vec3{x.y, y.y, z.y}, Vec3{x.z, y.z, z.z}};
}

// R M R^T.
[[nodiscard]] Matrix3 in_world(const Matrix3& m, const Quaternion& q) noexcept {
    const Matrix3 r = rows_of(q);
    Matrix3 result{};
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 row = detail::transposed_linear_times(m, r[i]);
        for (std::size_t j = 0; j < 3; ++j)
            result[i][j] = dot(row, r[j]);
    }
    return result;
}

[[nodiscard]] std::optional<Matrix3> inverse_of(const Matrix3& m) noexcept {
    const Vec3 x = cross(m[1], m[2]);
    const Vec3 y = cross(m[2], m[0]);
    const Vec3 z = cross(m[0], m[1]);
    const double det = dot(m[0], x);
    if (!(det > 0.0) || !is_finite(1.0 / det)) return std::nullopt;
    const double f = 1.0 / det;
    return Matrix3{Vec3{f * x.x, f * y.x, f * z.x}, Vec3{f * x.y, f * y.y, f * z.y},
                   Vec3{f * x.z, f * y.z, f * z.z}};
}

[[nodiscard]] Pose moved(const Pose& from, const BodyVelocity& velocity, double time) noexcept {
    Pose pose = from;
    pose.translation = from.translation + time * velocity.linear;
    double angle = std::sqrt(norm_sq(velocity.angular)) * time;
    if (angle > 0.0) {
        angle = std::min(angle, kMostRotation);
        pose.rotation = normalised(product(rotation_about(velocity.angular, angle), from.rotation));
    }
    return pose;
}

[[nodiscard]] Error bodies_error(const BodyPair& pair) {
    return Error{"bodies " + std::to_string(pair.first) + " and " + std::to_string(pair.second) +
                     " touch at the start, or nearly so",
                 ErrorCode::InvalidInput};
}

// Impulses of a point, to begin the next step with.
struct KeptImpulse {
    BodyPair pair;
    Vec3 local;   // in the frame of the first
    Vec3 across;  // the impulse across the normal, in the world
    double along = 0.0;
};

[[nodiscard]] bool comes_before(const BodyPair& a, const BodyPair& b) noexcept {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
}

[[nodiscard]] std::uint32_t root_of(std::vector<std::uint32_t>& parents, std::uint32_t i) {
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

}  // namespace

struct Dynamics::State {
    explicit State(const DynamicsOptions& o) : options(o) {}

    DynamicsOptions options;
    BodyWorld world;
    std::vector<DynamicShape> shapes;
    std::vector<SimulatedBody> bodies;
    std::vector<TouchPoint> touches;
    std::vector<KeptImpulse> kept;
    double gap = 0.0;        // at rest
    bool is_proved = false;  // that all bodies are separated where they are
    std::uint32_t next_island = 0;

    // --- Bodies ---
    [[nodiscard]] const DynamicShape& shape_of(const SimulatedBody& body) const {
        return shapes[body.made.shape];
    }
    [[nodiscard]] bool moves(const SimulatedBody& body) const noexcept {
        if (body.made.kind == BodyKind::Static || body.asleep) return false;
        return body.is_dynamic() || norm_max(body.velocity.linear) > 0.0 ||
               norm_max(body.velocity.angular) > 0.0;
    }
    [[nodiscard]] double speed_of(const SimulatedBody& body) const noexcept {
        return std::sqrt(norm_sq(body.velocity.linear)) +
               shape_of(body).radius * std::sqrt(norm_sq(body.velocity.angular));
    }
    [[nodiscard]] double reach_of(const SimulatedBody& body) const noexcept;
    [[nodiscard]] SolverBody solver_body(const SimulatedBody& body) const noexcept;
    void set_resting_gap() noexcept;
    [[nodiscard]] double sleep_speed() const noexcept;
    [[nodiscard]] Expected<void> check_options() const;

    // --- Steps ---
    [[nodiscard]] AxisBox box_of(std::uint32_t i, double reach) const noexcept;
    template <class Keep>
    [[nodiscard]] std::vector<BodyPair> near_pairs(std::span<const double> reaches,
                                                   const Keep& keep) const;
    [[nodiscard]] Manifold manifold(const BodyPair& pair, double reach) const;
    [[nodiscard]] bool may_touch(const BodyPair& pair) const noexcept;
    struct Contacts {
        std::size_t pairs = 0;
        std::vector<BodyPair> of;  // those with points
        std::vector<Manifold> manifolds;
    };
    [[nodiscard]] Contacts find_contacts() const;
    [[nodiscard]] bool wake_touched(const Contacts& contacts);
    void wake_island(BodyId body);
    [[nodiscard]] std::vector<ContactRow> rows_of_contacts(
        const Contacts& contacts, std::span<const SolverBody> solver,
        std::span<const BodyVelocity> before) const;
    void warm_start(ContactRow& row) const;
    void keep_impulses(std::span<const ContactRow> rows, std::span<const Pose> poses);
    [[nodiscard]] Expected<void> prove_start();
    // Returns by what the velocity of each body is multiplied.
    [[nodiscard]] Expected<std::vector<double>> advance(std::span<const SolverBody> solver,
                                                        std::span<const BodyPair> in_contact,
                                                        DynamicsReport& report);
    [[nodiscard]] WorldOptions search_options() const;
    class Motions;
    void set_targets(std::span<const std::uint8_t> which, std::span<const SolverBody> solver,
                     std::span<const double> fractions, std::vector<Pose>& targets);
    void keep_angular_momentum(SimulatedBody& body, const Pose& before) const noexcept;
    void put_to_sleep(std::span<const ContactRow> rows);
    [[nodiscard]] Expected<DynamicsReport> step();
};

double Dynamics::State::reach_of(const SimulatedBody& body) const noexcept {
    if (!moves(body)) return 0.0;
    const double radius = shape_of(body).radius;
    const double speed = speed_of(body) + options.time_step * std::sqrt(norm_sq(options.gravity));
    return 2.0 * gap + std::min(speed * options.time_step, 0.5 * radius);
}

SolverBody Dynamics::State::solver_body(const SimulatedBody& body) const noexcept {
    SolverBody result;
    result.velocity = body.velocity;
    if (!body.is_dynamic() || body.asleep) {
        if (body.asleep) result.velocity = {};
        return result;
    }
    result.axis = body.made.axis;
    switch (body.made.freedom) {
        case Freedom::All:
            result.inverse_mass = body.inverse_mass;
            result.inverse_inertia = in_world(body.inverse_inertia, body.pose.rotation);
            break;
        case Freedom::Slider:
            result.inverse_mass = body.inverse_mass;
            result.slides = true;
            break;
        case Freedom::Hinge: {
            const Vec3& a = body.made.axis;
            const Matrix3 inertia = in_world(body.inertia, body.pose.rotation);
            const double about = dot(a, detail::linear_times(inertia, a));
            for (std::size_t i = 0; i < 3; ++i)
                result.inverse_inertia[i] = (a[i] / about) * a;
            break;
        }
    }
    return result;
}

void Dynamics::State::set_resting_gap() noexcept {
    gap = options.resting_gap;
    if (gap > 0.0) return;
    double smallest = kInfinity;
    for (const SimulatedBody& body : bodies)
        if (body.is_dynamic()) smallest = std::min(smallest, shape_of(body).radius);
    if (!is_finite(smallest))
        for (const SimulatedBody& body : bodies)
            smallest = std::min(smallest, shape_of(body).radius);
    gap = is_finite(smallest) ? 0.01 * smallest : 0.0;
}

double Dynamics::State::sleep_speed() const noexcept {
    if (options.sleep_speed > 0.0) return options.sleep_speed;
    return 0.5 * options.time_step * std::sqrt(norm_sq(options.gravity));
}

Expected<void> Dynamics::State::check_options() const {
    const auto bad = [](const char* what) { return Error{what, ErrorCode::InvalidOption}; };
    if (!(options.time_step > 0.0) || !is_finite(options.time_step))
        return bad("the time step must be positive");
    if (!is_finite(options.gravity)) return bad("gravity must be finite");
    if (!(options.resting_gap >= 0.0) || !is_finite(options.resting_gap))
        return bad("the resting gap must not be negative");
    if (!(options.separation_fraction > 0.0 && options.separation_fraction < 1.0))
        return bad("the separation must be a fraction of the resting gap between 0 and 1");
    if (options.velocity_iterations < 1 || options.relax_iterations < 0 || options.max_rounds < 0)
        return bad("numbers of iterations must not be negative");
    if (!(options.linear_damping >= 0.0) || !(options.angular_damping >= 0.0))
        return bad("damping must not be negative");
    return {};
}

AxisBox Dynamics::State::box_of(std::uint32_t i, double reach) const noexcept {
    const SimulatedBody& body = bodies[i];
    const DynamicShape& shape = shape_of(body);
    AxisBox box;
    box.body = i;
    const Vec3& t = body.pose.translation;
    if (!shape.convex) {
        const Vec3 around = Vec3{1.0, 1.0, 1.0} * (shape.radius + reach);
        box.lower = t - around;
        box.upper = t + around;
        return box;
    }
    const Matrix3 rows = rows_of(body.pose.rotation);
    const double more = shape.convex->rounding() + reach;
    for (std::size_t k = 0; k < 3; ++k) {
        box.upper[k] = t[k] + detail::core_extent(*shape.convex, rows[k]) + more;
        box.lower[k] = t[k] - detail::core_extent(*shape.convex, -rows[k]) - more;
    }
    return box;
}

// Sorted by their first numbers, then by the second. `keep` is asked of pairs whose boxes overlap.
template <class Keep>
std::vector<BodyPair> Dynamics::State::near_pairs(std::span<const double> reaches,
                                                  const Keep& keep) const {
    std::vector<AxisBox> boxes;
    boxes.reserve(bodies.size());
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
        boxes.push_back(box_of(i, reaches[i]));
    std::sort(boxes.begin(), boxes.end(), [](const AxisBox& a, const AxisBox& b) {
        return a.lower.x != b.lower.x ? a.lower.x < b.lower.x : a.body < b.body;
    });
    std::vector<BodyPair> pairs;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        for (std::size_t j = i + 1; j < boxes.size(); ++j) {
            if (boxes[j].lower.x > boxes[i].upper.x) break;
            if (!boxes[i].overlaps(boxes[j])) continue;
            const BodyPair pair = {std::min(boxes[i].body, boxes[j].body),
                                   std::max(boxes[i].body, boxes[j].body)};
            if (keep(pair)) pairs.push_back(pair);
        }
    }
    std::sort(pairs.begin(), pairs.end(), comes_before);
    return pairs;
}

bool Dynamics::State::may_touch(const BodyPair& pair) const noexcept {
    const BodyFilter& a = bodies[pair.first].made.filter;
    const BodyFilter& b = bodies[pair.second].made.filter;
    return (a.group & b.mask) != 0 && (b.group & a.mask) != 0;
}

Manifold Dynamics::State::manifold(const BodyPair& pair, double reach) const {
    const SimulatedBody& a = bodies[pair.first];
    const SimulatedBody& b = bodies[pair.second];
    const DynamicShape& shape_a = shape_of(a);
    const DynamicShape& shape_b = shape_of(b);
    if (shape_a.convex && shape_b.convex)
        return detail::manifold_of(*shape_a.convex, a.pose, *shape_b.convex, b.pose, reach);
    if (shape_a.surface && shape_b.surface)
        return detail::manifold_of(*shape_a.surface, a.pose, *shape_b.surface, b.pose, reach);
    return {};
}

Dynamics::State::Contacts Dynamics::State::find_contacts() const {
    std::vector<double> reaches;
    reaches.reserve(bodies.size());
    for (const SimulatedBody& body : bodies)
        reaches.push_back(reach_of(body));
    // Something moves, and something can be pushed.
    const std::vector<BodyPair> pairs = near_pairs(reaches, [&](const BodyPair& pair) {
        const SimulatedBody& a = bodies[pair.first];
        const SimulatedBody& b = bodies[pair.second];
        return (moves(a) || moves(b)) && (a.is_dynamic() || b.is_dynamic()) && may_touch(pair);
    });
    std::vector<Manifold> found(pairs.size());
    const Executor executor = options.executor ? options.executor : run_on_new_threads;
    for_each_chunk(
        executor, options.threads, pairs.size(), 64, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                found[i] = manifold(pairs[i], reaches[pairs[i].first] + reaches[pairs[i].second]);
        });
    Contacts contacts;
    contacts.pairs = pairs.size();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (found[i].size == 0) continue;
        contacts.of.push_back(pairs[i]);
        contacts.manifolds.push_back(found[i]);
    }
    return contacts;
}

void Dynamics::State::wake_island(BodyId id) {
    const std::uint32_t island = bodies[id].island;
    bodies[id].asleep = false;
    bodies[id].quiet = 0.0;
    if (island == kNoIsland) return;
    for (SimulatedBody& body : bodies) {
        if (body.island != island) continue;
        body.asleep = false;
        body.quiet = 0.0;
        body.island = kNoIsland;
    }
}

// Sleepers that something runs into; what rests on them does not wake them.
bool Dynamics::State::wake_touched(const Contacts& contacts) {
    bool any = false;
    for (std::size_t i = 0; i < contacts.of.size(); ++i) {
        const BodyPair& pair = contacts.of[i];
        const bool first_sleeps = bodies[pair.first].asleep;
        if (first_sleeps == bodies[pair.second].asleep) continue;
        const BodyId sleeper = first_sleeps ? pair.first : pair.second;
        const SimulatedBody& other = bodies[first_sleeps ? pair.second : pair.first];
        if (!moves(other)) continue;
        for (std::size_t k = 0; k < contacts.manifolds[i].size; ++k) {
            const detail::ManifoldPoint& point = contacts.manifolds[i].points[k];
            const Vec3 velocity =
                other.velocity.linear +
                cross(other.velocity.angular, point.position - other.pose.translation);
            // What is pushed by others and no faster than a few steps of gravity rests on the sleeper.
            const double resting = other.is_dynamic() ? 4.0 * sleep_speed() : 0.0;
            const double approach = dot(first_sleeps ? -point.normal : point.normal, velocity);
            if (!(approach > resting)) continue;
            if (!(approach * options.time_step > point.gap - gap)) continue;
            wake_island(sleeper);
            any = true;
            break;
        }
    }
    return any;
}

void Dynamics::State::warm_start(ContactRow& row) const {
    const BodyPair pair = {row.a, row.b};
    const auto first = std::lower_bound(
        kept.begin(), kept.end(), pair,
        [](const KeptImpulse& k, const BodyPair& p) { return comes_before(k.pair, p); });
    const SimulatedBody& a = bodies[row.a];
    const Vec3 local = rotate(conjugate(a.pose.rotation), row.position - a.pose.translation);
    const double near = 0.2 * std::min(shape_of(a).radius, shape_of(bodies[row.b]).radius);
    const KeptImpulse* best = nullptr;
    double best_sq = near * near;
    for (auto k = first; k != kept.end() && k->pair == pair; ++k) {
        const double distance_sq = norm_sq(k->local - local);
        if (distance_sq < best_sq) {
            best_sq = distance_sq;
            best = &*k;
        }
    }
    if (best == nullptr) return;
    row.impulses = {best->along, dot(best->across, row.directions[1].d),
                    dot(best->across, row.directions[2].d)};
}

std::vector<ContactRow> Dynamics::State::rows_of_contacts(
    const Contacts& contacts, std::span<const SolverBody> solver,
    std::span<const BodyVelocity> before) const {
    std::vector<ContactRow> rows;
    for (std::size_t i = 0; i < contacts.of.size(); ++i) {
        const BodyPair& pair = contacts.of[i];
        const SimulatedBody& a = bodies[pair.first];
        const SimulatedBody& b = bodies[pair.second];
        for (std::size_t k = 0; k < contacts.manifolds[i].size; ++k) {
            ContactRow row;
            row.a = pair.first;
            row.b = pair.second;
            row.position = contacts.manifolds[i].points[k].position;
            row.gap = contacts.manifolds[i].points[k].gap;
            row.friction = std::sqrt(a.made.friction * b.made.friction);
            row.restitution = std::max(a.made.restitution, b.made.restitution);
            row.directions[0].d = contacts.manifolds[i].points[k].normal;
            detail::RowSolver::prepare(row, solver, a.pose.translation, b.pose.translation);
            const auto velocity = [&](std::uint32_t body, const Vec3& centre) {
                return before[body].linear + cross(before[body].angular, row.position - centre);
            };
            row.approach = dot(row.directions[0].d, velocity(row.b, b.pose.translation) -
                                                        velocity(row.a, a.pose.translation));
            warm_start(row);
            rows.push_back(row);
        }
    }
    return rows;
}

// `poses`: before the step, in which the rows were found.
void Dynamics::State::keep_impulses(std::span<const ContactRow> rows, std::span<const Pose> poses) {
    kept.clear();
    touches.clear();
    for (const ContactRow& row : rows) {
        const Pose& pose = poses[row.a];
        KeptImpulse k;
        k.pair = {row.a, row.b};
        k.local = rotate(conjugate(pose.rotation), row.position - pose.translation);
        k.along = row.impulses[0];
        k.across = row.impulses[1] * row.directions[1].d + row.impulses[2] * row.directions[2].d;
        kept.push_back(k);
        touches.push_back({k.pair, row.position, row.directions[0].d, row.gap, row.impulses[0]});
    }
}

WorldOptions Dynamics::State::search_options() const {
    WorldOptions result;
    result.impact = options.impact;
    result.impact.t_max = 1.0;
    result.impact.progress = {};
    result.impact.min_separation = options.separation_fraction * gap;
    result.threads = options.threads;
    result.executor = options.executor;
    return result;
}

// RDY-1, the base: where the bodies are, all pairs that can ever move are separated.
Expected<void> Dynamics::State::prove_start() {
    if (is_proved) return {};
    WorldOptions search = search_options();
    search.pair_filter = [this](BodyId a, BodyId b) {
        return bodies[a].made.kind != BodyKind::Static || bodies[b].made.kind != BodyKind::Static;
    };
    for (BodyId i = 0; i < bodies.size(); ++i)
        if (const auto set = world.set_pose(i, bodies[i].pose); !set) return set.error();
    const auto found = world.search(search);
    if (!found) return found.error();
    if (!found->impacts.empty()) return bodies_error(found->impacts.front().pair);
    is_proved = true;
    return {};
}

// Puts the bodies of the world back to where they are known to be, unless their motions were accepted:
// however a search ends, by an exception, too.
class Dynamics::State::Motions {
public:
    explicit Motions(State& state) noexcept : state_(state) {}
    Motions(const Motions&) = delete;
    Motions& operator=(const Motions&) = delete;
    ~Motions() {
        if (are_accepted_) return;
        for (BodyId i = 0; i < state_.bodies.size(); ++i)
            static_cast<void>(state_.world.set_pose(i, state_.bodies[i].pose));
    }
    void accept() noexcept { are_accepted_ = true; }

private:
    State& state_;
    bool are_accepted_ = false;
};

void Dynamics::State::set_targets(std::span<const std::uint8_t> which,
                                  std::span<const SolverBody> solver,
                                  std::span<const double> fractions, std::vector<Pose>& targets) {
    for (BodyId i = 0; i < bodies.size(); ++i) {
        if (which[i] == 0) continue;
        targets[i] = bodies[i].pose;
        if (fractions[i] > 0.0)
            targets[i] =
                moved(bodies[i].pose, solver[i].velocity, fractions[i] * options.time_step);
        // Numbers that cannot be worked with: it stays.
        if (!world.set_target(i, targets[i])) {
            targets[i] = bodies[i].pose;
            static_cast<void>(world.set_pose(i, targets[i]));
        }
    }
}

// RDY-1: all bodies take motions for which every pair is proved separated. Where that is not so, the
// motions of the pair are shortened and what they concern is searched again; after max_rounds bodies
// that are still obstructed stay where they are, of which there are ever more, so that it ends.
//
// A body that was shortened for a contact that the solver knew keeps that fraction of its velocity: one
// that cannot move as its velocity asks would gather speed otherwise. One that meets something new keeps
// it all, for the impulse of the next step.
Expected<std::vector<double>> Dynamics::State::advance(std::span<const SolverBody> solver,
                                                       std::span<const BodyPair> in_contact,
                                                       DynamicsReport& report) {
    const std::size_t n = bodies.size();
    std::vector<double> kept_velocity(n, 1.0);
    std::vector<double> fractions(n, 0.0);
    std::vector<std::uint8_t> changed(n, 0);
    std::vector<Pose> targets;
    for (const SimulatedBody& body : bodies)
        targets.push_back(body.pose);
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) {
        if (!moves(bodies[i])) continue;
        fractions[i] = 1.0;
        changed[i] = 1;
        any = true;
    }
    if (!any) return kept_velocity;
    Motions motions(*this);
    set_targets(changed, solver, fractions, targets);
    WorldOptions search = search_options();
    // What is at rest is where it was proved to be separated before; what has not changed since the last
    // round was searched there.
    search.pair_filter = [&](BodyId a, BodyId b) {
        return (changed[a] != 0 || changed[b] != 0) && (fractions[a] > 0.0 || fractions[b] > 0.0);
    };
    std::vector<std::uint8_t> shortened(n, 0);
    std::vector<std::uint8_t> was_known(n, 0);
    for (int round = 0;; ++round) {
        const auto found = world.search(search);
        if (!found) return found.error();
        ++report.searches;
        report.searched += found->candidates;
        if (round == 0) report.impacts = found->impacts;
        if (found->impacts.empty()) break;
        std::fill(changed.begin(), changed.end(), std::uint8_t{0});
        std::vector<double> next = fractions;
        for (const PairImpact& impact : found->impacts) {
            const bool is_known =
                std::binary_search(in_contact.begin(), in_contact.end(), impact.pair, comes_before);
            for (const BodyId i : {impact.pair.first, impact.pair.second}) {
                if (!(fractions[i] > 0.0)) continue;
                double f = fractions[i] * kTakenFraction * std::min(1.0, impact.result.toi_lower);
                if (round >= options.max_rounds || !(f > kLeastFraction)) f = 0.0;
                next[i] = std::min(next[i], f);
                changed[i] = 1;
                shortened[i] = 1;
                if (is_known) was_known[i] = 1;
            }
        }
        fractions = std::move(next);
        set_targets(changed, solver, fractions, targets);
    }
    motions.accept();
    world.advance(1.0);
    for (BodyId i = 0; i < n; ++i) {
        bodies[i].pose = targets[i];
        report.shortened += shortened[i];
        report.stopped += shortened[i] != 0 && !(fractions[i] > 0.0) ? 1 : 0;
        if (was_known[i] != 0) kept_velocity[i] = fractions[i];
    }
    return kept_velocity;
}

// The angular momentum of a body that rotates freely stays; its angular velocity changes with its
// orientation. Energy is not gained by that: what the finite step would add is scaled away.
void Dynamics::State::keep_angular_momentum(SimulatedBody& body,
                                            const Pose& before) const noexcept {
    if (!body.is_dynamic() || body.made.freedom != Freedom::All) return;
    const Vec3 w = body.velocity.angular;
    if (!(norm_max(w) > 0.0)) return;
    const Vec3 momentum = detail::linear_times(in_world(body.inertia, before.rotation), w);
    const Vec3 next =
        detail::linear_times(in_world(body.inverse_inertia, body.pose.rotation), momentum);
    const double energy = dot(momentum, w);
    const double next_energy = dot(momentum, next);
    const double scale = next_energy > energy ? std::sqrt(energy / next_energy) : 1.0;
    body.velocity.angular = scale * next;
}

void Dynamics::State::put_to_sleep(std::span<const ContactRow> rows) {
    const double slow = sleep_speed();
    if (!options.sleeping || !(slow > 0.0)) return;
    std::vector<std::uint32_t> parents(bodies.size());
    std::iota(parents.begin(), parents.end(), 0U);
    for (const ContactRow& row : rows) {
        const bool both = bodies[row.a].is_dynamic() && bodies[row.b].is_dynamic();
        if (!both || bodies[row.a].asleep || bodies[row.b].asleep) continue;
        if (row.gap > 2.0 * gap) continue;
        parents[root_of(parents, row.a)] = root_of(parents, row.b);
    }
    std::vector<double> least(bodies.size(), kInfinity);  // by root
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        SimulatedBody& body = bodies[i];
        if (!body.is_dynamic() || body.asleep) continue;
        body.quiet = speed_of(body) < slow ? body.quiet + options.time_step : 0.0;
        double& of_root = least[root_of(parents, i)];
        of_root = std::min(of_root, body.quiet);
    }
    std::vector<std::uint32_t> islands(bodies.size(), kNoIsland);
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        SimulatedBody& body = bodies[i];
        if (!body.is_dynamic() || body.asleep) continue;
        const std::uint32_t root = root_of(parents, i);
        if (!(least[root] >= options.sleep_time)) continue;
        if (islands[root] == kNoIsland) islands[root] = next_island++;
        body.asleep = true;
        body.island = islands[root];
        body.velocity = {};
    }
}

Expected<DynamicsReport> Dynamics::State::step() {
    if (const auto good = check_options(); !good) return good.error();
    set_resting_gap();
    if (const auto proved = prove_start(); !proved) return proved.error();
    DynamicsReport report;
    Contacts contacts = find_contacts();
    while (wake_touched(contacts))
        contacts = find_contacts();
    report.pairs = contacts.pairs;
    const double dt = options.time_step;
    std::vector<BodyVelocity> before;
    std::vector<SolverBody> solver;
    std::vector<Pose> poses;
    for (const SimulatedBody& body : bodies) {
        before.push_back(body.velocity);
        poses.push_back(body.pose);
        solver.push_back(solver_body(body));
        SolverBody& one = solver.back();
        if (!body.is_dynamic() || body.asleep) continue;
        if (one.slides) {
            one.velocity.linear = dot(one.axis, one.velocity.linear) * one.axis;
            one.velocity.angular = {};
        }
        if (one.inverse_mass > 0.0) {
            const Vec3 fall = dt * options.gravity;
            one.velocity.linear =
                one.velocity.linear + (one.slides ? dot(one.axis, fall) * one.axis : fall);
        } else {
            one.velocity.linear = {};
            one.velocity.angular = dot(one.axis, one.velocity.angular) * one.axis;
        }
        one.velocity.linear = (1.0 / (1.0 + dt * options.linear_damping)) * one.velocity.linear;
        one.velocity.angular = (1.0 / (1.0 + dt * options.angular_damping)) * one.velocity.angular;
    }
    std::vector<ContactRow> rows = rows_of_contacts(contacts, solver, before);
    report.contacts = rows.size();
    detail::RowSettings settings;
    settings.time_step = dt;
    settings.resting_gap = gap;
    settings.restitution_speed = 2.0 * dt * std::sqrt(norm_sq(options.gravity));
    settings.velocity_iterations = options.velocity_iterations;
    settings.relax_iterations = options.relax_iterations;
    detail::RowSolver rows_solver(solver, rows, settings);
    rows_solver.solve();
    const auto kept_velocity = advance(solver, contacts.of, report);
    if (!kept_velocity) return kept_velocity.error();
    rows_solver.relax();
    keep_impulses(rows, poses);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies[i].is_dynamic() || bodies[i].asleep) continue;
        const double f = (*kept_velocity)[i];
        bodies[i].velocity = {f * solver[i].velocity.linear, f * solver[i].velocity.angular};
        keep_angular_momentum(bodies[i], poses[i]);
    }
    put_to_sleep(rows);
    for (const SimulatedBody& body : bodies)
        report.asleep += body.asleep ? 1 : 0;
    return report;
}

Dynamics::Dynamics(const DynamicsOptions& options) : state_(std::make_unique<State>(options)) {}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;

namespace {

// Numbers are places in two lists: `add` adds to the other one. Where it throws, neither has the item.
template <class Item, class Add>
auto add_to_both(std::vector<Item>& list, Item item, const Add& add) {
    list.push_back(std::move(item));
    try {
        return add();
    } catch (...) {
        list.pop_back();
        throw;
    }
}

}  // namespace

ShapeId Dynamics::add_shape(ConvexShape shape) {
    DynamicShape own;
    own.radius = shape.core_radius() + shape.rounding();
    if (shape.core() == ConvexShape::Core::Hull) own.triangles = hull_triangles(shape.points());
    own.convex = shape;
    return add_to_both(state_->shapes, std::move(own),
                       [&] { return state_->world.add_shape(std::move(shape)); });
}

ShapeId Dynamics::add_shape(RigidBody surface) {
    DynamicShape own;
    const Polyhedron& polyhedron = surface.surface();
    own.radius = norm(polyhedron.centre()) + polyhedron.radius();
    own.surface.emplace(Polyhedron(polyhedron));
    return add_to_both(state_->shapes, std::move(own),
                       [&] { return state_->world.add_shape(std::move(surface)); });
}

namespace {

[[nodiscard]] Expected<void> check_body(const DynamicBody& body, std::size_t shapes) {
    const auto bad = [](const char* what) { return Error{what, ErrorCode::InvalidInput}; };
    if (body.shape >= shapes) return bad("there is no such shape");
    if (!is_finite(body.velocity.linear) || !is_finite(body.velocity.angular))
        return bad("the velocity of a body is not finite");
    if (!(body.friction >= 0.0) || !is_finite(body.friction))
        return bad("friction must not be negative");
    if (!(body.restitution >= 0.0 && body.restitution <= 1.0))
        return bad("restitution must be in [0, 1]");
    if (body.filter.margin != 0.0) return bad("bodies that move by forces have no margin");
    if (!(norm(body.axis) > 0.0) || !is_finite(body.axis)) return bad("an axis must have a length");
    return {};
}

}  // namespace

Expected<BodyId> Dynamics::add_body(const DynamicBody& made) {
    if (const auto good = check_body(made, state_->shapes.size()); !good) return good.error();
    SimulatedBody body;
    body.made = made;
    body.made.axis = (1.0 / norm(made.axis)) * made.axis;
    body.pose = made.pose;
    body.velocity = made.kind == BodyKind::Static ? BodyVelocity{} : made.velocity;
    if (made.kind == BodyKind::Dynamic) {
        const DynamicShape& shape = state_->shapes[made.shape];
        auto mass = made.mass      ? Expected<MassProperties>(*made.mass)
                    : shape.convex ? mass_properties(*shape.convex, made.density)
                                   : mass_properties(shape.surface->surface(), made.density);
        if (!mass) return mass.error();
        const auto inverse = inverse_of(mass->inertia);
        if (!(mass->mass > 0.0) || !is_finite(1.0 / mass->mass) || !inverse)
            return Error{"the mass of a body and its moments must be positive",
                         ErrorCode::InvalidInput};
        // Positions are off by rounding errors where a hull was moved to its centre.
        if (!(norm(mass->centre) <= 1e-9 * shape.radius))
            return Error{"the centre of mass of a body must be the origin of its frame",
                         ErrorCode::InvalidInput};
        body.inverse_mass = 1.0 / mass->mass;
        body.inertia = mass->inertia;
        body.inverse_inertia = *inverse;
    }
    auto id = add_to_both(state_->bodies, std::move(body), [&] {
        return state_->world.add_body(made.shape, made.pose, made.filter);
    });
    if (id) {
        state_->is_proved = false;
    } else {
        state_->bodies.pop_back();
    }
    return id;
}

std::size_t Dynamics::size() const noexcept {
    return state_->bodies.size();
}
const Pose& Dynamics::pose(BodyId body) const {
    return state_->bodies.at(body).pose;
}
const BodyVelocity& Dynamics::velocity(BodyId body) const {
    return state_->bodies.at(body).velocity;
}
bool Dynamics::is_asleep(BodyId body) const {
    return state_->bodies.at(body).asleep;
}
void Dynamics::set_velocity(BodyId body, const BodyVelocity& velocity) {
    wake(body);
    if (state_->bodies.at(body).made.kind != BodyKind::Static && is_finite(velocity.linear) &&
        is_finite(velocity.angular))
        state_->bodies.at(body).velocity = velocity;
}
void Dynamics::wake(BodyId body) {
    static_cast<void>(state_->bodies.at(body));
    state_->wake_island(body);
}

Expected<DynamicsReport> Dynamics::step() {
    return with_sound_arithmetic([&] { return state_->step(); });
}

std::span<const TouchPoint> Dynamics::contacts() const noexcept {
    return state_->touches;
}

std::size_t Dynamics::bodies_in_contact() const {
    const State& s = *state_;
    const std::vector<double> reaches(s.bodies.size(), s.gap);
    std::vector<std::uint8_t> touches(s.bodies.size(), 0);
    for (const BodyPair& pair : s.near_pairs(reaches, [&](const BodyPair& p) {
             return (s.bodies[p.first].is_dynamic() || s.bodies[p.second].is_dynamic()) &&
                    s.may_touch(p);
         })) {
        if (s.manifold(pair, 2.0 * s.gap).size == 0) continue;
        touches[pair.first] = 1;
        touches[pair.second] = 1;
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < s.bodies.size(); ++i)
        count += s.bodies[i].is_dynamic() && touches[i] != 0 ? 1 : 0;
    return count;
}

double Dynamics::kinetic_energy() const noexcept {
    double sum = 0.0;
    for (const SimulatedBody& body : state_->bodies) {
        if (!body.is_dynamic()) continue;
        const Vec3& w = body.velocity.angular;
        const Matrix3 inertia = in_world(body.inertia, body.pose.rotation);
        sum += 0.5 * norm_sq(body.velocity.linear) / body.inverse_mass +
               0.5 * dot(w, detail::linear_times(inertia, w));
    }
    return sum;
}

double Dynamics::separation() const noexcept {
    return state_->options.separation_fraction * state_->gap;
}
double Dynamics::resting_gap() const noexcept {
    return state_->gap;
}

StateCheck Dynamics::check() const {
    const State& s = *state_;
    StateCheck result;
    const auto count = [&] {
        // Boxes are estimates: larger by far more than their rounding errors.
        std::vector<double> reaches;
        for (const SimulatedBody& body : s.bodies)
            reaches.push_back(1e-6 * (s.shape_of(body).radius + norm_max(body.pose.translation)));
        for (const BodyPair& pair : s.near_pairs(reaches, [&](const BodyPair& p) {
                 return (s.bodies[p.first].made.kind != BodyKind::Static ||
                         s.bodies[p.second].made.kind != BodyKind::Static) &&
                        s.may_touch(p);
             })) {
            const SimulatedBody& a = s.bodies[pair.first];
            const SimulatedBody& b = s.bodies[pair.second];
            const DynamicShape& shape_a = s.shape_of(a);
            const DynamicShape& shape_b = s.shape_of(b);
            detail::PairState state = detail::PairState::NotProved;
            if (shape_a.convex && shape_b.convex) {
                const auto closest =
                    detail::closest_points(*shape_a.convex, a.pose, *shape_b.convex, b.pose);
                state = detail::pair_state({&*shape_a.convex, a.pose, shape_a.triangles},
                                           {&*shape_b.convex, b.pose, shape_b.triangles},
                                           closest ? closest->normal : Vec3{1.0, 0.0, 0.0});
            } else if (shape_a.surface && shape_b.surface) {
                const StartState exact = start_state(shape_a.surface->surface(), a.pose,
                                                     shape_b.surface->surface(), b.pose);
                if (exact == StartState::Separated)
                    state = detail::PairState::Separated;
                else if (exact != StartState::Unresolved)
                    state = detail::PairState::Overlapping;
            }
            ++(state == detail::PairState::Separated     ? result.proved
               : state == detail::PairState::Overlapping ? result.overlapping
                                                         : result.not_proved);
        }
    };
    with_sound_arithmetic(count, [&] { ++result.not_proved; });
    return result;
}

}  // namespace graze::rigid
