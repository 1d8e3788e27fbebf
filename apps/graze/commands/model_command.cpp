// `graze model`: writes one of our own rigid bodies, to try `graze rigid` with.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "commands.hpp"
#include "commands/mesh/mesh_output.hpp"
#include "graze/generate/models.hpp"
#include "graze/surface/faces.hpp"

namespace graze::app {
namespace {

struct ModelRequest {
    std::string name;
    std::string out;
    std::uint32_t faces = 0;
    CommonOptions common;
    // Filled once the command line is understood.
    MeshForm form = MeshForm::Obj;
};

constexpr std::string_view kModelExamples =
    "Models are closed; their polygons run counterclockwise as seen from outside. Coordinates are\n"
    "written so that they read back to the same doubles.\n"
    "\n"
    "Examples:\n"
    "  graze model car --out car.obj\n"
    "  graze model torus --faces 100000 --out torus.ply\n";

std::string model_list() {
    return fmt::format("{}", fmt::join(generate::model_names(), ", "));
}

Expected<void> write_model(const ModelRequest& request, const io::PolygonMesh& mesh,
                           OutputFile& out) {
    const std::string comment = "graze model " + request.name;
    if (request.form == MeshForm::Ply) return out.write(to_ply(mesh, comment));
    ShareProgress progress(terminal_screen("writing the model"));
    return to_obj(mesh, comment, [&](std::string_view piece, double share) {
        if (stop_requested()) return Expected<void>(stopped());
        progress.show(share);
        return out.write(piece);
    });
}

Expected<void> run_model(const ModelRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    auto out = OutputFile::create(request.out);
    if (!out) return out.error();
    const bool owns_stdout = json->owns_stdout() || out->owns_stdout();
    const auto mesh = generate::model(request.name, request.faces, stop_token());
    if (!mesh) return mesh.error();
    if (auto written = write_model(request, *mesh, *out); !written) return written;
    OutputBatch files;
    if (auto added = files.add(std::move(*out)); !added) return added;
    const Json summary = {{"model", request.name},
                          {"out", request.out},
                          {"vertices", mesh->positions.size()},
                          {"faces", mesh->polygons.size()},
                          {"build", to_json(build_info())}};
    if (auto written = json->write(summary, files); !written) return written;
    if (stop_requested()) return stopped();
    if (auto finished = files.finish(); !finished) return finished;
    if (owns_stdout) return {};
    return print_report(fmt::format("{}: {}, {}\n", printable(request.out),
                                    counted(mesh->positions.size(), "vertex", "vertices"),
                                    counted(mesh->polygons.size(), "face", "faces")));
}

void check_request(ModelRequest& request) {
    const auto names = generate::model_names();
    if (std::find(names.begin(), names.end(), request.name) == names.end()) {
        fail_usage(
            fmt::format("there is no model '{}'; there are: {}", request.name, model_list()));
    }
    request.form = mesh_form_of("--out", request.out);
    check_places({{"--out", request.out}, {"--json", request.common.json}}, {});
}

}  // namespace

Command add_model_command(App& app) {
    App* sub = app.add_command("model", "Write a rigid body to try `graze rigid` with");
    const auto request = std::make_shared<ModelRequest>();
    sub->add_option("NAME", request->name, model_list())->required()->type_name("");
    sub->add_option("--out", request->out, "The file to write: OBJ, or PLY for .ply")
        ->required()
        ->type_name("FILE.obj|FILE.ply|-");
    add_natural_option(*sub, "--faces", request->faces,
                       "About that many faces, where the model can; 0: its usual number",
                       {0, generate::kMaxModelFaces});
    add_json_option(*sub, request->common);
    sub->footer(std::string(kModelExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return succeeded(run_model(*request)); }};
}

}  // namespace graze::app
