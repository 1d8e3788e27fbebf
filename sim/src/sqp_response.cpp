// Implicit Euler as a sequence of quadratic programs. Each minimises the quadratic model of
//   E(x) = 1/2 |x - y|_M^2 + dt^2 (elastic + friction)
// subject to the linear constraints n . sum_i c_i x_i >= offset of all pairs that Algorithm 3 found on
// the line from the start of the step to the last iterate; pairs are added, never removed. As the
// constraints extend faces to planes and edges to lines, a step that satisfies them may still come into
// contact: then it is shortened to where that is proved not to happen (ContactOptions::fail_safe).
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "contact_search.hpp"
#include "graze/sim/barrier.hpp"
#include "graze/sim/qp.hpp"
#include "graze/sim/response.hpp"
#include "step_setup.hpp"

namespace graze::sim {
namespace {

struct GapConstraint {
    ContactPair pair;
    std::array<double, 4> weight{};
    Vec3 normal{};
    double offset = 0.0;
    double force = 0.0;  // of the last program
};

std::array<double, 4> weights_of(QueryKind kind, const ContactPoint& c) {
    switch (kind) {
        case QueryKind::VertexFace:
            return {1.0, -(1.0 - c.u - c.v), -c.u, -c.v};
        case QueryKind::EdgeEdge:
            return {1.0 - c.u, c.u, -(1.0 - c.v), -c.v};
        case QueryKind::VertexEdge:
            return {1.0, -(1.0 - c.u), -c.u, 0.0};
        case QueryKind::VertexVertex:
            break;
    }
    return {1.0, -1.0, 0.0, 0.0};
}

double gap(const GapConstraint& c, std::span<const Vec3> x) {
    Vec3 w{};
    const auto vertices = c.pair.vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i)
        w += c.weight[i] * x[vertices[i]];
    return dot(c.normal, w) - c.offset;
}

class SqpResponse final : public Response {
public:
    SqpResponse(const Model& model, const ResponseOptions& options, ContactSearch search)
        : model_(model),
          options_(options),
          search_(std::move(search)),
          elastic_(elastic_energies(model)),
          size_(model_size(model)),
          offset_(contact_distance(model)) {}

    [[nodiscard]] Expected<FrameStats> step(State& state) override;

private:
    using PairKey = std::tuple<QueryKind, std::uint32_t, std::uint32_t>;
    struct Solve {
        const StepSetup& setup;
        std::vector<const Energy*> energies;
        std::map<PairKey, GapConstraint> constraints;
        std::optional<FrictionEnergy> friction;
        std::vector<Vec3> x;
        FrameStats stats;
        bool is_cut = false;  // the last program was not complete
    };

    [[nodiscard]] double energy(const Solve& solve, std::span<const Vec3> x) const;
    // The displacement of the program at x; nothing where it cannot be solved.
    [[nodiscard]] std::optional<std::vector<Vec3>> direction(Solve& solve) const;
    // How far along it the energy with the violations of the constraints decreases.
    [[nodiscard]] std::vector<Vec3> advanced(const Solve& solve, const std::vector<Vec3>& p) const;
    [[nodiscard]] Expected<bool> add_constraints(Solve& solve);
    void set_friction(Solve& solve) const;
    [[nodiscard]] Expected<void> minimise(Solve& solve);
    [[nodiscard]] Expected<void> make_safe(Solve& solve);

    const Model& model_;
    ResponseOptions options_;
    ContactSearch search_;
    std::vector<std::unique_ptr<Energy>> elastic_;
    double size_;
    double offset_;
};

double SqpResponse::energy(const Solve& solve, std::span<const Vec3> x) const {
    double potential = 0.0;
    for (const Energy* part : solve.energies)
        potential += total_value(*part, x, options_.threads);
    if (solve.friction) potential += total_value(*solve.friction, x, options_.threads);
    return solve.setup.inertia(model_, x) + model_.solver.dt * model_.solver.dt * potential;
}

std::optional<std::vector<Vec3>> SqpResponse::direction(Solve& solve) const {
    const double weight = model_.solver.dt * model_.solver.dt;
    std::vector<Vec3> p = solve.setup.left_to_script(solve.x);
    NewtonSystem system(solve.setup.is_prescribed, options_.threads);
    system.add_inertia(model_.mass, solve.x, solve.setup.target);
    for (const Energy* part : solve.energies)
        system.add(*part, weight, solve.x, p);
    if (solve.friction) system.add(*solve.friction, weight, solve.x, p);
    p.resize(solve.x.size());
    if (system.free_count() == 0) return p;
    std::vector<QpConstraint> rows;
    for (const auto& entry : solve.constraints) {
        const GapConstraint& c = entry.second;
        QpConstraint row;
        row.bound = -gap(c, solve.x);
        const auto vertices = c.pair.vertices();
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            const std::uint32_t at = system.free_index()[vertices[i]];
            if (at == NewtonSystem::kNotFree)
                row.bound -= c.weight[i] * dot(c.normal, p[vertices[i]]);
            for (std::size_t k = 0; k < 3 && at != NewtonSystem::kNotFree; ++k)
                row.a.emplace_back(static_cast<int>(3 * at + k), c.weight[i] * c.normal[k]);
        }
        rows.push_back(std::move(row));
    }
    const QpResult result = solve_qp(system.hessian(), system.gradient(), rows, options_.stop);
    solve.is_cut = !result.is_complete;
    if (!result.is_definite || !result.x.allFinite()) return std::nullopt;
    Eigen::Index number = 0;
    for (auto& entry : solve.constraints)
        entry.second.force = result.multipliers(number++) / weight;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const std::uint32_t row = system.free_index()[i];
        if (row == NewtonSystem::kNotFree) continue;
        const auto at = static_cast<Eigen::Index>(3 * row);
        p[i] = {result.x(at), result.x(at + 1), result.x(at + 2)};
    }
    return p;
}

// A merit function with exact penalties: twice the largest multiplier is enough for a descent.
std::vector<Vec3> SqpResponse::advanced(const Solve& solve, const std::vector<Vec3>& p) const {
    const double weight = model_.solver.dt * model_.solver.dt;
    double penalty = 0.0;
    for (const auto& entry : solve.constraints)
        penalty = std::max(penalty, 2.0 * weight * entry.second.force);
    const auto merit = [&](std::span<const Vec3> x) {
        double value = energy(solve, x);
        for (const auto& entry : solve.constraints)
            value += penalty * std::max(0.0, -gap(entry.second, x));
        return value;
    };
    const double now = merit(solve.x);
    std::vector<Vec3> x;
    constexpr int kHalvings = 8;
    double alpha = 1.0;
    for (int i = 0; i <= kHalvings; ++i, alpha *= 0.5) {
        x = solve.x;
        for (std::size_t v = 0; v < x.size(); ++v)
            x[v] += alpha * p[v];
        solve.setup.arrive(x);
        if (merit(x) < now) break;
    }
    return x;
}

// True where there are pairs that were not there before.
Expected<bool> SqpResponse::add_constraints(Solve& solve) {
    const auto found = search_.constraints(solve.setup.start, solve.x, offset_, solve.stats);
    if (!found) return found.error();
    bool is_new = false;
    for (const ActiveConstraint& active : found->constraints) {
        const Impact& impact = active.impact;
        const PairKey key{impact.kind, impact.a, impact.b};
        if (solve.constraints.contains(key)) continue;
        GapConstraint c;
        c.pair.kind = impact.kind;
        c.pair.v = vertices_of_pair(model_.surface, impact.kind, impact.a, impact.b);
        c.weight = weights_of(impact.kind, active.contact);
        c.normal = active.contact.normal;
        c.offset = offset_;
        if (!model_.radius.empty()) c.offset += thickness_of(model_, c.pair);
        if (c.normal == Vec3{}) continue;
        solve.constraints.emplace(key, c);
        is_new = true;
    }
    return is_new;
}

void SqpResponse::set_friction(Solve& solve) const {
    if (!(model_.contact.friction > 0.0)) return;
    std::vector<FrictionContact> contacts;
    for (const auto& entry : solve.constraints)
        contacts.push_back(
            {entry.second.pair, entry.second.weight, entry.second.normal, entry.second.force});
    solve.friction.emplace(contacts, solve.setup.start, model_.contact.friction,
                           friction_slip(model_, size_));
}

Expected<void> SqpResponse::minimise(Solve& solve) {
    for (int i = 0; i < model_.solver.max_iterations; ++i) {
        if (options_.stop.stop_requested()) return Error{"stopped", ErrorCode::Cancelled};
        const auto p = direction(solve);
        if (!p) {
            solve.stats.stuck = 1;
            return {};
        }
        ++solve.stats.iterations;
        double most = 0.0;
        for (const Vec3& d : *p)
            most = std::max(most, norm_max(d));
        if (options_.proposals && i == 0) {
            std::vector<Vec3> end = solve.x;
            for (std::size_t v = 0; v < end.size(); ++v)
                end[v] += (*p)[v];
            if (auto heard = options_.proposals(solve.x, end); !heard) return heard.error();
        }
        solve.x = advanced(solve, *p);
        // Constraints that contradict each other lead away, where ever more of them are found.
        if (solve.is_cut) break;
        const auto is_new = add_constraints(solve);
        if (!is_new) return is_new.error();
        if (!*is_new && most <= model_.solver.newton_tolerance * size_) return {};
        // Forces and tangents are lagged: updated for ever, they would never settle.
        if (*is_new || i <= model_.contact.friction_iterations) set_friction(solve);
    }
    if (options_.stop.stop_requested()) return Error{"stopped", ErrorCode::Cancelled};
    solve.stats.unfinished = 1;
    return {};
}

Expected<void> SqpResponse::make_safe(Solve& solve) {
    if (!model_.contact.fail_safe) return {};
    const Seconds seconds;
    StepOptions exact = search_.options();
    exact.method = make_certified();
    const auto safe = largest_safe_step(search_.stepper(), solve.setup.start, solve.x, exact);
    solve.stats.seconds_detection += seconds.since_start();
    if (!safe) return safe.error();
    if (safe->fraction < 1.0) ++solve.stats.fail_safes;
    if (safe->fraction == 0.0) solve.stats.stuck = 1;
    solve.x = safe->positions;
    return {};
}

Expected<FrameStats> SqpResponse::step(State& state) {
    const Seconds seconds;
    const StepSetup setup(model_, state);
    const auto cloth = cloth_energies(model_, state);
    Solve solve{setup, {}, {}, std::nullopt, state.x, {}};
    for (const auto& part : elastic_)
        solve.energies.push_back(part.get());
    for (const auto& part : cloth)
        solve.energies.push_back(part.get());
    if (auto done = minimise(solve); !done) return done.error();
    if (auto done = make_safe(solve); !done) return done.error();
    if (options_.observer) {
        if (auto heard = options_.observer(setup.start, solve.x); !heard) return heard.error();
    }
    solve.stats.contacts = solve.constraints.size();
    setup.finish(model_, std::move(solve.x), state, solve.stats);
    solve.stats.seconds = seconds.since_start();
    return solve.stats;
}

}  // namespace

Expected<std::unique_ptr<Response>> make_sqp_response(const Model& model,
                                                      const ResponseOptions& options) {
    if (auto good = check_model(model); !good) return good.error();
    auto search = ContactSearch::make(model, options);
    if (!search) return search.error();
    return std::unique_ptr<Response>(
        std::make_unique<SqpResponse>(model, options, std::move(*search)));
}

}  // namespace graze::sim
