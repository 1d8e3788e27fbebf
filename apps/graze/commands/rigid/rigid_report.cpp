#include "rigid_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "graze/io/hex_float.hpp"
#include "graze/surface/faces.hpp"

namespace graze::app {
namespace {

using rigid::StartState;

// How many collisions the text lists; JSON has all.
constexpr std::size_t kListed = 20;
// A bracket is wide above so many times what was wished for.
constexpr double kWide = 4.0;
constexpr std::array kModes = {RigidMode::Chords, RigidMode::Pixels, RigidMode::Robust,
                               RigidMode::Certified};

double degrees(double radians) {
    return radians * (180.0 / std::numbers::pi);
}

std::string vector_text(const Vec3& v) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

// Not decided counts as overlap: the answer is the safe one, and "start" says that it is unknown.
bool overlaps(StartState start) {
    return start != StartState::Separated;
}

Json screw_json(const rigid::ScrewMotion& screw) {
    return {{"direction", json_vector(screw.direction)},
            {"point", json_vector(screw.point)},
            {"angle", json_number(screw.angle)},
            {"angle_degrees", json_number(degrees(screw.angle))},
            {"pitch", json_number(screw.pitch)},
            {"angular", json_vector(screw.angular)},
            {"linear", json_vector(screw.linear)},
            {"interpolation_error", json_number(rigid::interpolation_error(screw.angle))}};
}

Json face_json(std::uint32_t face) {
    return face == rigid::kNoFace ? Json(nullptr) : Json(face);
}

Json first_json(const rigid::ImpactResult& first) {
    return {{"verdict", name(first.verdict)},
            {"toi_lower", json_number(first.toi_lower)},
            {"toi_upper", json_number(first.toi_upper)},
            {"face_a", face_json(first.contact.a)},
            {"face_b", face_json(first.contact.b)},
            {"checks", first.checks}};
}

Json collision_json(const rigid::Contact& c) {
    Json json = {{"type", short_name(c.type)},
                 {"a", c.a},
                 {"b", c.b},
                 {"time", json_number(c.time)},
                 {"position", json_vector(c.point)},
                 {"normal", json_vector(c.normal)},
                 {"properness", json_number(c.properness)}};
    if (c.is_proved()) {
        json["time_lower"] = json_number(c.time_lower);
        json["time_upper"] = json_number(c.time_upper);
    }
    return json;
}

Json raster_json(const rigid::RasterStatistics& s) {
    return {{"pixel", json_number(s.pixel)},
            {"time_resolution", json_number(s.time_resolution)},
            {"pixels_a", s.pixels_a},
            {"pixels_b", s.pixels_b},
            {"pairs", s.pairs},
            {"candidates", s.candidates},
            {"stopped_early", s.stopped_early},
            {"doppeled", s.doppeled}};
}

// The same fields, and those that only pixels have.
Json raster_json(const rigid::PixelStatistics& s) {
    return {{"pixel", json_number(s.pixel)},
            {"time_resolution", json_number(s.time_resolution)},
            {"pixels_a", s.records_a},
            {"pixels_b", s.records_b},
            {"pairs", s.compared},
            {"candidates", s.pairs},
            {"stopped_early", s.stopped_early},
            {"doppeled", s.doppeled},
            {"rows", s.rows},
            {"not_converged", s.not_converged}};
}

Json raster_json(const RigidOutcome& outcome) {
    if (outcome.pixels) return raster_json(*outcome.pixels);
    return outcome.raster ? raster_json(*outcome.raster) : Json(nullptr);
}

Json surface_json(const NamedSurface& named) {
    const rigid::Polyhedron& surface = *named.surface;
    const rigid::SurfaceReport& report = surface.report();
    return {{"file", named.file},
            {"vertices", surface.positions().size()},
            {"edges", surface.edges().size()},
            {"faces", surface.face_count()},
            {"closed", report.is_closed()},
            {"open_edges", report.open_edges},
            {"non_manifold_edges", report.non_manifold_edges},
            {"bent_faces", report.bent_faces},
            {"flat_faces", report.flat_faces},
            {"repeated_vertices", report.repeated_vertices},
            {"unused_vertices", report.unused_vertices},
            {"inside_out_parts", report.inside_out_parts},
            {"wrong_faces", report.wrong_faces},
            {"undecided_parts", report.undecided_parts},
            {"dropped_faces", named.dropped_faces},
            {"reversed_faces", named.reversed_faces}};
}

void append_surface_warnings(const NamedSurface& named, std::vector<std::string>& warnings) {
    const rigid::SurfaceReport& report = named.surface->report();
    if (named.dropped_faces > 0) {
        warnings.push_back(fmt::format("{}: {} of fewer than three different corners left out",
                                       named.file, counted(named.dropped_faces, "face", "faces")));
    }
    if (const std::string text = report.text(); !text.empty())
        warnings.push_back(named.file + ": " + text);
    if (report.wrong_faces > 0) {
        warnings.push_back(named.file +
                           ": what faces meet that are wound the wrong way round is missing from "
                           "the collisions (not from the first impact); --orient reverses them");
    }
}

std::string surface_line(char which, const NamedSurface& named) {
    const rigid::Polyhedron& surface = *named.surface;
    std::string text = fmt::format("{}           {}: {}, {}, {}, {}", which, printable(named.file),
                                   counted(surface.positions().size(), "vertex", "vertices"),
                                   counted(surface.edges().size(), "edge", "edges"),
                                   counted(surface.face_count(), "face", "faces"),
                                   surface.report().is_closed() ? "closed" : "open");
    if (named.reversed_faces > 0)
        text += fmt::format(", {} of them reversed", named.reversed_faces);
    return text + "\n";
}

std::string motion_line(const rigid::ScrewMotion& screw) {
    if (screw.is_translation()) {
        return fmt::format("motion      of B seen from A: translation by {}\n",
                           vector_text(screw.linear));
    }
    return fmt::format(
        "motion      of B seen from A: turn by {:.6g} degrees about {} through {}, shift {:.6g}\n",
        degrees(screw.angle), vector_text(screw.direction), vector_text(screw.point), screw.pitch);
}

// Why a bracket is wider than what was wished for; empty where it is not.
std::string why_wide(const RigidOutcome& outcome) {
    const rigid::ImpactResult& first = outcome.first;
    const bool is_contact = first.verdict == Verdict::Contact;
    if (is_contact && first.toi_upper - first.toi_lower <= kWide * outcome.time_width) return "";
    if (first.verdict == Verdict::Separated || !(first.toi_lower > 0.0)) return "";
    const std::string from = io::to_shortest(first.toi_lower);
    return is_contact ? fmt::format(
                            "            a wide bracket: at about t = {} the bodies come so close "
                            "that roundings hide\n            whether they touch; contact is "
                            "proved at t = {}, and no gap between the two\n",
                            from, io::to_shortest(first.toi_upper))
                      : fmt::format(
                            "            free before t = {}; from there on neither contact "
                            "nor a gap is proved\n",
                            from);
}

std::string first_line(const rigid::ImpactResult& first) {
    std::string text = fmt::format("first       {}", name(first.verdict));
    if (first.verdict != Verdict::Separated) {
        text += fmt::format(", t in [{}, {}]", io::to_shortest(first.toi_lower),
                            io::to_shortest(first.toi_upper));
    }
    if (first.contact.has_features()) {
        text += fmt::format(", face {} of A, face {} of B", first.contact.a, first.contact.b);
    }
    if (first.toi_upper == 0.0 && first.start == StartState::AInsideB) text += ", A is inside B";
    if (first.toi_upper == 0.0 && first.start == StartState::BInsideA) text += ", B is inside A";
    return text + "\n";
}

std::string collisions_heading(const RigidOutcome& outcome) {
    std::string text =
        fmt::format("collisions  {} by {}", outcome.collisions.size(), name(outcome.mode));
    if (outcome.raster) {
        text += fmt::format(", pixel {:.4g}, time resolution {:.4g}", outcome.raster->pixel,
                            outcome.raster->time_resolution);
    }
    if (outcome.pixels) {
        text += fmt::format(", pixel {:.4g}, time resolution {:.4g}", outcome.pixels->pixel,
                            outcome.pixels->time_resolution);
    }
    if (outcome.is_complete) {
        text += *outcome.is_complete ? ", complete" : ", possibly incomplete";
    }
    if (!outcome.groups.empty()) text += fmt::format(", in {} groups", outcome.groups.size());
    return text + "\n";
}

std::string collision_line(const rigid::Contact& c) {
    return fmt::format("  t = {:<12.9g} {} {:>6} {:>6}  properness {:>10.4g}  at {} normal {}\n",
                       c.time, short_name(c.type), c.a, c.b, c.properness, vector_text(c.point),
                       vector_text(c.normal));
}

}  // namespace

std::string_view name(RigidMode mode) noexcept {
    switch (mode) {
        case RigidMode::Chords:
            return "chords";
        case RigidMode::Pixels:
            return "pixels";
        case RigidMode::Robust:
            return "robust";
        case RigidMode::Certified:
            break;
    }
    return "certified";
}

std::optional<RigidMode> rigid_mode_named(std::string_view text) noexcept {
    if (text == "raster") return RigidMode::Chords;  // its name in version 0.1
    for (const RigidMode mode : kModes)
        if (name(mode) == text) return mode;
    return std::nullopt;
}

std::vector<std::string> warnings_of(const SurfacePair& surfaces, const RigidOutcome& outcome) {
    std::vector<std::string> warnings;
    for (const NamedSurface& named : surfaces)
        append_surface_warnings(named, warnings);
    if (outcome.screw.angle > rigid::kLargeAngle) {
        warnings.push_back(fmt::format(
            "the bodies turn by {:.1f} degrees against each other, more than 45: another motion "
            "between the same poses may differ from the screw by {:.2f} of its arc",
            degrees(outcome.screw.angle), rigid::interpolation_error(outcome.screw.angle)));
    }
    if (overlaps(outcome.start)) {
        warnings.push_back(
            fmt::format("the bodies are not apart at the start: {}", rigid::name(outcome.start)));
    }
    return warnings;
}

Json outcome_json(const SurfacePair& surfaces, const RigidOutcome& outcome) {
    Json json = {{"mode", name(outcome.mode)},
                 {"a", surface_json(surfaces[0])},
                 {"b", surface_json(surfaces[1])},
                 {"screw", screw_json(outcome.screw)},
                 {"first", first_json(outcome.first)},
                 {"start", rigid::name(outcome.start)},
                 {"overlap_at_start", overlaps(outcome.start)}};
    Json collisions = Json::array();
    for (const rigid::Contact& collision : outcome.collisions)
        collisions.push_back(collision_json(collision));
    json["collisions"] = std::move(collisions);
    if (!outcome.groups.empty()) json["groups"] = outcome.groups;
    json["complete"] = json_optional(outcome.is_complete);
    json["coordinates"] = outcome.is_local ? "local" : "world";
    json["raster"] = raster_json(outcome);
    json["warnings"] = warnings_of(surfaces, outcome);
    json["seconds_first"] = json_number(outcome.seconds_first);
    json["seconds_collisions"] = json_number(outcome.seconds_collisions);
    return json;
}

std::string first_text(const RigidOutcome& outcome) {
    return first_line(outcome.first) + why_wide(outcome);
}

std::string outcome_text(const SurfacePair& surfaces, const RigidOutcome& outcome) {
    std::string text = surface_line('A', surfaces[0]) + surface_line('B', surfaces[1]);
    text += motion_line(outcome.screw);
    text += fmt::format("start       {}\n", rigid::name(outcome.start));
    text += first_text(outcome);
    text += collisions_heading(outcome);
    const std::size_t listed = std::min(kListed, outcome.collisions.size());
    for (std::size_t i = 0; i < listed; ++i)
        text += collision_line(outcome.collisions[i]);
    if (listed < outcome.collisions.size()) {
        text += fmt::format("  and {} more\n", outcome.collisions.size() - listed);
    }
    text += fmt::format("time        first {:.6f} s, collisions {:.6f} s\n", outcome.seconds_first,
                        outcome.seconds_collisions);
    return text;
}

}  // namespace graze::app
