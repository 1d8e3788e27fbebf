#include "slide_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graze/surface/faces.hpp"

namespace graze::app {
namespace {

Json touch_json(const Touch& touch) {
    return {{"face", touch.face},
            {"point", json_vector(touch.point)},
            {"normal", json_vector(touch.normal)},
            {"time", json_number(touch.time)}};
}

Json frame_json(const JudgedFrame& judged) {
    Json contacts = Json::array();
    for (const Touch& touch : judged.touches)
        contacts.push_back(touch_json(touch));
    return {{"position", json_vector(judged.frame.position)},
            {"contacts", std::move(contacts)},
            {"stopped", slide::name(judged.frame.stopped)},
            {"iterations", judged.frame.iterations},
            {"penetration", json_number(judged.penetration)},
            {"gap", json_optional(judged.gap)},
            {"keeps_skin", judged.keeps_skin},
            {"gap_proved", judged.frame.gap_proved}};
}

TimeSample times_of(const SlideOutcome& outcome) {
    TimeSample sample;
    for (const JudgedFrame& judged : outcome.frames)
        sample.add(judged.frame.ns);
    return sample;
}

int most_iterations(const SlideOutcome& outcome) {
    int most = 0;
    for (const JudgedFrame& judged : outcome.frames)
        most = std::max(most, judged.frame.iterations);
    return most;
}

std::size_t proved_count(const SlideOutcome& outcome) {
    return static_cast<std::size_t>(
        std::count_if(outcome.frames.begin(), outcome.frames.end(),
                      [](const JudgedFrame& judged) { return judged.frame.gap_proved; }));
}

std::string half_axis_text(const SlideOutcome& outcome) {
    const Vec3& a = outcome.settings.half_axis;
    std::string text = a == Vec3{} ? "" : fmt::format(", half axis {} {} {}", a.x, a.y, a.z);
    for (const Vec3& side : outcome.settings.side_axes)
        if (!(side == Vec3{})) text += fmt::format(", side axis {} {} {}", side.x, side.y, side.z);
    return text;
}

std::string counts_text(const SlideOutcome& outcome) {
    constexpr std::array kReasons = {slide::StopReason::Free, slide::StopReason::Blocked,
                                     slide::StopReason::PushedOut, slide::StopReason::Limit};
    std::string text;
    for (const slide::StopReason reason : kReasons) {
        const auto count =
            std::count_if(outcome.frames.begin(), outcome.frames.end(),
                          [&](const JudgedFrame& f) { return f.frame.stopped == reason; });
        if (count > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, slide::name(reason));
        }
    }
    return text.empty() ? "none" : text;
}

}  // namespace

double SlideOutcome::max_penetration() const noexcept {
    double most = 0.0;
    for (const JudgedFrame& judged : frames)
        most = std::max(most, judged.penetration);
    return most;
}

std::vector<Vec3> SlideOutcome::path() const {
    std::vector<Vec3> points = {start};
    for (const JudgedFrame& judged : frames)
        points.push_back(judged.frame.position);
    return points;
}

Json outcome_json(const SlideOutcome& outcome) {
    Json frames = Json::array();
    for (const JudgedFrame& judged : outcome.frames)
        frames.push_back(frame_json(judged));
    Json json = {{"mover", slide::name(outcome.settings.mover)},
                 {"precision", name(outcome.settings.precision)},
                 {"radii", json_vector(outcome.settings.radii)},
                 {"skin", json_number(outcome.skin)},
                 {"faces", outcome.faces},
                 {"start", json_vector(outcome.start)},
                 {"start_penetration", json_number(outcome.start_penetration)},
                 {"max_penetration", json_number(outcome.max_penetration())},
                 {"gap_proved", proved_count(outcome) == outcome.frames.size()},
                 {"max_iterations", most_iterations(outcome)},
                 {"seconds_build", json_number(outcome.seconds_build)}};
    const auto times = times_of(outcome).summary();
    json["ns_median"] = times ? Json(times->median) : Json(nullptr);
    json["ns_p99"] = times ? Json(times->p99) : Json(nullptr);
    json["ns_max"] = times ? Json(times->max) : Json(nullptr);
    if (!(outcome.settings.half_axis == Vec3{}))
        json["half_axis"] = json_vector(outcome.settings.half_axis);
    if (outcome.settings.side_axes != SideAxes{})
        json["side_axes"] = {json_vector(outcome.settings.side_axes[0]),
                             json_vector(outcome.settings.side_axes[1])};
    json["frames"] = std::move(frames);
    return json;
}

std::string outcome_text(const SlideOutcome& outcome) {
    const Vec3& r = outcome.settings.radii;
    std::string text = fmt::format(
        "level       {}\n"
        "mover       {}, {}, radii {} {} {}{}, skin {:.6g}\n"
        "moves       {}\n"
        "iterations  at most {}\n"
        "penetration {:.6g} at most\n"
        "proved      the gap after {} of {} moves\n",
        counted(outcome.faces, "triangle", "triangles"), slide::name(outcome.settings.mover),
        name(outcome.settings.precision), r.x, r.y, r.z, half_axis_text(outcome), outcome.skin,
        counts_text(outcome), most_iterations(outcome), outcome.max_penetration(),
        proved_count(outcome), outcome.frames.size());
    const auto narrow = std::count_if(outcome.frames.begin(), outcome.frames.end(),
                                      [](const JudgedFrame& judged) { return !judged.keeps_skin; });
    if (narrow > 0) text += fmt::format("gap         below the skin after {} moves\n", narrow);
    const Vec3 end = outcome.path().back();
    text += fmt::format("end         {:.9g} {:.9g} {:.9g}\n", end.x, end.y, end.z);
    if (const auto times = times_of(outcome).summary()) {
        text += fmt::format("time        median {}, p99 {}, longest {} a move\n",
                            format_ns(times->median), format_ns(times->p99), format_ns(times->max));
    }
    return text;
}

}  // namespace graze::app
