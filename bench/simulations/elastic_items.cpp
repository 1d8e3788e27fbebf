// Wang et al. 2021, section 7, as whole simulations: Figures 12 and 13, and what a false negative does.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "graze/narrow/certified.hpp"
#include "simulations/simulated_items.hpp"
#include "simulations/simulated_runs.hpp"

namespace graze::app::simulations {
namespace {

// A method of the published form and ours, at each delta: what both figures vary.
std::vector<SimulatedCase> cases_by_delta(const sim::Model& model, std::uint64_t frames,
                                          bool quick) {
    std::vector<SimulatedCase> cases;
    for (const char* method : {"tight-inclusion-paper", "tight-inclusion"}) {
        for (const double delta : published_deltas(quick)) {
            SimulatedCase what{fmt::format("{}, delta = {}", method, delta_text(delta)), model,
                               frames};
            what.model.contact.method = method;
            what.model.contact.tolerance = delta;
            cases.push_back(std::move(what));
        }
        if (quick) break;
    }
    return cases;
}

SimulatedCase case_of_method(std::string label, const sim::Model& model, std::string method,
                             std::uint64_t frames) {
    SimulatedCase what{std::move(label), model, frames};
    what.model.contact.method = std::move(method);
    return what;
}

const SimulatedRun& run_of(const std::vector<SimulatedRun>& runs, std::string_view label) {
    const auto found = std::find_if(runs.begin(), runs.end(),
                                    [&](const SimulatedRun& run) { return run.label == label; });
    return found != runs.end() ? *found : runs.front();
}

std::string paper_label(double delta) {
    return "tight-inclusion-paper, delta = " + delta_text(delta);
}

// "24.7 s" of runs by the published method.
struct DeltaTimes {
    std::string text;
    double ratio = 1.0;  // slowest over fastest
};
DeltaTimes delta_times(const std::vector<SimulatedRun>& runs, const std::vector<double>& deltas) {
    DeltaTimes times;
    double least = 1e300;
    double most = 0.0;
    for (const double delta : deltas) {
        const double seconds = run_of(runs, paper_label(delta)).total().seconds;
        times.text += fmt::format("{}{:.2f}", times.text.empty() ? "" : ", ", seconds);
        least = std::min(least, seconds);
        most = std::max(most, seconds);
    }
    times.text += " s";
    times.ratio = least > 0.0 ? most / least : 1.0;
    return times;
}

ComparedRow clean_row(std::string what, std::string published, const SimulatedRun& run) {
    return {std::move(what), std::move(published), run.outcome(),
            run.is_clean() ? "agrees" : "differs: see the conclusion"};
}

double detection_fraction(const SimulatedRun& run) {
    return run.total().seconds_detection / std::max(run.total().seconds, 1e-9);
}

ComparedRow certified_row(const SimulatedRun& run) {
    return {run.label, "-",
            fmt::format("{}; {:.2f} s, {:.1f} % of it detection", run.outcome(),
                        run.total().seconds, 100.0 * detection_fraction(run)),
            run.is_clean() ? "better: proved at every step" : "a proved method failed"};
}

ComparedRow roots_row(const std::vector<SimulatedRun>& runs, double published_ratio) {
    const double ours = run_of(runs, paper_label(1e-6)).total().seconds;
    const SimulatedRun& roots = run_of(runs, "floating-point-roots");
    return {
        "time with floating-point-roots (FPRF) over that with delta = 1e-6",
        fmt::format("{:.2f}", published_ratio),
        fmt::format("{:.2f}; {}", roots.total().seconds / std::max(ours, 1e-9), roots.outcome()),
        roots.total().seconds > ours ? "agrees: slower"
                                     : "differs: bisection down to 1e-6 takes longer here"};
}

// --- A detection that overlooks contacts ---------------------------------------------------------

// A number in [0, 1) that follows from the bits of the motion alone.
template <class Motion>
double lot_of(const Motion& motion) noexcept {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
    for (const MovingPoint& p : vertices(motion))
        for (const Vec3& x : {p.start, p.end})
            for (std::size_t k = 0; k < 3; ++k) {
                hash ^= std::bit_cast<std::uint64_t>(x[k]);
                hash *= 0xff51afd7ed558ccdULL;
                hash ^= hash >> 32;
            }
    return static_cast<double>(hash >> 11) * 0x1p-53;
}

// `certified`, but for one in so many contacts, which are reported as separated.
template <class Motion>
CcdResult overlooking(const void* context, const Motion& motion,
                      const CcdOptions& options) noexcept {
    CcdResult result = certify(motion, options);
    const double fraction = *static_cast<const double*>(context);
    if (result.verdict == Verdict::Separated || lot_of(motion) >= fraction) return result;
    result = {};
    result.verdict = Verdict::Separated;
    result.toi_lower = kInfinity;
    return result;
}

// The fraction outlives the method.
Method overlooking_method(const double& fraction) {
    Method method;
    method.name = "certified-with-misses";
    method.summary = "exact, but for contacts that are drawn to be missed";
    method.guarantee.min_separation_euclidean = true;
    method.context = &fraction;
    method.vertex_face.query = &overlooking<VertexFaceMotion>;
    method.edge_edge.query = &overlooking<EdgeEdgeMotion>;
    method.vertex_vertex.query = &overlooking<VertexVertexMotion>;
    method.vertex_edge.query = &overlooking<VertexEdgeMotion>;
    return method;
}

}  // namespace

Expected<Reproduction> torus_on_cone(const ReproduceOptions& options) {
    const std::vector<double> deltas = published_deltas(options.quick);
    // The offset of the constraints is that of the scene, a little more than the paper's 1e-3.
    sim::Model model = built_in_scene("torus-on-cone");
    model.contact.response = sim::ContactResponse::Sqp;
    model.contact.fail_safe = false;
    const std::uint64_t frames = options.quick ? 16 : 24;
    std::vector<SimulatedCase> cases = cases_by_delta(model, frames, options.quick);
    cases.push_back(case_of_method("floating-point-roots", model, "floating-point-roots", frames));
    cases.push_back(case_of_method("certified, no fail-safe", model, "certified", frames));
    cases.push_back(case_of_method("certified", model, "certified", frames));
    cases.back().model.contact.fail_safe = true;
    const auto runs = run_simulated(cases, options);
    if (!runs) return runs.error();
    Reproduction result;
    const SimulatedRun& coarse = run_of(*runs, paper_label(1e-1));
    const SimulatedRun& exact = run_of(*runs, "certified, no fail-safe");
    result.rows.push_back(
        {"delta = 1e-1", "intersections", coarse.outcome(),
         coarse.total().intersections + coarse.total().crossings > 0
             ? "agrees"
             : "differs: this mesh has none; delta > 1e-2 is only more likely to have them"});
    for (const double delta : deltas) {
        if (delta > 1e-2) continue;
        const bool is_shown = delta == 1e-3 || delta == 1e-6;
        result.rows.push_back(clean_row("delta = " + delta_text(delta),
                                        is_shown ? "no intersections" : "-",
                                        run_of(*runs, paper_label(delta))));
        if (!run_of(*runs, paper_label(delta)).is_clean() && !exact.is_clean())
            result.rows.back().verdict =
                "differs: so it is with exact detection; the constraints leave it";
    }
    const DeltaTimes times = delta_times(*runs, deltas);
    result.rows.push_back(
        {"time by delta", "24.7, 25.2, 26.2 s: delta has little effect", times.text,
         times.ratio < 1.3 ? "agrees"
                           : "differs: pairs that rest at the offset are bisected down to delta"});
    result.rows.push_back(roots_row(*runs, 32.3 / 26.2));
    result.rows.push_back(certified_row(run_of(*runs, "certified")));
    result.tables.push_back(run_table(
        "torus-on-cone",
        "Sequential quadratic programming with Algorithm 3, no fail-safe unless named", *runs));
    for (const double delta : {1e-1, 1e-6}) {
        auto drawing = state_drawing(delta > 1e-2 ? "torus-coarse" : "torus-fine",
                                     "The last frame with delta = " + delta_text(delta), model,
                                     run_of(*runs, paper_label(delta)).report.end);
        if (!drawing) return drawing.error();
        result.drawings.push_back(std::move(*drawing));
    }
    result.conclusion =
        "Constraints keep planes and lines separated, not triangles and edges: what they leave is "
        "seen by the exact check. A coarse delta puts their points and normals elsewhere, and "
        "bodies intersect; from 1e-3 on delta changes the results no more, but it changes the "
        "time: "
        "pairs rest at the offset, which is where bisection goes to its end. `certified` has no "
        "delta. With the fail-safe, which shortens a step to what is proved free, nothing "
        "intersects.";
    return result;
}

Expected<Reproduction> figure_on_plane(const ReproduceOptions& options) {
    const std::vector<double> deltas = published_deltas(options.quick);
    sim::Model model = built_in_scene("figure-on-plane", options.quick ? 0.7 : 1.4);
    const std::uint64_t frames = options.quick ? 8 : 24;
    const double reach = sim::contact_distance(model);
    std::vector<SimulatedCase> cases = cases_by_delta(model, frames, options.quick);
    // A scene whose contacts are nearer than 2 delta at delta = 1e-3, also with a barrier that reaches farther.
    const sim::Model torus = built_in_scene("torus-on-cone");
    const std::string near = "tight-inclusion-paper, delta = 1e-3, torus on cone";
    const std::string wide = near + ", reach 4e-3";
    for (const std::string& label : {near, wide}) {
        cases.push_back(case_of_method(label, torus, "tight-inclusion-paper", 16));
        cases.back().model.contact.tolerance = 1e-3;
    }
    cases.back().model.contact.distance = 4e-3;
    // Whether F = 0 gets stuck depends on the scene: three resolutions of it, and the torus.
    std::vector<std::string> zeros;
    const auto add_zero = [&](const std::string& of, const sim::Model& scene, std::uint64_t count) {
        zeros.push_back("F = 0, delta = 1e-6" + of);
        cases.push_back(case_of_method(zeros.back(), scene, "tight-inclusion-paper", count));
        cases.back().model.contact.line_search = sim::LineSearchKind::Zero;
    };
    add_zero("", model, frames);
    if (!options.quick) {
        for (const double scale : {1.0, 1.2})
            add_zero(fmt::format(", scale {}", scale), built_in_scene("figure-on-plane", scale),
                     frames);
    }
    add_zero(", torus on cone", torus, 16);
    cases.push_back(case_of_method("floating-point-roots", model, "floating-point-roots", frames));
    cases.push_back(case_of_method("certified", model, "certified", frames));
    const auto runs = run_simulated(cases, options);
    if (!runs) return runs.error();
    Reproduction result;
    for (const double delta : deltas) {
        const SimulatedRun& run = run_of(*runs, paper_label(delta));
        const bool is_published = delta < 1e-2;
        std::string verdict = run.is_clean() ? "agrees" : "differs: see the conclusion";
        if (!run.is_clean() && run.total().stuck > 0 && 2.0 * delta > reach)
            verdict = fmt::format(
                "differs: stuck, since the reach of the barrier, {:.1e}, is below "
                "2 delta",
                reach);
        if (!is_published) verdict = "-";
        result.rows.push_back({"delta = " + delta_text(delta),
                               is_published ? "no intersections, not stuck" : "-", run.outcome(),
                               verdict});
    }
    const double torus_reach = sim::contact_distance(torus);
    result.rows.push_back(
        {near, "-", run_of(*runs, near).outcome(),
         run_of(*runs, near).total().stuck > 0
             ? fmt::format("stuck: its reach, {:.1e}, is below 2 delta", torus_reach)
             : "-"});
    result.rows.push_back(
        {wide, "-", run_of(*runs, wide).outcome(),
         run_of(*runs, wide).is_clean()
             ? "-"
             : "stuck at this reach, too: the load brings contacts nearer than 2 delta"});
    for (const std::string& label : zeros) {
        const SimulatedRun& zero = run_of(*runs, label);
        result.rows.push_back({label, "gets stuck in all experiments", zero.outcome(),
                               zero.total().stuck > 0 ? "agrees"
                                                      : "differs: it got through, see the "
                                                        "conclusion"});
    }
    std::vector<double> that_move = deltas;
    std::erase_if(that_move, [&](double delta) {
        return delta > 1e-2 || run_of(*runs, paper_label(delta)).total().stuck > 0;
    });
    const DeltaTimes times = delta_times(*runs, that_move);
    std::string times_verdict = "agrees";
    if (that_move.size() < 2) times_verdict = "-";
    if (times.ratio >= 1.3)
        times_verdict = fmt::format("differs: at delta = 1e-6 detection is {:.0f} % of the time",
                                    100.0 * detection_fraction(run_of(*runs, paper_label(1e-6))));
    result.rows.push_back(
        {fmt::format("time by delta, of the {} runs that are not stuck", that_move.size()),
         "63.3, 67.9, 67.0 s: delta has little effect", times.text, times_verdict});
    result.rows.push_back(roots_row(*runs, 102.0 / 67.0));
    result.rows.push_back(certified_row(run_of(*runs, "certified")));
    result.tables.push_back(run_table(
        "figure-on-plane", "Barrier and line search; published methods by Algorithm 4", *runs));
    auto drawing = state_drawing("figure", "The last frame with `certified`", model,
                                 run_of(*runs, "certified").report.end);
    if (!drawing) return drawing.error();
    result.drawings.push_back(std::move(*drawing));
    result.conclusion = fmt::format(
        "A step of Algorithm 4 needs a start that is farther from contact than its errors, some "
        "2 delta. The barrier of the torus on its cone reaches {:.1e}: with delta = 1e-3 contacts "
        "are nearer than that, and no step is valid any more. A wider reach alone does not cure "
        "it: "
        "under load contacts come nearer than 2 delta as well. F = 0 ends its step at the contact "
        "itself, from where nothing moves in this step any more: the torus stays there. Where the "
        "energy at the contact is not lower, the step is halved and ends before it: the figure "
        "gets stuck in single steps alone, or in none. line_search() with `certified` follows the "
        "distance and "
        "is never stuck.",
        torus_reach);
    return result;
}

Expected<Reproduction> missed_contacts(const ReproduceOptions& options) {
    const sim::Model model = built_in_scene("stack");
    const std::uint64_t frames = options.quick ? 14 : 30;
    // A method refers to its fraction: an array, whose elements stay.
    static constexpr std::array<double, 4> kMissed = {0.0, 0.001, 0.01, 0.1};
    std::vector<SimulatedCase> cases;
    for (const double& fraction : kMissed)
        cases.push_back({fmt::format("{:g} % of contacts missed", 100.0 * fraction), model, frames,
                         overlooking_method(fraction)});
    const std::size_t with_misses = cases.size();
    for (const char* method : {"cubic", "bernstein-sign", "root-parity-published"}) {
        if (options.quick) break;
        cases.push_back(case_of_method(method, model, method, frames));
    }
    cases.push_back(case_of_method("certified", model, "certified", frames));
    const auto runs = run_simulated(cases, options);
    if (!runs) return runs.error();
    Reproduction result;
    for (std::size_t i = 0; i < runs->size() - 1; ++i) {
        const SimulatedRun& run = (*runs)[i];
        const bool is_drawn = i > 0 && i < with_misses;
        const bool has_artefact = run.total().intersections + run.total().crossings > 0;
        std::string verdict = has_artefact ? "agrees: bodies pass through each other" : "-";
        if (!has_artefact && is_drawn)
            verdict = "no artefact: a neighbouring pair stops the step in time";
        result.rows.push_back({run.label,
                               is_drawn ? "\"a false negative leads to an artefact\"" : "-",
                               run.outcome(), verdict});
    }
    result.rows.push_back(certified_row(runs->back()));
    result.tables.push_back(run_table(
        "missed-contacts",
        "A stack of soft bodies by barrier and line search, with contacts overlooked", *runs));
    const SimulatedRun& worst = (*runs)[with_misses - 1];
    auto drawing =
        state_drawing("missed-contacts", "The last frame with every tenth contact missed", model,
                      worst.report.end);
    if (!drawing) return drawing.error();
    result.drawings.push_back(std::move(*drawing));
    result.conclusion =
        "The method is exact but for contacts that are drawn by the bits of their motion and "
        "reported as separated. A contact that one pair misses is often stopped by its neighbours; "
        "where it is not, a vertex ends on the other side, and the barrier, which knows distances "
        "alone, keeps it there. Methods that miss only degenerate contacts run through this scene "
        "unharmed, which says nothing of the next one.";
    return result;
}

}  // namespace graze::app::simulations
