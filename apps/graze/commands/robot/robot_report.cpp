#include "robot_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/text_layout.hpp"
#include "graze/narrow/ccd.hpp"
#include "pictures/robot_pictures.hpp"

namespace graze::app {
namespace {

// How many segments that are not free the text lists; JSON has all.
constexpr std::size_t kListedSegments = 20;

Json party_name(const robot::Scene& scene, const robot::SegmentResult& segment, bool is_a) {
    if (!segment.contact) return nullptr;
    return name_of(scene, is_a ? segment.contact->a : segment.contact->b);
}

Json contact_json(const robot::RobotContact& contact) {
    return {{"geometry_a", contact.a.geometry},
            {"geometry_b", contact.b.geometry},
            {"triangle_a", json_optional(contact.a.triangle)},
            {"triangle_b", json_optional(contact.b.triangle)},
            {"point", json_vector(contact.point)},
            {"normal", json_vector(contact.normal)}};
}

Json segment_json(const robot::Scene& scene, const robot::SegmentResult& segment) {
    Json json = {{"verdict", name(segment.verdict)},
                 {"toi_lower", json_number(segment.toi_lower)},
                 {"toi_upper", json_number(segment.toi_upper)},
                 {"a", party_name(scene, segment, true)},
                 {"b", party_name(scene, segment, false)},
                 {"clearance_lower", json_number(segment.clearance_lower)},
                 {"checks", segment.checks}};
    if (segment.contact) json.update(contact_json(*segment.contact));
    return json;
}

std::string segment_text(const robot::Scene& scene, std::size_t index,
                         const robot::SegmentResult& segment) {
    std::string text = fmt::format("segment {:<4} {}, free before t = {:.9g}", index,
                                   name(segment.verdict), segment.toi_lower);
    if (std::isfinite(segment.toi_upper))
        text += fmt::format(", contact by {:.9g}", segment.toi_upper);
    if (segment.contact) {
        const Vec3& p = segment.contact->point;
        text += fmt::format(": {} and {} at ({:.6g}, {:.6g}, {:.6g})",
                            printable(name_of(scene, segment.contact->a)),
                            printable(name_of(scene, segment.contact->b)), p.x, p.y, p.z);
    }
    return text + "\n";
}

}  // namespace

Json outcome_json(const RobotOutcome& outcome) {
    Json segments = Json::array();
    for (const robot::SegmentResult& segment : outcome.path.segments)
        segments.push_back(segment_json(outcome.scene, segment));
    Json allowed = Json::array();
    const auto links = outcome.scene.robot().links();
    for (const auto& [first, second] : outcome.scene.allowed())
        allowed.push_back(Json::array({links[first].name, links[second].name}));
    return {{"segments", std::move(segments)},
            {"free", outcome.path.is_free()},
            {"free_length", json_number(outcome.path.free_length())},
            {"allowed", std::move(allowed)},
            {"seconds", json_number(outcome.seconds)}};
}

std::string outcome_text(const RobotOutcome& outcome) {
    const robot::Robot& robot = outcome.scene.robot();
    std::string text = fmt::format("robot       {}: {}, {}, {} may touch\n",
                                   printable(robot.name()), counted(robot.links().size(), "link"),
                                   counted(robot.variables().size(), "joint value"),
                                   counted(outcome.scene.allowed().size(), "pair"));
    std::size_t listed = 0;
    std::size_t left_out = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < outcome.path.segments.size(); ++i) {
        const robot::SegmentResult& segment = outcome.path.segments[i];
        least = std::min(least, segment.clearance_lower);
        if (segment.verdict == Verdict::Separated) continue;
        if (listed++ < kListedSegments) {
            text += segment_text(outcome.scene, i, segment);
        } else {
            ++left_out;
        }
    }
    if (left_out > 0) text += fmt::format("and {} more\n", left_out);
    if (least > 0.0 && std::isfinite(least))
        text += fmt::format("clearance   at least {:.9g}\n", least);
    text += fmt::format("path        {}, {}\n", counted(outcome.path.segments.size(), "segment"),
                        outcome.path.is_free()
                            ? std::string("proved free of collision")
                            : fmt::format("proved free up to {:.9g}", outcome.path.free_length()));
    return text;
}

}  // namespace graze::app
