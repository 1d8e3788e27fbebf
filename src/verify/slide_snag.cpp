#include "graze/verify/slide_snag.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/elementary.hpp"
#include "graze/verify/safe_cubic_families.hpp"

namespace graze::verify {
namespace {

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

struct GroundSize {
    double from_x = 0.0;
    double to_x = 0.0;
    double from_z = 0.0;
    double to_z = 0.0;
};

GroundSize size_of(const SnagTrial& trial) noexcept {
    const double across = kPathLength * sine(trial.heading);
    return {-kBorder, kPathLength * cosine(trial.heading) + kBorder,
            std::min(across, 0.0) - kBorder, std::max(across, 0.0) + kBorder};
}

void add_quad(LevelPart& part, const std::array<Vec3, 4>& q, bool first_diagonal) {
    const auto i = static_cast<std::uint32_t>(part.positions.size());
    part.positions.insert(part.positions.end(), q.begin(), q.end());
    if (first_diagonal)
        part.faces.insert(part.faces.end(), {{i, i + 1, i + 2}, {i, i + 2, i + 3}});
    else
        part.faces.insert(part.faces.end(), {{i, i + 1, i + 3}, {i + 1, i + 2, i + 3}});
}

// Strips across x. One in eight is a sliver, down to 1/512. Heights are a walk whose every step
// keeps the slope, drawn back towards zero so that the ground does not climb away.
LevelPart strips(const SnagTrial& trial, Dice& dice) {
    const GroundSize size = size_of(trial);
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
            add_quad(part,
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

// Squares of `side` with a height at each vertex. The gradient of a triangle has two components that
// are differences along its legs: heights in [0, side steepness / sqrt 2] keep its norm.
LevelPart facets(const SnagTrial& trial, Dice& dice) {
    const GroundSize size = size_of(trial);
    const auto columns = static_cast<std::size_t>((size.to_x - size.from_x) / trial.side) + 2;
    const auto rows = static_cast<std::size_t>((size.to_z - size.from_z) / trial.side) + 2;
    const double highest = trial.side * trial.steepness * std::sqrt(0.5);
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < columns; ++i) {
        for (std::size_t k = 0; k < rows; ++k)
            points.push_back({size.from_x + trial.side * static_cast<double>(i),
                              highest * dice.fraction(),
                              size.from_z + trial.side * static_cast<double>(k)});
    }
    LevelPart part;
    for (std::size_t i = 0; i + 1 < columns; ++i) {
        for (std::size_t k = 0; k + 1 < rows; ++k) {
            const std::size_t at = i * rows + k;
            add_quad(part, {points[at], points[at + 1], points[at + rows + 1], points[at + rows]},
                     (dice.next() & 1U) == 0);
        }
    }
    return part;
}

// The top and the four walls of a box that stands on the depth of its side.
void add_box(LevelPart& part, const Vec3& low, const Vec3& high, bool first_diagonal) {
    const auto at = [&](int x, int y, int z) {
        return Vec3{x != 0 ? high.x : low.x, y != 0 ? high.y : low.y, z != 0 ? high.z : low.z};
    };
    add_quad(part, {at(0, 1, 0), at(0, 1, 1), at(1, 1, 1), at(1, 1, 0)}, first_diagonal);
    add_quad(part, {at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0)}, first_diagonal);
    add_quad(part, {at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)}, first_diagonal);
    add_quad(part, {at(0, 0, 0), at(0, 1, 0), at(1, 1, 0), at(1, 0, 0)}, first_diagonal);
    add_quad(part, {at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)}, first_diagonal);
}

// Cubes that meet exactly; with seams each side is off by up to half of the most, and each top.
LevelPart boxes(const SnagTrial& trial, Dice& dice) {
    const GroundSize size = size_of(trial);
    const bool has_seams = trial.kind == SnagGroundKind::Seams;
    const auto off = [&](double most) { return has_seams ? most * between(dice, -0.5, 0.5) : 0.0; };
    const auto columns = static_cast<std::size_t>((size.to_x - size.from_x) / trial.side) + 2;
    const auto rows = static_cast<std::size_t>((size.to_z - size.from_z) / trial.side) + 2;
    const auto line = [&](double from, std::size_t i) {
        return from + trial.side * static_cast<double>(i);
    };
    LevelPart part;
    for (std::size_t i = 0; i < columns; ++i) {
        for (std::size_t k = 0; k < rows; ++k) {
            const double x = line(size.from_x, i) + off(kMostSeam);
            const double z = line(size.from_z, k) + off(kMostSeam);
            const double next_x = line(size.from_x, i + 1) + off(kMostSeam);
            const double next_z = line(size.from_z, k + 1) + off(kMostSeam);
            add_box(part, {x, -trial.side, z}, {next_x, off(kMostSeamStep), next_z},
                    (dice.next() & 1U) == 0);
        }
    }
    return part;
}

LevelPart ground_of(const SnagTrial& trial, Dice& dice) {
    switch (trial.kind) {
        case SnagGroundKind::Facetted:
        case SnagGroundKind::Noisy:
            return facets(trial, dice);
        case SnagGroundKind::Voxels:
        case SnagGroundKind::Seams:
            return boxes(trial, dice);
        case SnagGroundKind::Flat:
        case SnagGroundKind::Folded:
            break;
    }
    return strips(trial, dice);
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
    Dice dice(trial.seed);
    LevelScene scene;
    scene.parts.push_back(ground_of(trial, dice));
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
