// Meshes in motion: sheets on springs, tumbling polyhedra, a fast ball. Nothing reacts to contact,
// so that everything passes through everything, and a step is the straight path between two states.
#include <algorithm>
#include <cmath>

#include "generate/scenes/bodies.hpp"
#include "generate/scenes/makers.hpp"
#include "generate/scenes/springs.hpp"

namespace graze::generate {
namespace {

// Cells along a side of a sheet. The pairs of a step grow with its square.
std::uint32_t cells_for(std::uint64_t queries) noexcept {
    std::uint32_t cells = 8;
    while (cells < 64 && std::uint64_t{cells} * cells * 8 < queries)
        cells *= 2;
    return cells;
}

// Steps of a scene: finer meshes are larger sets, and shall be no less often in contact.
int steps_for(std::uint32_t cells) noexcept {
    return std::max(24, static_cast<int>(cells + cells / 2));
}

struct Run {
    double seconds = 1.0;
    double warm_up = 0.0;  // fraction of that time of which nothing is kept
    std::uint32_t cells = 8;
};

constexpr int kSubsteps = 8;  // of the integrator in a step

// Runs the world in steps in which nothing at speed 1 moves by more than a cell, and keeps
// steps_for(cells) of those after the warm-up, evenly spread. `push` comes before every substep.
template <class Push>
void record(QueryScene& scene, SpringWorld& world, const Run& run, const Push& push) {
    const auto requested = static_cast<int>(run.seconds * static_cast<double>(run.cells));
    const int kept_steps = steps_for(run.cells);
    const auto needed = static_cast<int>((kept_steps + 1) / (1.0 - run.warm_up));
    const int steps = std::max(requested, needed);
    const int first = static_cast<int>(run.warm_up * static_cast<double>(steps));
    const double dt = run.seconds / (static_cast<double>(steps) * kSubsteps);
    const std::vector<std::size_t> kept = evenly_spread(static_cast<std::size_t>(kept_steps),
                                                        static_cast<std::size_t>(steps - first));
    for (int s = 0; s < steps; ++s) {
        SceneStep step;
        step.start = world.position;
        for (int k = 0; k < kSubsteps; ++k) {
            push(world, dt);
            advance(world, dt);
        }
        step.end = world.position;
        if (s < first) continue;
        if (std::binary_search(kept.begin(), kept.end(), static_cast<std::size_t>(s - first)))
            scene.steps.push_back(std::move(step));
    }
}

void no_push(SpringWorld&, double) {}

// Bumps of up to `height` in y, so that not everything meets at once.
void roughen(std::vector<Vec3>& points, double height, Random& random) noexcept {
    for (Vec3& p : points)
        p.y = p.y + height * random.uniform();
}

// A smooth bump field: products of parabolas that repeat with period 1/2.
double wave(double x) noexcept {
    const double s = 2.0 * x - std::floor(2.0 * x);
    const double arch = 4.0 * s * (1.0 - s);
    return std::floor(2.0 * x) - 2.0 * std::floor(x) == 0.0 ? arch : -arch;
}

// The half x > 0 rotates about the z axis, over the half x < 0, which is held.
QueryScene folding_sheet(std::uint32_t cells, Random& random) {
    QueryScene scene;
    Body body = sheet({-1.0, 1.0}, {-0.5, 0.5}, 2 * cells, cells);
    roughen(body.points, 0.02, random);
    add_body(scene, body, true);
    finish_topology(scene);
    SpringWorld world = spring_world(body.points, scene.edges);
    for (std::size_t i = 0; i < body.points.size(); ++i) {
        const Vec3& p = body.points[i];
        world.is_held[i] = p.x <= 0.0 ? 1 : 0;
        // A quarter of a rotation in a unit of time at the start, a little more where z is larger.
        if (p.x > 0.0) world.velocity[i] = {0.0, (1.6 + 0.4 * p.z) * p.x, 0.0};
    }
    world.stiffness = 60.0;
    record(scene, world, {2.9, 0.7, cells}, no_push);
    return scene;
}

// Two wavy sheets of different cells, one going up, one coming down.
QueryScene colliding_sheets(std::uint32_t cells, Random& random) {
    QueryScene scene;
    Body lower = sheet({0.0, 1.0}, {0.0, 1.0}, cells, cells);
    Body upper = sheet({-0.03, 1.01}, {-0.02, 1.04}, cells + cells / 4, cells + cells / 8);
    for (Vec3& p : lower.points)
        p.y = 0.06 * wave(p.x) * wave(p.z + 0.3);
    for (Vec3& p : upper.points)
        p.y = 0.2 + 0.05 * wave(p.x + 0.2) * wave(1.5 * p.z);
    roughen(lower.points, 0.003, random);
    roughen(upper.points, 0.003, random);
    add_body(scene, lower, true);
    const std::uint32_t split = add_body(scene, upper, true);
    finish_topology(scene);
    std::vector<Vec3> points = lower.points;
    points.insert(points.end(), upper.points.begin(), upper.points.end());
    SpringWorld world = spring_world(points, scene.edges);
    for (std::uint32_t i = 0; i < points.size(); ++i)
        world.velocity[i] = i < split ? Vec3{0.1, 0.15, 0.0} : Vec3{-0.1, -0.25, 0.05};
    world.stiffness = 20.0;
    record(scene, world, {1.0, 0.1, cells}, no_push);
    return scene;
}

// The sheet falls; what is inside the ball is pushed out, not quite to where its faces are.
QueryScene sheet_on_ball(std::uint32_t cells, Random& random) {
    constexpr double kRadius = 0.35;
    QueryScene scene;
    Body cloth = sheet({-0.5, 0.5}, {-0.5, 0.5}, cells, cells);
    roughen(cloth.points, 0.005, random);
    for (Vec3& p : cloth.points)
        p.y = p.y + kRadius + 0.05;
    const Body round = ball(kRadius, std::max(4U, cells / 3));
    add_body(scene, cloth, true);
    const std::uint32_t split = add_body(scene, round, false);
    finish_topology(scene);
    std::vector<Vec3> points = cloth.points;
    points.insert(points.end(), round.points.begin(), round.points.end());
    SpringWorld world = spring_world(points, scene.edges);
    std::fill(world.is_held.begin() + split, world.is_held.end(), std::uint8_t{1});
    world.gravity = {0.0, -1.0, 0.0};
    world.stiffness = 150.0;
    world.damping = 1.0;
    record(scene, world, {1.6, 0.1, cells}, [split](SpringWorld& w, double) {
        for (std::uint32_t i = 0; i < split; ++i) {
            const double r = length(w.position[i]);
            if (r >= 0.995 * kRadius || !(r > 0.0)) continue;
            w.position[i] = (0.995 * kRadius / r) * w.position[i];
            w.velocity[i] = 0.5 * w.velocity[i];
        }
    });
    return scene;
}

struct Tumbler {
    Body body;
    Vec3 centre;
    Vec3 velocity;    // per step
    Quaternion turn;  // so far
    Quaternion spin;  // per step
};

Body random_polyhedron(double size, Random& random) {
    switch (random.integer(0, 2)) {
        case 0:
            return tetrahedron(0.7 * size);
        case 1:
            return octahedron(size);
        default:
            break;
    }
    const Span span{-0.6 * size, 0.6 * size};
    return block({-0.6 * size, span, span}, {0.6 * size, span, span});
}

std::vector<Tumbler> tumblers(int side, Random& random) {
    std::vector<Tumbler> all;
    for (int i = 0; i < side * side * side; ++i) {
        const Vec3 cell{static_cast<double>(i % side), static_cast<double>(i / side % side),
                        static_cast<double>(i / (side * side))};
        const double size = 0.3 + 0.1 * random.uniform();
        Body body = random_polyhedron(size, random);
        const Vec3 jitter{0.1 * random.uniform(), 0.1 * random.uniform(), 0.1 * random.uniform()};
        const Vec3 drift{0.06 * random.uniform(), 0.06 * random.uniform(), 0.06 * random.uniform()};
        const Quaternion turn = random_rotation(random, 1.0);
        all.push_back({std::move(body), cell + jitter, drift, turn, random_rotation(random, 0.1)});
    }
    return all;
}

void append_positions(std::vector<Vec3>& points, const Tumbler& t) {
    for (const Vec3& p : t.body.points)
        points.push_back(t.centre + rotated(t.turn, p));
}

// A heap of small polyhedra that rotate, drift away and back, and fall through a floor.
QueryScene tumbling_bodies(std::uint32_t cells, Random& random) {
    const int side = std::clamp(static_cast<int>(cells / 8 + 2), 3, 8);
    std::vector<Tumbler> all = tumblers(side, random);
    const double reach = static_cast<double>(side);
    const Body ground = sheet({-1.0, reach}, {-1.0, reach}, cells / 2, cells / 2);
    QueryScene scene;
    add_body(scene, ground, false);
    for (const Tumbler& t : all)
        add_body(scene, t.body, false);
    finish_topology(scene);
    for (int s = 0; s < steps_for(cells); ++s) {
        SceneStep step{ground.points, ground.points};
        for (Tumbler& t : all) {
            append_positions(step.start, t);
            t.velocity.y = t.velocity.y - 0.002;
            t.centre = t.centre + t.velocity;
            t.turn = t.spin * t.turn;
            append_positions(step.end, t);
        }
        scene.steps.push_back(std::move(step));
    }
    return scene;
}

// The ends of a long mat rotate about its axis, x, one each way, and come nearer to each other.
QueryScene twisting_mat(std::uint32_t cells, Random& random) {
    QueryScene scene;
    Body mat = sheet({-1.0, 1.0}, {-0.25, 0.25}, 2 * cells, cells / 2);
    roughen(mat.points, 0.01, random);
    add_body(scene, mat, true);
    finish_topology(scene);
    SpringWorld world = spring_world(mat.points, scene.edges);
    for (std::size_t i = 0; i < mat.points.size(); ++i)
        world.is_held[i] = mat.points[i].x == -1.0 || mat.points[i].x == 1.0 ? 1 : 0;
    world.stiffness = 60.0;
    world.damping = 2.0;
    record(scene, world, {7.0, 0.6, cells}, [](SpringWorld& w, double dt) {
        for (std::size_t i = 0; i < w.position.size(); ++i) {
            if (w.is_held[i] == 0) continue;
            // To where a rotation, with dt as the tangent of half its angle, takes it on its circle.
            const Vec3& p = w.position[i];
            const double half = p.x < 0.0 ? dt : -dt;
            const Vec3 next = rotated({1.0, half, 0.0, 0.0}, p);
            w.velocity[i] = (1.0 / dt) * (next - p);
            w.velocity[i].x = p.x < 0.0 ? 0.05 : -0.05;
        }
    });
    return scene;
}

// Shots of a spinning ball at a wall, each by itself: its centre starts one to three radii from the
// wall, and it flies up to eight radii in the step.
QueryScene fast_ball(std::uint32_t cells, Random& random) {
    constexpr double kRadius = 0.125;
    const Body wall = sheet({0.0, 1.0}, {0.0, 1.0}, cells, cells);
    const Body round = ball(kRadius, std::max(3U, cells / 4));
    QueryScene scene;
    add_body(scene, wall, false);
    add_body(scene, round, false);
    finish_topology(scene);
    for (int s = 0; s < steps_for(cells); ++s) {
        const double side = 0.25 * random.uniform();
        const Vec3 from{0.5 + side, kRadius * (2.0 + random.uniform()),
                        0.5 + 0.25 * random.uniform()};
        const double across = 0.25 * random.uniform();
        const Vec3 flight{across, -kRadius * (4.0 + 4.0 * random.uniform()),
                          0.25 * random.uniform()};
        const Quaternion spin = random_rotation(random, 0.5);
        SceneStep step{wall.points, wall.points};
        for (const Vec3& p : round.points) {
            step.start.push_back(from + p);
            step.end.push_back(from + flight + rotated(spin, p));
        }
        scene.steps.push_back(std::move(step));
    }
    return scene;
}

}  // namespace

QueryScene make_motion_scene(SceneId id, const QuerySceneOptions& options) {
    const std::uint32_t cells = cells_for(options.queries);
    Random random(options.seed * 0xd1342543de82ef95U + static_cast<std::uint64_t>(id));
    switch (id) {
        case SceneId::FoldingSheet:
            return folding_sheet(cells, random);
        case SceneId::CollidingSheets:
            return colliding_sheets(cells, random);
        case SceneId::SheetOnBall:
            return sheet_on_ball(cells, random);
        case SceneId::TumblingBodies:
            return tumbling_bodies(cells, random);
        case SceneId::TwistingMat:
            return twisting_mat(cells, random);
        default:
            break;
    }
    return fast_ball(cells, random);
}

}  // namespace graze::generate
