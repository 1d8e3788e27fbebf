// `graze check`: can a simulation start from a mesh?
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/output.hpp"
#include "cli/step_progress.hpp"
#include "cli/surface_warnings.hpp"
#include "commands.hpp"
#include "graze/core/orientation.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/mesh/step.hpp"
#include "graze/surface/orientation.hpp"

namespace graze::app {
namespace {

struct CheckRequest {
    std::string mesh;
    bool welds = false;
    CommonOptions common{.json = "", .threads = 0};
};

constexpr std::string_view kCheckExamples =
    "A simulation can start where no two parts of the mesh intersect or touch, except those\n"
    "that share a vertex; decided exactly. An intersection is an edge that goes from one side of "
    "a\n"
    "face to the other; all other pairs that have a point in common are touching. The least\n"
    "distance of two parts is a proved lower bound. Exit code: 0 if it can start, 3 if it cannot.\n"
    "\n"
    "Examples:\n"
    "  graze check cloth.obj\n"
    "  graze check --weld scan.ply --json -\n";

struct CheckOutcome {
    SurfaceDefects defects;
    std::size_t inside_out = 0;
    std::size_t intersections = 0;
    std::size_t touching = 0;
    std::optional<Intersection> first;
    std::optional<double> least_distance_lower;  // none: no two parts without a common vertex
    std::vector<std::string> warnings;

    [[nodiscard]] bool can_start() const noexcept { return intersections == 0 && touching == 0; }
};

io::TriangleMesh welded_file(const io::TriangleMesh& mesh) {
    const Weld places = weld(mesh.positions);
    return {places.positions(mesh.positions), places.renamed(mesh.faces),
            places.renamed(mesh.edges)};
}

bool goes_through(const MeshTopology& mesh, std::span<const Vec3> x, const Intersection& pair) {
    if (pair.kind != Intersection::Kind::EdgeFace) return false;
    const auto& [p, q] = mesh.edges[pair.a];
    const auto& [a, b, c] = mesh.faces[pair.b];
    return plane_side(x[a], x[b], x[c], x[p]) * plane_side(x[a], x[b], x[c], x[q]) < 0;
}

// The distance of the nearest parts: looked for ever farther away until there are some.
Expected<std::optional<double>> least_distance(MeshStepper& stepper, std::span<const Vec3> x,
                                               const StepOptions& options) {
    Vec3 low = x[0];
    Vec3 high = x[0];
    for (const Vec3& p : x)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    const double size = norm_one(high - low);
    if (!(size > 0.0) || !is_finite(size)) return std::optional<double>();
    // Parts that do not share a vertex are most often farther apart than the length of an edge of a
    // dense mesh: size / sqrt(n). Nothing is farther than size.
    double reach = size / (16.0 * std::sqrt(static_cast<double>(x.size())));
    for (;; reach *= 2.0) {
        const auto found = unless_stopped(stepper.clearance(x, reach, options));
        if (!found) return found.error();
        if (found->least < reach) return std::optional(found->least);
        if (reach > 2.0 * size) return std::optional<double>();
    }
}

Expected<CheckOutcome> check_mesh(const CheckRequest& request, const io::TriangleMesh& mesh) {
    auto topology = make_topology(mesh.positions.size(), mesh.faces, mesh.edges);
    if (!topology) return Error{request.mesh + ": " + topology.error().message};
    CheckOutcome outcome;
    outcome.defects = find_defects(mesh.positions, mesh.faces);
    outcome.inside_out = orientation_of(mesh.positions, mesh.faces).inside_out;
    if (stop_requested()) return stopped();
    MeshStepper stepper(std::move(*topology));
    StepOptions options;
    options.threads = static_cast<int>(request.common.threads);
    options.progress = step_progress();
    const auto found = unless_stopped(stepper.intersections(mesh.positions, options));
    if (!found) return found.error();
    for (const Intersection& pair : *found)
        ++(goes_through(stepper.topology(), mesh.positions, pair) ? outcome.intersections
                                                                  : outcome.touching);
    if (!found->empty()) {
        outcome.first = found->front();
        outcome.least_distance_lower = 0.0;
        return outcome;
    }
    const auto least = least_distance(stepper, mesh.positions, options);
    if (!least) return least.error();
    outcome.least_distance_lower = *least;
    return outcome;
}

std::string_view name_of(Intersection::Kind kind) {
    switch (kind) {
        case Intersection::Kind::EdgeFace:
            return "ef";
        case Intersection::Kind::VertexFace:
            return "vf";
        case Intersection::Kind::EdgeEdge:
            return "ee";
        case Intersection::Kind::VertexVertex:
            return "vv";
        case Intersection::Kind::VertexEdge:
            break;
    }
    return "ve";
}

Json check_json(const CheckRequest& request, const io::TriangleMesh& mesh,
                const CheckOutcome& outcome) {
    const SurfaceDefects& defects = outcome.defects;
    Json json = {{"mesh", request.mesh},
                 {"can_start", outcome.can_start()},
                 {"vertices", mesh.positions.size()},
                 {"faces", mesh.faces.size()},
                 {"intersections", outcome.intersections},
                 {"touching", outcome.touching},
                 {"repeated_vertices", defects.repeated_vertices},
                 {"unused_vertices", defects.unused_vertices},
                 {"degenerate_faces", defects.degenerate_faces},
                 {"duplicate_faces", defects.duplicate_faces},
                 {"open_edges", defects.open_edges},
                 {"non_manifold_edges", defects.non_manifold_edges},
                 {"disagreeing_edges", defects.disagreeing_edges},
                 {"components", defects.components},
                 {"inside_out_components", outcome.inside_out},
                 {"least_distance_lower", json_optional(outcome.least_distance_lower)}};
    json["first"] = outcome.first ? Json{{"kind", name_of(outcome.first->kind)},
                                         {"a", outcome.first->a},
                                         {"b", outcome.first->b}}
                                  : Json(nullptr);
    json["welded"] = request.welds;
    json["warnings"] = outcome.warnings;
    json["build"] = to_json(build_info());
    return json;
}

std::string check_text(const io::TriangleMesh& mesh, const CheckOutcome& outcome) {
    const SurfaceDefects& defects = outcome.defects;
    std::string text = fmt::format(
        "mesh        {}, {}, {}\n"
        "edges       {} open, {} of more than two faces, {} of two that disagree\n"
        "start       {}, {} touching\n",
        counted(mesh.positions.size(), "vertex", "vertices"),
        counted(mesh.faces.size(), "face", "faces"),
        counted(defects.components, "component", "components"), defects.open_edges,
        defects.non_manifold_edges, defects.disagreeing_edges,
        counted(outcome.intersections, "intersection", "intersections"),
        counted(outcome.touching, "pair", "pairs"));
    if (outcome.first) {
        text += fmt::format("first       {} {} {}\n", name_of(outcome.first->kind),
                            outcome.first->a, outcome.first->b);
    }
    if (outcome.least_distance_lower) {
        text += fmt::format("distance    at least {}\n",
                            io::to_shortest(*outcome.least_distance_lower));
    }
    return text + fmt::format("can start   {}\n", outcome.can_start() ? "yes" : "no");
}

Expected<ExitCode> run_check(const CheckRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    auto mesh = io::read_mesh(request.mesh);
    if (!mesh) return mesh.error();
    if (request.welds) mesh = welded_file(*mesh);
    auto outcome = check_mesh(request, *mesh);
    if (!outcome) return outcome.error();
    outcome->warnings = defect_warnings(
        request.mesh, outcome->defects,
        {.repeated_vertices = true, .degenerate_faces = true, .duplicate_faces = true},
        " (they touch unless --weld makes them one)");
    if (outcome->inside_out > 0) {
        outcome->warnings.push_back(request.mesh + ": " +
                                    counted(outcome->inside_out, "component is", "components are") +
                                    " inside out");
    }
    if (auto written = json->write(check_json(request, *mesh, *outcome)); !written) {
        return written.error();
    }
    warn(outcome->warnings);
    const ExitCode code = outcome->can_start() ? ExitCode::Success : ExitCode::Contact;
    if (json->owns_stdout()) return code;
    return succeeded(print_report(check_text(*mesh, *outcome)), code);
}

}  // namespace

Command add_check_command(App& app) {
    App* sub = app.add_command("check", "Say whether a simulation can start from a mesh");
    const auto request = std::make_shared<CheckRequest>();
    sub->add_option("MESH", request->mesh, "OBJ, PLY or STL, plain or .gz")
        ->required()
        ->type_name("");
    sub->add_flag("--weld", request->welds,
                  "Take vertices at the same place for one, as exporters double them");
    add_common_options(*sub, request->common);
    sub->footer(std::string(kCheckExamples));
    sub->callback([request] { check_places({{"--json", request->common.json}}, {request->mesh}); });
    return {sub, [request] { return run_check(*request); }};
}

}  // namespace graze::app
