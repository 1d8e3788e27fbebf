#include "graze/rigid.hpp"
#include "graze/rigid/dynamics.hpp"
#include "graze/rigid/pixels.hpp"
#include "graze/rigid/raster.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "graze/rigid/stepper.hpp"
#include "graze/rigid/world.hpp"
#include "platforms/parts.hpp"

namespace graze::platforms {
namespace {

using namespace graze::rigid;

// Prisms over polygons with whole coordinates: faces of many corners, one of them not convex.
Polyhedron prism(const std::vector<std::array<int, 2>>& base, double height) {
    const auto n = static_cast<std::uint32_t>(base.size());
    std::vector<Vec3> positions;
    for (const double z : {-height, height}) {
        for (const auto& p : base)
            positions.push_back({0.125 * p[0], 0.125 * p[1], z});
    }
    std::vector<std::uint32_t> counts = {n, n};
    std::vector<std::uint32_t> corners;
    for (std::uint32_t i = n; i-- > 0;)
        corners.push_back(i);
    for (std::uint32_t i = 0; i < n; ++i)
        corners.push_back(n + i);
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t next = (i + 1) % n;
        counts.push_back(4);
        corners.insert(corners.end(), {i, next, n + next, n + i});
    }
    return *Polyhedron::build(positions, counts, corners);
}

// An octahedron whose faces are cut in four, its vertices moved a little.
Polyhedron pebble(Numbers& numbers) {
    std::vector<Vec3> at = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    std::vector<std::uint32_t> corners;
    std::vector<std::uint32_t> counts;
    std::vector<std::array<std::uint32_t, 3>> known;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        for (const auto& k : known)
            if (k[0] == (a < b ? a : b) && k[1] == (a < b ? b : a)) return k[2];
        const auto index = static_cast<std::uint32_t>(at.size());
        at.push_back(0.625 * (at[a] + at[b]));
        known.push_back({a < b ? a : b, a < b ? b : a, index});
        return index;
    };
    for (std::uint32_t x = 0; x < 2; ++x) {
        for (std::uint32_t y = 2; y < 4; ++y) {
            for (std::uint32_t z = 4; z < 6; ++z) {
                std::array<std::uint32_t, 3> f = {x, y, z};
                if ((x + y + z) % 2 != 0) f = {x, z, y};
                const std::uint32_t p = middle(f[0], f[1]);
                const std::uint32_t q = middle(f[1], f[2]);
                const std::uint32_t r = middle(f[2], f[0]);
                for (const std::uint32_t c : {f[0], p, r, f[1], q, p, f[2], r, q, p, q, r})
                    corners.push_back(c);
                counts.insert(counts.end(), 4, 3);
            }
        }
    }
    for (Vec3& p : at)
        p = p + 0x1p-6 * numbers.vector();
    return *Polyhedron::build(at, counts, corners);
}

std::vector<Polyhedron> surfaces() {
    Numbers numbers(21);
    return {prism({{-4, -4}, {4, -4}, {4, 4}, {-4, 4}}, 0.5),
            prism({{-6, -6}, {6, -6}, {6, -2}, {-2, -2}, {-2, 6}, {-6, 6}}, 0.25),
            prism({{4, 0}, {3, 3}, {0, 4}, {-3, 3}, {-4, 0}, {-3, -3}, {0, -4}, {3, -3}}, 0.75),
            pebble(numbers)};
}

Pose random_pose(Numbers& numbers, const Vec3& centre, double size) {
    const Vec3 axis = numbers.vector();
    const double angle = 3.0 * numbers.number();
    return {rotation_about(axis, angle), centre + size * numbers.vector()};
}

// B comes by from one side to the other; some steps are pure translations, some rotate on the spot.
PairStep random_step(Numbers& numbers, std::uint32_t kind) {
    PairStep step;
    step.a.start = random_pose(numbers, {}, 0.25);
    step.a.end = kind % 3 == 0 ? step.a.start : random_pose(numbers, {}, 0.25);
    step.b.start = random_pose(numbers, {2.5, 0.0, 0.0}, 0.5);
    step.b.end = random_pose(numbers, {-2.5, 0.0, 0.0}, 0.5);
    if (kind % 4 == 1) step.b.end.rotation = step.b.start.rotation;
    if (kind % 4 == 2) step.b.end.translation = step.b.start.translation;
    if (kind % 8 == 3) step = {{}, {{{}, {2.0, 0.125, 0.0}}, {{}, {-1.0, 0.125, 0.0}}}};
    return step;
}

void add_pose(Hash& hash, const Pose& pose) {
    for (const double x : {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z})
        hash.add(x);
    hash.add(pose.translation);
}

void add_contact(Hash& hash, const Contact& c) {
    hash.add(c.type);
    hash.add(c.a);
    hash.add(c.b);
    for (const double x : {c.time, c.properness, c.time_lower, c.time_upper})
        hash.add(x);
    hash.add(c.point);
    hash.add(c.normal);
}

void add_impact(Hash& hash, const ImpactResult& r) {
    hash.add(r.verdict);
    hash.add(r.toi_lower);
    hash.add(r.toi_upper);
    hash.add(r.start);
    add_contact(hash, r.contact);
    hash.add(r.checks);
}

// work(a, b, step) for every pair of surfaces and some steps of each.
template <class Work>
void for_each_pair(std::uint32_t steps, const Work& work) {
    const std::vector<Polyhedron> all = surfaces();
    Numbers numbers(22);
    for (const Polyhedron& a : all) {
        for (const Polyhedron& b : all) {
            for (std::uint32_t i = 0; i < steps; ++i)
                work(a, b, random_step(numbers, i));
        }
    }
}

std::uint64_t hash_of_first_impacts() {
    Hash hash;
    for_each_pair(8, [&](const Polyhedron& a, const Polyhedron& b, const PairStep& step) {
        ImpactOptions options;
        options.max_checks = 200'000;
        const RigidBody body_a(a);
        const RigidBody body_b(b);
        add_impact(hash, first_impact(body_a, body_b, step, options));
        options.min_separation = 0x1p-5;
        add_impact(hash, first_impact(body_a, body_b, step, options));
    });
    return hash.value();
}

std::uint64_t hash_of_all_impacts() {
    Hash hash;
    for_each_pair(2, [&](const Polyhedron& a, const Polyhedron& b, const PairStep& step) {
        ImpactOptions options;
        options.max_checks = 60'000;
        const AllImpacts all = all_impacts(RigidBody(a), RigidBody(b), step, options);
        hash.add(all.complete);
        hash.add(all.checks);
        for (const Contact& c : all.collisions)
            add_contact(hash, c);
    });
    return hash.value();
}

template <class Search, class Options>
std::uint64_t hash_of_screens(const std::vector<Options>& sets) {
    Hash hash;
    Search search;
    for (const Options& options : sets) {
        for_each_pair(5, [&](const Polyhedron& a, const Polyhedron& b, const PairStep& step) {
            const auto found = search.collisions(a, b, step, options);
            hash.add(found.has_value());
            if (!found) return;
            hash.add(found->statistics.pixel);
            hash.add(found->screw.point);
            hash.add(found->screw.linear);
            for (const Contact& c : found->collisions)
                add_contact(hash, c);
        });
    }
    return hash.value();
}

std::uint64_t hash_of_raster() {
    RasterOptions robust;
    robust.robust = true;
    return hash_of_screens<RasterSearch, RasterOptions>({{}, robust});
}

std::uint64_t hash_of_pixels() {
    PixelOptions all;
    all.min_properness = -1.0;
    return hash_of_screens<PixelSearch, PixelOptions>({{}, all});
}

std::uint64_t hash_of_states() {
    Hash hash;
    for_each_pair(3, [&](const Polyhedron& a, const Polyhedron& b, const PairStep& step) {
        for (const double t : {0.0, 0.25, 0.5, 1.0}) {
            const Pose pose_a = world_pose_a(step, t);
            const Pose pose_b = world_pose_b(step, t);
            add_pose(hash, pose_a);
            add_pose(hash, pose_b);
            hash.add(start_state(a, pose_a, b, pose_b));
        }
        const DistanceResult d = distance(RigidBody(a), step.a.start, RigidBody(b), step.b.start);
        hash.add(d.lower);
        hash.add(d.upper);
        hash.add(d.face_a);
        hash.add(d.face_b);
        hash.add(d.on_a);
        hash.add(d.on_b);
    });
    return hash.value();
}

std::vector<ConvexShape> convex_shapes() {
    Numbers numbers(31);
    std::vector<Vec3> points;
    for (int i = 0; i < 24; ++i)
        points.push_back(numbers.vector());
    return {*ConvexShape::sphere(0.5),
            *ConvexShape::capsule({-0.5, 0.0, 0.0}, {0.5, 0.25, 0.0}, 0.25),
            *ConvexShape::box({0.5, 0.25, 0.75}),
            *ConvexShape::box({0.25, 0.5, 0.25}, {0.125, 0.0, 0.0}, 0.0625),
            *ConvexShape::cylinder(0.5, 0.25),
            *ConvexShape::hull(points)};
}

std::vector<BodyMotion> motions_of(Numbers& numbers, std::uint32_t i) {
    const PairStep step = random_step(numbers, i);
    std::array<double, 12> first;
    std::array<double, 12> last;
    for (std::size_t k = 0; k < 12; ++k) {
        first[k] = (k % 5 == 0 ? 1.0 : 0.0) + 0.125 * numbers.number() + (k == 3 ? 2.0 : 0.0);
        last[k] = (k % 5 == 0 ? 1.0 : 0.0) + 0.125 * numbers.number() - (k == 3 ? 2.0 : 0.0);
    }
    const Vec3 w0 = numbers.vector();
    const Vec3 w1 = 3.0 * numbers.vector();
    return {BodyMotion::screw(step.b),
            BodyMotion::slerp(step.b),
            BodyMotion::nlerp(step.b),
            BodyMotion::spin(step.b.start, step.b.end.translation, 40.0 * w1),
            BodyMotion::rotation_vector(w0, step.b.start.translation, w1, step.b.end.translation),
            BodyMotion::affine(first, last),
            BodyMotion::relative_screw(step)};
}

std::uint64_t hash_of_motions() {
    Hash hash;
    Numbers numbers(32);
    for (std::uint32_t i = 0; i < 40; ++i) {
        for (const BodyMotion& motion : motions_of(numbers, i)) {
            for (const double t : {0.0, 0.3125, 0.71875, 1.0}) {
                const PoseEnclosure at = motion.at(t, motion.start());
                for (const Vec3& row : at.linear)
                    hash.add(row);
                hash.add(at.translation);
                hash.add(at.linear_error);
                hash.add(at.translation_error);
                const ChordDeviation off = motion.deviation(0.5 * t, t);
                hash.add(off.translation);
                hash.add(off.linear);
            }
        }
    }
    return hash.value();
}

std::uint64_t hash_of_convex() {
    Hash hash;
    Numbers numbers(33);
    const std::vector<ConvexShape> shapes = convex_shapes();
    for (const ConvexShape& a : shapes) {
        for (const ConvexShape& b : shapes) {
            const BodyMotion rest = BodyMotion::rest(random_pose(numbers, {}, 0.25));
            for (std::uint32_t i = 0; i < 3; ++i) {
                for (const BodyMotion& motion : motions_of(numbers, i)) {
                    ImpactOptions options;
                    options.max_checks = 20'000;
                    add_impact(hash, first_impact(a, rest, b, motion, options));
                    options.min_separation = 0x1p-4;
                    add_impact(hash, first_impact(a, rest, b, motion, options));
                }
                add_impact(hash, first_impact(a, b, random_step(numbers, i)));
            }
        }
    }
    return hash.value();
}

std::uint64_t hash_of_world(std::size_t threads) {
    Hash hash;
    Numbers numbers(34);
    BodyWorld world;
    std::vector<ShapeId> shapes;
    for (const ConvexShape& shape : convex_shapes())
        shapes.push_back(world.add_shape(shape));
    for (const Polyhedron& surface : surfaces())
        shapes.push_back(world.add_shape(RigidBody(surface)));
    std::vector<BodyId> bodies;
    for (std::uint32_t i = 0; i < 30; ++i) {
        const Pose pose = random_pose(numbers, {}, 5.0);
        if (const auto body = world.add_body(shapes[i % shapes.size()], pose))
            bodies.push_back(*body);
    }
    WorldOptions options;
    options.impact.max_checks = 20'000;
    options.threads = threads;
    if (threads > 1) options.executor = new_threads();
    for (std::uint32_t step = 0; step < 3; ++step) {
        for (const BodyId body : bodies) {
            const Pose target = random_pose(numbers, {}, 4.0);
            const bool is_set =
                world.set_target(body, target, static_cast<MotionModel>(body % 3)).has_value();
            hash.add(is_set);
        }
        const auto found = world.search(options);
        if (!found) return hash.value();
        hash.add(found->safe_fraction);
        hash.add(found->contact_by);
        hash.add(static_cast<std::uint64_t>(found->candidates));
        for (const PairImpact& one : found->impacts) {
            hash.add(one.pair.first);
            hash.add(one.pair.second);
            add_impact(hash, one.result);
        }
        world.advance(0.25);
        for (const BodyId body : bodies)
            if (const auto pose = world.pose(body)) add_pose(hash, *pose);
    }
    return hash.value();
}

// Four bodies that are driven into each other.
std::uint64_t hash_of_stepper() {
    Hash hash;
    Numbers numbers(35);
    std::vector<RigidBody> bodies;
    for (Polyhedron& surface : surfaces())
        bodies.emplace_back(std::move(surface));
    std::vector<const RigidBody*> pointers;
    std::vector<Pose> start;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        pointers.push_back(&bodies[i]);
        start.push_back(random_pose(numbers, {4.0 * static_cast<double>(i), 0.0, 0.0}, 0.25));
    }
    StepperOptions options;
    options.target_separation = 0x1p-5;
    options.list_collisions = true;
    options.max_checks = 20'000;
    auto stepper = SafeStepper::create(pointers, start, all_pairs(4), options);
    if (!stepper) return hash.value();
    for (int i = 0; i < 3; ++i) {
        std::vector<Pose> targets;
        for (std::size_t k = 0; k < bodies.size(); ++k)
            targets.push_back(random_pose(numbers, {6.0, 0.0, 0.0}, 1.0));
        const auto report = stepper->step(targets);
        if (!report) return hash.value();
        hash.add(report->fractions);
        for (const Obstruction& o : report->obstructions) {
            add_impact(hash, o.first);
            for (const Contact& c : o.collisions)
                add_contact(hash, c);
        }
        for (const Pose& pose : stepper->poses())
            add_pose(hash, pose);
    }
    return hash.value();
}

// One of each kind of shape for every column of a grid, which fall on a floor and on each other.
std::uint64_t hash_of_dynamics(std::size_t threads) {
    Hash hash;
    Numbers numbers(36);
    DynamicsOptions options;
    options.threads = threads;
    if (threads > 1) options.executor = new_threads();
    Dynamics dynamics(options);
    DynamicBody floor;
    floor.shape = dynamics.add_shape(*ConvexShape::box({8.0, 8.0, 0.5}));
    floor.pose.translation = {0.0, 0.0, -0.5};
    floor.kind = BodyKind::Static;
    hash.add(dynamics.add_body(floor).has_value());
    const std::vector<Vec3> octahedron = {{0.5, 0.0, 0.0},  {-0.5, 0.0, 0.0}, {0.0, 0.5, 0.0},
                                          {0.0, -0.5, 0.0}, {0.0, 0.0, 0.5},  {0.0, 0.0, -0.5}};
    const std::vector<ShapeId> shapes = {
        dynamics.add_shape(*ConvexShape::cylinder(0.5, 0.25)),
        dynamics.add_shape(*ConvexShape::box({0.5, 0.25, 0.375})),
        dynamics.add_shape(*ConvexShape::cylinder(0.25, 0.5)),
        dynamics.add_shape(*ConvexShape::sphere(0.375)),
        dynamics.add_shape(*ConvexShape::capsule({-0.25, 0.0, 0.0}, {0.25, 0.0, 0.0}, 0.25)),
        dynamics.add_shape(*ConvexShape::hull(octahedron))};
    for (std::uint32_t i = 0; i < 14; ++i) {
        DynamicBody body;
        body.shape = shapes[i % shapes.size()];
        const Vec3 cell = {1.5625 * (i % 2), 1.5625 * (i / 2 % 2), 1.0 + 1.625 * (i / 4)};
        body.pose = random_pose(numbers, cell, 0x1p-6);
        body.restitution = 0.25;
        hash.add(dynamics.add_body(body).has_value());
    }
    for (int i = 0; i < 60; ++i) {
        const auto report = dynamics.step();
        if (!report) return hash.value();
        hash.add(static_cast<std::uint64_t>(report->contacts));
        for (const TouchPoint& touch : dynamics.contacts()) {
            hash.add(touch.position);
            hash.add(touch.normal);
            hash.add(touch.impulse);
        }
    }
    for (BodyId body = 0; body < dynamics.size(); ++body)
        add_pose(hash, dynamics.pose(body));
    return hash.value();
}

}  // namespace

void add_rigid_parts(std::vector<Part>& parts, std::vector<ThreadTest>& tests) {
    parts.push_back({"rigid.motions", hash_of_motions});
    parts.push_back({"rigid.first-impact", hash_of_first_impacts});
    parts.push_back({"rigid.all-impacts", hash_of_all_impacts});
    parts.push_back({"rigid.raster", hash_of_raster});
    parts.push_back({"rigid.pixels", hash_of_pixels});
    parts.push_back({"rigid.states-and-distances", hash_of_states});
    parts.push_back({"rigid.convex", hash_of_convex});
    parts.push_back({"rigid.world", [] { return hash_of_world(1); }});
    parts.push_back({"rigid.stepper", hash_of_stepper});
    parts.push_back({"rigid.dynamics", [] { return hash_of_dynamics(1); }});
    tests.push_back({"rigid.world", hash_of_world});
    tests.push_back({"rigid.dynamics", hash_of_dynamics});
}

}  // namespace graze::platforms
