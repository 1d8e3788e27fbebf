// Twelve bodies that are not convex, save the cubes, tumble in a box whose gravity turns like that
// of a drum, so that contacts never end. Each body moves by what impulses ask for, at all collisions
// of a pair at once, and graze alone keeps bodies out of each other: a step is taken only as far as
// it is proved to be free.
//
//   09_tumbling [--steps N] [--seed S] [--check] [--frames DIR]
//
// What is proved about a step: poses before and after are the doubles of the state. For each pair,
// the relative screw from the poses before to those after is free of contact. Where two bodies move
// in the world, each on a screw of its own, their relative motion in between is no screw; that is
// why the poses after a step are searched as they are, and no step is taken in parts.
//
// --check asks about every new state, exactly: no two surfaces share a point, and no body is inside
// another. Without any option: 150 steps, checked.
// --frames writes every tenth state as a Wavefront OBJ file into a folder that exists.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <span>

#include "graze/rigid/start_state.hpp"
#include "graze/rigid/stepper.hpp"
#include "response.hpp"
#include "scene.hpp"
#include "stepped_example.hpp"

namespace tumbling {
namespace {

using graze::Expected;
using graze::Pose;
using graze::Vec3;
using graze::rigid::SafeStepper;
using graze::rigid::StartState;
using Request = example::StepRequest;

constexpr double kTimeStep = 1.0 / 120.0;  // [s]
constexpr double kGravity = 9.81;          // [m/s^2]
constexpr int kStepsInTurn = 600;
// A quarter of a turn in a step at most, so that no body turns by more than half a turn.
constexpr double kMostTurn = 0.5 * std::numbers::pi;

struct Report {
    std::uint64_t searches = 0;
    std::uint64_t obstructions = 0;
    std::uint64_t unresolved = 0;
    std::uint64_t contacts = 0;  // that answered by impulses
    std::uint64_t bodies = 0;    // by step
    std::uint64_t stopped = 0;   // of them, those that could not move at all
    std::uint64_t checked = 0;   // pairs
    std::uint64_t bad = 0;       // of them, those that were not separated
    double travelled = 0.0;      // [m] by all bodies
    int longest_stop = 0;        // steps in a row that one body did not move
};

class Simulation {
public:
    Simulation(const Scene& scene, SafeStepper stepper)
        : scene_(scene),
          stepper_(std::move(stepper)),
          velocities_(scene.bodies.size()),
          stops_(scene.bodies.size(), 0) {}

    [[nodiscard]] Expected<void> step(int number) {
        fall(number);
        const std::vector<Pose> before(stepper_.poses().begin(), stepper_.poses().end());
        const auto done = stepper_.step(targets());
        if (!done) return done.error();
        keep_books(before, *done);
        report_.contacts += bounce(scene_, stepper_.poses(), done->obstructions, velocities_);
        return {};
    }
    // Every pair of bodies, as they are now.
    void check();
    [[nodiscard]] const Report& report() const { return report_; }
    [[nodiscard]] std::span<const Pose> poses() const { return stepper_.poses(); }

private:
    void fall(int number) {
        const double angle = 2.0 * std::numbers::pi * number / kStepsInTurn;
        const Vec3 gravity{kGravity * std::sin(angle), 0.0, -kGravity * std::cos(angle)};
        for (std::size_t i = 0; i < velocities_.size(); ++i) {
            if (!(scene_.masses[i].inverse_mass > 0.0)) continue;
            velocities_[i].linear = velocities_[i].linear + kTimeStep * gravity;
            const double turn = kTimeStep * norm(velocities_[i].angular);
            if (turn > kMostTurn)
                velocities_[i].angular = (kMostTurn / turn) * velocities_[i].angular;
        }
    }

    [[nodiscard]] std::vector<Pose> targets() const {
        std::vector<Pose> ends(stepper_.poses().begin(), stepper_.poses().end());
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (!(scene_.masses[i].inverse_mass > 0.0)) continue;
            const double rate = norm(velocities_[i].angular);
            if (rate > 0.0) {
                const Pose turn{graze::rotation_about(velocities_[i].angular, kTimeStep * rate),
                                {}};
                const Pose turned = compose(turn, {ends[i].rotation, {}});
                ends[i].rotation = graze::normalised(turned.rotation);
            }
            ends[i].translation = ends[i].translation + kTimeStep * velocities_[i].linear;
        }
        return ends;
    }

    void keep_books(std::span<const Pose> before, const graze::rigid::StepReport& done) {
        report_.searches += done.searches;
        report_.obstructions += done.obstructions.size();
        for (const graze::rigid::Obstruction& obstruction : done.obstructions)
            if (obstruction.first.verdict == graze::Verdict::Unresolved) ++report_.unresolved;
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (!(scene_.masses[i].inverse_mass > 0.0)) continue;
            ++report_.bodies;
            report_.travelled += norm(stepper_.poses()[i].translation - before[i].translation);
            stops_[i] = done.fractions[i] > 0.0 ? 0 : stops_[i] + 1;
            report_.stopped += stops_[i] > 0 ? 1 : 0;
            report_.longest_stop = std::max(report_.longest_stop, stops_[i]);
        }
    }

    const Scene& scene_;
    SafeStepper stepper_;
    std::vector<graze::rigid::BodyVelocity> velocities_;
    std::vector<int> stops_;
    Report report_;
};

void Simulation::check() {
    const std::span<const Pose> poses = stepper_.poses();
    for (const auto& [i, k] : graze::rigid::all_pairs(static_cast<std::uint32_t>(poses.size()))) {
        const StartState state =
            start_state(scene_.bodies[i].surface(), poses[i], scene_.bodies[k].surface(), poses[k]);
        ++report_.checked;
        if (state != StartState::Separated) ++report_.bad;
    }
}

// All bodies but the box.
bool write_frame(std::FILE* file, const Scene& scene, std::span<const Pose> poses) {
    std::size_t first = 1;
    for (std::size_t i = 1; i < scene.bodies.size(); ++i) {
        const graze::rigid::Polyhedron& surface = scene.bodies[i].surface();
        for (const Vec3& x : surface.positions()) {
            const Vec3 p = apply(poses[i], x);
            std::fprintf(file, "v %.17g %.17g %.17g\n", p.x, p.y, p.z);
        }
        for (std::size_t f = 0; f < surface.face_count(); ++f) {
            std::fprintf(file, "f");
            for (const std::uint32_t corner : surface.face(f))
                std::fprintf(file, " %zu", first + corner);
            std::fprintf(file, "\n");
        }
        first += surface.positions().size();
    }
    return std::fclose(file) == 0;
}

Expected<SafeStepper> make_stepper(const Scene& scene) {
    std::vector<const graze::rigid::RigidBody*> bodies;
    for (const graze::rigid::RigidBody& body : scene.bodies)
        bodies.push_back(&body);
    graze::rigid::StepperOptions options;
    options.target_separation = 0.004;  // [m]
    options.list_collisions = true;
    return SafeStepper::create(bodies, scene.start,
                               graze::rigid::all_pairs(static_cast<std::uint32_t>(bodies.size())),
                               options);
}

int print(const Request& request, const Report& report, double seconds) {
    std::printf(
        "%d steps of %llu bodies in %.1f s: %llu searches, %llu times in the way, %llu "
        "unresolved, %llu contacts\n",
        request.steps,
        static_cast<unsigned long long>(report.bodies / static_cast<std::uint64_t>(request.steps)),
        seconds, static_cast<unsigned long long>(report.searches),
        static_cast<unsigned long long>(report.obstructions),
        static_cast<unsigned long long>(report.unresolved),
        static_cast<unsigned long long>(report.contacts));
    std::printf("%.1f m travelled, %.2f%% of the moves stopped, at most %d in a row\n",
                report.travelled,
                100.0 * static_cast<double>(report.stopped) / static_cast<double>(report.bodies),
                report.longest_stop);
    if (request.check) {
        std::printf("%llu pairs checked exactly: %llu not separated\n",
                    static_cast<unsigned long long>(report.checked),
                    static_cast<unsigned long long>(report.bad));
    }
    // Bodies that never met would prove nothing.
    const bool is_lively = report.obstructions > 0 && report.travelled > 0.0;
    return report.bad == 0 && is_lively ? EXIT_SUCCESS : EXIT_FAILURE;
}

int simulate(const Request& request) {
    const Scene scene = make_scene(request.seed);
    auto stepper = make_stepper(scene);
    if (!stepper) return example::fail(stepper.error().message);
    Simulation simulation(scene, std::move(*stepper));
    const auto seconds = example::run_steps(
        request,
        [&](int i) {
            auto good = simulation.step(i);
            if (good && request.check) simulation.check();
            return good;
        },
        [&](std::FILE* file) { return write_frame(file, scene, simulation.poses()); });
    if (!seconds) return example::fail(seconds.error().message);
    return print(request, simulation.report(), *seconds);
}

}  // namespace
}  // namespace tumbling

int main(int argc, char** argv) {
    tumbling::Request request;
    request.steps = 150;
    if (!example::parse({argv + 1, argv + argc}, request)) return example::fail_usage();
    return tumbling::simulate(request);
}
