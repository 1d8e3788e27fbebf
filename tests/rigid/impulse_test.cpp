#include "graze/rigid/impulse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "graze/generate/models.hpp"
#include "graze/rigid/raster.hpp"
#include "graze/rigid/start_state.hpp"

namespace graze::rigid {
namespace {

// A box of these half lengths about the origin.
Polyhedron block(const Vec3& half) {
    io::PolygonMesh mesh = generate::cube();
    for (Vec3& x : mesh.positions)
        x = {2.0 * half.x * x.x, 2.0 * half.y * x.y, 2.0 * half.z * x.z};
    return std::move(*Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners()));
}

// Figures 2a and 2b of Buss 2005: A rests on the left, B comes from the right, tilted by so much
// that its lower left edge leads.
struct Figure2 {
    Polyhedron a;
    Polyhedron b;
    PairStep step;
    std::array<BodyMass, 2> masses;
    std::array<BodyVelocity, 2> velocities;

    explicit Figure2(double tilt) : a(block(Vec3{1.0, 2.0, 2.0})), b(block(Vec3{1.0, 1.0, 1.0})) {
        masses[1].inverse_mass = 1.0;
        masses[1].inverse_inertia = Vec3{1.5, 1.5, 1.5};
        velocities[1].linear = Vec3{-2.0, 0.0, 0.0};
        const Quaternion q = rotation_about({0.0, 0.0, 1.0}, -tilt);
        step.b = BodyStep::between({q, {3.0, 0.1, 0.05}}, {q, {1.0, 0.1, 0.05}});
    }
    [[nodiscard]] std::vector<Contact> collisions() const {
        RasterSearch search;
        auto found = search.collisions(a, b, step);
        EXPECT_TRUE(found);
        std::vector<Contact> world;
        for (const Contact& c : found->collisions)
            world.push_back(to_world(c, step));
        return world;
    }
    [[nodiscard]] std::vector<ImpulseContact> contacts(const ResponseGroup& group = {}) const {
        return first_contacts({0, 1}, step, collisions(), group);
    }
};

constexpr double kTilt = 0.05;

ImpulseOptions bouncing() {
    ImpulseOptions options;
    options.restitution = 0.4;
    options.friction = 0.3;
    return options;
}

void expect_near(const Vec3& x, const Vec3& y, double tolerance) {
    EXPECT_NEAR(x.x, y.x, tolerance);
    EXPECT_NEAR(x.y, y.y, tolerance);
    EXPECT_NEAR(x.z, y.z, tolerance);
}

TEST(Impulse, FlatAndTiltedBoxAnswerAlikeWhenAllCollisionsOfTheGroupCount) {
    Figure2 flat(0.0);
    Figure2 tilted(kTilt);
    const auto of_flat = flat.contacts();
    const auto of_tilted = tilted.contacts();
    EXPECT_EQ(of_flat.size(), 4U);
    EXPECT_GE(of_tilted.size(), 4U);
    EXPECT_TRUE(apply_impulses(of_flat, flat.masses, flat.velocities, bouncing()).converged);
    EXPECT_TRUE(apply_impulses(of_tilted, tilted.masses, tilted.velocities, bouncing()).converged);
    expect_near(flat.velocities[1].linear, {0.8, 0.0, 0.0}, 1e-8);
    expect_near(flat.velocities[1].angular, {}, 1e-8);
    expect_near(tilted.velocities[1].linear, flat.velocities[1].linear, 1e-8);
    expect_near(tilted.velocities[1].angular, flat.velocities[1].angular, 1e-8);
}

TEST(Impulse, TiltedBoxTumblesWhenOnlyProperCollisionsCount) {
    Figure2 tilted(kTilt);
    ResponseGroup proper;
    proper.min_properness = -1e-9;
    const auto contacts = tilted.contacts(proper);
    EXPECT_EQ(contacts.size(), 2U);
    apply_impulses(contacts, tilted.masses, tilted.velocities, bouncing());
    EXPECT_GT(std::fabs(tilted.velocities[1].angular.z), 0.5);
}

TEST(Impulse, OnlyTheFirstGroupOfSimultaneousCollisionsAnswers) {
    const Figure2 tilted(kTilt);
    ResponseGroup narrow;
    narrow.time_gap = 1e-6;
    EXPECT_EQ(tilted.contacts(narrow).size(), 2U);
    const std::vector<Contact> none;
    EXPECT_TRUE(first_contacts({0, 1}, tilted.step, none).empty());
}

TEST(Impulse, VelocitiesDoNotDependOnTheOrderOfContacts) {
    Figure2 first(kTilt);
    first.velocities[1].angular = {0.3, -0.2, 0.1};
    Figure2 second = first;
    auto contacts = first.contacts();
    ImpulseOptions options;
    options.restitution = 0.5;
    options.max_sweeps = 5'000;
    EXPECT_TRUE(apply_impulses(contacts, first.masses, first.velocities, options).converged);
    std::reverse(contacts.begin(), contacts.end());
    EXPECT_TRUE(apply_impulses(contacts, second.masses, second.velocities, options).converged);
    expect_near(first.velocities[1].linear, second.velocities[1].linear, 1e-6);
    expect_near(first.velocities[1].angular, second.velocities[1].angular, 1e-6);
}

// Two cubes of equal mass, head on.
struct HeadOn {
    std::array<BodyMass, 2> masses{BodyMass{1.0, {6.0, 6.0, 6.0}}, BodyMass{1.0, {6.0, 6.0, 6.0}}};
    std::array<BodyVelocity, 2> velocities{BodyVelocity{{3.0, 0.0, 0.0}, {}}, BodyVelocity{}};
    std::vector<ImpulseContact> contacts;
    HeadOn() {
        for (const double y : {-0.5, 0.5}) {
            for (const double z : {-0.5, 0.5})
                contacts.push_back(
                    {{0, 1}, {0.5, y, z}, {1.0, 0.0, 0.0}, {}, {{}, {1, 0, 0}}, 0.0});
        }
    }
};

TEST(Impulse, EqualMassesExchangeVelocitiesWhenElastic) {
    HeadOn pair;
    ImpulseOptions options;
    options.restitution = 1.0;
    apply_impulses(pair.contacts, pair.masses, pair.velocities, options);
    expect_near(pair.velocities[0].linear, {}, 1e-8);
    expect_near(pair.velocities[1].linear, {3.0, 0.0, 0.0}, 1e-8);
}

TEST(Impulse, KeepsMomentumAndLeavesNoApproach) {
    HeadOn pair;
    pair.velocities[0].angular = {0.2, 0.7, -0.4};
    pair.velocities[1] = {{-1.0, 0.3, 0.0}, {0.1, 0.0, 0.9}};
    const auto momentum = [&] { return pair.velocities[0].linear + pair.velocities[1].linear; };
    const Vec3 before = momentum();
    const ImpulseReport report =
        apply_impulses(pair.contacts, pair.masses, pair.velocities, bouncing());
    expect_near(momentum(), before, 1e-12);
    for (std::size_t i = 0; i < pair.contacts.size(); ++i) {
        const ImpulseContact& c = pair.contacts[i];
        const auto at = [&](std::size_t k, const Pose& pose) {
            return pair.velocities[k].linear +
                   cross(pair.velocities[k].angular, c.position - pose.translation);
        };
        EXPECT_GE(dot(at(1, c.pose_second) - at(0, c.pose_first), c.normal), -1e-6);
        EXPECT_GE(report.impulses[i], 0.0);
    }
}

TEST(Impulse, StopsApproachesEvenWhereSweepsRunOut) {
    Figure2 tilted(kTilt);
    tilted.velocities[1].angular = {0.3, -0.2, 0.1};
    const auto contacts = tilted.contacts();
    ImpulseOptions options;
    options.restitution = 0.4;
    options.max_sweeps = 3;
    EXPECT_FALSE(apply_impulses(contacts, tilted.masses, tilted.velocities, options).converged);
    for (const ImpulseContact& c : contacts) {
        const Vec3 v = tilted.velocities[1].linear +
                       cross(tilted.velocities[1].angular, c.position - c.pose_second.translation);
        EXPECT_GE(dot(v, c.normal), -0.1);
    }
}

TEST(Impulse, BodiesThatNeverMoveStayAtRest) {
    HeadOn pair;
    pair.masses[1] = {};
    apply_impulses(pair.contacts, pair.masses, pair.velocities);
    EXPECT_EQ(pair.velocities[1].linear, Vec3{});
    expect_near(pair.velocities[0].linear, {}, 1e-8);
    pair.masses[0] = {};
    pair.velocities[0].linear = {3.0, 0.0, 0.0};
    EXPECT_TRUE(apply_impulses(pair.contacts, pair.masses, pair.velocities).converged);
    EXPECT_EQ(pair.velocities[0].linear, (Vec3{3.0, 0.0, 0.0}));
}

// The poses are those of the stepper, whatever the response asks for.
TEST(Impulse, PosesStayFreeOfCollisionsWhenBothBoxesBounce) {
    for (const double tilt : {0.0, kTilt}) {
        Figure2 scene(tilt);
        const RigidBody a(scene.a);
        const RigidBody b(scene.b);
        StepperOptions options;
        options.list_collisions = true;
        options.target_separation = 1e-3;
        auto stepper = SafeStepper::create({&a, &b}, {{}, scene.step.b.start}, {{0, 1}}, options);
        ASSERT_TRUE(stepper);
        int answered = 0;
        for (int i = 0; i < 40; ++i) {
            std::array<Pose, 2> targets = {stepper->poses()[0], stepper->poses()[1]};
            const BodyVelocity& v = scene.velocities[1];
            targets[1].translation = targets[1].translation + 0.05 * v.linear;
            const double rate = norm(v.angular);
            if (rate > 0.0) {
                const Pose turn{rotation_about(v.angular, 0.05 * rate), {}};
                targets[1].rotation = normalised(compose(turn, {targets[1].rotation, {}}).rotation);
            }
            const auto done = stepper->step(targets);
            ASSERT_TRUE(done);
            for (const Obstruction& o : done->obstructions) {
                const auto contacts = first_contacts(o.pair, o.step, o.collisions);
                if (contacts.empty()) continue;
                ++answered;
                apply_impulses(contacts, scene.masses, scene.velocities, bouncing());
            }
            EXPECT_EQ(start_state(scene.a, stepper->poses()[0], scene.b, stepper->poses()[1]),
                      StartState::Separated);
        }
        EXPECT_GE(answered, 1);
        EXPECT_GT(scene.velocities[1].linear.x, 0.0);
        EXPECT_GT(stepper->poses()[1].translation.x, 2.1);
    }
}

}  // namespace
}  // namespace graze::rigid
