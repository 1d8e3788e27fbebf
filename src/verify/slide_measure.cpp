#include "graze/verify/slide_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graze/broad/box.hpp"

namespace graze::verify {
namespace {

using generate::LevelMove;
using generate::MovePurpose;

// The last frames of a press, in which nothing may move.
constexpr std::size_t kRestFrames = 20;

class Meter {
public:
    Meter(Walker& walker, const GapMeasure& judge, const generate::LevelScene& scene,
          const MeasureOptions& options)
        : walker_(walker), judge_(judge), options_(options), start_(walker.position()) {
        measures_.least_gap_skins = kReachSkins;
        measures_.skin = HUGE_VAL;
        measures_.default_skin = walker.default_skin();
        for (std::uint32_t i = 0; i < scene.shell_parts; ++i)
            shell_ += scene.parts[i].faces.size();
        for (const Corners& t : judge.triangles())
            for (const Vec3& corner : t)
                ground_.add(corner);
    }

    // `is_rest`: the frame belongs to the end of a press.
    void step(const LevelMove& move, bool is_rest) {
        const Vec3 before = walker_.position();
        const bool travels = options_.progress && move.purpose == MovePurpose::Travel;
        const Slide slide =
            travels ? straight_slide(before, walker_.rounded(move.displacement)) : Slide{};
        const SlideFrame frame = walker_.move(move.displacement);
        ++measures_.moves;
        count(frame);
        if (!is_finite(frame.position)) {
            ++measures_.not_finite;
            return;
        }
        if (options_.gaps) measure_gap(frame);
        has_left_ = has_left_ || is_over_the_edge(frame.position);
        if (is_rest) add_rest(move.displacement, frame.position - before);
        if (slide.counts) add_progress(slide, frame.position - before);
    }

    // Out of what is closed, or below all that is there, unless it went over the edge.
    void check_escape() {
        const Vec3 at = walker_.position();
        const bool is_below = at.y < ground_.lower.y && !has_left_;
        if (is_below || judge_.is_between(start_, at, shell_)) measures_.escaped = true;
    }
    void count_rest() { ++measures_.rests; }
    [[nodiscard]] SlideMeasures take() { return std::move(measures_); }

private:
    static constexpr double kLeastSlide =
        1e-5;                                   // of the displacement; less is no motion to request
    static constexpr double kReachSkins = 4.0;  // farther is not near

    [[nodiscard]] bool is_over_the_edge(const Vec3& at) const {
        return at.y >= ground_.lower.y && (at.x < ground_.lower.x || at.x > ground_.upper.x ||
                                           at.z < ground_.lower.z || at.z > ground_.upper.z);
    }

    struct Slide {
        bool counts = false;
        bool is_free = false;
        Vec3 path;
    };

    void count(const SlideFrame& frame) {
        measures_.times.add(frame.ns);
        measures_.iterations = std::max(measures_.iterations, frame.iterations);
        measures_.limits += frame.stopped == slide::StopReason::Limit ? 1 : 0;
        measures_.unproved += frame.gap_proved ? 0 : 1;
        measures_.skin = std::min(measures_.skin, frame.skin);
        skin_ = frame.skin;
    }

    void measure_gap(const SlideFrame& frame) {
        const double skin = frame.skin;
        const GapAnswer answer = judge_.ask(frame.position, skin, kReachSkins * skin);
        measures_.depth = std::max(measures_.depth, answer.depth);
        measures_.inside += answer.depth > 0.0 ? 1 : 0;
        measures_.below_skin += answer.keeps_skin ? 0 : 1;
        if (skin > 0.0) {
            measures_.least_gap_skins =
                std::min(measures_.least_gap_skins, answer.least_gap / skin);
        }
    }

    // What still slides moves along the displacement; what goes nowhere, or back and forth, jitters.
    void add_rest(const Vec3& displacement, const Vec3& moved) {
        const double step = norm(moved);
        const bool slides =
            dot(displacement, moved) > 0.0 && step > kLeastSlide * norm(displacement);
        if (!slides) measures_.jitter = std::max(measures_.jitter, step);
    }

    Slide straight_slide(const Vec3& from, const Vec3& displacement) const {
        const double skin = skin_ > 0.0 ? skin_ : walker_.default_skin();
        const auto normal = judge_.support_normal(from, kReachSkins * skin);
        if (!normal) return {};
        const Vec3 path = displacement - std::min(dot(displacement, *normal), 0.0) * *normal;
        if (!(norm(path) >= norm(displacement) / 1000.0)) return {};
        // Along the plane of the ground: whatever gap there is at the start is what counts.
        const double gap = std::min(skin, judge_.ask(from, 0.0, skin).least_gap);
        return {true, judge_.is_path_clear(from, from + path, gap), path};
    }

    void add_progress(const Slide& slide, const Vec3& moved) {
        const double requested = norm(slide.path);
        const double progress = dot(moved, slide.path) / requested;
        const auto add = [&](PathTally& tally) {
            ++tally.frames;
            tally.requested += requested;
            tally.progress += progress;
        };
        add(measures_.travel);
        if (slide.is_free) add(measures_.straight);
        const double largest = std::max(walker_.largest_coordinate(), norm_max(walker_.position()));
        measures_.path_tolerance += 4.0 * walker_.ulp(largest);
    }

    Walker& walker_;
    const GapMeasure& judge_;
    const MeasureOptions& options_;
    Vec3 start_;
    std::size_t shell_ = 0;  // so many triangles are closed
    Box ground_;
    bool has_left_ = false;  // over the edge of the ground
    SlideMeasures measures_;
    double skin_ = 0.0;
};

bool are_one_press(const LevelMove& a, const LevelMove& b) {
    return a.purpose == MovePurpose::Press && b.purpose == MovePurpose::Press &&
           a.displacement == b.displacement;
}

void run_list(Meter& meter, const std::vector<LevelMove>& moves, const StopToken& stop) {
    std::size_t begin = 0;
    while (begin < moves.size() && !stop.stop_requested()) {
        std::size_t end = begin + 1;
        while (end < moves.size() && are_one_press(moves[begin], moves[end]))
            ++end;
        const bool is_press = end - begin >= 2 * kRestFrames;
        if (is_press) meter.count_rest();
        for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i)
            meter.step(moves[i], is_press && i + kRestFrames >= end);
        if (begin % 64 == 0) meter.check_escape();
        begin = end;
    }
}

void run_random(Meter& meter, const MeasureOptions& options) {
    constexpr std::uint64_t kCheckEvery = 4096;
    for (std::uint64_t i = 0; i < options.random_moves && !options.stop.stop_requested(); ++i) {
        meter.step({options.scale * generate::random_wish(options.seed, i), MovePurpose::Settle},
                   false);
        if (i % kCheckEvery == 0) meter.check_escape();
    }
}

// [fraction of the requested length] What may be lost at most; other levels have no limit.
std::optional<double> lost_limit(generate::LevelId level) {
    if (generate::is_flat(level)) return 1e-6;
    if (level == generate::LevelId::Terrain) return 0.002;
    if (level == generate::LevelId::Stairs) return 0.01;
    return std::nullopt;
}

}  // namespace

SlideMeasures measure_slide(Walker& walker, const GapMeasure& judge,
                            const generate::LevelScene& scene, const MeasureOptions& options) {
    Meter meter(walker, judge, scene, options);
    if (options.random_moves > 0) {
        run_random(meter, options);
    } else {
        run_list(meter, scene.moves, options.stop);
    }
    meter.check_escape();
    return meter.take();
}

std::vector<std::string> broken_claims(generate::LevelId level, const SlideMeasures& m) {
    std::vector<std::string> broken;
    const auto say = [&](bool is_broken, std::string text) {
        if (is_broken) broken.push_back(std::move(text));
    };
    say(m.depth > 0.0,
        fmt::format("{} of {} frames penetrate, by up to {:.3g}", m.inside, m.moves, m.depth));
    say(m.below_skin > 0,
        fmt::format("{} of {} frames have a gap below the skin, down to {:.17g} of it",
                    m.below_skin, m.moves, m.least_gap_skins));
    say(!(m.skin >= m.default_skin),
        fmt::format("a skin of {:.3g} where {:.3g} was to be kept", m.skin, m.default_skin));
    say(m.jitter > 0.0, fmt::format("at rest it moves by up to {:.3g}", m.jitter));
    say(m.iterations > slide::kMaxMoveIterations,
        fmt::format("a move took {} iterations", m.iterations));
    say(m.not_finite > 0, fmt::format("{} positions are not finite", m.not_finite));
    say(m.unproved > 0, fmt::format("the gap of {} frames is not proved", m.unproved));
    say(m.escaped, "it got through");
    // On stairs only where the straight slide would do.
    const PathTally& tally = level == generate::LevelId::Stairs ? m.straight : m.travel;
    if (const auto limit = lost_limit(level)) {
        const double allowed = *limit * tally.requested + m.path_tolerance;
        say(tally.frames == 0, "nothing counts as travel over ground");
        say(tally.requested - tally.progress > allowed,
            fmt::format("{:.3g} of {:.3g} is lost, {:.3g} at most is promised",
                        tally.requested - tally.progress, tally.requested, allowed));
    }
    return broken;
}

}  // namespace graze::verify
