// Contact scenes: a rigid body on a resting one, moved until it is past contact.
//
// In the spirit of the handcrafted scenes that Erleben used to attack contact generation (2018) and
// that the study of Wang et al. (2021) took up, with geometry of our own. y is up, sizes near 1.
// Each body is modelled so that it touches exactly with no offset; offsets are gaps. Variant 0 of a
// scene is exactly aligned; others have one-ulp noise, are shifted sideways, or rotate in the step.
#include <algorithm>
#include <bit>
#include <cmath>

#include "generate/scenes/bodies.hpp"
#include "generate/scenes/makers.hpp"

namespace graze::generate {
namespace {

constexpr double kFall = 0.0980665;  // g h^2 for g = 9.80665 and steps of h = 0.1
constexpr double kDrag = 0.05;       // sideways per step
constexpr double kShrink = 0.2;      // each gap is this fraction of the one before
constexpr double kMiddle = 1.0 / 6.0;
constexpr double kHalf = 1.0 / 6.0;  // half the width of spikes and wedges

struct Pair {
    Body resting;
    Body moving;
    Vec3 pivot;             // about which the moving body rotates: where it touches
    bool is_drawn = false;  // sideways, at a small gap; else it falls
    double gap = 0.3;       // the first one
};

Pair cube_on(const Body& ground) {
    const Body cube = block({0.0, {}, {}}, {1.0, {}, {}});
    return {ground, cube, {0.5, 0.0, 0.5}, false, 0.3};
}

// Shelves at y = 0 on both sides of a groove along z, 1/8 deep.
Body groove() {
    Body body = terrain({-1.0 / 12.0, 1.0 / 24.0, kMiddle, 7.0 / 24.0, 5.0 / 12.0},
                        {-0.5 + kMiddle, kMiddle, 0.5 + kMiddle});
    for (Vec3& p : body.points) {
        if (p.x == kMiddle) p.y = -0.125;
    }
    return body;
}

// A plate with a hole of pyramid shape, 1/4 deep: the middle cell is drawn down to a fifth point.
Body plate_with_hole() {
    const std::vector<double> at = {-0.5, 0.0, 2.0 * kMiddle, 0.5 + 2.0 * kMiddle};
    Body body = terrain(at, at);
    constexpr std::size_t kMiddleCell = 8;  // number 4 of nine, two faces each
    body.faces.erase(body.faces.begin() + kMiddleCell, body.faces.begin() + kMiddleCell + 2);
    const auto apex = static_cast<std::uint32_t>(body.points.size());
    body.points.push_back({kMiddle, -0.25, kMiddle});
    constexpr std::array<std::uint32_t, 5> kRim = {5, 6, 10, 9, 5};
    for (std::size_t i = 0; i < 4; ++i)
        body.faces.push_back({kRim[i], kRim[i + 1], apex});
    return body;
}

Body large_floor() {
    return terrain({-5.0, 5.0}, {-5.0, 5.0});
}

Body falling_spike(double tip_y) {
    return spike({kMiddle, tip_y, kMiddle}, kHalf, 1.0);
}

Body falling_wedge(double ridge_y) {
    return ridge({kMiddle, ridge_y, -kMiddle}, 4.0 * kMiddle, kHalf, 1.0);
}

Pair bodies_of(SceneId id) {
    const Vec3 tip{kMiddle, 0.0, kMiddle};
    const Body roof = ridge({kMiddle, 0.0, -kMiddle}, 4.0 * kMiddle, kHalf, -1.0);
    switch (id) {
        case SceneId::CliffEdges:
            return cube_on(block({-1.0, {-0.25, 1.25}, {-0.25, 1.25}}, {0.0, {}, {}}));
        case SceneId::InternalEdges:
            return cube_on(terrain({-0.5, 0.5, 1.5}, {-0.5, 0.75, 1.5}));
        case SceneId::Spikes:
            return {spike(tip, kHalf, -1.0), falling_spike(0.0), tip, false, 0.3};
        case SceneId::Wedges:
            return {roof, falling_wedge(0.0), tip, false, 0.3};
        case SceneId::SpikeWedge:
            return {roof, falling_spike(0.0), tip, false, 0.3};
        case SceneId::SlidingSpike:
            return {large_floor(), falling_spike(0.0), tip, true, 0.0128};
        case SceneId::SlidingWedge:
            return {large_floor(), falling_wedge(0.0), tip, true, 0.084};
        case SceneId::SpikeCrack:
            return {groove(), falling_spike(-0.125), {kMiddle, -0.125, kMiddle}, true, 2.7e-4};
        case SceneId::WedgeCrack:
            return {groove(), falling_wedge(-0.125), {kMiddle, -0.125, kMiddle}, true, 0.011};
        default:
            break;
    }
    return {plate_with_hole(), falling_spike(-0.25), {kMiddle, -0.25, kMiddle}, true, 0.053};
}

// Poses of the moving body; rotations are about its pivot.
struct PoseStep {
    Pose start;
    Pose end;
};

// A fall by one, two, three times kFall; once a step gets past contact, the same target again from
// ever smaller gaps; then a step further.
std::vector<PoseStep> falling(double gap, const Vec3& side) {
    std::vector<PoseStep> steps;
    const auto at = [&side](double y) { return Pose{{}, {side.x, y, side.z}}; };
    double y = gap;
    double next = y - kFall;
    for (int k = 2; next > 0.0; ++k) {
        steps.push_back({at(y), at(next)});
        y = next;
        next = y - k * kFall;
    }
    const double target = next;
    for (int k = 0; k < 5; ++k) {
        steps.push_back({at(y), at(target)});
        y = kShrink * y;
    }
    steps.push_back({at(target), at(target - kFall)});
    return steps;
}

// Drawn sideways while the gap shrinks; every second step ends past contact.
std::vector<PoseStep> drawn(double gap, const Vec3& side) {
    std::vector<PoseStep> steps;
    double x = side.x;
    double y = gap;
    for (int k = 0; k < 8; ++k) {
        const double next = k % 2 == 0 ? kShrink * y : -kDrag * 0.5;
        steps.push_back({{{}, {x, y, side.z}}, {{}, {x + kDrag, next, side.z}}});
        x = x + kDrag;
        y = kShrink * y;
    }
    return steps;
}

struct Variant {
    std::vector<PoseStep> steps;
    bool is_noisy = false;
};

Variant variant_of(const Pair& pair, std::uint64_t number, Random& random) {
    Vec3 side;
    Quaternion turn;
    double gap = pair.gap;
    const bool is_plain = number == 0;
    const bool is_shifted = random.chance(2) && !is_plain;
    const bool turns = random.chance(3) && !is_plain;
    const bool is_noisy = random.chance(2) && !is_plain;
    const double x = static_cast<double>(random.integer(-8, 8)) / 64.0;
    const double z = static_cast<double>(random.integer(-8, 8)) / 64.0;
    const Quaternion random_turn = random_rotation(random, 0.0625);
    const double stretch = 1.0 + 0.25 * random.uniform();
    if (is_shifted) side = {x, 0.0, z};
    if (turns) turn = random_turn;
    if (!is_plain) gap = gap * stretch;
    Variant variant{pair.is_drawn ? drawn(gap, side) : falling(gap, side), is_noisy};
    for (PoseStep& step : variant.steps)
        step.end.rotation = turn;
    return variant;
}

Vec3 placed(const Vec3& p, const Pose& pose, const Vec3& pivot) noexcept {
    const Quaternion& q = pose.rotation;
    const bool is_turned = q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
    const Vec3 turned = is_turned ? rotated(q, p - pivot) + pivot : p;
    return turned + pose.translation;
}

// Up or down by one unit in the last place, or not: the rounding noise of a simulation that was
// aligned once. Zero stays.
double with_noise(double value, Random& random) noexcept {
    const std::int64_t change = random.integer(-1, 1);
    if (value == 0.0) return value;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) +
                                 static_cast<std::uint64_t>(change));
}

void add_noise(std::vector<Vec3>& points, Random& random) noexcept {
    for (Vec3& p : points) {
        for (std::size_t k = 0; k < 3; ++k)
            p[k] = with_noise(p[k], random);
    }
}

std::vector<Vec3> positions(const Pair& pair, const Pose& pose) {
    std::vector<Vec3> points = pair.resting.points;
    for (const Vec3& p : pair.moving.points)
        points.push_back(placed(p, pose, pair.pivot));
    return points;
}

void add_steps(QueryScene& scene, const Pair& pair, const Variant& variant, Random& random) {
    for (const PoseStep& step : variant.steps) {
        SceneStep added{positions(pair, step.start), positions(pair, step.end)};
        if (variant.is_noisy) {
            add_noise(added.start, random);
            add_noise(added.end, random);
        }
        scene.steps.push_back(std::move(added));
    }
}

// Pairs of the scarcer kind in all steps so far.
std::uint64_t pairs_of(const QueryScene& scene) {
    std::uint64_t fewest = ~std::uint64_t{0};
    for (const QueryKind kind : kSceneKinds) {
        std::uint64_t count = 0;
        for (std::uint32_t step = 0; step < scene.steps.size(); ++step)
            count += pairs_in_reach(scene, kind, step).size();
        fewest = std::min(fewest, count);
    }
    return fewest;
}

constexpr std::uint64_t kFirstVariants = 8;    // determine how many pairs a variant has
constexpr std::uint64_t kMostVariants = 8192;  // below 100 MB
// Half of the pairs and more touch, which is too many of them: there is something to leave out.
constexpr std::uint64_t kPairsPerQuery = 4;

std::uint64_t variants_for(std::uint64_t queries, std::uint64_t pairs_of_first) noexcept {
    const std::uint64_t pairs = std::max<std::uint64_t>(pairs_of_first, 1);
    const std::uint64_t capped = std::min<std::uint64_t>(queries, 1'000'000'000);
    return std::clamp(capped * kPairsPerQuery * kFirstVariants / pairs, kFirstVariants,
                      kMostVariants);
}

}  // namespace

QueryScene make_contact_scene(SceneId id, const QuerySceneOptions& options) {
    const Pair pair = bodies_of(id);
    QueryScene scene;
    add_body(scene, pair.resting, false);
    add_body(scene, pair.moving, false);
    finish_topology(scene);
    Random random(options.seed * 0xd1342543de82ef95U + static_cast<std::uint64_t>(id));
    std::uint64_t wanted = kFirstVariants;
    for (std::uint64_t v = 0; v < wanted; ++v) {
        add_steps(scene, pair, variant_of(pair, v, random), random);
        if (v + 1 == kFirstVariants) wanted = variants_for(options.queries, pairs_of(scene));
    }
    return scene;
}

}  // namespace graze::generate
