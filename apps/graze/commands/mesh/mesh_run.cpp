#include "mesh_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/interrupt.hpp"
#include "cli/step_progress.hpp"
#include "cli/surface_warnings.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/mesh/vertex_bounds.hpp"
#include "mesh_pictures.hpp"

namespace graze::app {
namespace {

WeldedMesh welded(const io::MeshPair& pair, bool is_wanted) {
    if (!is_wanted) return {pair, std::nullopt};
    const Weld places = weld(pair.start, pair.end);
    return {{places.positions(pair.start), places.positions(pair.end), places.renamed(pair.faces),
             places.renamed(pair.edges)},
            places};
}

// How the start of the step is, as far as the impacts tell.
std::vector<std::string> start_warnings(const MeshRequest& request, const MeshOutcome& outcome) {
    if (outcome.toi_lower > 0.0) return {};
    const bool is_proved = outcome.toi_upper == 0.0;
    const bool has_separation = request.choice.options.min_separation > 0.0;
    return {fmt::format("{}: {} {} at the start: nothing of the step is free", request.start,
                        is_proved ? "parts are" : "parts may be",
                        has_separation ? "within the separation" : "touching or intersecting")};
}

std::vector<std::string> warnings_of(const MeshRequest& request, const MeshOutcome& outcome) {
    constexpr const char* kAdvice =
        " (equal at both ends: they touch unless --weld makes them one)";
    std::vector<std::string> warnings = defect_warnings(
        request.start, outcome.defects,
        {.repeated_vertices = !request.welds, .degenerate_faces = true, .duplicate_faces = true},
        kAdvice);
    if (outcome.bounds && outcome.bounds->grew) {
        warnings.push_back(fmt::format(
            "--bound {}: the step is larger, and was answered by its own bounds: {} and {}",
            text_of(request.bound), io::to_shortest(outcome.bounds->bounds.longest_edge),
            io::to_shortest(outcome.bounds->bounds.relative_displacement)));
    }
    for (std::string& warning : start_warnings(request, outcome))
        warnings.push_back(std::move(warning));
    return warnings;
}

}  // namespace

MeshRun::MeshRun(const MeshRequest& request, WeldedMesh mesh, MeshTopology topology,
                 const std::function<void(double)>& show)
    : request_(request), mesh_(std::move(mesh)), stepper_(std::move(topology)) {
    options_.method = request.method;
    options_.query = request.choice.options;
    options_.bounds = request.bound.source;
    options_.declared = request.bound.declared();
    options_.threads = static_cast<int>(request.common.threads);
    options_.progress = [show](double fraction) {
        show(fraction);
        return true;
    };
    options_.stop = stop_token();
}

std::string MeshRun::drawn(const MeshOutcome& outcome) const {
    const auto title = [&](const std::string& path) {
        return std::filesystem::path(path).filename().string() + (mesh_.weld ? ", welded" : "");
    };
    return step_svg({mesh_.pair, mesh(), outcome, options_.query.t_max, title(request_.start),
                     title(request_.end)});
}

Expected<MeshOutcome> MeshRun::step() {
    auto outcome = request_.only_first ? first_impact() : all_impacts();
    if (!outcome) return outcome;
    if (!request_.contacts.empty()) times_ = mesh_.in_file(first_times(mesh(), outcome->impacts));
    if (!request_.svg.empty()) svg_ = drawn(*outcome);
    if (!request_.html.empty()) {
        auto view = viewed(*outcome);
        if (!view) return view.error();
        view_ = *std::move(view);
    }
    for (Impact& impact : outcome->impacts)
        impact = mesh_.in_file(impact);
    if (outcome->first) outcome->first = mesh_.in_file(*outcome->first);
    return outcome;
}

template <class Answer>
Expected<void> MeshRun::keep(const Answer& answer) {
    if (request_.recording == nullptr) return {};
    return request_.recording->add(mesh(), mesh_.pair.start, mesh_.pair.end, options_, answer);
}

Expected<MeshOutcome> MeshRun::first_impact() {
    const io::MeshPair& pair = mesh_.pair;
    const auto first = unless_stopped(stepper_.first_impact(pair.start, pair.end, options_));
    if (!first) return first.error();
    if (auto kept = keep(*first); !kept) return kept.error();
    MeshOutcome outcome;
    outcome.is_all = false;
    outcome.first = first->impact;
    outcome.toi_lower = first->toi_lower;
    outcome.work = first->work;
    outcome.bounds = first->bounds;
    if (first->impact) {
        outcome.impacts = {*first->impact};
        outcome.toi_upper = first->impact->result.toi_upper;
    }
    return outcome;
}

Expected<MeshOutcome> MeshRun::all_impacts() {
    const io::MeshPair& pair = mesh_.pair;
    auto all = unless_stopped(stepper_.all_impacts(pair.start, pair.end, options_));
    if (!all) return all.error();
    if (auto kept = keep(*all); !kept) return kept.error();
    MeshOutcome outcome;
    outcome.work = all->work;
    outcome.bounds = all->bounds;
    outcome.impacts = std::move(all->impacts);
    if (all->first) outcome.first = outcome.impacts[*all->first];
    outcome.toi_lower = all->toi_lower;
    for (const Impact& impact : outcome.impacts)
        outcome.toi_upper = std::min(outcome.toi_upper, impact.result.toi_upper);
    return outcome;
}

// Wide enough for radii as large as the farthest way of a vertex.
double MeshRun::reach() const {
    if (request_.reach > 0.0) return request_.reach;
    double farthest = 0.0;
    const io::MeshPair& pair = mesh_.pair;
    for (std::size_t i = 0; i < pair.start.size(); ++i)
        farthest = std::max(farthest, norm(pair.end[i] - pair.start[i]));
    return 2.0 * (farthest + options_.query.min_separation);
}

Expected<VertexBounds> MeshRun::vertex_bounds() {
    const double within = reach();
    if (!(within > 0.0) || !is_finite(within)) {
        return Error{"nothing moves, or too far: --per-vertex needs a --reach"};
    }
    const io::MeshPair& pair = mesh_.pair;
    auto radii = unless_stopped(free_radii(stepper_, pair.start, within, options_));
    if (!radii) return radii.error();
    auto free = unless_stopped(free_fractions(stepper_, pair.start, pair.end, options_));
    if (!free) return free.error();
    return VertexBounds{*std::move(radii), std::move(free->fraction)};
}

Expected<std::string> MeshRun::bounds() {
    const auto bounds = vertex_bounds();
    if (!bounds) return bounds.error();
    return bound_lines(mesh_.in_file(bounds->radius), mesh_.in_file(bounds->fraction));
}

// With bounds where they are asked for, or cost little and can be had.
Expected<ViewObject> MeshRun::viewed(const MeshOutcome& outcome) {
    constexpr std::size_t kFewVertices = 20'000;
    const io::MeshPair& pair = mesh_.pair;
    ViewedStep step{mesh(), options_.query, pair.start, pair.end, outcome.toi_lower, {}, {}, {},
                    {},     nullptr};
    for (const Impact& impact : outcome.impacts) {
        if (outcome.first && impact == *outcome.first) step.first = step.impacts.size();
        step.impacts.push_back(verify::recorded(impact));
    }
    const bool has_norm = options_.query.min_separation == 0.0 || options_.query.norm != Norm::Max;
    if (!request_.bounds.empty() || (has_norm && mesh().vertex_count <= kFewVertices)) {
        auto bounds = vertex_bounds();
        if (stop_requested()) return stopped();
        if (bounds) step.bounds = *std::move(bounds);
    }
    auto found = unless_stopped(stepper_.intersections(pair.start, options_));
    if (!found) return found.error();
    step.intersections = *std::move(found);
    const auto candidates =
        unless_stopped(stepper_.candidates(pair.start, pair.end, 0.0, options_));
    if (!candidates) return candidates.error();
    step.candidates = &*candidates;
    const auto title = [](const std::string& path) {
        return std::filesystem::path(path).filename().string();
    };
    return mesh_view(title(request_.start) + " to " + title(request_.end), step);
}

Json bounds_json(const std::string& choice, const StepBounds& used) {
    return {{"choice", choice},
            {"longest_edge", json_number(used.bounds.longest_edge)},
            {"relative_displacement", json_number(used.bounds.relative_displacement)},
            {"grew", used.grew}};
}

Expected<SearchedStep> search_step(const MeshRequest& request,
                                   const std::function<void(double)>& show, StepWatch& watch) {
    auto pair = io::read_mesh_pair(request.start, request.end);
    if (!pair) return pair.error();
    const double seconds_read = watch.lap();
    const SurfaceDefects defects = find_defects(pair->start, pair->end, pair->faces);
    WeldedMesh mesh = welded(*pair, request.welds);
    auto topology = make_topology(mesh.pair.start.size(), mesh.pair.faces, mesh.pair.edges);
    if (!topology) return Error{request.start + ": " + topology.error().message};
    if (stop_requested()) return stopped();
    const double seconds_check = watch.lap();
    auto run = std::make_unique<MeshRun>(request, std::move(mesh), std::move(*topology), show);
    if (auto good = run->use_device(); !good) return good.error();
    Expected<MeshOutcome> outcome = run->step();
    if (!outcome) return outcome.error();
    outcome->defects = defects;
    outcome->welded = pair->start.size() - run->mesh().vertex_count;
    outcome->warnings = warnings_of(request, *outcome);
    outcome->seconds_read = seconds_read;
    outcome->seconds_check = seconds_check;
    watch.lap();
    return SearchedStep{std::move(*pair), std::move(run), std::move(*outcome)};
}

}  // namespace graze::app
