// Implicit Euler as a minimisation, by projected Newton steps that never come into contact: per step
//   E(x) = 1/2 |x - y|_M^2 + dt^2 (elastic + barrier + friction),   y = x0 + dt v0 + dt^2 g.
// Every accepted motion has been tested by the line search; the order of all sums is fixed.
#include <algorithm>
#include <cmath>
#include <optional>

#include "contact_search.hpp"
#include "factorisation.hpp"
#include "graze/sim/barrier.hpp"
#include "graze/sim/response.hpp"
#include "step_setup.hpp"

namespace graze::sim {
namespace {

// [energy] of the barrier: such that a pair half-way into it pushes about as hard as the stiffest
// element of the mesh does at a strain of a tenth: 0.1 E h^2 over a length of `distance`.
double barrier_stiffness(const Model& model, double distance) {
    double length = 0.0;
    std::size_t count = 0;
    for (const EdgeIndices& e : model.surface.edges) {
        if (model.fixed[e[0]] != 0 && model.fixed[e[1]] != 0) continue;
        length += norm(model.rest[e[1]] - model.rest[e[0]]);
        ++count;
    }
    if (count == 0) return model.contact.stiffness;
    const double h = length / static_cast<double>(count);
    double force = 0.0;
    for (const ElasticMaterial& m : model.elastic_materials)
        force = std::max(force, m.young * h * h);
    for (const ClothMaterial& m : model.cloth_materials)
        force = std::max(force, m.young * h);
    for (const StrandMaterial& m : model.strand_materials)
        force = std::max(force, m.stretch);
    constexpr double kStrain = 0.1;
    return model.contact.stiffness * kStrain * force * distance;
}

double largest(std::span<const Vec3> displacement) {
    double most = 0.0;
    for (const Vec3& d : displacement)
        most = std::max(most, norm_max(d));
    return most;
}

// All pairs that can be within reach in a motion, or in one whose vertices stay within `spare` of the
// lines of that one: iterations end near to where the one before did, and need no search of their own.
struct NearPairs {
    std::vector<Vec3> start;
    std::vector<Vec3> end;
    double spare = 0.0;
    Candidates candidates;
    BarrierEnergy barrier;

    // The distance from a line is convex: both ends say it of all between them.
    [[nodiscard]] bool cover(std::span<const Vec3> from, std::span<const Vec3> to) const {
        for (std::size_t i = 0; i < from.size(); ++i)
            if (!is_near(i, from[i]) || !is_near(i, to[i])) return false;
        return true;
    }

private:
    // Well inside, so that no rounding matters; false where something is not a number.
    [[nodiscard]] bool is_near(std::size_t vertex, const Vec3& p) const {
        constexpr double kInside = 0.9;
        const Vec3 d = end[vertex] - start[vertex];
        const Vec3 from_start = p - start[vertex];
        const double length_sq = norm_sq(d);
        const double t =
            length_sq > 0.0 ? std::clamp(dot(from_start, d) / length_sq, 0.0, 1.0) : 0.0;
        return norm_sq(from_start - t * d) <= kInside * kInside * spare * spare;
    }
};

class BarrierResponse final : public Response {
public:
    BarrierResponse(const Model& model, const ResponseOptions& options, ContactSearch search)
        : model_(model),
          options_(options),
          search_(std::move(search)),
          elastic_(elastic_energies(model)),
          size_(model_size(model)),
          distance_(contact_distance(model)),
          stiffness_(barrier_stiffness(model, distance_)),
          factorisation_(options.threads) {}

    [[nodiscard]] Expected<FrameStats> step(State& state) override;

private:
    struct Solve {
        const StepSetup& setup;
        std::vector<const Energy*> energies;  // without contact
        std::optional<FrictionEnergy> friction;
        double stiffness = 0.0;
        std::vector<Vec3> x;
        FrameStats stats;
        NewtonSystem system;
        std::optional<NearPairs> nearby;  // none: not known
    };
    enum class Progress : std::uint8_t { Moved, Converged, Stuck };

    // Makes solve.nearby cover the motion from x to end.
    [[nodiscard]] Expected<void> find_nearby(Solve& solve, std::span<const Vec3> end);
    [[nodiscard]] Expected<BarrierEnergy> active_barrier(Solve& solve);
    [[nodiscard]] double energy(const Solve& solve, const BarrierEnergy& barrier,
                                std::span<const Vec3> x) const;
    [[nodiscard]] std::optional<std::vector<Vec3>> direction(Solve& solve,
                                                             const BarrierEnergy& active,
                                                             std::span<const Vec3> moved,
                                                             double& decrement);
    [[nodiscard]] Expected<Progress> iterate(Solve& solve);
    [[nodiscard]] Expected<void> minimise(Solve& solve);
    [[nodiscard]] Expected<void> set_friction(Solve& solve);

    const Model& model_;
    ResponseOptions options_;
    ContactSearch search_;
    std::vector<std::unique_ptr<Energy>> elastic_;
    double size_;
    double distance_;
    double stiffness_;
    Factorisation factorisation_;
};

Expected<void> BarrierResponse::find_nearby(Solve& solve, std::span<const Vec3> end) {
    if (solve.nearby && solve.nearby->cover(solve.x, end)) return {};
    // As far again as the barrier reaches.
    const double spare = distance_;
    auto found = search_.candidates(solve.x, end, distance_ + 2.0 * spare, solve.stats);
    if (!found) return found.error();
    BarrierEnergy barrier(contact_pairs(model_, *found), distance_, solve.stiffness);
    solve.nearby =
        NearPairs{solve.x, {end.begin(), end.end()}, spare, std::move(*found), std::move(barrier)};
    return {};
}

// Of the pairs within reach at x, in the order of the candidates: whichever motion these are of, the
// same ones. The first motion of a step leads about to its target, so these are searched for with it.
Expected<BarrierEnergy> BarrierResponse::active_barrier(Solve& solve) {
    if (!solve.nearby || !solve.nearby->cover(solve.x, solve.x)) {
        if (auto found = find_nearby(solve, solve.setup.target); !found) return found.error();
    }
    return solve.nearby->barrier.active_at(solve.x);
}

double BarrierResponse::energy(const Solve& solve, const BarrierEnergy& barrier,
                               std::span<const Vec3> x) const {
    const double dt = model_.solver.dt;
    double potential = total_value(barrier, x, options_.threads);
    if (!(potential < kInfinity)) return kInfinity;
    for (const Energy* part : solve.energies)
        potential += total_value(*part, x, options_.threads);
    if (solve.friction) potential += total_value(*solve.friction, x, options_.threads);
    return solve.setup.inertia(model_, x) + dt * dt * potential;
}

// Nothing where the system cannot be solved.
std::optional<std::vector<Vec3>> BarrierResponse::direction(Solve& solve,
                                                            const BarrierEnergy& active,
                                                            std::span<const Vec3> moved,
                                                            double& decrement) {
    const double weight = model_.solver.dt * model_.solver.dt;
    NewtonSystem& system = solve.system;
    system.clear();
    system.add_inertia(model_.mass, solve.x, solve.setup.target);
    for (const Energy* part : solve.energies)
        system.add(*part, weight, solve.x, moved);
    system.add(active, weight, solve.x, moved);
    if (solve.friction) system.add(*solve.friction, weight, solve.x, moved);
    std::vector<Vec3> p(moved.begin(), moved.end());
    p.resize(solve.x.size());
    if (system.free_count() == 0) return p;
    const auto found = detail::descent(factorisation_, system.hessian(), system.gradient());
    if (!found) return std::nullopt;
    const Eigen::VectorXd& solution = *found;
    decrement = system.gradient().dot(solution);
    for (std::size_t i = 0; i < p.size(); ++i) {
        const std::uint32_t row = system.free_index()[i];
        if (row == NewtonSystem::kNotFree) continue;
        const auto at = static_cast<Eigen::Index>(3 * row);
        p[i] = {-solution(at), -solution(at + 1), -solution(at + 2)};
    }
    return p;
}

Expected<BarrierResponse::Progress> BarrierResponse::iterate(Solve& solve) {
    const std::vector<Vec3> moved = solve.setup.left_to_script(solve.x);
    const bool is_scripted = !moved.empty();
    const Expected<BarrierEnergy> active = active_barrier(solve);
    if (!active) return active.error();
    const double gap = active->least_distance(solve.x);
    solve.stats.least_distance = gap;
    solve.stats.contacts = active->element_count();
    double decrement = 0.0;
    const auto p = direction(solve, *active, moved, decrement);
    if (!p) return Progress::Stuck;
    if (!is_scripted && largest(*p) <= model_.solver.newton_tolerance * size_) {
        return Progress::Converged;
    }
    ++solve.stats.iterations;
    std::vector<Vec3> end = solve.x;
    for (std::size_t i = 0; i < end.size(); ++i)
        end[i] += (*p)[i];
    solve.setup.arrive(end);
    if (options_.proposals) {
        if (auto heard = options_.proposals(solve.x, end); !heard) return heard.error();
    }
    if (auto near = find_nearby(solve, end); !near) return near.error();
    const NearPairs& nearby = *solve.nearby;
    // While scripted vertices are on their way the energy may grow: what counts is that they arrive,
    // at positions of finite energy.
    const auto value = [&](std::span<const Vec3> x) {
        const double e = energy(solve, nearby.barrier, x);
        return is_scripted && e < kInfinity ? solve.setup.script_distance(x) : e;
    };
    auto found =
        search_.search(solve.x, end, distance_, gap, value, nearby.candidates, solve.stats);
    if (!found) return found.error();
    if (found->alpha == 0.0) {
        // At the end of the accuracy of the energy there is nothing left to gain.
        constexpr double kRounding = 1e-10;
        const bool is_done = !is_scripted && found->energy < kInfinity &&
                             decrement <= kRounding * std::fabs(found->energy);
        return is_done ? Progress::Converged : Progress::Stuck;
    }
    if (options_.observer) {
        if (auto heard = options_.observer(solve.x, found->positions); !heard) return heard.error();
    }
    solve.x = std::move(found->positions);
    return Progress::Moved;
}

Expected<void> BarrierResponse::minimise(Solve& solve) {
    for (int i = 0; i < model_.solver.max_iterations; ++i) {
        if (options_.stop.stop_requested()) return Error{"stopped", ErrorCode::Cancelled};
        const auto progress = iterate(solve);
        if (!progress) return progress.error();
        if (*progress == Progress::Converged) return {};
        if (*progress == Progress::Stuck) {
            solve.stats.stuck = 1;
            return {};
        }
        // Nearer than this the barrier is so steep that rounding decides: stiffer, so that forces
        // balance farther away. From one step to the next nothing of it remains.
        constexpr double kTooNear = 1e-6;
        constexpr double kLargestFactor = 1e8;
        if (solve.stats.least_distance < kTooNear * distance_ &&
            solve.stiffness < kLargestFactor * stiffness_) {
            solve.stiffness *= 2.0;
            solve.nearby.reset();
        }
    }
    solve.stats.unfinished = 1;
    return {};
}

Expected<void> BarrierResponse::set_friction(Solve& solve) {
    if (!(model_.contact.friction > 0.0)) return {};
    const auto active = active_barrier(solve);
    if (!active) return active.error();
    solve.friction.emplace(*active, solve.x, solve.setup.start, model_.contact.friction,
                           friction_slip(model_, size_));
    return {};
}

Expected<FrameStats> BarrierResponse::step(State& state) {
    const Seconds seconds;
    const StepSetup setup(model_, state);
    const auto cloth = cloth_energies(model_, state);
    Solve solve{setup,
                {},
                std::nullopt,
                stiffness_,
                state.x,
                {},
                NewtonSystem(setup.is_prescribed, options_.threads),
                std::nullopt};
    for (const auto& part : elastic_)
        solve.energies.push_back(part.get());
    for (const auto& part : cloth)
        solve.energies.push_back(part.get());
    const int rounds = model_.contact.friction > 0.0 ? model_.contact.friction_iterations : 1;
    for (int i = 0; i < rounds; ++i) {
        if (auto set = set_friction(solve); !set) return set.error();
        if (auto done = minimise(solve); !done) return done.error();
    }
    setup.finish(model_, std::move(solve.x), state, solve.stats);
    solve.stats.seconds = seconds.since_start();
    return solve.stats;
}

}  // namespace

Expected<std::unique_ptr<Response>> make_barrier_response(const Model& model,
                                                          const ResponseOptions& options) {
    if (auto good = check_model(model); !good) return good.error();
    auto search = ContactSearch::make(model, options);
    if (!search) return search.error();
    return std::unique_ptr<Response>(
        std::make_unique<BarrierResponse>(model, options, std::move(*search)));
}

}  // namespace graze::sim
