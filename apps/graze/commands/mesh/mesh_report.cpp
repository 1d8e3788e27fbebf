#include "mesh_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graze/io/hex_float.hpp"
#include "mesh_pictures.hpp"

namespace graze::app {
namespace {

using Colour = std::array<std::uint8_t, 3>;
constexpr Colour kUntouched = {200, 200, 200};
constexpr Colour kFirst = {165, 0, 38};
constexpr Colour kLast = {254, 224, 80};

std::uint64_t count_of(const MeshOutcome& outcome, QueryKind kind, Verdict verdict) {
    return static_cast<std::uint64_t>(std::count_if(
        outcome.impacts.begin(), outcome.impacts.end(),
        [&](const Impact& i) { return i.kind == kind && i.result.verdict == verdict; }));
}

std::uint64_t unresolved(const MeshOutcome& outcome) {
    std::uint64_t sum = 0;
    for (const QueryKind kind : kAllQueryKinds)
        sum += count_of(outcome, kind, Verdict::Unresolved);
    return sum;
}

std::uint64_t candidates(const MeshOutcome& outcome, QueryKind kind) {
    return outcome.work.candidates[static_cast<std::size_t>(kind)];
}

std::string key(std::string_view what, QueryKind kind) {
    return fmt::format("{}_{}", what, short_name(kind));
}

Json first_json(const std::optional<Impact>& first) {
    if (!first) return nullptr;
    return {{"kind", short_name(first->kind)},
            {"a", first->a},
            {"b", first->b},
            {"verdict", name(first->result.verdict)},
            {"toi_lower", json_number(first->result.toi_lower)},
            {"toi_upper", json_number(first->result.toi_upper)}};
}

std::string first_line(const MeshOutcome& outcome) {
    if (!outcome.first) return "first       none\n";
    return fmt::format("first       {}: {}, t in [{}, {}]\n", name(outcome.first->result.verdict),
                       impact_text(*outcome.first), io::to_shortest(outcome.toi_lower),
                       io::to_shortest(outcome.toi_upper));
}

// "12 vf, 3 ee", and the other kinds where the mesh has points.
template <class Count>
std::string by_kind(const MeshTopology& mesh, Count count) {
    std::string text;
    for (const QueryKind kind : kAllQueryKinds) {
        const bool is_shown = kind == QueryKind::VertexFace || kind == QueryKind::EdgeEdge;
        if (!is_shown && mesh.points.empty()) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count(kind), short_name(kind));
    }
    return text;
}

template <class Use>
void for_each_vertex(const MeshTopology& mesh, const Impact& impact, Use use) {
    const auto all = [&](const auto& vertices) {
        for (const std::uint32_t vertex : vertices)
            use(vertex);
    };
    if (impact.kind == QueryKind::EdgeEdge) {
        all(mesh.edges[impact.a]);
    } else {
        use(impact.a);
    }
    if (impact.kind == QueryKind::VertexFace) return all(mesh.faces[impact.b]);
    if (impact.kind == QueryKind::VertexVertex) return use(impact.b);
    all(mesh.edges[impact.b]);
}

}  // namespace

Verdict verdict_of(const MeshOutcome& outcome) noexcept {
    if (outcome.toi_upper < kInfinity) return Verdict::Contact;
    return outcome.first || outcome.toi_lower < kInfinity ? Verdict::Unresolved
                                                          : Verdict::Separated;
}

Json outcome_json(const MeshTopology& mesh, const MeshOutcome& outcome) {
    Json json = {{"vertices", mesh.vertex_count},
                 {"edges", mesh.edges.size()},
                 {"faces", mesh.faces.size()},
                 {"points", mesh.points.size()}};
    for (const QueryKind kind : kAllQueryKinds)
        json[key("candidates", kind)] = candidates(outcome, kind);
    for (const QueryKind kind : kAllQueryKinds) {
        json[key("contacts", kind)] =
            outcome.is_all ? Json(count_of(outcome, kind, Verdict::Contact)) : Json(nullptr);
    }
    json["unresolved"] = outcome.is_all ? Json(unresolved(outcome)) : Json(nullptr);
    json["toi_lower"] = json_number(outcome.toi_lower);
    json["toi_upper"] = json_number(outcome.toi_upper);
    json["first"] = first_json(outcome.first);
    json["repeated_vertices"] = outcome.defects.repeated_vertices;
    json["welded_vertices"] = outcome.welded;
    json["degenerate_faces"] = outcome.defects.degenerate_faces;
    json["duplicate_faces"] = outcome.defects.duplicate_faces;
    json["warnings"] = outcome.warnings;
    json["seconds_read"] = json_number(outcome.seconds_read);
    json["seconds_check"] = json_number(outcome.seconds_check);
    json["seconds_broad"] = json_number(outcome.work.seconds_broad);
    json["seconds_narrow"] = json_number(outcome.work.seconds_search);
    json["seconds_output"] = json_number(outcome.seconds_output);
    json["seconds_total"] = json_number(outcome.seconds_total);
    return json;
}

std::string outcome_text(const MeshTopology& mesh, const MeshOutcome& outcome) {
    std::string text = fmt::format(
        "mesh        {}, {}, {}", counted(mesh.vertex_count, "vertex", "vertices"),
        counted(mesh.edges.size(), "edge", "edges"), counted(mesh.faces.size(), "face", "faces"));
    if (!mesh.points.empty()) text += ", " + counted(mesh.points.size(), "point", "points");
    if (outcome.welded > 0) text += fmt::format(" ({} more welded to them)", outcome.welded);
    text += fmt::format("\ncandidates  {}\n",
                        by_kind(mesh, [&](QueryKind kind) { return candidates(outcome, kind); }));
    if (outcome.is_all) {
        text += fmt::format("contacts    {}", by_kind(mesh, [&](QueryKind kind) {
                                return count_of(outcome, kind, Verdict::Contact);
                            }));
        text += fmt::format(", {} unresolved\n", unresolved(outcome));
    }
    text += first_line(outcome);
    text += fmt::format(
        "time        reading {:.4f} s, checks {:.4f} s, boxes {:.4f} s, pairs {:.4f} s, output "
        "{:.4f} s\n",
        outcome.seconds_read, outcome.seconds_check, outcome.work.seconds_broad,
        outcome.work.seconds_search, outcome.seconds_output);
    return text;
}

std::string pair_lines(const std::vector<Impact>& impacts) {
    std::string lines;
    for (const Impact& impact : impacts) {
        lines += fmt::format("{},{},{},{},{}\n", short_name(impact.kind), impact.a, impact.b,
                             io::to_shortest(impact.result.toi_lower),
                             io::to_shortest(impact.result.toi_upper));
    }
    return lines;
}

std::string bound_lines(std::span<const double> radii, std::span<const double> fractions) {
    std::string lines;
    for (std::size_t i = 0; i < radii.size(); ++i) {
        lines +=
            fmt::format("{},{},{}\n", i, io::to_shortest(radii[i]), io::to_shortest(fractions[i]));
    }
    return lines;
}

std::vector<double> first_times(const MeshTopology& mesh, const std::vector<Impact>& impacts) {
    std::vector<double> times(mesh.vertex_count, kInfinity);
    for (const Impact& impact : impacts) {
        for_each_vertex(mesh, impact, [&](std::uint32_t vertex) {
            times[vertex] = std::min(times[vertex], impact.result.toi_lower);
        });
    }
    return times;
}

std::array<std::uint8_t, 3> colour_of(double time, double t_max) {
    if (!(time < kInfinity)) return kUntouched;
    const double share = t_max > 0.0 ? std::clamp(time / t_max, 0.0, 1.0) : 0.0;
    Colour colour{};
    for (std::size_t i = 0; i < 3; ++i)
        colour[i] = static_cast<std::uint8_t>(std::lround(std::lerp(kFirst[i], kLast[i], share)));
    return colour;
}

std::string contact_picture(const io::MeshPair& pair, const std::vector<double>& times,
                            double t_max) {
    std::vector<Colour> colours;
    colours.reserve(times.size());
    for (const double time : times)
        colours.push_back(colour_of(time, t_max));
    return io::to_ply(
        {pair.start, pair.faces, pair.edges, colours, times},
        "the start of the step; toi and colour: the first time at which a vertex takes part in a "
        "contact, red early, yellow late, grey and inf never");
}

}  // namespace graze::app
