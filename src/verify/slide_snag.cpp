#include "graze/verify/slide_snag.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/elementary.hpp"
#include "graze/generate/grounds.hpp"
#include "graze/verify/safe_cubic_families.hpp"

namespace graze::verify {
namespace {

using generate::GroundRectangle;
using generate::LevelMove;
using generate::LevelPart;
using generate::LevelScene;
using generate::MovePurpose;
using testing::Dice;

constexpr double kPathLength = 24.0;
constexpr double kBorder = 3.0;  // ground beyond the path, so that its end is not met
constexpr std::uint64_t kMostFrames = 400;
constexpr double kSteepest = 0.0874;  // below the tangent of 5 degrees
constexpr double kSteepestNoise = 0.4;

double between(Dice& dice, double low, double high) noexcept {
    return low + (high - low) * dice.fraction();
}

// A power of two and its fractions, every octave as often as another.
double octave(Dice& dice, double low, double high) noexcept {
    return exponential(between(dice, logarithm(low), logarithm(high)));
}

GroundRectangle size_of(const SnagTrial& trial) noexcept {
    const double across = kPathLength * sine(trial.heading);
    return {-kBorder, kPathLength * cosine(trial.heading) + kBorder,
            std::min(across, 0.0) - kBorder, std::max(across, 0.0) + kBorder};
}

// Strips across x. One in eight is a sliver, down to 1/512. Heights are a walk whose every step
// keeps the slope, drawn back towards zero so that the ground does not climb away.
LevelPart strips(const SnagTrial& trial) {
    Dice dice(trial.seed);
    const GroundRectangle size = size_of(trial);
    const double slope = trial.kind == SnagGroundKind::Flat ? 0.0 : trial.steepness;
    LevelPart part;
    double x = size.from_x;
    double y = 0.0;
    while (x < size.to_x) {
        const bool is_sliver = (dice.next() & 7U) == 0;
        const double width =
            is_sliver ? octave(dice, 0x1p-9, 0x1p-5) : trial.side * between(dice, 0.5, 1.5);
        const double rise = width * slope * between(dice, -1.0, 1.0);
        const double next_y = y * rise > 0.0 && std::fabs(y) > 0.5 ? y - rise : y + rise;
        const double cell = std::max(4.0 * trial.side, 0.5);
        double z = size.from_z - (trial.t_junctions ? cell * dice.fraction() : 0.0);
        while (z < size.to_z) {
            generate::add_quad(part,
                               {Vec3{x, y, z},
                                {x, y, z + cell},
                                {x + width, next_y, z + cell},
                                {x + width, next_y, z}},
                               (dice.next() & 1U) == 0);
            z += cell;
        }
        x += width;
        y = next_y;
    }
    return part;
}

// The gradient of a triangle has two components that are differences along its legs: heights in
// [0, side steepness / sqrt 2] keep its norm.
LevelPart ground_of(const SnagTrial& trial) {
    const GroundRectangle size = size_of(trial);
    switch (trial.kind) {
        case SnagGroundKind::Facetted:
        case SnagGroundKind::Noisy:
            return generate::facetted_ground(
                size, trial.side, trial.side * trial.steepness * std::sqrt(0.5), trial.seed);
        case SnagGroundKind::Voxels:
            return generate::box_ground(size, {trial.side, 0.0, 0.0}, trial.seed);
        case SnagGroundKind::Seams:
            return generate::box_ground(size, {trial.side, kMostSeam, kMostSeamStep}, trial.seed);
        case SnagGroundKind::Flat:
        case SnagGroundKind::Folded:
            break;
    }
    return strips(trial);
}

Vec3 heading_of(const SnagTrial& trial) noexcept {
    return {cosine(trial.heading), 0.0, sine(trial.heading)};
}

}  // namespace

std::string_view name(SnagGroundKind kind) noexcept {
    switch (kind) {
        case SnagGroundKind::Flat:
            return "flat";
        case SnagGroundKind::Folded:
            return "folded";
        case SnagGroundKind::Facetted:
            return "facetted";
        case SnagGroundKind::Voxels:
            return "voxels";
        case SnagGroundKind::Seams:
            return "seams";
        case SnagGroundKind::Noisy:
            return "noisy";
    }
    return "";
}

SnagTrial random_snag_trial(SnagGroundKind kind, std::uint64_t index) noexcept {
    Dice dice(0x5ea6'0000'0000U * (static_cast<std::uint64_t>(kind) + 1) + index);
    SnagTrial trial;
    trial.kind = kind;
    trial.seed = dice.next();
    // A grid of small cells has too many of them.
    trial.side = octave(dice, kind == SnagGroundKind::Facetted ? 0x1p-3 : 0x1p-6, 2.0);
    trial.steepness = kind == SnagGroundKind::Flat ? 0.0 : kSteepest * dice.fraction();
    trial.t_junctions = kind != SnagGroundKind::Facetted && (dice.next() & 1U) != 0;
    trial.stride = octave(dice, 0x1p-6, 4.0);
    trial.weight = dice.fraction();
    trial.heading = between(dice, -1.0472, 1.0472);
    if (kind == SnagGroundKind::Voxels || kind == SnagGroundKind::Seams) {
        trial.side = octave(dice, 0.5, 2.0);
        trial.steepness = 0.0;
        trial.t_junctions = false;
    } else if (kind == SnagGroundKind::Noisy) {
        trial.side = octave(dice, 0.125, 0.5);
        trial.steepness = kSteepestNoise * dice.fraction();
        trial.weight *= 0.25;
        trial.t_junctions = false;
    }
    return trial;
}

LevelScene snag_scene(const SnagTrial& trial) {
    LevelScene scene;
    scene.parts.push_back(ground_of(trial));
    scene.start = {0.0, 4.0, 0.0};
    scene.moves.push_back({{0.0, -8.0, 0.0}, MovePurpose::Settle});
    const Vec3 h = trial.stride * heading_of(trial);
    const Vec3 w{h.x, -trial.weight * trial.stride, h.z};
    const auto frames =
        std::min(static_cast<std::uint64_t>(kPathLength / trial.stride), kMostFrames);
    scene.moves.insert(scene.moves.end(), static_cast<std::size_t>(frames),
                       LevelMove{w, MovePurpose::Travel});
    return scene;
}

SnagTally& SnagTally::operator+=(const SnagTally& other) noexcept {
    frames += other.frames;
    caught += other.caught;
    longest = std::max(longest, other.longest);
    if (other.caught > 0)
        least_iterations = least_iterations > 0 ? std::min(least_iterations, other.least_iterations)
                                                : other.least_iterations;
    requested += other.requested;
    progress += other.progress;
    penetrating += other.penetrating;
    return *this;
}

Expected<SnagTally> measure_snags(const SnagTrial& trial, slide::MoverKind mover,
                                  Precision precision, double skin) {
    return measure_snags(trial, {mover, precision, {1, 1, 1}, skin});
}

Expected<SnagTally> measure_snags(const SnagTrial& trial, const SlideSettings& settings) {
    const LevelScene scene = snag_scene(trial);
    auto walker = make_walker(scene.parts, scene.start, settings);
    if (!walker) return walker.error();
    const GapMeasure gaps((*walker)->triangles(), (*walker)->radii(), (*walker)->half_axis(),
                          (*walker)->side_axes());
    const Vec3 along = heading_of(trial);
    SnagTally tally;
    std::uint64_t run = 0;
    for (const LevelMove& move : scene.moves) {
        const Vec3 before = (*walker)->position();
        const SlideFrame frame = (*walker)->move(move.displacement);
        if (!is_finite(frame.position)) return Error{"a position is not finite"};
        tally.penetrating += gaps.ask(frame.position, 0.0, frame.skin).depth > 0.0 ? 1 : 0;
        if (move.purpose != MovePurpose::Travel) continue;
        const double progress = dot(frame.position - before, along);
        ++tally.frames;
        tally.requested += trial.stride;
        tally.progress += progress;
        run = progress < 0.5 * trial.stride ? run + 1 : 0;
        if (run == 0) continue;
        tally.least_iterations = tally.caught++ > 0
                                     ? std::min(tally.least_iterations, frame.iterations)
                                     : frame.iterations;
        tally.longest = std::max(tally.longest, run);
    }
    return tally;
}

}  // namespace graze::verify
