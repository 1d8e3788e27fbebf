// What `graze slide --world` and `--character` found, as JSON, CSV, text and for the page.
#include <fmt/format.h>

#include <array>

#include "graze/verify/stats.hpp"
#include "slide_world.hpp"

namespace graze::app {
namespace {

// Of the report: what is more is in --csv.
constexpr std::size_t kMostEventLines = 40;

std::string joined_events(const WorldFrame& frame) {
    std::string text;
    for (const std::string_view event : frame.events)
        text += (text.empty() ? "" : " ") + std::string(event);
    return text;
}

std::string_view kind_of_shape(const WorldOutcome& outcome) {
    const Vec3& r = outcome.radii;
    if (outcome.side_axes != SideAxes{}) return "box";
    if (outcome.half_axis != Vec3{}) return "capsule";
    return r.x == r.y && r.y == r.z ? "ball" : "ellipsoid";
}

Json world_touch_json(const Touch& touch) {
    return {{"part", touch.part},
            {"face", touch.face},
            {"point", json_vector(touch.point)},
            {"normal", json_vector(touch.normal)},
            {"time", json_number(touch.time)}};
}

Json world_frame_json(const WorldFrame& frame, bool is_character) {
    Json contacts = Json::array();
    for (const Touch& touch : frame.touches)
        contacts.push_back(world_touch_json(touch));
    Json json = {{"time", json_number(frame.time)},
                 {"position", json_vector(frame.position)},
                 {"contacts", std::move(contacts)},
                 {"stopped", slide::name(frame.stopped)},
                 {"iterations", frame.iterations},
                 {"skin", json_number(frame.skin)},
                 {"gap_proved", frame.gap_proved},
                 {"ride", slide::name(frame.ride)},
                 {"ride_time", json_number(frame.ride_time)},
                 {"overlap", json_number(frame.overlap)}};
    json["penetration"] = frame.check ? json_number(frame.check->penetration) : Json(nullptr);
    json["gap"] = frame.check ? json_optional(frame.check->gap) : Json(nullptr);
    json["keeps_skin"] = frame.check ? Json(frame.check->keeps_skin) : Json(nullptr);
    if (is_character) {
        json["feet"] = json_vector(frame.feet);
        json["on_ground"] = frame.on_ground;
        json["ground_part"] = frame.on_ground ? Json(frame.ground.part) : Json(nullptr);
        json["ground_face"] = frame.on_ground ? Json(frame.ground.face) : Json(nullptr);
        json["ground_normal"] = frame.on_ground ? json_vector(frame.ground.normal) : Json(nullptr);
    }
    json["events"] = frame.events;
    return json;
}

Json frames_json(const WorldOutcome& outcome, bool is_character) {
    Json frames = Json::array();
    for (const WorldFrame& frame : outcome.frames)
        frames.push_back(world_frame_json(frame, is_character));
    return frames;
}

std::string ground_name(const SlideWorldFile& file, const WorldFrame& frame) {
    if (!frame.on_ground) return "in the air";
    return "on " + printable(file.parts[frame.ground.part].name);
}

// Frames in which something else happens than in the one before: other events, or other ground.
std::string event_lines(const SlideWorldFile& file, const WorldOutcome& outcome) {
    std::string text;
    std::string last;
    std::size_t count = 0;
    for (std::size_t i = 0; i < outcome.frames.size(); ++i) {
        const WorldFrame& frame = outcome.frames[i];
        const std::string events = joined_events(frame);
        const std::string state = ground_name(file, frame) + (events.empty() ? "" : ": " + events);
        const bool is_worth_it = state != last && (!events.empty() || !last.starts_with(state));
        last = state;
        if (!is_worth_it || ++count > kMostEventLines) continue;
        text += fmt::format("{:>7} {:>8.3f} s  at {:.6g} {:.6g} {:.6g}, {}\n", i + 1, frame.time,
                            frame.feet.x, frame.feet.y, frame.feet.z, state);
    }
    if (count > kMostEventLines)
        text += fmt::format("        and {} more frames with events: --csv has all\n",
                            count - kMostEventLines);
    return text;
}

std::string check_text(const WorldOutcome& outcome) {
    const std::size_t bad = outcome.contradicted_count();
    std::string text = fmt::format("checked     {} of {} frames exactly: gap at least the skin{}\n",
                                   outcome.frames.size(), outcome.frames.size(),
                                   bad == 0 ? " wherever it is proved" : "");
    if (outcome.max_penetration() > 0.0)
        text += fmt::format("penetration {:.6g} at most\n", outcome.max_penetration());
    if (outcome.faces_not_checked > 0)
        text += fmt::format(
            "not checked {}\n",
            counted(outcome.faces_not_checked, "one-sided triangle", "one-sided triangles"));
    return text;
}

// The page walks through what it is given: what the mover does not see is left out.
bool is_seen(const SlideWorldFile& file, std::size_t part) {
    return (file.parts[part].layers & file.mover.layers) != 0;
}

// All parts that stand as one mesh.
void add_still_parts(const SlideWorldFile& file, const WorldOutcome& outcome, ViewObject& view) {
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> faces;
    for (std::size_t i = 0; i < outcome.pictures.size(); ++i) {
        const WorldPartPicture& part = outcome.pictures[i];
        if (part.is_moving || !is_seen(file, i)) continue;
        const auto first = static_cast<std::uint32_t>(vertices.size());
        vertices.insert(vertices.end(), part.positions.begin(), part.positions.end());
        for (const auto& [a, b, c] : part.faces)
            faces.push_back({a + first, b + first, c + first});
    }
    view.add_list("vertices", std::span<const Vec3>(vertices));
    view.add_rows<3>("faces", std::span<const std::array<std::uint32_t, 3>>(faces));
}

// Rows of qw, qx, qy, qz, x, y, z: at the start, and after each frame.
ViewObject moving_part_view(const WorldPartPicture& part) {
    ViewObject view;
    std::vector<double> poses;
    for (const Pose& pose : part.poses) {
        const Quaternion& q = pose.rotation;
        const Vec3& t = pose.translation;
        poses.insert(poses.end(), {q.w, q.x, q.y, q.z, t.x, t.y, t.z});
    }
    view.add_list("vertices", std::span<const Vec3>(part.positions));
    view.add_rows<3>("faces", std::span<const std::array<std::uint32_t, 3>>(part.faces));
    view.add_list("poses", std::span<const double>(poses));
    return view;
}

}  // namespace

Json world_json(const SlideWorldFile& file, const WorldRunOptions& options,
                const WorldOutcome& outcome) {
    Json parts = Json::array();
    for (const SlideWorldPart& part : file.parts)
        parts.push_back(Json{{"name", part.name},
                             {"faces", file.meshes[part.mesh].face_count()},
                             {"moving", part.motion.is_moving()}});
    Json json = {{"world", file.name},
                 {"mover", "graze"},
                 {"character", options.is_character},
                 {"precision", name(outcome.precision)},
                 {"shape", kind_of_shape(outcome)},
                 {"radii", json_vector(outcome.radii)},
                 {"half_axis", json_vector(outcome.half_axis)},
                 {"side_axes", Json::array({json_vector(outcome.side_axes[0]),
                                            json_vector(outcome.side_axes[1])})},
                 {"skin", json_number(outcome.skin)},
                 {"faces", outcome.faces},
                 {"parts", std::move(parts)},
                 {"time_step", json_number(file.time_step)},
                 {"start", json_vector(outcome.start)},
                 {"gap_proved", outcome.proved_count() == outcome.frames.size()},
                 {"checked", options.check}};
    json["max_penetration"] =
        options.check ? json_number(outcome.max_penetration()) : Json(nullptr);
    json["contradicted"] = options.check ? Json(outcome.contradicted_count()) : Json(nullptr);
    json["faces_not_checked"] = options.check ? Json(outcome.faces_not_checked) : Json(nullptr);
    json["frames"] = frames_json(outcome, options.is_character);
    return json;
}

std::string world_csv(const SlideWorldFile& file, const WorldOutcome& outcome) {
    std::string text =
        "frame,time,x,y,z,feet_x,feet_y,feet_z,stopped,skin,gap_proved,gap,keeps_skin,ride,"
        "on_ground,ground_part,ground_name,events\n";
    for (std::size_t i = 0; i < outcome.frames.size(); ++i) {
        const WorldFrame& f = outcome.frames[i];
        const auto if_checked = [&](const std::string& value) {
            return f.check ? value : std::string();
        };
        std::string name = f.on_ground ? printable(file.parts[f.ground.part].name) : "";
        for (char& c : name)
            if (c == ',' || c == '"') c = ' ';
        text +=
            fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", i + 1, f.time,
                        f.position.x, f.position.y, f.position.z, f.feet.x, f.feet.y, f.feet.z,
                        slide::name(f.stopped), f.skin, f.gap_proved ? 1 : 0,
                        f.check && f.check->gap ? fmt::format("{}", *f.check->gap) : "",
                        if_checked(f.check && f.check->keeps_skin ? "1" : "0"), slide::name(f.ride),
                        f.on_ground ? 1 : 0, f.on_ground ? std::to_string(f.ground.part) : "", name,
                        joined_events(f));
    }
    return text;
}

std::string world_text(const SlideWorldFile& file, const WorldRunOptions& options,
                       const WorldOutcome& outcome) {
    const Vec3& r = outcome.radii;
    std::string text = fmt::format(
        "world       {}: {}, {}\n"
        "mover       {} {}, {}, radii {} {} {}, skin {:.6g}\n",
        printable(file.name), counted(file.parts.size(), "part", "parts"),
        counted(outcome.faces, "triangle", "triangles"),
        options.is_character ? "character" : "graze", kind_of_shape(outcome),
        name(outcome.precision), r.x, r.y, r.z, outcome.skin);
    if (options.is_character) text += event_lines(file, outcome);
    text += fmt::format("proved      the gap after {} of {} frames\n", outcome.proved_count(),
                        outcome.frames.size());
    if (options.check) text += check_text(outcome);
    const Vec3 end = outcome.frames.empty() ? outcome.start : outcome.frames.back().position;
    text += fmt::format("end         {:.9g} {:.9g} {:.9g}\n", end.x, end.y, end.z);
    TimeSample times;
    for (const WorldFrame& frame : outcome.frames)
        times.add(frame.ns);
    if (const auto summary = times.summary())
        text += fmt::format("time        median {}, p99 {}, longest {} per frame\n",
                            format_ns(summary->median), format_ns(summary->p99),
                            format_ns(summary->max));
    return text;
}

ViewObject world_view(const SlideWorldFile& file, const WorldOutcome& outcome) {
    ViewObject view("slide", std::filesystem::path(file.name).filename().string());
    add_still_parts(file, outcome, view);
    std::vector<ViewObject> moving;
    for (std::size_t i = 0; i < outcome.pictures.size(); ++i)
        if (outcome.pictures[i].is_moving && is_seen(file, i))
            moving.push_back(moving_part_view(outcome.pictures[i]));
    view.add("moving", moving);
    view.add("shape", Json{{"type", kind_of_shape(outcome)},
                           {"radii", json_vector(outcome.radii)},
                           {"half_axis", json_vector(outcome.half_axis)},
                           {"side_axes", Json::array({json_vector(outcome.side_axes[0]),
                                                      json_vector(outcome.side_axes[1])})}});
    view.add("skin", json_number(outcome.skin));
    view.add("start", json_vector(outcome.start));
    // Its contacts are with faces of parts, which the page has as one mesh: it draws where, not which.
    Json frames = Json::array();
    for (const WorldFrame& frame : outcome.frames) {
        Json contacts = Json::array();
        for (const Touch& touch : frame.touches)
            contacts.push_back(Json{{"point", json_vector(touch.point)},
                                    {"normal", json_vector(touch.normal)},
                                    {"part", file.parts[touch.part].name}});
        frames.push_back(Json{
            {"position", json_vector(frame.position)},
            {"contacts", std::move(contacts)},
            {"stopped", slide::name(frame.stopped)},
            {"iterations", frame.iterations},
            {"gap", frame.check ? json_optional(frame.check->gap) : Json(nullptr)},
            {"gap_proved", frame.gap_proved},
            {"ride", slide::name(frame.ride)},
            {"ground", frame.on_ground ? Json(file.parts[frame.ground.part].name) : Json(nullptr)},
            {"events", frame.events}});
    }
    view.add("frames", frames);
    return view;
}

}  // namespace graze::app
