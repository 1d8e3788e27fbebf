// `graze rigid`: when and where two rigid bodies meet in a step of relative screw motion.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/poses_file.hpp"
#include "cli/progress.hpp"
#include "cli/rigid_scene_file.hpp"
#include "cli/surface_warnings.hpp"
#include "commands/commands.hpp"
#include "commands/view/view_command.hpp"
#include "convex_impact.hpp"
#include "graze/io/rigid_body.hpp"
#include "graze/rigid/pixels.hpp"
#include "pictures/rigid_pictures.hpp"
#include "rigid_report.hpp"
#include "rigid_simulation.hpp"

namespace graze::app {
namespace {

using Clock = std::chrono::steady_clock;
using rigid::Contact;
using rigid::Polyhedron;

struct RigidRequest {
    std::string a;
    std::string b;
    std::string poses;
    std::string mode_name = "chords";
    RigidMode mode = RigidMode::Chords;
    double pixel = 0.0;            // 0: derived from the bodies
    double time_resolution = 0.0;  // 0: derived from the pixel
    double min_properness = -0.1;
    rigid::ImpactOptions impact;
    bool surfaces_only = false;
    bool is_local = false;
    bool orients = false;
    double groups = -1.0;  // < 0: no groups
    std::string svg;
    std::string screen;
    std::string frames;
    std::string html;
    bool exit_code = false;
    ConvexRequest convex;
    SimulationRequest simulation;
    CommonOptions common;
};

constexpr std::string_view kRigidExamples =
    "A and B are OBJ, PLY or STL files, plain or .gz; polygons stay whole. POSES.json:\n"
    "  {\"a\":{\"start\":P,\"end\":P},\"b\":{\"start\":P,\"end\":P}}\n"
    "with P = {\"rotation\":[w,x,y,z],\"translation\":[x,y,z]}, which takes the file's coordinates "
    "to\nthe world. A moves by its own screw, B(t) = A(t) * relative screw(t), t from 0 to 1.\n"
    "\"first\" is always proved, for the exact paths. Collisions of chords and robust are as good\n"
    "as the resolution; those of pixels, the published algorithm, are some of them, within a "
    "pixel\n"
    "or so; those of certified come with a proved bracket of their time. Vertices, faces and "
    "edges\n"
    "are counted from 0; edges by (i, j), i < j.\n"
    "\n"
    "--shape-a, --shape-b: two convex bodies in place of A and B, with any --motion.\n"
    "--scene: many bodies that push each other; pile, rolling, gears, chain, screw-nut, or a JSON\n"
    "file (docs/FORMATS.md). Every accepted motion is proved free; --check proves every state "
    "again.\n"
    "\n"
    "Examples:\n"
    "  graze rigid a.obj b.obj --poses step.json\n"
    "  graze rigid a.obj b.obj --poses step.json --mode certified --json -\n"
    "  graze rigid a.obj b.obj --poses step.json --mode robust --pixel 0.01 --groups 0.02\n"
    "  graze rigid a.obj b.obj --poses step.json --mode pixels --pixel 0.05 --screen pixels.svg\n"
    "  graze rigid a.obj b.obj --poses step.json --svg bodies.svg --screen screen.svg\n"
    "  graze rigid --shape-a box:1,1,1 --shape-b sphere:0.5 --poses step.json --motion slerp\n"
    "  graze rigid --scene pile --bodies 1000 --steps 2000 --check\n"
    "  graze rigid --scene scene.json --out states\n";

// Of the progress that is shown: the share of the first contact.
constexpr double kShareOfFirst = 0.2;
// At most so many groups of collisions get a picture; start and end come on top.
constexpr std::size_t kMostPanels = 16;
// [fraction of the step] Collisions of pictures are one group within this, unless --groups says.
constexpr double kPictureGap = 0.02;

struct Bodies {
    Polyhedron a;
    Polyhedron b;
    io::BodyFaces file_a;
    io::BodyFaces file_b;
};

Expected<Bodies> read_bodies(const RigidRequest& request) {
    const io::BodyOptions options{.orient = request.orients};
    auto a = io::read_surface(request.a, options);
    if (!a) return a.error();
    auto b = io::read_surface(request.b, options);
    if (!b) return b.error();
    return Bodies{std::move(a->surface), std::move(b->surface), std::move(a->faces),
                  std::move(b->faces)};
}

std::uint32_t face_in_file(const io::BodyFaces& file, std::uint32_t face) {
    return face == rigid::kNoFace ? face : file.in_file[face];
}

// The collision with faces counted as in the files.
Contact in_files(const Bodies& bodies, Contact collision) {
    if (collision.type == rigid::ContactType::FaceVertex)
        collision.a = face_in_file(bodies.file_a, collision.a);
    if (collision.type == rigid::ContactType::VertexFace)
        collision.b = face_in_file(bodies.file_b, collision.b);
    return collision;
}

template <class Work>
auto timed(double& seconds, Work work) {
    const Clock::time_point begin = Clock::now();
    auto result = work();
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return result;
}

// One step of two bodies.
class RigidRun {
public:
    RigidRun(const RigidRequest& request, const Bodies& bodies, const rigid::PairStep& step)
        : request_(request), bodies_(bodies), a_(bodies.a), b_(bodies.b) {
        outcome_.mode = request.mode;
        outcome_.step = step;
        outcome_.is_local = request.is_local;
        outcome_.time_width = request.impact.time_width;
        outcome_.screw = relative_screw(step);
    }

    // Fills the outcome.
    [[nodiscard]] Expected<void> search(ShareProgress& progress);
    [[nodiscard]] const RigidOutcome& outcome() const noexcept { return outcome_; }
    [[nodiscard]] std::string bodies_picture() const;
    [[nodiscard]] Expected<std::string> screen_picture();
    // Every frame as the text of an OBJ file.
    [[nodiscard]] std::vector<std::string> frames() const;

private:
    void find_first(ShareProgress& progress);
    [[nodiscard]] Expected<void> rastered();
    [[nodiscard]] Expected<void> by_pixels();
    void list(const std::vector<Contact>& found, double doubt);
    void certified(ShareProgress& progress);
    void finish_list();
    [[nodiscard]] rigid::RasterOptions raster_options() const;
    [[nodiscard]] std::vector<BodyPanel> panels() const;

    const RigidRequest& request_;
    const Bodies& bodies_;
    rigid::RigidBody a_;
    rigid::RigidBody b_;
    rigid::RasterSearch raster_;
    rigid::PixelSearch pixels_;
    std::vector<Contact> local_;  // the outcome's collisions, in the frame of A
    RigidOutcome outcome_;
};

Expected<void> RigidRun::search(ShareProgress& progress) {
    progress.set_part(0.0, kShareOfFirst);
    find_first(progress);
    if (stop_requested()) return stopped();
    progress.set_part(kShareOfFirst, 1.0);
    if (request_.mode == RigidMode::Certified) {
        certified(progress);
    } else {
        auto done = request_.mode == RigidMode::Pixels ? by_pixels() : rastered();
        if (!done) return done;
    }
    if (stop_requested()) return stopped();
    finish_list();
    return {};
}

// The search tells how the bodies lie at the start where it has to know; else that is asked here.
void RigidRun::find_first(ShareProgress& progress) {
    rigid::ImpactOptions options = request_.impact;
    options.stop = stop_token();
    options.progress = progress.sink();
    outcome_.first =
        timed(outcome_.seconds_first, [&] { return first_impact(a_, b_, outcome_.step, options); });
    outcome_.start = outcome_.first.start;
    if (outcome_.start != rigid::StartState::Unresolved || stop_requested()) return;
    outcome_.start = start_state(bodies_.a, outcome_.step.a.start, bodies_.b, outcome_.step.b.start,
                                 stop_token());
}

rigid::RasterOptions RigidRun::raster_options() const {
    return {.pixel = request_.pixel,
            .time_resolution = request_.time_resolution,
            .min_properness = request_.min_properness,
            .robust = request_.mode == RigidMode::Robust,
            .stop = stop_token()};
}

// The raster looks at the whole step; what begins after t_max is dropped here, with the doubt that
// its times have.
void RigidRun::list(const std::vector<Contact>& found, double doubt) {
    const double last = request_.impact.t_max < 1.0 ? request_.impact.t_max + doubt : kInfinity;
    for (const Contact& collision : found)
        if (!(collision.time > last)) local_.push_back(collision);
}

Expected<void> RigidRun::rastered() {
    auto result = timed(outcome_.seconds_collisions, [&] {
        return raster_.collisions(bodies_.a, bodies_.b, outcome_.step, raster_options());
    });
    if (!result) return result.error();
    outcome_.raster = result->statistics;
    const double doubt =
        request_.mode == RigidMode::Robust ? result->statistics.time_resolution : 0.0;
    list(result->collisions, doubt);
    return {};
}

Expected<void> RigidRun::by_pixels() {
    const rigid::PixelOptions options{.pixel = request_.pixel,
                                      .time_resolution = request_.time_resolution,
                                      .min_properness = request_.min_properness,
                                      .stop = stop_token()};
    auto result = timed(outcome_.seconds_collisions, [&] {
        return pixels_.collisions(bodies_.a, bodies_.b, outcome_.step, options);
    });
    if (!result) return result.error();
    outcome_.pixels = result->statistics;
    outcome_.is_complete = false;
    list(result->collisions, result->statistics.time_resolution);
    return {};
}

// Features cross each other at distance 0: the separation is for the first impact alone.
void RigidRun::certified(ShareProgress& progress) {
    rigid::ImpactOptions options = request_.impact;
    options.min_separation = 0.0;
    options.stop = stop_token();
    options.progress = progress.sink();
    const rigid::AllImpacts all = timed(outcome_.seconds_collisions, [&] {
        return all_impacts(a_, b_, outcome_.step, options, request_.min_properness);
    });
    outcome_.is_complete = all.complete;
    local_ = all.collisions;
}

void RigidRun::finish_list() {
    for (Contact& collision : local_)
        collision = in_files(bodies_, collision);
    outcome_.collisions = local_;
    outcome_.first.contact.a = face_in_file(bodies_.file_a, outcome_.first.contact.a);
    outcome_.first.contact.b = face_in_file(bodies_.file_b, outcome_.first.contact.b);
    if (request_.groups >= 0.0) {
        outcome_.groups = simultaneous_groups(local_, request_.groups);
    }
    if (request_.is_local) return;
    for (Contact& collision : outcome_.collisions)
        collision = to_world(collision, outcome_.step);
}

std::vector<BodyPanel> RigidRun::panels() const {
    std::vector<Contact> world;
    for (const Contact& collision : local_)
        world.push_back(to_world(collision, outcome_.step));
    const double gap = request_.groups >= 0.0 ? request_.groups : kPictureGap;
    return panels_of(world, simultaneous_groups(world, gap), kMostPanels);
}

std::string RigidRun::bodies_picture() const {
    const auto file_name = [](const std::string& path) {
        return std::filesystem::path(path).filename().string();
    };
    return bodies_svg({bodies_.a, bodies_.b, file_name(request_.a), file_name(request_.b),
                       outcome_.step, outcome_.first},
                      panels());
}

// Of the raster that found the collisions or, in certified mode, of one that is made for it.
Expected<std::string> RigidRun::screen_picture() {
    const bool pixels = request_.mode == RigidMode::Pixels;
    double pixel = pixels ? outcome_.pixels->pixel : outcome_.raster ? outcome_.raster->pixel : 1.0;
    if (request_.mode == RigidMode::Certified) {
        const auto drawn =
            raster_.collisions(bodies_.a, bodies_.b, outcome_.step, raster_options());
        if (!drawn) return drawn.error();
        pixel = drawn->statistics.pixel;
    }
    std::vector<ScreenMark> marks;
    for (const Contact& collision : local_) {
        const auto place =
            pixels ? pixels_.screen_place(collision.point) : raster_.screen_place(collision.point);
        marks.push_back({place.r, place.h,
                         fmt::format("t = {:.4f}: {} {} {}, properness {:.3f}", collision.time,
                                     short_name(collision.type), collision.a, collision.b,
                                     collision.properness)});
    }
    return screen_svg(pixels ? pixels_.drawn() : raster_.drawn(), marks, pixel);
}

std::vector<std::string> RigidRun::frames() const {
    std::vector<std::string> files;
    for (const BodyPanel& panel : panels())
        files.push_back(bodies_obj(bodies_.a, bodies_.b, outcome_.step, panel.time));
    return files;
}

// The pictures that were asked for, created before the work starts.
struct ScrewFiles {
    std::optional<OutputFile> svg;
    std::optional<OutputFile> screen;
    std::optional<OutputFile> html;
};

Expected<void> create(const std::string& path, std::optional<OutputFile>& file) {
    auto created = create_if_named(path, "");
    if (!created) return created.error();
    if (*created) file.emplace(std::move(**created));
    return {};
}

// DIR/000.obj and so on: the start, each group of collisions, the end.
Expected<void> write_frames(const std::string& folder, const std::vector<std::string>& frames,
                            OutputBatch& batch) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return Error{folder + ": " + failed.message()};
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto path = std::filesystem::path(folder) / fmt::format("{:03}.obj", i);
        auto file = create_if_named(path.string(), "");
        if (!file) return file.error();
        if (auto added = batch.add(*file, frames[i]); !added) return added;
    }
    return {};
}

// Everything is worked out before the first file is written.
Expected<void> write_files(RigidRun& run, const RigidRequest& request, ScrewFiles& files,
                           OutputBatch& batch) {
    const std::string svg = files.svg ? run.bodies_picture() : "";
    const Expected<std::string> screen = files.screen ? run.screen_picture() : std::string();
    if (!screen) return screen.error();
    if (!request.frames.empty()) {
        auto written = write_frames(request.frames, run.frames(), batch);
        if (!written) return written;
    }
    if (auto added = batch.add(files.svg, svg); !added) return added;
    return batch.add(files.screen, *screen);
}

Json summary_json(const RigidRequest& request, const SurfacePair& surfaces,
                  const RigidOutcome& outcome) {
    Json json = outcome_json(surfaces, outcome);
    json["poses"] = request.poses;
    json["min_properness"] = request.min_properness;
    json["min_separation"] = request.impact.min_separation;
    json["time_width"] = request.impact.time_width;
    json["t_max"] = request.impact.t_max;
    json["surfaces_only"] = request.surfaces_only;
    json["build"] = to_json(build_info());
    return json;
}

SurfacePair surfaces_of(const RigidRequest& request, const Bodies& bodies) {
    const auto named = [](const std::string& path, const Polyhedron& body,
                          const io::BodyFaces& file) {
        return NamedSurface{path, &body, file.dropped, file.reversed};
    };
    return {named(request.a, bodies.a, bodies.file_a), named(request.b, bodies.b, bodies.file_b)};
}

// Poses are sampled: between two of them the page interpolates, and pictures are not proofs.
ViewObject view_of_body(const NamedSurface& surface, const rigid::PairStep& step, bool is_a) {
    constexpr int kSamples = 120;
    std::vector<double> poses;
    Json times = Json::array();
    for (int i = 0; i <= kSamples; ++i) {
        const double t = static_cast<double>(i) / kSamples;
        const Pose pose = is_a ? world_pose_a(step, t) : world_pose_b(step, t);
        const Quaternion q = normalised(pose.rotation);
        const Vec3& at = pose.translation;
        poses.insert(poses.end(), {q.w, q.x, q.y, q.z, at.x, at.y, at.z});
        times.push_back(Json(t));
    }
    ViewObject body;
    body.add("name", Json(std::filesystem::path(surface.file).filename().string()));
    body.add_list("vertices", surface.surface->positions());
    body.add_rows<3>("faces", surface.surface->triangles());
    body.add_list("poses", std::span<const double>(poses));
    body.add("times", times);
    return body;
}

ViewObject view_of_bodies(const SurfacePair& surfaces, const RigidOutcome& outcome) {
    const auto file_name = [](const NamedSurface& surface) {
        return std::filesystem::path(surface.file).filename().string();
    };
    const Json json = outcome_json(surfaces, outcome);
    ViewObject view("rigid", file_name(surfaces[0]) + " and " + file_name(surfaces[1]));
    view.add("bodies", std::vector<ViewObject>{view_of_body(surfaces[0], outcome.step, true),
                                               view_of_body(surfaces[1], outcome.step, false)});
    for (const char* member : {"first", "collisions"}) {
        const Json* value = json.find(member);
        view.add(member, value != nullptr ? *value : Json(nullptr));
    }
    return view;
}

// A bar that is gone when the work is done.
template <class Work>
Expected<void> with_progress(Work work) {
    ShareProgress progress(terminal_screen("searching the motion"));
    return work(progress);
}

// After an interrupt: what the search for the first contact has found so far is as good as ever.
void say_what_is_proved(const RigidOutcome& outcome) {
    print_to_errors(fmt::format("graze: interrupted; proved so far:\n{}", first_text(outcome)));
}

Expected<ExitCode> run_rigid(const RigidRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    ScrewFiles files;
    if (auto created = create(request.svg, files.svg); !created) return created.error();
    if (auto created = create(request.screen, files.screen); !created) return created.error();
    auto page = create_page_file(request.html);
    if (!page) return page.error();
    if (*page) files.html.emplace(std::move(**page));
    const auto step = read_poses(request.poses);
    if (!step) return step.error();
    const auto bodies = read_bodies(request);
    if (!bodies) return bodies.error();
    if (stop_requested()) return stopped();

    RigidRun run(request, *bodies, *step);
    const Expected<void> searched = with_progress([&](auto& bar) { return run.search(bar); });
    if (stop_requested()) say_what_is_proved(run.outcome());
    if (!searched) return searched.error();
    OutputBatch batch;
    if (auto written = write_files(run, request, files, batch); !written) return written.error();
    const SurfacePair surfaces = surfaces_of(request, *bodies);
    const Json summary = summary_json(request, surfaces, run.outcome());
    if (auto added =
            add_page(batch, files.html, "graze rigid", {view_of_bodies(surfaces, run.outcome())});
        !added) {
        return added.error();
    }
    if (auto done = json->write(summary, batch); !done) return done.error();
    if (auto finished = batch.finish(); !finished) return finished.error();
    warn(warnings_of(surfaces, run.outcome()));
    const ExitCode code = exit_code_of(run.outcome().first.verdict, request.exit_code);
    if (json->owns_stdout() || owns_stdout(files.svg) || owns_stdout(files.screen) ||
        owns_stdout(files.html)) {
        return code;
    }
    return succeeded(print_report(outcome_text(surfaces, run.outcome())), code);
}

void check_length(const char* option, double value) {
    if (!(value >= 0.0) || !is_finite(value)) {
        fail_usage(std::string(option) + " must be finite and >= 0");
    }
}

// What belongs to one of the three uses alone.
void check_use(const RigidRequest& request) {
    if (!request.simulation.scene.empty()) {
        if (!request.a.empty() || !request.poses.empty() || request.convex.is_asked_for())
            fail_usage("--scene has its own bodies");
        return;
    }
    if (request.simulation.check || !request.simulation.out.empty())
        fail_usage("--check and --out need --scene");
    if (request.convex.is_asked_for()) {
        if (!request.a.empty()) fail_usage("--shape-a and --shape-b take the places of A and B");
        return;
    }
    if (request.convex.motion != "screw")
        fail_usage(
            "--motion needs --shape-a and --shape-b (surface:FILE for a mesh): A and B move on "
            "their "
            "relative screw");
    if (request.a.empty()) fail_usage("A is required");
    if (request.b.empty()) fail_usage("B is required");
    if (request.poses.empty()) fail_usage("--poses is required");
}

void check_request(RigidRequest& request) {
    check_use(request);
    const auto mode = rigid_mode_named(request.mode_name);
    if (!mode) {
        fail_usage("--mode is chords, pixels, robust or certified, not '" + request.mode_name +
                   "'");
    }
    request.mode = *mode;
    request.impact.model =
        request.surfaces_only ? rigid::BodyModel::SurfaceOnly : rigid::BodyModel::Solid;
    check_length("--pixel", request.pixel);
    check_length("--time-resolution", request.time_resolution);
    check_length("--min-separation", request.impact.min_separation);
    if (!(request.impact.time_width > 0.0) || !is_finite(request.impact.time_width)) {
        fail_usage("--time-width must be finite and > 0");
    }
    if (!(request.impact.t_max >= 0.0 && request.impact.t_max <= 1.0)) {
        fail_usage("--t-max must be in [0, 1]");
    }
    if (!(request.min_properness >= -1.0 && request.min_properness <= 1.0)) {
        fail_usage("--min-properness must be in [-1, 1]");
    }
    if (request.groups != -1.0) check_length("--groups", request.groups);
    request.convex.poses = request.poses;
    request.convex.impact = request.impact;
    request.convex.exit_code = request.exit_code;
    request.convex.common = request.common;
    request.simulation.common = request.common;
    if (request.convex.is_asked_for()) check_convex_request(request.convex);
    check_places({{"--svg", request.svg},
                  {"--screen", request.screen},
                  {"--frames", request.frames},
                  {"--html", request.html},
                  {"--json", request.common.json}},
                 {request.a, request.b, request.poses, request.simulation.scene});
}

void add_search_options(App& app, RigidRequest& request) {
    app.add_option(
           "--mode", request.mode_name,
           "How all collisions are found: chords, pixels (as published: coarser pixels cost "
           "less and miss more), robust (near misses within a pixel too) or certified "
           "(proved)")
        ->type_name("NAME");
    add_number_option(app, "--pixel", request.pixel,
                      "Length of a pixel of the raster; 0: a twelfth of a typical short edge");
    add_number_option(app, "--time-resolution", request.time_resolution,
                      "Of the raster, as a fraction of the step; 0: as the fastest point crosses a "
                      "pixel");
    add_number_option(app, "--min-properness", request.min_properness,
                      "Collisions below it are dropped; -1 keeps all");
    add_number_option(app, "--min-separation", request.impact.min_separation,
                      "The first contact means distance <= this length; collisions are at 0");
    add_number_option(app, "--time-width", request.impact.time_width,
                      "Target width of [toi_lower, toi_upper] in t");
    add_number_option(app, "--t-max", request.impact.t_max, "Look at [0, t-max] only");
    app.add_flag("--surfaces-only", request.surfaces_only,
                 "A closed body has no inside: one within the other is no contact");
    add_natural_option(app, "--max-checks", request.impact.max_checks,
                       "Work that first (and certified) may take before it is unresolved");
}

void add_output_options(App& app, RigidRequest& request) {
    app.add_flag("--orient", request.orients,
                 "Reverse faces that are wound the wrong way round, as in bodies that are inside "
                 "out");
    app.add_flag("--local", request.is_local,
                 "Positions and normals in the coordinates of A, not of the world");
    add_number_option(app, "--groups", request.groups,
                      "Also group collisions that come within this time of the first of a group; "
                      "-1: no groups");
    app.add_option("--svg", request.svg, "Draw the bodies at the start, at collisions, at the end")
        ->type_name("FILE.svg|-");
    app.add_option("--screen", request.screen, "Draw the collision screen of the raster")
        ->type_name("FILE.svg|-");
    app.add_option("--frames", request.frames,
                   "Write the bodies at the same times as OBJ files into this folder")
        ->type_name("DIR");
    add_html_option(app, request.html);
}

void add_convex_options(App& app, ConvexRequest& request) {
    constexpr const char* kShape =
        "sphere:R|box:X,Y,Z|capsule:R,H|cylinder:R,H|hull:FILE|surface:FILE";
    app.add_option("--shape-a", request.shape_a,
                   "The first body as a convex shape; half sizes, axes along z")
        ->type_name(kShape);
    app.add_option("--shape-b", request.shape_b, "The second body as a convex shape")
        ->type_name(kShape);
    app.add_option("--motion", request.motion,
                   "How these bodies get from start to end: screw, slerp, nlerp, spin, "
                   "rotation-vector or affine")
        ->type_name("NAME");
    app.add_option("--spin-a", request.spin_a,
                   "Of --motion spin: the angular velocity of A in radians per step")
        ->type_name("X,Y,Z");
    app.add_option("--spin-b", request.spin_b, "The same of B")->type_name("X,Y,Z");
}

void add_simulation_options(App& app, SimulationRequest& request) {
    app.add_option("--scene", request.scene,
                   "Step many bodies: pile, rolling, gears, chain, screw-nut or a JSON file")
        ->type_name("NAME|FILE.json");
    add_natural_option(app, "--steps", request.steps, "Of the scene; 0: as it says",
                       {0, kMaxSceneSteps});
    add_natural_option(app, "--bodies", request.bodies,
                       "Of the scenes pile and chain; 0: as many as usual", {0, kMaxSceneBodies});
    add_natural_option(app, "--seed", request.seed, "Of the scene pile");
    app.add_option("--out", request.out, "Write states of the scene to DIR/states.csv")
        ->type_name("DIR");
    add_natural_option(app, "--every", request.every,
                       "Steps between states that are written; 0: a hundred states");
    app.add_flag("--check", request.check,
                 "Prove of every state of the scene, besides the search, that it is free");
}

}  // namespace

Expected<ViewObject> rigid_view(const std::string& a, const std::string& b,
                                const std::string& poses) {
    RigidRequest request;
    request.a = a;
    request.b = b;
    request.poses = poses;
    const auto step = read_poses(poses);
    if (!step) return step.error();
    const auto bodies = read_bodies(request);
    if (!bodies) return bodies.error();
    RigidRun run(request, *bodies, *step);
    const Expected<void> searched = with_progress([&](auto& bar) { return run.search(bar); });
    if (!searched) return searched.error();
    const SurfacePair surfaces = surfaces_of(request, *bodies);
    warn(warnings_of(surfaces, run.outcome()));
    return view_of_bodies(surfaces, run.outcome());
}

Command add_rigid_command(App& app) {
    App* sub = app.add_command(
        "rigid", "Find when and where two rigid bodies meet in relative screw motion");
    sub->add_alias("screw");  // its name in version 0.1
    const auto request = std::make_shared<RigidRequest>();
    sub->add_option("A", request->a, "Surface of the first body: OBJ, PLY or STL")->type_name("");
    sub->add_option("B", request->b, "Surface of the second body")->type_name("");
    sub->add_option("--poses", request->poses, "Where both are at both ends of the step")
        ->type_name("POSES.json");
    add_search_options(*sub, *request);
    add_output_options(*sub, *request);
    add_convex_options(*sub, request->convex);
    add_simulation_options(*sub, request->simulation);
    add_exit_code_option(*sub, request->exit_code);
    add_common_options(*sub, request->common);
    sub->footer(std::string(kRigidExamples));
    sub->callback([request] { check_request(*request); });
    return {sub, [request] {
                if (!request->simulation.scene.empty())
                    return run_rigid_simulation(request->simulation);
                if (request->convex.is_asked_for()) return run_convex_impact(request->convex);
                return run_rigid(*request);
            }};
}

}  // namespace graze::app
