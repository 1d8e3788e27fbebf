#include "slide_world_command.hpp"

#include <fmt/format.h>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/moves_file.hpp"
#include "cli/surface_warnings.hpp"
#include "graze/io/mesh_file.hpp"
#include "pictures/slide_pictures.hpp"

namespace graze::app {
namespace {

// Of a character without one: 1.8 tall.
constexpr double kCharacterRadius = 0.4;
constexpr double kCharacterHalfHeight = 0.5;

Expected<SlideWorldFile> world_of_level(const std::string& level) {
    auto mesh = io::read_mesh(level);
    if (!mesh) return mesh.error();
    if (mesh->faces.empty()) return Error{level + ": there is no face"};
    warn(defect_warnings(level, find_defects(mesh->positions, mesh->faces),
                         {.degenerate_faces = true, .duplicate_faces = true}));
    SlideWorldFile file;
    file.name = level;
    file.meshes.push_back({std::move(mesh->positions), std::move(mesh->faces)});
    SlideWorldPart part;
    part.name = std::filesystem::path(level).filename().string();
    file.parts.push_back(std::move(part));
    return file;
}

bool is_move_rows(const std::string& path) {
    const std::string_view name = path;
    return name.ends_with(".csv") || name.ends_with(".csv.gz");
}

// Displacements; velocities for a character.
Expected<void> take_moves(const SlideWorldRequest& request, SlideWorldFile& file) {
    std::vector<Vec3> moves;
    if (is_move_rows(request.moves)) {
        auto read = read_move_rows(request.moves);
        if (!read) return read.error();
        moves = std::move(*read);
    } else {
        auto read = read_moves(request.moves);
        if (!read) return read.error();
        file.mover.start = read->start;
        moves = std::move(read->moves);
    }
    const double scale = request.run.is_character ? file.time_step : 1.0;
    file.steps.clear();
    for (const Vec3& move : moves)
        file.steps.push_back({scale * move, 0.0, std::nullopt});
    file.has_steps = true;
    return {};
}

bool is_body_of_character(const slide::Shape<double>& shape) {
    const Vec3& r = shape.radii;
    return r.x == r.y && r.y == r.z && shape.side_axes[0] == Vec3{} && shape.side_axes[1] == Vec3{};
}

Expected<void> take_options(const SlideWorldRequest& request, SlideWorldFile& file) {
    SlideMoverSettings& mover = file.mover;
    if (request.shape) {
        mover.shape = *request.shape;
    } else if (!mover.has_shape && request.run.is_character) {
        mover.shape = slide::capsule(kCharacterRadius, kCharacterHalfHeight, file.up);
    }
    if (request.skin > 0.0) mover.skin = request.skin;
    SlideCharacterSettings& character = file.character;
    character.slope_degrees = request.slope_degrees.value_or(character.slope_degrees);
    character.step_height = request.step_height.value_or(character.step_height);
    character.snap_distance = request.snap_distance.value_or(character.snap_distance);
    character.stops_at_ledges = character.stops_at_ledges || request.stops_at_ledges;
    if (!request.moves.empty()) {
        if (auto taken = take_moves(request, file); !taken) return taken;
    }
    if (!file.has_steps)
        return Error{file.name + ": has none of displacements, velocities, script; give --moves"};
    if (!mover.start) return Error{file.name + ": 'mover' has no 'start'"};
    if (request.run.is_character && !is_body_of_character(mover.shape))
        return Error{file.name + ": a character is a ball or a capsule"};
    return {};
}

std::vector<Corners> drawn_triangles(const WorldOutcome& outcome) {
    std::vector<Corners> triangles;
    for (const WorldPartPicture& part : outcome.pictures) {
        const auto at = [&](std::uint32_t vertex) {
            return part.is_moving ? apply(part.poses.front(), part.positions[vertex])
                                  : part.positions[vertex];
        };
        for (const auto& [a, b, c] : part.faces)
            triangles.push_back({at(a), at(b), at(c)});
    }
    return triangles;
}

std::string world_picture(const SlideWorldRequest& request, const SlideWorldFile& file,
                          const WorldOutcome& outcome) {
    PathPanel panel;
    panel.title = fmt::format("graze, {}", name(outcome.precision));
    panel.note = fmt::format("{} frames, deepest penetration {:.3g}", outcome.frames.size(),
                             outcome.max_penetration());
    panel.half_axis = outcome.half_axis;
    panel.side_axes = outcome.side_axes;
    panel.path = {outcome.start};
    for (std::size_t i = 0; i < outcome.frames.size(); ++i) {
        const WorldFrame& frame = outcome.frames[i];
        panel.path.push_back(frame.position);
        const bool is_inside = frame.check && frame.check->penetration > 0.0;
        if (is_inside) panel.inside.push_back(i + 1);
        const double gap = frame.check ? frame.check->gap.value_or(4.0 * frame.skin) : 0.0;
        panel.gaps.push_back(frame.skin > 0.0 ? gap / frame.skin : 0.0);
        const double requested = norm(file.steps[i].displacement);
        const double moved = norm(panel.path[i + 1] - panel.path[i]);
        panel.steps.push_back(requested > 0.0 ? std::min(moved / requested, 2.0) : 0.0);
    }
    return paths_svg(drawn_triangles(outcome), outcome.radii, {panel}, request.side);
}

Expected<void> check_contradictions(const SlideWorldFile& file, const WorldOutcome& outcome) {
    const std::size_t count = outcome.contradicted_count();
    if (count == 0) return {};
    return Error{fmt::format("{}: the gap of {} is below the skin, though it was proved", file.name,
                             counted(count, "frame", "frames"))};
}

}  // namespace

Expected<void> run_slide_world(const SlideWorldRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.json);
    if (!json) return json.error();
    auto csv = create_if_named(request.csv, "");
    if (!csv) return csv.error();
    auto svg = create_if_named(request.svg, "");
    if (!svg) return svg.error();
    auto page = create_page_file(request.html);
    if (!page) return page.error();
    auto file =
        request.world.empty() ? world_of_level(request.level) : read_slide_world(request.world);
    if (!file) return file.error();
    if (auto taken = take_options(request, *file); !taken) return taken;
    WorldRunOptions options = request.run;
    options.pictures = svg->has_value() || page->has_value();
    options.check = options.check || svg->has_value();
    Progress progress(ProgressTotal{file->steps.size()}, terminal_screen("moving"));
    const auto outcome = run_world(*file, options, progress);
    if (!outcome) return outcome.error();
    progress.hide();
    OutputBatch files;
    if (auto added = files.add(*csv, *csv ? world_csv(*file, *outcome) : ""); !added) return added;
    const std::string picture = *svg ? world_picture(request, *file, *outcome) : "";
    if (auto added = files.add(*svg, picture); !added) return added;
    if (*page) {
        auto added = add_page(files, *page, "graze slide", {world_view(*file, *outcome)});
        if (!added) return added;
    }
    Json result = world_json(*file, options, *outcome);
    result["build"] = to_json(build_info());
    if (auto written = json->write(result, files); !written) return written;
    if (auto finished = files.finish(); !finished) return finished;
    const bool is_quiet =
        json->owns_stdout() || owns_stdout(*csv) || owns_stdout(*svg) || owns_stdout(*page);
    if (!is_quiet) {
        auto printed = print_report(world_text(*file, options, *outcome));
        if (!printed) return printed;
    }
    return check_contradictions(*file, *outcome);
}

}  // namespace graze::app
