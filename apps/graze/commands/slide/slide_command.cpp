// `graze slide`: moves a sphere, ellipsoid, capsule or rounded box through a level, and measures how well.
// `graze level`: writes a level of our own making, and its moves.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/moves_file.hpp"
#include "cli/progress.hpp"
#include "cli/surface_warnings.hpp"
#include "commands/commands.hpp"
#include "commands/mesh/mesh_output.hpp"
#include "commands/view/view_command.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/io/mesh_file.hpp"
#include "pictures/slide_pictures.hpp"
#include "slide_report.hpp"
#include "slide_world_command.hpp"

namespace graze::app {
namespace {

// --- graze slide ---------------------------------------------------------------------------------

struct SlideRequest {
    std::string level;
    std::string moves;
    std::string mover = "graze";
    std::string shape;  // empty: what the radii make
    std::string radii;
    std::optional<double> radius;       // 1 where it is wanted
    std::optional<double> half_height;  // the same
    std::string axis;                   // empty: z
    std::string precision = "double";
    std::string svg;
    std::string html;
    bool compare = false;
    std::string side;  // x or z; empty: the longer
    bool has_box = false;
    std::string world;  // WORLD.json
    bool is_character = false;
    bool check = false;
    std::string csv;
    std::optional<double> slope;
    std::optional<double> step_height;
    std::optional<double> snap;
    bool ledges = false;
    CommonOptions common;
    // Filled once the command line is understood.
    SlideSettings settings;
};

constexpr std::string_view kSlideExamples =
    "MOVES.json: {\"start\":[x,y,z],\"moves\":[[dx,dy,dz],...]}. The start is where the centre "
    "is.\n"
    "The shape slides along what it meets. Faces are counted from 0 in the order of the file.\n"
    "The penetration is measured afresh after every move, in exact arithmetic and not by the "
    "mover;\n"
    "for an ellipsoid it is told as a part of the smallest radius.\n"
    "A capsule is all within --radius of a segment of 2 --half-height along --axis, and the start\n"
    "is its middle: it is 2 (half height + radius) long.\n"
    "--shape takes the numbers, too: ball:RADIUS, ellipsoid:X,Y,Z, capsule:RADIUS,HALF_HEIGHT,\n"
    "and box:X,Y,Z,ROUNDING, whose faces are X, Y and Z from its centre, with rounded edges.\n"
    "With --precision float all coordinates are first rounded to floats.\n"
    "\n"
    "WORLD.json has parts that stand or move, what moves among them, and how (docs/FORMATS.md).\n"
    "--moves may be a CSV file, then: the line x,y,z and a row for each frame.\n"
    "A character stands on its feet, which the start is of; its moves are velocities, to which\n"
    "gravity is added. It climbs steps, follows ground that falls away, and rides what carries "
    "it.\n"
    "\n"
    "Examples:\n"
    "  graze level stairs --out stairs.obj --moves-out moves.json\n"
    "  graze slide stairs.obj --moves moves.json\n"
    "  graze slide stairs.obj --moves moves.json --radii 0.4,0.9,0.4 --precision float --json -\n"
    "  graze slide stairs.obj --moves moves.json --shape capsule --radius 0.5 --half-height 0.5\n"
    "  graze slide stairs.obj --moves moves.json --shape box:0.4,0.7,0.4,0.1\n"
    "  graze slide stairs.obj --moves moves.json --compare --svg paths.svg\n"
    "  graze slide --world examples/town/town.json --character --check\n"
    "  graze slide --world examples/town/town.json --character --html town.html\n"
    "  graze slide stairs.obj --moves velocities.json --character --step-height 0.3 --csv -\n";

// So many finite numbers, joined by commas.
std::optional<std::vector<double>> numbers_from(const std::string& text, std::size_t count) {
    std::istringstream parts(text);
    std::string part;
    std::vector<double> numbers;
    while (std::getline(parts, part, ',')) {
        const auto number = io::parse_double(part);
        if (!number || !is_finite(*number) || numbers.size() == count) return std::nullopt;
        numbers.push_back(*number);
    }
    const auto commas = static_cast<std::size_t>(std::count(text.begin(), text.end(), ','));
    if (numbers.size() != count || commas + 1 != count) return std::nullopt;
    return numbers;
}

std::optional<Vec3> vector_from(const std::string& text) {
    const auto numbers = numbers_from(text, 3);
    if (!numbers) return std::nullopt;
    return Vec3{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

Vec3 radii_from(const std::string& text) {
    const auto radii = vector_from(text);
    if (!radii || !(radii->x > 0.0 && radii->y > 0.0 && radii->z > 0.0))
        fail_usage("--radii must be three numbers > 0 joined by commas, as in 0.4,0.9,0.4");
    return *radii;
}

// The half axis of a capsule, not yet rounded to the precision.
Vec3 half_axis_from(const SlideRequest& request) {
    const auto axis = vector_from(request.axis.empty() ? "0,0,1" : request.axis);
    const double half_height = request.half_height.value_or(1.0);
    if (!axis || *axis == Vec3{})
        fail_usage("--axis must be three numbers, not all 0, joined by commas, as in 0,1,0");
    if (!(half_height >= 0.0) || !is_finite(half_height))
        fail_usage("--half-height must be finite and >= 0");
    return slide::capsule(1.0, half_height, *axis).half_axis;
}

// "box:X,Y,Z,ROUNDING": half extents, and the radius of its edges.
void set_box(SlideSettings& settings, const std::string& text) {
    const auto n = numbers_from(text, 4);
    const double rounding = n ? (*n)[3] : 0.0;
    if (!n || !(rounding > 0.0) ||
        !((*n)[0] >= rounding && (*n)[1] >= rounding && (*n)[2] >= rounding))
        fail_usage(
            "--shape box:X,Y,Z,ROUNDING takes four numbers with 0 < ROUNDING <= X, Y and Z, as in "
            "box:0.4,0.7,0.4,0.1");
    const auto box = slide::rounded_box<double>({(*n)[0], (*n)[1], (*n)[2]}, rounding);
    settings.radii = box.radii;
    settings.half_axis = box.half_axis;
    settings.side_axes = box.side_axes;
}

// "ball:R", "ellipsoid:X,Y,Z" and "capsule:R,H" are the options of the same meaning.
void take_numbers_of_shape(SlideRequest& request) {
    const std::size_t colon = request.shape.find(':');
    if (colon == std::string::npos) return;
    const std::string kind = request.shape.substr(0, colon);
    const std::string text = request.shape.substr(colon + 1);
    if (request.radius || request.half_height || !request.radii.empty())
        fail_usage("--shape has the numbers already: give no --radius, --half-height or --radii");
    const auto numbers = numbers_from(text, kind == "ball" ? 1 : kind == "capsule" ? 2 : 3);
    if (kind == "box") {
        set_box(request.settings, text);
        request.has_box = true;
    } else if (kind != "ball" && kind != "ellipsoid" && kind != "capsule") {
        fail_usage("--shape must be ball, ellipsoid, capsule or box");
    } else if (!numbers) {
        fail_usage("--shape takes ball:RADIUS, ellipsoid:X,Y,Z or capsule:RADIUS,HALF_HEIGHT");
    } else if (kind == "ellipsoid") {
        request.radii = text;
    } else {
        request.radius = numbers->front();
        if (kind == "capsule") request.half_height = numbers->back();
    }
    request.shape = kind;
}

// Without --shape: an ellipsoid of the radii, as ever.
void check_shape(SlideRequest& request) {
    SlideSettings& settings = request.settings;
    take_numbers_of_shape(request);
    const bool has_segment = request.half_height.has_value() || !request.axis.empty();
    if (has_segment && request.shape != "capsule")
        fail_usage("--half-height and --axis are for --shape capsule");
    if (request.radius && request.shape != "ball" && request.shape != "capsule")
        fail_usage("--radius is for --shape ball and --shape capsule");
    if (request.shape.empty() || request.shape == "ellipsoid") {
        if (!request.radii.empty()) settings.radii = radii_from(request.radii);
        return;
    }
    if (request.shape == "box") {
        if (!request.has_box) fail_usage("--shape box takes its numbers: box:X,Y,Z,ROUNDING");
        if (settings.mover != slide::MoverKind::Graze || request.compare)
            fail_usage("--shape box is for the mover graze alone");
        return;
    }
    if (request.shape != "ball" && request.shape != "capsule")
        fail_usage("--shape must be ball, ellipsoid, capsule or box");
    if (!request.radii.empty()) fail_usage("--radii is for an ellipsoid; give --radius");
    const double radius = request.radius.value_or(1.0);
    if (!(radius > 0.0) || !is_finite(radius)) fail_usage("--radius must be finite and > 0");
    settings.radii = {radius, radius, radius};
    if (request.shape == "capsule") settings.half_axis = half_axis_from(request);
}

bool has_world(const SlideRequest& request) {
    return !request.world.empty() || request.is_character;
}

void check_length(const char* option, const std::optional<double>& length) {
    if (length && (!(*length >= 0.0) || !is_finite(*length)))
        fail_usage(std::string(option) + " must be finite and >= 0");
}

void check_world_request(const SlideRequest& request) {
    if (request.world.empty() && request.level.empty()) fail_usage("LEVEL is required, or --world");
    if (!request.world.empty() && !request.level.empty())
        fail_usage("--world has its own parts: give no LEVEL");
    if (request.world.empty() && request.moves.empty()) fail_usage("--moves is required");
    const bool has_body = request.slope || request.step_height || request.snap || request.ledges;
    if (has_body && !request.is_character)
        fail_usage("--slope, --step-height, --snap and --ledges are for --character");
    if (request.slope && !(*request.slope >= 0.0 && *request.slope <= 89.0))
        fail_usage("--slope must be from 0 to 89 degrees");
    check_length("--step-height", request.step_height);
    check_length("--snap", request.snap);
    if (!has_world(request)) {
        if (!request.csv.empty()) fail_usage("--csv is for --world and --character");
        return;
    }
    if (request.settings.mover != slide::MoverKind::Graze || request.compare)
        fail_usage("--world and --character are for the mover graze alone");
    if (request.is_character && !request.axis.empty())
        fail_usage("--axis is not for --character, which stands upright");
}

void check_request(SlideRequest& request) {
    const auto mover = slide::mover_from_name(request.mover);
    if (!mover)
        fail_usage(
            "--mover must be graze, linahan, linahan-two-parameters, fauerby or "
            "fauerby-uncapped");
    request.settings.mover = *mover;
    check_shape(request);
    if (!(request.settings.skin >= 0.0) || !is_finite(request.settings.skin)) {
        fail_usage("--skin must be finite and >= 0");
    }
    if (request.precision != "float" && request.precision != "double") {
        fail_usage("--precision must be float or double");
    }
    request.settings.precision =
        request.precision == "float" ? Precision::Float : Precision::Double;
    if (!request.side.empty() && request.side != "x" && request.side != "z") {
        fail_usage("--side must be x or z");
    }
    if (request.compare && request.svg.empty()) fail_usage("--compare is for --svg");
    check_world_request(request);
    check_places({{"--svg", request.svg},
                  {"--html", request.html},
                  {"--csv", request.csv},
                  {"--json", request.common.json}},
                 {request.level, request.moves, request.world});
}

struct SlideInput {
    std::vector<generate::LevelPart> parts;
    MovesFile moves;
    std::vector<std::string> warnings;
};

// What is finite as a double need not be as a float.
bool fits_float(const Vec3& v) {
    return norm_max(v) <= double{std::numeric_limits<float>::max()};
}

Error no_float(const std::string& file, const std::string& what) {
    return Error{file + ": " + what + " does not fit in a float; --precision double takes it"};
}

Expected<void> check_fits_float(const SlideRequest& request, const std::vector<Vec3>& positions,
                                const MovesFile& moves) {
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (!fits_float(positions[i]))
            return no_float(request.level, fmt::format("vertex {}: a coordinate", i));
    if (!fits_float(moves.start)) return no_float(request.moves, "'start'");
    for (std::size_t i = 0; i < moves.moves.size(); ++i)
        if (!fits_float(moves.moves[i]))
            return no_float(request.moves, fmt::format("'moves[{}]'", i));
    return {};
}

Expected<SlideInput> read_input(const SlideRequest& request) {
    auto mesh = io::read_mesh(request.level);
    if (!mesh) return mesh.error();
    if (mesh->faces.empty()) return Error{request.level + ": there is no face"};
    auto moves = read_moves(request.moves);
    if (!moves) return moves.error();
    if (request.settings.precision == Precision::Float) {
        auto fits = check_fits_float(request, mesh->positions, *moves);
        if (!fits) return fits.error();
    }
    SlideInput input;
    // Triangles are met one by one: it makes no difference whether their vertices are shared.
    input.warnings = defect_warnings(request.level, find_defects(mesh->positions, mesh->faces),
                                     {.degenerate_faces = true, .duplicate_faces = true});
    input.parts.push_back({std::move(mesh->positions), std::move(mesh->faces)});
    input.moves = std::move(*moves);
    return input;
}

// Where it starts and after each move.
class SlideRun {
public:
    SlideRun(const SlideSettings& settings, Walker& walker, const GapMeasure& judge)
        : walker_(walker), judge_(judge) {
        outcome_.settings = settings;
        outcome_.settings.radii = walker.radii();
        outcome_.settings.half_axis = walker.half_axis();
        outcome_.settings.side_axes = walker.side_axes();
        outcome_.start = walker.position();
        outcome_.faces = judge.triangles().size();
        outcome_.seconds_build = walker.build_seconds();
        outcome_.start_penetration = judge.ask(outcome_.start, 0.0, 0.0).depth;
        outcome_.skin = settings.skin > 0.0 ? settings.skin : walker.default_skin();
    }

    Expected<SlideOutcome> run(const std::vector<Vec3>& moves, Progress& progress) {
        for (const Vec3& wish : moves) {
            if (stop_requested()) return stopped();
            step(wish);
            progress.advance(1);
        }
        return std::move(outcome_);
    }

private:
    void step(const Vec3& wish) {
        JudgedFrame judged{walker_.move(wish), walker_.touched(), 0.0, std::nullopt, false};
        const SlideFrame& frame = judged.frame;
        outcome_.skin = std::max(outcome_.skin, frame.skin);
        if (is_finite(frame.position)) {
            const double reach = 4.0 * frame.skin;
            const GapAnswer answer = judge_.ask(frame.position, frame.skin, reach);
            judged.penetration = answer.depth;
            judged.keeps_skin = answer.keeps_skin;
            if (answer.least_gap < reach) judged.gap = answer.least_gap;
        }
        outcome_.frames.push_back(std::move(judged));
    }

    Walker& walker_;
    const GapMeasure& judge_;
    SlideOutcome outcome_;
};

Expected<SlideOutcome> run_mover(const SlideInput& input, const SlideSettings& settings,
                                 std::vector<Corners>& triangles, Progress& progress) {
    auto walker = make_walker(input.parts, input.moves.start, settings);
    if (!walker) return walker.error();
    const GapMeasure judge((*walker)->triangles(), (*walker)->radii(), (*walker)->half_axis(),
                           (*walker)->side_axes());
    triangles.assign(judge.triangles().begin(), judge.triangles().end());
    return SlideRun(settings, **walker, judge).run(input.moves.moves, progress);
}

// Up to the first place that is no place, which a published mover may reach.
PathPanel panel_of(const SlideOutcome& outcome, const std::vector<Vec3>& moves) {
    PathPanel panel;
    panel.title = fmt::format("{}, {}", slide::name(outcome.settings.mover),
                              name(outcome.settings.precision));
    panel.note = fmt::format("{} moves, deepest penetration {:.3g}", outcome.frames.size(),
                             outcome.max_penetration());
    panel.half_axis = outcome.settings.half_axis;
    panel.side_axes = outcome.settings.side_axes;
    panel.path = {outcome.start};
    for (std::size_t i = 0; i < outcome.frames.size(); ++i) {
        const JudgedFrame& judged = outcome.frames[i];
        if (!is_finite(judged.frame.position)) break;
        panel.path.push_back(judged.frame.position);
        if (judged.penetration > 0.0) panel.inside.push_back(i + 1);
        panel.gaps.push_back(judged.gap.value_or(4.0 * judged.frame.skin) / judged.frame.skin);
        const double wished = norm(moves[i]);
        const double moved = norm(panel.path[i + 1] - panel.path[i]);
        panel.steps.push_back(wished > 0.0 ? moved / wished : 0.0);
    }
    return panel;
}

// The mover that was asked for, and the others where they are to be drawn beside it.
std::vector<slide::MoverKind> movers_of(const SlideRequest& request) {
    std::vector<slide::MoverKind> movers = {request.settings.mover};
    for (const auto kind :
         {slide::MoverKind::Graze, slide::MoverKind::Linahan, slide::MoverKind::Fauerby}) {
        if (request.compare && kind != movers.front()) movers.push_back(kind);
    }
    return movers;
}

struct SlideOutcomes {
    std::vector<SlideOutcome> movers;
    std::vector<Corners> triangles;
};

Expected<SlideOutcomes> run_movers(const SlideRequest& request, const SlideInput& input) {
    const std::vector<slide::MoverKind> movers = movers_of(request);
    Progress progress(ProgressTotal{movers.size() * input.moves.moves.size()},
                      terminal_screen("moving"));
    SlideOutcomes outcomes;
    for (const slide::MoverKind kind : movers) {
        SlideSettings settings = request.settings;
        settings.mover = kind;
        auto outcome = run_mover(input, settings, outcomes.triangles, progress);
        if (!outcome) return outcome.error();
        outcomes.movers.push_back(std::move(*outcome));
    }
    return outcomes;
}

std::string picture_of(const SlideRequest& request, const SlideInput& input,
                       const SlideOutcomes& outcomes) {
    std::vector<PathPanel> panels;
    for (const SlideOutcome& outcome : outcomes.movers)
        panels.push_back(panel_of(outcome, input.moves.moves));
    return paths_svg(outcomes.triangles, outcomes.movers[0].settings.radii, panels, request.side);
}

ViewObject view_of_slide(const SlideRequest& request, const SlideInput& input,
                         const SlideOutcome& outcome) {
    const SlideSettings& settings = outcome.settings;
    const Vec3& radii = settings.radii;
    const bool is_round = radii.x == radii.y && radii.y == radii.z;
    const bool is_box = settings.side_axes != SideAxes{};
    const char* type = is_box                         ? "box"
                       : settings.half_axis != Vec3{} ? "capsule"
                       : is_round                     ? "ball"
                                                      : "ellipsoid";
    ViewObject view("slide", std::filesystem::path(request.level).filename().string());
    view.add_list("vertices", std::span<const Vec3>(input.parts.front().positions));
    view.add_rows<3>("faces", std::span<const FaceIndices>(input.parts.front().faces));
    view.add("shape",
             Json{{"type", type},
                  {"radii", json_vector(radii)},
                  {"half_axis", json_vector(settings.half_axis)},
                  {"side_axes",
                   {json_vector(settings.side_axes[0]), json_vector(settings.side_axes[1])}}});
    view.add("skin", json_number(outcome.skin));
    view.add("start", json_vector(outcome.start));
    const Json json = outcome_json(outcome);
    const Json* frames = json.find("frames");
    view.add("frames", frames != nullptr ? *frames : Json::array());
    return view;
}

SlideWorldRequest world_request_of(const SlideRequest& request) {
    SlideWorldRequest result;
    result.world = request.world;
    result.level = request.level;
    result.moves = request.moves;
    result.json = request.common.json;
    result.csv = request.csv;
    result.svg = request.svg;
    result.html = request.html;
    result.side = request.side;
    const SlideSettings& settings = request.settings;
    if (!request.shape.empty() || !request.radii.empty())
        result.shape = slide::Shape<double>{settings.radii, settings.half_axis, settings.side_axes};
    result.skin = settings.skin;
    result.slope_degrees = request.slope;
    result.step_height = request.step_height;
    result.snap_distance = request.snap;
    result.stops_at_ledges = request.ledges;
    result.run = {settings.precision, request.is_character, request.check, false};
    return result;
}

Expected<void> run_slide(const SlideRequest& request) {
    if (has_world(request)) return run_slide_world(world_request_of(request));
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    auto svg = create_if_named(request.svg, "");
    if (!svg) return svg.error();
    auto page = create_page_file(request.html);
    if (!page) return page.error();
    const auto input = read_input(request);
    if (!input) return input.error();
    const auto outcomes = run_movers(request, *input);
    if (!outcomes) return outcomes.error();
    const SlideOutcome& outcome = outcomes->movers.front();
    OutputBatch files;
    const std::string picture = *svg ? picture_of(request, *input, *outcomes) : "";
    if (auto added = files.add(*svg, picture); !added) return added;
    if (*page) {
        auto added =
            add_page(files, *page, "graze slide", {view_of_slide(request, *input, outcome)});
        if (!added) return added;
    }
    Json result = outcome_json(outcome);
    result["level"] = request.level;
    result["warnings"] = input->warnings;
    result["build"] = to_json(build_info());
    if (auto written = json->write(result, files); !written) return written;
    if (auto finished = files.finish(); !finished) return finished;
    warn(input->warnings);
    if (json->owns_stdout() || owns_stdout(*svg) || owns_stdout(*page)) return {};
    return print_report(outcome_text(outcome));
}

// --- graze level ---------------------------------------------------------------------------------

struct LevelRequest {
    std::string name;
    std::string out;
    std::string moves_out;
    std::uint64_t seed = 0;
    std::uint32_t faces = 100'000;
    double scale = 1.0;
    // Filled once the command line is understood.
    generate::LevelId id = generate::LevelId::FlatGrid;
    MeshForm form = MeshForm::Obj;
};

std::string level_names() {
    std::string names;
    for (const generate::LevelId id : generate::kAllLevels)
        names += (names.empty() ? "" : ", ") + std::string(generate::name(id));
    return names;
}

void check_request(LevelRequest& request) {
    const auto id = generate::level_from_name(request.name);
    if (!id)
        fail_usage(
            fmt::format("there is no level '{}'; there are: {}", request.name, level_names()));
    request.id = *id;
    if (!(request.scale > 0.0) || !is_finite(request.scale)) {
        fail_usage("--scale must be finite and > 0");
    }
    request.form = mesh_form_of("--out", request.out);
    check_places({{"--out", request.out}, {"--moves-out", request.moves_out}}, {});
}

Expected<void> write_level(const LevelRequest& request, const generate::LevelScene& scene,
                           OutputFile& out) {
    if (request.form == MeshForm::Ply)
        return out.write(to_ply(polygon_mesh_of(scene), request.name));
    ShareProgress progress(terminal_screen("writing the level"));
    return to_obj(scene, [&](std::string_view piece, double share) {
        if (stop_requested()) return Expected<void>(stopped());
        progress.show(share);
        return out.write(piece);
    });
}

Expected<void> run_level(const LevelRequest& request) {
    auto out = create_if_named(request.out, "");
    if (!out) return out.error();
    auto moves_out = create_if_named(request.moves_out, "");
    if (!moves_out) return moves_out.error();
    const generate::LevelScene scene = generate::placed(
        generate::make_level(
            request.id,
            {.seed = request.seed, .terrain_faces = request.faces, .stop = stop_token()}),
        request.scale, {});
    if (stop_requested()) return stopped();
    MovesFile moves{scene.start, {}};
    for (const generate::LevelMove& move : scene.moves)
        moves.moves.push_back(move.displacement);
    if (auto written = write_level(request, scene, **out); !written) return written;
    OutputBatch files;
    if (auto added = files.add(*out, ""); !added) return added;
    if (auto added = files.add(*moves_out, to_text(moves)); !added) return added;
    if (stop_requested()) return stopped();
    if (auto finished = files.finish(); !finished) return finished;
    if (owns_stdout(*out) || owns_stdout(*moves_out)) return {};
    return print_report(fmt::format("{}: {}, {}\n", request.name,
                                    counted(scene.face_count(), "triangle", "triangles"),
                                    counted(scene.moves.size(), "move", "moves")));
}

constexpr std::string_view kLevelExamples =
    "Made for a ball of radius 1, or what fits into it; y is up. docs/slide.md describes each.\n"
    "\n"
    "Examples:\n"
    "  graze level terrain --out terrain.obj --moves-out moves.json\n"
    "  graze level soup --seed 7 --out soup.obj\n";

}  // namespace

Expected<ViewObject> slide_view(const std::string& level, const std::string& moves) {
    SlideRequest request;
    request.level = level;
    request.moves = moves;
    const auto input = read_input(request);
    if (!input) return input.error();
    const auto outcomes = run_movers(request, *input);
    if (!outcomes) return outcomes.error();
    warn(input->warnings);
    return view_of_slide(request, *input, outcomes->movers.front());
}

Command add_slide_command(App& app) {
    App* sub = app.add_command(
        "slide", "Move a ball, ellipsoid, capsule or rounded box that slides over triangles");
    const auto request = std::make_shared<SlideRequest>();
    sub->add_option("LEVEL", request->level,
                    "Triangles: OBJ, PLY or STL, plain or .gz; not with --world")
        ->type_name("");
    sub->add_option("--world", request->world, "Parts that stand or move, what moves, and how")
        ->type_name("WORLD.json");
    sub->add_option("--moves", request->moves, "Start and moves; may be left out with --world")
        ->type_name("MOVES.json|FILE.csv");
    sub->add_flag("--character", request->is_character,
                  "Walk as a character: velocities with gravity, slopes, steps, ground");
    sub->add_option("--mover", request->mover,
                    "graze, linahan, linahan-two-parameters, fauerby or fauerby-uncapped")
        ->type_name("NAME");
    sub->add_option("--shape", request->shape,
                    "ball, ellipsoid, capsule or box, with its numbers or with the options below")
        ->type_name("NAME[:NUMBERS]");
    sub->add_option("--radii", request->radii, "Of an ellipsoid, along x, y and z; 1,1,1")
        ->type_name("X,Y,Z");
    add_optional_number_option(*sub, "--radius", request->radius, "Of a ball or capsule; 1");
    add_optional_number_option(*sub, "--half-height", request->half_height,
                               "Of a capsule: from its centre to either end of its segment; 1");
    sub->add_option(
           "--axis", request->axis,
           "Of a capsule: the direction of its segment; 0,0,1 (levels of `graze level` have y "
           "up: 0,1,0)")
        ->type_name("X,Y,Z");
    add_number_option(*sub, "--skin", request->settings.skin,
                      "Gap that stays to every triangle; 0: 1/256 of the smallest radius");
    sub->add_option("--precision", request->precision, "float or double")->type_name("NAME");
    sub->add_option("--svg", request->svg, "Draw the path from the side and from above")
        ->type_name("FILE.svg|-");
    add_html_option(*sub, request->html);
    sub->add_option("--side", request->side,
                    "Which axis the side view shows along the way; the one on which it is longer")
        ->type_name("x|z");
    sub->add_flag("--compare", request->compare, "Draw the other movers beside it");
    add_optional_number_option(*sub, "--slope", request->slope,
                               "Degrees of the steepest slope that a character walks on; 45");
    add_optional_number_option(*sub, "--step-height", request->step_height,
                               "Of the highest step that it climbs; 0: a fifth of its height");
    add_optional_number_option(*sub, "--snap", request->snap,
                               "How far it follows ground that falls away; 0: a step");
    sub->add_flag("--ledges", request->ledges, "It stops at ledges");
    sub->add_flag("--check", request->check,
                  "Verify each frame of a world in exact arithmetic; without one that is done "
                  "anyway");
    sub->add_option("--csv", request->csv, "A row for each frame of a world or character")
        ->type_name("FILE.csv|-");
    add_common_options(*sub, request->common);
    sub->footer(std::string(kSlideExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return succeeded(run_slide(*request)); }};
}

Command add_level_command(App& app) {
    App* sub = app.add_command("level", "Write a level of our own making, and its moves");
    const auto request = std::make_shared<LevelRequest>();
    sub->add_option("NAME", request->name, level_names())->required()->type_name("");
    sub->add_option("--out", request->out, "The triangles: OBJ, or PLY for .ply")
        ->required()
        ->type_name("FILE.obj|FILE.ply|-");
    sub->add_option("--moves-out", request->moves_out,
                    "Start and moves, as `graze slide` reads them")
        ->type_name("FILE.json|-");
    add_natural_option(*sub, "--seed", request->seed, "Of what is random in it");
    add_natural_option(*sub, "--faces", request->faces, "Triangles of the terrain, about",
                       {8, 10'000'000});
    add_number_option(*sub, "--scale", request->scale, "Multiply all lengths by this");
    sub->footer(std::string(kLevelExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] { return succeeded(run_level(*request)); }};
}

}  // namespace graze::app
