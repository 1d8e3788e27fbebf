// Scenes of cloth and strands: those of Wang 2014 (figures 1 and 7), of simulators of cloth, and hair.
#include <array>
#include <cmath>
#include <numbers>

#include "graze/core/elementary.hpp"
#include "graze/sim/cloth_shapes.hpp"
#include "graze/sim/shapes.hpp"

namespace graze::sim {
namespace {

constexpr double kHalfRotation = std::numbers::pi;

// Cotton, roughly; soft along its threads, so that steps of 10 ms are not spent on waves in it.
ClothMaterial cotton() {
    return {.young = 400.0, .poisson = 0.25, .bending = 3e-5, .damping = 5e-3, .area_density = 0.2};
}

// How a scene of cloth is run.
struct ClothRun {
    ContactResponse response = ContactResponse::Impulses;
    double thickness = 0.004;  // [m] where repulsions begin
    double friction = 0.2;
    double dt = 0.01;  // [s]
    int steps_per_frame = 4;
    int frames = 60;
};
Model finished(ModelBuilder& builder, const ClothRun& run) {
    Model& model = builder.model();
    model.contact.response = run.response;
    model.contact.distance = run.thickness;
    model.contact.friction = run.friction;
    model.solver.dt = run.dt;
    model.solver.steps_per_frame = run.steps_per_frame;
    model.solver.newton_tolerance = 1e-4;
    model.frames = run.frames;
    return builder.finish();
}

std::vector<std::uint32_t> vertex_range(std::uint32_t first, std::size_t count) {
    std::vector<std::uint32_t> vertices(count);
    for (std::size_t i = 0; i < count; ++i)
        vertices[i] = first + static_cast<std::uint32_t>(i);
    return vertices;
}

// An obstacle that a script will move: not fixed, with a mass that only counts in energies.
std::vector<std::uint32_t> add_mover(ModelBuilder& builder, const SurfaceMesh& mesh) {
    const std::uint32_t first = builder.add_obstacle(mesh);
    const auto vertices = vertex_range(first, mesh.positions.size());
    for (const std::uint32_t v : vertices) {
        builder.model().fixed[v] = 0;
        builder.model().mass[v] = 1e-9;
    }
    return vertices;
}

void append(std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

// --- The tablecloths -----------------------------------------------------------------------------

Model lifted_tablecloth(const SceneSize& size) {
    ModelBuilder builder("lifted-tablecloth");
    const int cells = size.elements(28, 6);
    const SurfaceMesh cloth =
        placed(sheet({1.5, 1.5, cells, cells}), {.translation = {0.0, 0.0, 0.006}});
    const std::uint32_t first = builder.add_cloth(cloth, cotton());
    builder.add_obstacle(plate(0.5, 0.05, size.elements(32, 8)));
    // The middle of the cloth lies still until the rest hangs, and is lifted then.
    Script lift;
    for (std::uint32_t v = 0; v < cloth.positions.size(); ++v)
        if (norm(Vec3{cloth.positions[v].x, cloth.positions[v].y, 0.0}) < 0.07)
            lift.vertices.push_back(first + v);
    lift.keys = {{0.5, {}, 0.0}, {2.0, {0.0, 0.0, 0.9}, 0.0}};
    builder.model().scripts.push_back(lift);
    return finished(
        builder,
        {.thickness = 0.004, .friction = 0.3, .dt = 0.01, .steps_per_frame = 4, .frames = 60});
}

// Two sheets in one plane, which is no coordinate plane, fly at each other edge on: each pair of
// their elements is coplanar all the time, up to rounding. Then the cubic of coplanarity is zero but
// for rounding errors, and its roots are noise. (Found by tests/sim, see docs/sim.md.)
Model colliding_tablecloths(const SceneSize& size) {
    ModelBuilder builder("colliding-tablecloths");
    const int cells = size.elements(16, 2);
    const double speed = 8.0;
    const Placement tilted{.axis = {0.48, 0.6, 0.64}, .angle = 2.5};
    const auto in_plane = [&](double side) {
        // The second one is shifted along the common edge, by no fraction of a cell.
        const Vec3 offset{side * 0.52, side * 0.011, 0.0};
        return placed(placed(sheet({1.0, 1.0, cells, cells}), {.translation = offset}), tilted);
    };
    const SurfaceMesh left = in_plane(-1.0);
    const SurfaceMesh right = in_plane(1.0);
    builder.add_cloth(left, cotton());
    builder.add_cloth(right, cotton());
    Model& model = builder.model();
    model.start_velocity.assign(model.rest.size(), placed(Vec3{speed, 0.0, 0.0}, tilted));
    for (std::size_t i = left.positions.size(); i < model.rest.size(); ++i)
        model.start_velocity[i] = -model.start_velocity[i];
    model.gravity = {};
    return finished(
        builder,
        {.thickness = 0.004, .friction = 0.1, .dt = 0.01, .steps_per_frame = 2, .frames = 30});
}

// --- A garment -----------------------------------------------------------------------------------

struct Limb {
    Vec3 a;
    Vec3 b;
    double radius_a;
    double radius_b;
};

std::vector<std::uint32_t> add_limbs(ModelBuilder& builder, const SceneSize& size,
                                     std::span<const Limb> limbs) {
    std::vector<std::uint32_t> vertices;
    for (const Limb& limb : limbs)
        append(vertices, add_mover(builder, capsule({limb.a, limb.b, limb.radius_a, limb.radius_b,
                                                     size.elements(14, 6), size.elements(3, 2)})));
    return vertices;
}

// A step to either side and back, again and again.
std::vector<ScriptKey> swinging(double angle, double period, double sway, int swings) {
    std::vector<ScriptKey> keys = {{0.0, {}, 0.0}};
    for (int i = 0; i < swings; ++i) {
        const double side = i % 2 == 0 ? 1.0 : -1.0;
        keys.push_back({period * (i + 0.5), {side * sway, 0.0, 0.0}, side * angle});
    }
    keys.push_back({period * swings, {}, 0.0});
    return keys;
}

Model garment(const SceneSize& size) {
    ModelBuilder builder("garment");
    // A wide skirt from the waist down, on a figure of capsules that walks on the spot.
    const TubeShape skirt{.bottom = 0.27,
                          .top = 0.155,
                          .height = 0.62,
                          .around = size.elements(40, 8),
                          .rows = size.elements(20, 4)};
    const SurfaceMesh cloth = placed(tube(skirt), {.translation = {0.0, 0.0, 0.45}});
    const std::uint32_t first = builder.add_cloth(cloth, cotton());
    const std::array<Limb, 4> upper = {{{{0, 0, 1.02}, {0, 0, 1.38}, 0.13, 0.15},
                                        {{0, 0, 1.66}, {0, 0, 1.73}, 0.08, 0.10},
                                        {{-0.23, 0, 1.42}, {-0.42, 0.05, 1.0}, 0.05, 0.04},
                                        {{0.23, 0, 1.42}, {0.42, 0.05, 1.0}, 0.05, 0.04}}};
    Script body;
    // The waistband goes with the body.
    body.vertices = vertex_range(first + static_cast<std::uint32_t>(skirt.rows * skirt.around),
                                 static_cast<std::size_t>(skirt.around));
    append(body.vertices, add_limbs(builder, size, upper));
    body.keys = swinging(0.5, 0.8, 0.06, 6);
    const std::array<Limb, 1> left_leg = {{{{-0.085, 0, 0.79}, {-0.09, 0, 0.05}, 0.07, 0.045}}};
    const std::array<Limb, 1> right_leg = {{{{0.085, 0, 0.79}, {0.09, 0, 0.05}, 0.07, 0.045}}};
    Script left{add_limbs(builder, size, left_leg),
                {-0.085, 0, 0.79},
                {1.0, 0.0, 0.0},
                swinging(0.75, 0.8, 0.06, 6)};
    Script right{add_limbs(builder, size, right_leg),
                 {0.085, 0, 0.79},
                 {-1.0, 0.0, 0.0},
                 swinging(0.75, 0.8, 0.06, 6)};
    builder.model().scripts = {body, left, right};
    return finished(
        builder,
        {.thickness = 0.004, .friction = 0.2, .dt = 0.01, .steps_per_frame = 4, .frames = 100});
}

// --- A mat, twisted ------------------------------------------------------------------------------

Model mat_twist(const SceneSize& size) {
    ModelBuilder builder("mat-twist");
    const int columns = size.elements(36, 8);
    const int rows = size.elements(18, 4);
    const SheetShape shape{1.0, 0.5, columns, rows};
    const SurfaceMesh cloth = sheet(shape);
    ClothMaterial rubber = cotton();
    rubber.bending = 4e-5;
    const std::uint32_t first = builder.add_cloth(cloth, rubber);
    Script left;
    Script right;
    for (int j = 0; j <= rows; ++j) {
        const auto row = first + static_cast<std::uint32_t>(j * (columns + 1));
        left.vertices.push_back(row);
        right.vertices.push_back(row + static_cast<std::uint32_t>(columns));
    }
    left.axis = {1.0, 0.0, 0.0};
    right.axis = {-1.0, 0.0, 0.0};
    // Two rotations at each end, and the ends come nearer, as those of a wrung cloth do.
    left.keys = {{0.0, {}, 0.0}, {4.0, {0.12, 0.0, 0.0}, 4.0 * kHalfRotation}};
    right.keys = {{0.0, {}, 0.0}, {4.0, {-0.12, 0.0, 0.0}, 4.0 * kHalfRotation}};
    builder.model().scripts = {left, right};
    builder.model().gravity = {};
    return finished(
        builder,
        {.thickness = 0.003, .friction = 0.2, .dt = 0.01, .steps_per_frame = 4, .frames = 100});
}

// --- Balls, shot at cloth ------------------------------------------------------------------------

Model ball_in_cloth(const SceneSize& size) {
    ModelBuilder builder("ball-in-cloth");
    const int cells = size.elements(24, 6);
    const SurfaceMesh cloth = placed(sheet({1.2, 1.2, cells, cells}),
                                     {.axis = {1.0, 0.0, 0.0}, .angle = 0.5 * kHalfRotation});
    ClothMaterial canvas = cotton();
    canvas.young = 2500.0;
    const std::uint32_t first = builder.add_cloth(cloth, canvas);
    // It hangs at its upper edge.
    Script held;
    held.vertices = vertex_range(first + static_cast<std::uint32_t>(cells * (cells + 1)),
                                 static_cast<std::size_t>(cells) + 1);
    held.keys = {{0.0, {}, 0.0}};
    builder.model().scripts = {held};
    const ElasticMaterial rubber{.young = 6e3, .poisson = 0.3, .density = 90.0};
    struct Shot {
        Vec3 from;
        double radius;
        Vec3 velocity;
    };
    const std::array<Shot, 3> shots = {{{{-0.2, -0.25, 0.05}, 0.09, {0.3, 5.0, 1.0}},
                                        {{0.25, -0.6, -0.1}, 0.07, {-0.2, 6.0, 1.5}},
                                        {{0.05, 0.75, 0.15}, 0.08, {0.0, -5.5, 1.2}}}};
    for (const Shot& shot : shots) {
        const TetrahedralMesh filled =
            placed(solid_ball(shot.radius, size.elements(3, 2)), {.translation = shot.from});
        const std::uint32_t at = builder.add_elastic(filled, rubber);
        builder.model().start_velocity.resize(at);
        builder.model().start_velocity.resize(at + filled.positions.size(), shot.velocity);
    }
    // Impulses would act on one side of the cloth before the other knows: vertices between two balls
    // were thrown far out.
    return finished(builder, {.response = ContactResponse::Barrier,
                              .thickness = 0.004,
                              .friction = 0.2,
                              .dt = 0.005,
                              .steps_per_frame = 4,
                              .frames = 60});
}

// --- A bow ---------------------------------------------------------------------------------------

Model bow_knot(const SceneSize& size) {
    ModelBuilder builder("bow-knot");
    BowShape shape;
    shape.columns = size.elements(2);
    const Bow bow = loose_bow(shape);
    ClothMaterial satin{
        .young = 300.0, .poisson = 0.25, .bending = 4e-6, .damping = 1e-2, .area_density = 0.15};
    const std::uint32_t first = builder.add_cloth({bow.rest, bow.faces}, satin);
    Model& model = builder.model();
    model.start = bow.start;
    const auto pulled = [&](const std::vector<std::uint32_t>& tip, double side) {
        Script script;
        for (const std::uint32_t v : tip)
            script.vertices.push_back(first + v);
        script.keys = {{0.0, {}, 0.0},
                       {6.0, {side * 0.22, 0.0, 0.35}, 0.0},
                       {11.0, {side * 0.42, 0.0, 0.42}, 0.0}};
        return script;
    };
    model.scripts = {pulled(bow.left_tip, -1.0), pulled(bow.right_tip, 1.0)};
    model.gravity = {0.0, 0.0, -1.0};
    model.in_view = {{0.0, 0.0, -1.75}};  // as low as the tails come to hang
    // Impulses hold back what is in the knot without the rest of the ribbon knowing: fine ribbons were
    // stretched there many times, and crumpled.
    return finished(builder, {.response = ContactResponse::Barrier,
                              .thickness = 0.002,
                              .friction = 0.15,
                              .dt = 0.01,
                              .steps_per_frame = 4,
                              .frames = 300});
}

// --- Hair ----------------------------------------------------------------------------------------

// Directions on the upper part of a ball, evenly spread (a spiral by the golden angle).
Vec3 root_direction(int i, int count) {
    const double golden = kHalfRotation * (3.0 - std::sqrt(5.0));
    const double z = 1.0 - 0.9 * (i + 0.5) / count;
    const double r = std::sqrt(1.0 - z * z);
    const double phi = golden * (i + 0.5);  // none in a plane of coordinates
    return {r * cosine(phi), r * sine(phi), z};
}

Model hair(const SceneSize& size) {
    ModelBuilder builder("hair");
    const double radius = 0.1;
    const int strands = size.elements(90, 3);
    const int segments = size.elements(16, 4);
    const double segment = 0.22 / segments;
    const StrandMaterial fibre{
        .stretch = 20.0, .bending = 2e-6, .damping = 5e-3, .length_density = 2e-3};
    std::vector<std::uint32_t> head = add_mover(
        builder,
        capsule({{0, 0, -0.03}, {}, radius, radius, size.elements(28, 8), size.elements(8, 3)}));
    for (int i = 0; i < strands; ++i) {
        const Vec3 out = root_direction(i, strands);
        std::vector<Vec3> points;
        for (int k = 0; k <= segments; ++k)
            points.push_back((radius + 0.003 + k * segment) * out);
        const std::uint32_t first = builder.add_strand(points, fibre);
        append(head, {first, first + 1});
    }
    Script shaken;
    shaken.vertices = head;
    shaken.keys = {{0.0, {}, 0.0}};
    // Hair falls first; then the head is shaken.
    for (int i = 0; i < 8; ++i) {
        const double side = i % 2 == 0 ? 1.0 : -1.0;
        shaken.keys.push_back({0.5 + 0.25 * i, {0.02 * side, 0.0, 0.0}, i == 0 ? 0.0 : 0.9 * side});
    }
    shaken.keys.push_back({2.7, {}, 0.0});
    builder.model().scripts = {shaken};
    return finished(
        builder,
        {.thickness = 0.0008, .friction = 0.2, .dt = 0.005, .steps_per_frame = 4, .frames = 120});
}

constexpr std::array<NamedScene, 7> kClothScenes = {
    {{"bow-knot", "a ribbon, laid as a loose bow, is drawn tight by its two ears", bow_knot},
     {"lifted-tablecloth", "a cloth falls over a round table and is lifted by its middle",
      lifted_tablecloth},
     {"colliding-tablecloths", "two sheets in one plane fly at each other edge on",
      colliding_tablecloths},
     {"garment", "a skirt on a figure that walks on the spot and sways", garment},
     {"mat-twist", "a mat whose ends are rotated against each other", mat_twist},
     {"ball-in-cloth", "rubber balls are shot at a hanging cloth from both sides", ball_in_cloth},
     {"hair", "strands on a head that is shaken", hair}}};

}  // namespace

std::span<const NamedScene> cloth_scenes() noexcept {
    return kClothScenes;
}

}  // namespace graze::sim
