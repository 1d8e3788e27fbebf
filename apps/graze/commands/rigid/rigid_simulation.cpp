#include "rigid_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "graze/verify/parallel.hpp"
#include "rigid_scenes.hpp"

namespace graze::app {
namespace {

// What is counted over all steps.
struct SimulationTotals {
    std::uint64_t steps = 0;
    std::uint64_t impacts = 0;
    std::uint64_t unresolved = 0;  // of these, neither contact nor separation was proved
    std::uint64_t searches = 0;
    std::uint64_t searched = 0;
    std::uint64_t shortened = 0;
    std::uint64_t stopped = 0;
    std::uint64_t most_contacts = 0;
    std::uint64_t pairs_proved = 0;
    std::uint64_t states_proved = 0;
    std::uint64_t states_not_proved = 0;
    std::uint64_t states_overlapping = 0;
    std::size_t asleep = 0;
    std::size_t in_contact = 0;
    double peak_energy = 0.0;
    double last_energy = 0.0;
    double seconds = 0.0;
};

void count_step(SimulationTotals& totals, const rigid::DynamicsReport& report, double energy) {
    ++totals.steps;
    totals.impacts += report.impacts.size();
    for (const rigid::PairImpact& impact : report.impacts)
        totals.unresolved += impact.result.verdict == Verdict::Unresolved ? 1 : 0;
    totals.searches += report.searches;
    totals.searched += report.searched;
    totals.shortened += report.shortened;
    totals.stopped += report.stopped;
    totals.most_contacts = std::max<std::uint64_t>(totals.most_contacts, report.contacts);
    totals.asleep = report.asleep;
    totals.peak_energy = std::max(totals.peak_energy, energy);
    totals.last_energy = energy;
}

void count_check(SimulationTotals& totals, const rigid::StateCheck& check) {
    totals.pairs_proved += check.proved;
    if (check.overlapping > 0) {
        ++totals.states_overlapping;
    } else if (check.not_proved > 0) {
        ++totals.states_not_proved;
    } else {
        ++totals.states_proved;
    }
}

constexpr std::string_view kStatesHeader = "step,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,asleep\n";

// Numbers are the shortest that read back to the same doubles.
std::string state_text(const rigid::Dynamics& dynamics, std::uint64_t step) {
    std::string text;
    for (rigid::BodyId i = 0; i < dynamics.size(); ++i) {
        const Pose& pose = dynamics.pose(i);
        const rigid::BodyVelocity& v = dynamics.velocity(i);
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", step, i,
                            pose.translation.x, pose.translation.y, pose.translation.z,
                            pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z,
                            v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y,
                            v.angular.z, dynamics.is_asleep(i) ? 1 : 0);
    }
    return text;
}

Expected<std::optional<OutputFile>> states_file(const std::string& folder) {
    if (folder.empty()) return std::optional<OutputFile>();
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return Error{folder + ": " + failed.message(), ErrorCode::CannotWrite};
    return create_if_named((std::filesystem::path(folder) / "states.csv").string(), kStatesHeader);
}

std::size_t dynamic_bodies(const RigidScene& scene) {
    return static_cast<std::size_t>(std::count_if(
        scene.bodies.begin(), scene.bodies.end(),
        [](const rigid::DynamicBody& body) { return body.kind == rigid::BodyKind::Dynamic; }));
}

Json simulation_json(const SimulationRequest& request, const RigidScene& scene,
                     const rigid::Dynamics& dynamics, const SimulationTotals& t) {
    const auto if_checked = [&](std::uint64_t count) {
        return request.check ? Json(count) : Json(nullptr);
    };
    return {{"scene", scene.name},
            {"bodies", scene.bodies.size()},
            {"dynamic_bodies", dynamic_bodies(scene)},
            {"steps", t.steps},
            {"time_step", scene.options.time_step},
            {"separation", json_number(dynamics.separation())},
            {"resting_gap", json_number(dynamics.resting_gap())},
            {"impacts", t.impacts},
            {"impacts_unresolved", t.unresolved},
            {"searches", t.searches},
            {"pairs_searched", t.searched},
            {"shortened", t.shortened},
            {"stopped", t.stopped},
            {"most_contacts", t.most_contacts},
            {"asleep", t.asleep},
            {"in_contact", t.in_contact},
            {"kinetic_energy", json_number(t.last_energy)},
            {"peak_kinetic_energy", json_number(t.peak_energy)},
            {"checked", request.check},
            {"states_proved", if_checked(t.states_proved)},
            {"states_not_proved", if_checked(t.states_not_proved)},
            {"states_overlapping", if_checked(t.states_overlapping)},
            {"pairs_proved", if_checked(t.pairs_proved)},
            {"seconds", t.seconds},
            {"threads", verify::threads_used(request.common.threads)},
            {"build", to_json(build_info())}};
}

std::string simulation_text(const SimulationRequest& request, const RigidScene& scene,
                            const SimulationTotals& t) {
    const double fraction = t.peak_energy > 0.0 ? t.last_energy / t.peak_energy : 0.0;
    std::string text = fmt::format("{}: {} bodies, {} steps, every motion proved free\n",
                                   scene.name, scene.bodies.size(), t.steps);
    text += fmt::format("in contact   {} of {} bodies that move, {} asleep\n", t.in_contact,
                        dynamic_bodies(scene), t.asleep);
    text += fmt::format("energy       {:.6g} kinetic, {:.3g} % of its peak\n", t.last_energy,
                        100.0 * fraction);
    text += fmt::format(
        "impacts      {} on proposed motions ({} unresolved), {} bodies shortened, "
        "{} stopped\n",
        t.impacts, t.unresolved, t.shortened, t.stopped);
    if (request.check) {
        text +=
            fmt::format("states       {} proved free ({} pairs), {} not proved, {} overlapping\n",
                        t.states_proved, t.pairs_proved, t.states_not_proved, t.states_overlapping);
    }
    text += fmt::format("{:.2f} s\n", t.seconds);
    return text;
}

Expected<RigidScene> named_scene(const SimulationRequest& request) {
    const bool is_file = request.scene.find_first_of("./") != std::string::npos;
    if (is_file) return read_rigid_scene(request.scene);
    return built_in_scene(request.scene, request.bodies, request.seed);
}

Expected<RigidScene> scene_of_request(const SimulationRequest& request) {
    auto scene = named_scene(request);
    if (!scene) return scene.error();
    if (request.steps > 0) scene->steps = request.steps;
    scene->options.threads = verify::threads_used(request.common.threads);
    scene->options.impact.stop = stop_token();
    return scene;
}

}  // namespace

Expected<ExitCode> run_rigid_simulation(const SimulationRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    const auto scene = scene_of_request(request);
    if (!scene) return scene.error();
    auto dynamics = dynamics_of(*scene);
    if (!dynamics) return Error{scene->name + ": " + dynamics.error().message};
    auto states = states_file(request.out);
    if (!states) return states.error();
    const std::uint64_t every =
        request.every > 0 ? request.every : std::max<std::uint64_t>(1, scene->steps / 100);
    SimulationTotals totals;
    Progress progress(ProgressTotal{scene->steps}, terminal_screen("stepping"));
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t step = 1; step <= scene->steps; ++step) {
        const auto report = dynamics->step();
        if (stop_requested()) return stopped();
        if (!report) return Error{scene->name + ": " + report.error().message};
        count_step(totals, *report, dynamics->kinetic_energy());
        if (request.check) count_check(totals, dynamics->check());
        if (*states && step % every == 0) {
            if (auto written = (*states)->write(state_text(*dynamics, step)); !written)
                return written.error();
        }
        progress.advance(1);
    }
    totals.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    totals.in_contact = dynamics->bodies_in_contact();
    progress.hide();
    OutputBatch batch;
    if (auto added = batch.add(*states, ""); !added) return added.error();
    if (auto written = json->write(simulation_json(request, *scene, *dynamics, totals), batch);
        !written) {
        return written.error();
    }
    if (auto finished = batch.finish(); !finished) return finished.error();
    if (json->owns_stdout()) return ExitCode::Success;
    return succeeded(print_report(simulation_text(request, *scene, totals)));
}

}  // namespace graze::app
