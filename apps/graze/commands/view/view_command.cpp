// `graze view`: files of any kind as one page for a browser.
#include "view_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "commands/mesh/mesh_run.hpp"
#include "graze/io/binary_form.hpp"
#include "graze/io/byte_reader.hpp"
#include "graze/io/embedded.hpp"
#include "query_view.hpp"
#include "recording_view.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kViewExamples =
    "FILE is a query file (CSV, CSV.gz, .gzq), a recording (.gzr) or a mesh (OBJ, PLY, STL). "
    "Meshes\n"
    "are the ends of a step, each with the next; with --poses two rigid bodies; with --moves a "
    "level.\n"
    "Without FILE: the data set that is built in. The page needs nothing but itself: no server, "
    "no\n"
    "network.\n"
    "\n"
    "Examples:\n"
    "  graze view\n"
    "  graze view start.obj end.obj --out step.html\n"
    "  graze view run.gzr\n"
    "  graze view --kind vf queries.csv\n"
    "  graze view a.obj b.obj --poses step.json\n"
    "  graze view stairs.obj --moves moves.json\n";

struct ViewRequest {
    std::vector<std::string> files;
    std::optional<QueryKind> kind;
    std::string poses;
    std::string moves;
    std::string out = "graze.html";
    CommonOptions common{.json = "", .threads = 0};
};

using Views = std::vector<ViewObject>;

enum class FileKind : std::uint8_t { Queries, Mesh, Recording, Unknown };

std::string lower_name(const std::string& path) {
    std::string lower = fs::path(path).filename().string();
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    if (lower.ends_with(".gz")) lower.resize(lower.size() - 3);
    return lower;
}

FileKind file_kind_of(const std::string& path) {
    if (io::is_recording(path)) return FileKind::Recording;
    const std::string name = lower_name(path);
    const auto ends = [&](std::initializer_list<std::string_view> endings) {
        return std::any_of(endings.begin(), endings.end(),
                           [&](std::string_view ending) { return name.ends_with(ending); });
    };
    if (ends({".obj", ".ply", ".stl"})) return FileKind::Mesh;
    if (ends({".csv", ".gzq"})) return FileKind::Queries;
    return FileKind::Unknown;
}

// What a binary file states; nothing of any other.
Expected<std::optional<QueryKind>> stated_kind(const std::string& path) {
    auto reader = io::ByteReader::open(path);
    if (!reader) return reader.error();
    std::array<unsigned char, io::binary_form::kHeaderSize> head{};
    const bool is_binary =
        reader->read(head) == head.size() &&
        std::equal(io::binary_form::kMagic.begin(), io::binary_form::kMagic.end(), head.begin());
    const std::size_t kind = head[io::binary_form::kMagic.size() + 4];
    if (!is_binary || kind >= kAllQueryKinds.size()) return std::optional<QueryKind>();
    return std::optional(kAllQueryKinds[kind]);
}

// As asked for, as the file states, or as its name does: "326vf.csv", "vertex-face/a.csv".
Expected<QueryKind> kind_of_file(const ViewRequest& request, const std::string& path) {
    if (request.kind) return *request.kind;
    const auto stated = stated_kind(path);
    if (!stated) return stated.error();
    if (*stated) return **stated;
    const std::string stem = fs::path(lower_name(path)).stem().string();
    const std::string folder = fs::path(path).parent_path().filename().string();
    for (const QueryKind kind : kAllQueryKinds)
        if (stem.ends_with(short_name(kind)) || folder == long_name(kind)) return kind;
    return Error{path + ": name the kind of its queries: --kind vf, ee, vv or ve"};
}

Expected<void> add_queries(const ViewRequest& request, const std::string& path, Views& views) {
    const auto kind = kind_of_file(request, path);
    if (!kind) return kind.error();
    io::QuerySource source;
    source.kind = *kind;
    source.queries = path;
    QueryInput input = input_from(source);
    input.name = fs::path(path).filename().string();
    auto view = query_view(input, {{}, request.common.threads, {}});
    if (!view) return view.error();
    views.push_back(*std::move(view));
    return {};
}

Expected<void> add_embedded(const ViewRequest& request, Views& views) {
    for (const io::EmbeddedSet& set : io::embedded_sets()) {
        QueryInput input = input_from(set);
        input.name = fmt::format("{}, {}", set.group, long_name(set.kind));
        auto view = query_view(input, {{}, request.common.threads, {}});
        if (!view) return view.error();
        views.push_back(*std::move(view));
    }
    return {};
}

Expected<void> add_step(const ViewRequest& request, const std::string& start,
                        const std::string& end, Views& views) {
    MeshRequest step;
    step.start = start;
    step.end = end;
    step.html = request.out;
    step.common.threads = request.common.threads;
    step.method = make_certified();
    StepWatch watch;
    const auto progress = std::make_shared<ShareProgress>(terminal_screen("searching pairs"));
    auto searched = search_step(
        step, [progress](double fraction) { progress->show(fraction); }, watch);
    if (!searched) return searched.error();
    warn(searched->outcome.warnings);
    views.push_back(*searched->run->view());
    return {};
}

// Meshes one after the other are frames; what else there is stands for itself.
Expected<void> add_file(const ViewRequest& request, std::size_t index, Views& views) {
    const std::string& path = request.files[index];
    switch (file_kind_of(path)) {
        case FileKind::Queries:
            return add_queries(request, path, views);
        case FileKind::Recording: {
            auto of_recording = recording_views(path);
            if (!of_recording) return of_recording.error();
            views.insert(views.end(), of_recording->begin(), of_recording->end());
            return {};
        }
        case FileKind::Mesh: {
            const auto is_mesh = [&](std::size_t i) {
                return i < request.files.size() && file_kind_of(request.files[i]) == FileKind::Mesh;
            };
            if (is_mesh(index + 1)) return add_step(request, path, request.files[index + 1], views);
            const bool is_end = index > 0 && is_mesh(index - 1);
            return is_end ? Expected<void>() : add_step(request, path, path, views);
        }
        case FileKind::Unknown:
            break;
    }
    return Error{
        path + ": is neither a query file (.csv, .gzq), a recording nor a mesh (.obj, .ply, .stl)"};
}

Expected<Views> views_of(const ViewRequest& request) {
    Views views;
    if (!request.poses.empty()) {
        auto view = rigid_view(request.files[0], request.files[1], request.poses);
        if (!view) return view.error();
        return Views{*std::move(view)};
    }
    if (!request.moves.empty()) {
        auto view = slide_view(request.files[0], request.moves);
        if (!view) return view.error();
        return Views{*std::move(view)};
    }
    if (request.files.empty()) {
        if (auto added = add_embedded(request, views); !added) return added.error();
    }
    for (std::size_t i = 0; i < request.files.size(); ++i)
        if (auto added = add_file(request, i, views); !added) return added.error();
    return views;
}

std::string page_title_of(const ViewRequest& request) {
    if (request.files.empty()) return "graze: the data set that is built in";
    std::string title = fs::path(request.files.front()).filename().string();
    if (request.files.size() > 1) title += fmt::format(" and {} more", request.files.size() - 1);
    return title;
}

Expected<ExitCode> run_view(const ViewRequest& request) {
    auto out = create_page_file(request.out);
    if (!out) return out.error();
    const auto views = views_of(request);
    if (!views) return views.error();
    if (stop_requested()) return stopped();
    OutputBatch batch;
    if (auto added = add_page(batch, *out, page_title_of(request), *views); !added)
        return added.error();
    if (auto finished = batch.finish(); !finished) return finished.error();
    if (owns_stdout(*out)) return ExitCode::Success;
    return succeeded(
        print_report(fmt::format("{}: {}; open it in a browser\n", printable(request.out),
                                 counted(views->size(), "view", "views"))));
}

void check_view_request(const ViewRequest& request) {
    if (!request.poses.empty() && !request.moves.empty())
        fail_usage("--poses is for two rigid bodies, --moves for a level: name one");
    if (!request.poses.empty() && request.files.size() != 2)
        fail_usage("--poses needs two bodies: graze view A.obj B.obj --poses POSES.json");
    if (!request.moves.empty() && request.files.size() != 1)
        fail_usage("--moves needs one level: graze view LEVEL.obj --moves MOVES.json");
    std::vector<std::string> inputs = request.files;
    inputs.push_back(request.poses);
    inputs.push_back(request.moves);
    check_places({{"--out", request.out}}, inputs);
}

}  // namespace

Command add_view_command(App& app) {
    App* sub = app.add_command("view", "Show files in a page for a browser");
    const auto request = std::make_shared<ViewRequest>();
    sub->add_option("FILE", request->files,
                    "Queries, meshes, recordings; none: the data set built in")
        ->type_name("");
    sub->add_option("--out", request->out, "The page")->type_name("FILE.html|-");
    add_kind_option(*sub, request->kind);
    sub->add_option("--poses", request->poses, "FILEs are two rigid bodies that move like this")
        ->type_name("POSES.json");
    sub->add_option("--moves", request->moves, "FILE is a level in which a ball moves like this")
        ->type_name("MOVES.json");
    add_natural_option(*sub, "--threads", request->common.threads,
                       "Number of threads; 0 means all cores", {0, 1024});
    sub->footer(std::string(kViewExamples));
    sub->callback([request] { check_view_request(*request); });
    return {sub, [request] { return run_view(*request); }};
}

}  // namespace graze::app
