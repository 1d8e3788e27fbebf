// Contact as the systems for cloth do it that Wang 2014 refers to: repulsions between what is near,
// impulses where the continuous detection finds contact, rigid impact zones, and a fail-safe.
//
// The motion that a step accepts is one in which the method, asked about all pairs, finds no contact.
// With a method that proves its answers that is a proof; with one that misses, contacts are missed.
#include <algorithm>
#include <cmath>

#include "contact_search.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/sim/response.hpp"
#include "graze/verify/methods.hpp"
#include "impact_zones.hpp"
#include "implicit_euler.hpp"
#include "impulses.hpp"

namespace graze::sim {
namespace {

using detail::ContactPair;
using detail::ImpactZones;

constexpr int kRepulsionSweeps = 4;
constexpr int kImpulsePasses = 12;  // searches of the whole mesh with impulses in between
constexpr int kImpulseSweeps = 6;   // over the impacts of all passes so far
constexpr int kZonePasses = 24;
constexpr int kStopPasses = 24;  // zones at rest; after them everything is
// How much of what two elements are nearer than the thickness a repulsion undoes in a step.
constexpr double kRepelledFraction = 0.25;

class ImpulseResponse final : public Response {
public:
    ImpulseResponse(const Model& model, Method method, const ResponseOptions& options)
        : model_(model), method_(method), options_(options), stepper_(model.surface) {}

    Expected<FrameStats> step(State& state) override;

private:
    // One step: what it works on.
    struct Work {
        StepSetup setup;
        std::vector<double> inverse_mass;  // 0 where prescribed
        std::vector<Vec3> velocity;        // of the straight motion to `end`
        std::vector<Vec3> end;
        FrameStats stats;
    };

    Expected<Work> begin(const State& state) const;
    Expected<void> repel(Work& work);
    Expected<bool> resolve_by_impulses(Work& work);
    Expected<bool> resolve_by_zones(Work& work, ImpactZones& zones);
    Expected<bool> resolve_by_stopping(Work& work, ImpactZones& zones);
    Expected<StepImpacts> detect(Work& work);
    Expected<std::vector<ContactPair>> near_pairs(Work& work);
    Expected<void> accept(Work& work, State& state);

    void set_ends_from_velocities(Work& work) const;
    void move_rigidly(Work& work, const ImpactZones& zones) const;
    void join(ImpactZones& zones, std::span<const Impact> impacts) const;
    [[nodiscard]] StepOptions detection() const;

    const Model& model_;
    Method method_;
    ResponseOptions options_;
    MeshStepper stepper_;
};

Expected<ImpulseResponse::Work> ImpulseResponse::begin(const State& state) const {
    const double dt = model_.solver.dt;
    Work work{StepSetup(model_, state), {}, {}, {}, {}};
    auto free = detail::free_step(model_, state, work.setup, options_.threads);
    if (!free) return free.error();
    work.end = std::move(free->x);
    work.stats.iterations = static_cast<std::uint64_t>(free->iterations);
    for (std::size_t i = 0; i < work.end.size(); ++i) {
        work.inverse_mass.push_back(work.setup.is_prescribed[i] != 0 ? 0.0 : 1.0 / model_.mass[i]);
        work.velocity.push_back((1.0 / dt) * (work.end[i] - state.x[i]));
    }
    return work;
}

StepOptions ImpulseResponse::detection() const {
    StepOptions options = collision_options(model_);
    options.method = method_;
    options.threads = static_cast<int>(options_.threads);
    options.stop = options_.stop;
    return options;
}

Expected<StepImpacts> ImpulseResponse::detect(Work& work) {
    if (options_.proposals)
        if (const auto heard = options_.proposals(work.setup.start, work.end); !heard)
            return heard.error();
    const Seconds clock;
    StepOptions options = detection();
    options.query.distance_tolerance = model_.contact.tolerance;
    auto impacts = stepper_.all_impacts(work.setup.start, work.end, options);
    work.stats.seconds_detection += clock.since_start();
    if (!impacts) return impacts;
    for (const std::uint64_t count : impacts->work.candidates)
        work.stats.tested += count;
    work.stats.positive += impacts->impacts.size();
    ++work.stats.iterations;
    return impacts;
}

// What is within the thickness at the start. Always by `certified`: the method of the scene is the one
// of the continuous detection, and not all have a separation.
Expected<std::vector<ContactPair>> ImpulseResponse::near_pairs(Work& work) {
    const Seconds clock;
    StepOptions options = detection();
    options.method = make_certified();
    options.query.min_separation = contact_distance(model_);
    options.radius = model_.radius;
    const std::vector<Vec3>& x = work.setup.start;
    auto near = stepper_.all_impacts(x, x, options);
    work.stats.seconds_detection += clock.since_start();
    if (!near) return near.error();
    std::vector<ContactPair> pairs;
    for (const Impact& impact : near->impacts)
        pairs.push_back(
            detail::contact_pair(model_.surface, impact, contact_of(model_.surface, x, x, impact)));
    return pairs;
}

double thickness_of(const Model& model, const ContactPair& pair) {
    double sum = contact_distance(model);
    if (model.radius.empty()) return sum;
    double a = 0.0;
    double b = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
        double& side = pair.weight[i] > 0.0 ? a : b;
        side = std::max(side, model.radius[pair.v[i]]);
    }
    return sum + a + b;
}

Expected<void> ImpulseResponse::repel(Work& work) {
    const auto pairs = near_pairs(work);
    if (!pairs) return pairs.error();
    const double dt = model_.solver.dt;
    std::vector<double> speeds;
    for (const ContactPair& pair : *pairs) {
        const double distance = norm(detail::relative(pair, work.setup.start));
        work.stats.least_distance = std::min(work.stats.least_distance, distance);
        const double missing = std::max(0.0, thickness_of(model_, pair) - distance);
        speeds.push_back(kRepelledFraction * missing / dt);
    }
    work.stats.contacts = pairs->size();
    for (int sweep = 0; sweep < kRepulsionSweeps; ++sweep) {
        for (std::size_t i = 0; i < pairs->size(); ++i)
            detail::separate((*pairs)[i], speeds[i], model_.contact.friction, work.inverse_mass,
                             work.velocity);
    }
    set_ends_from_velocities(work);
    return {};
}

void ImpulseResponse::set_ends_from_velocities(Work& work) const {
    for (std::size_t i = 0; i < work.end.size(); ++i)
        if (work.setup.is_prescribed[i] == 0)
            work.end[i] = work.setup.start[i] + model_.solver.dt * work.velocity[i];
}

// The points that meet, with a normal along which they approach each other. Where the normal of the
// elements is none, as in contacts within a plane, it is the line between the points at the start.
ContactPair colliding_pair(const MeshTopology& mesh, const Impact& impact,
                           std::span<const Vec3> start, std::span<const Vec3> end) {
    ContactPair pair = detail::contact_pair(mesh, impact, contact_of(mesh, start, end, impact));
    const Vec3 before = detail::relative(pair, start);
    const Vec3 moved = detail::relative(pair, end) - before;
    if (dot(pair.normal, moved) < 0.0) return pair;
    const Vec3 along = norm_sq(before) > 0.0 ? before : -moved;
    if (norm_sq(along) > 0.0) pair.normal = (1.0 / norm(along)) * along;
    return pair;
}

Expected<bool> ImpulseResponse::resolve_by_impulses(Work& work) {
    std::vector<ContactPair> pairs;
    for (int pass = 0; pass < kImpulsePasses; ++pass) {
        const auto impacts = detect(work);
        if (!impacts) return impacts.error();
        if (impacts->impacts.empty()) return true;
        for (const Impact& impact : impacts->impacts)
            pairs.push_back(colliding_pair(model_.surface, impact, work.setup.start, work.end));
        for (int sweep = 0; sweep < kImpulseSweeps; ++sweep) {
            for (const ContactPair& pair : pairs)
                detail::separate(pair, 0.0, model_.contact.friction, work.inverse_mass,
                                 work.velocity);
        }
        set_ends_from_velocities(work);
    }
    return false;
}

void ImpulseResponse::join(ImpactZones& zones, std::span<const Impact> impacts) const {
    for (const Impact& impact : impacts) {
        const ContactPair pair = detail::contact_pair(model_.surface, impact, {});
        for (std::size_t i = 1; i < 4; ++i)
            if (pair.v[i] != pair.v[0]) zones.join(pair.v[0], pair.v[i]);
    }
}

// Zones with vertices that are prescribed follow the mean of these.
void ImpulseResponse::move_rigidly(Work& work, const ImpactZones& zones) const {
    const std::vector<Vec3>& start = work.setup.start;
    std::vector<Vec3> displacement(start.size());
    for (std::size_t i = 0; i < start.size(); ++i) {
        displacement[i] = work.setup.is_prescribed[i] != 0 ? work.end[i] - start[i]
                                                           : model_.solver.dt * work.velocity[i];
    }
    for (const std::vector<std::uint32_t>& zone : zones.zones()) {
        Vec3 prescribed_sum{};
        std::size_t count = 0;
        for (const std::uint32_t v : zone) {
            if (work.setup.is_prescribed[v] == 0) continue;
            prescribed_sum += displacement[v];
            ++count;
        }
        if (count == 0) {
            const auto end = detail::rigid_end(zone, start, displacement, model_.mass);
            for (std::size_t i = 0; i < zone.size(); ++i)
                work.end[zone[i]] = end[i];
            continue;
        }
        const Vec3 mean = (1.0 / static_cast<double>(count)) * prescribed_sum;
        for (const std::uint32_t v : zone)
            if (work.setup.is_prescribed[v] == 0) work.end[v] = start[v] + mean;
    }
}

Expected<bool> ImpulseResponse::resolve_by_zones(Work& work, ImpactZones& zones) {
    for (int pass = 0; pass < kZonePasses; ++pass) {
        const auto impacts = detect(work);
        if (!impacts) return impacts.error();
        if (impacts->impacts.empty()) return true;
        join(zones, impacts->impacts);
        move_rigidly(work, zones);
    }
    return false;
}

// Zones stay where they were, those of scripts included: these fall behind, and go on to where their
// scripts want them in the steps that follow. What rests meets nothing that rests; each pass stops
// what still meets, and in the end nothing moves, which is the state that the step began with.
Expected<bool> ImpulseResponse::resolve_by_stopping(Work& work, ImpactZones& zones) {
    for (int pass = 0; pass < kStopPasses; ++pass) {
        for (const std::vector<std::uint32_t>& zone : zones.zones())
            for (const std::uint32_t v : zone)
                work.end[v] = work.setup.start[v];
        const auto impacts = detect(work);
        if (!impacts) return impacts.error();
        if (impacts->impacts.empty()) return true;
        join(zones, impacts->impacts);
    }
    work.end = work.setup.start;
    ++work.stats.stuck;
    return false;
}

Expected<void> ImpulseResponse::accept(Work& work, State& state) {
    if (options_.observer)
        if (const auto heard = options_.observer(state.x, work.end); !heard) return heard.error();
    work.setup.finish(model_, std::move(work.end), state, work.stats);
    return {};
}

Expected<FrameStats> ImpulseResponse::step(State& state) {
    const Seconds clock;
    auto work = begin(state);
    if (!work) return work.error();
    if (const auto repelled = repel(*work); !repelled) return repelled.error();
    auto resolved = resolve_by_impulses(*work);
    if (!resolved) return resolved.error();
    const bool by_impulses = *resolved;
    if (!by_impulses) {
        ImpactZones zones(state.x.size());
        resolved = resolve_by_zones(*work, zones);
        if (!resolved) return resolved.error();
        if (!*resolved) resolved = resolve_by_stopping(*work, zones);
        if (!resolved) return resolved.error();
    }
    FrameStats& stats = work->stats;
    if (const auto accepted = accept(*work, state); !accepted) return accepted.error();
    if (!by_impulses) stats.fail_safes = 1;
    stats.seconds = clock.since_start();
    return stats;
}

}  // namespace

Expected<std::unique_ptr<Response>> make_impulse_response(const Model& model,
                                                          const ResponseOptions& options) {
    if (const auto fine = check_model(model); !fine) return fine.error();
    const MethodRegistry methods = verify::all_methods();
    const Method* method = options.method ? &*options.method : methods.find(model.contact.method);
    if (method == nullptr)
        return Error{"contact.method: there is no " + model.contact.method + "; known are " +
                         methods.names(),
                     ErrorCode::InvalidOption};
    return std::unique_ptr<Response>(std::make_unique<ImpulseResponse>(model, *method, options));
}

}  // namespace graze::sim
