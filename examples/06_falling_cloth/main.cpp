// Two sheets of cloth fall on an obstacle and on each other in a closed box, which then turns like
// a drum: contacts never end. Implicit time steps, each minimised by a few preconditioned gradient
// steps; every one of these is taken by graze, in one of three ways, and nothing else keeps the
// cloth from passing through itself.
//
//   06_falling_cloth [--steps N] [--mode line-search|fractions|radii] [--seed S] [--check]
//                    [--frames DIR]
//
// --check asks about every new state, exactly: nothing intersects, and the way to it was free.
// Without any option: 60 steps of the line search, checked.
// --frames writes every tenth state as a Wavefront OBJ file into a folder that exists.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string_view>

#include "advance.hpp"
#include "potential.hpp"
#include "scene.hpp"
#include "stepped_example.hpp"

namespace falling_cloth {
namespace {

using graze::Expected;
using graze::Vec3;

constexpr int kDescents = 5;      // gradient steps in a time step
constexpr int kStepsAtRest = 60;  // before the drum turns
constexpr int kStepsInTurn = 500;

struct Request : example::StepRequest {
    Mode mode = Mode::LineSearch;
};

struct Report {
    int advances = 0;
    double least_distance = graze::kInfinity;  // [m] proved lower bound, at most kNear
    double least_share = 1.0;
    int stuck = 0;  // zero steps although nothing touches
    int bad = 0;    // states that intersect, or that were not reached freely
};

class Simulation {
public:
    Simulation(const Request& request, const Scene& scene)
        : request_(request),
          scene_(scene),
          stepper_(scene.mesh),
          judge_(scene.mesh),
          x_(scene.start),
          velocity_(scene.start.size()) {
        options_.filter.fixed = scene_.fixed;  // box and obstacle do not ask about each other
        options_.threads = 1;                  // a small mesh
    }

    [[nodiscard]] Expected<void> step(int number) {
        std::vector<Vec3> goal = x_;
        for (std::size_t i = 0; i < x_.size(); ++i) {
            if (scene_.fixed[i] != 0) continue;
            goal[i] = x_[i] + kTimeStep * (velocity_[i] + kTimeStep * gravity(number));
        }
        const std::vector<Vec3> before = x_;
        Potential potential(scene_, std::move(goal));
        if (const auto good = find_pairs(potential); !good) return good;
        if (const auto good = go(potential.goal(), potential); !good) return good;
        for (int i = 0; i < kDescents; ++i) {
            if (const auto good = find_pairs(potential); !good) return good;
            std::vector<Vec3> end = potential.descent(x_);
            for (std::size_t k = 0; k < end.size(); ++k)
                end[k] = x_[k] + end[k];
            if (const auto good = go(end, potential); !good) return good;
        }
        for (std::size_t i = 0; i < x_.size(); ++i)
            velocity_[i] = (1.0 / kTimeStep) * (x_[i] - before[i]);
        return {};
    }

    [[nodiscard]] const Report& report() const { return report_; }
    [[nodiscard]] const std::vector<Vec3>& positions() const { return x_; }

private:
    [[nodiscard]] static Vec3 gravity(int number) {
        const double turns = std::max(0, number - kStepsAtRest) / double{kStepsInTurn};
        const double angle = 2.0 * std::numbers::pi * turns;
        return {9.81 * std::sin(angle), 0.0, -9.81 * std::cos(angle)};
    }

    [[nodiscard]] Expected<void> find_pairs(Potential& potential) {
        auto pairs = near_pairs(stepper_, x_, options_);
        if (!pairs) return pairs.error();
        potential.set_pairs(std::move(*pairs));
        return {};
    }

    // Takes one step towards `end`, and keeps the books.
    [[nodiscard]] Expected<void> go(const std::vector<Vec3>& end, const Potential& potential) {
        auto advanced = advance(request_.mode, stepper_, x_, end, potential, options_);
        if (!advanced) return advanced.error();
        ++report_.advances;
        report_.least_share = std::min(report_.least_share, advanced->least_share);
        if (advanced->is_stuck) ++report_.stuck;
        if (request_.check) {
            if (const auto good = check(advanced->positions); !good) return good;
        }
        x_ = std::move(advanced->positions);
        const auto clearance = judge_.clearance(x_, kNear, options_);
        if (!clearance) return clearance.error();
        report_.least_distance = std::min(report_.least_distance, clearance->least);
        return {};
    }

    [[nodiscard]] Expected<void> check(const std::vector<Vec3>& next) {
        const auto intersections = judge_.intersections(next, options_);
        if (!intersections) return intersections.error();
        const auto first = judge_.first_impact(x_, next, options_);
        if (!first) return first.error();
        if (!intersections->empty() || first->impact) ++report_.bad;
        return {};
    }

    const Request& request_;
    const Scene& scene_;
    graze::MeshStepper stepper_;
    graze::MeshStepper judge_;  // shares nothing with the one that is judged
    graze::StepOptions options_;
    std::vector<Vec3> x_;
    std::vector<Vec3> velocity_;
    Report report_;
};

// The cloth and the obstacle, without the box.
bool write_frame(std::FILE* file, const Scene& scene, const std::vector<Vec3>& x) {
    for (const Vec3& p : x)
        std::fprintf(file, "v %.17g %.17g %.17g\n", p.x, p.y, p.z);
    for (const graze::FaceIndices& f : scene.mesh.faces)
        if (f[0] >= 8) std::fprintf(file, "f %u %u %u\n", f[0] + 1, f[1] + 1, f[2] + 1);
    return std::fclose(file) == 0;
}

bool take_mode(std::string_view option, const char* value, Request& request) {
    if (option != "--mode" || !mode_named(value)) return false;
    request.mode = *mode_named(value);
    return true;
}

int simulate(const Request& request) {
    const Scene scene = make_scene(request.seed);
    Simulation simulation(request, scene);
    const auto seconds = example::run_steps(
        request, [&](int i) { return simulation.step(i); },
        [&](std::FILE* file) { return write_frame(file, scene, simulation.positions()); });
    if (!seconds) return example::fail(seconds.error().message);
    const Report& report = simulation.report();
    std::printf(
        "%d steps of %d advances, least distance %.3g m, smallest fraction %.3g, %d zero steps "
        "while separated, %.1f s\n",
        request.steps, 1 + kDescents, report.least_distance, report.least_share, report.stuck,
        *seconds);
    if (request.check) {
        std::printf("%d advances checked: %d bad states\n", report.advances, report.bad);
        if (report.bad != 0) return EXIT_FAILURE;
    }
    return report.stuck == 0 && report.least_distance > 0.0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace falling_cloth

int main(int argc, char** argv) {
    falling_cloth::Request request;
    request.steps = 60;
    const auto take = [&](std::string_view option, const char* value) {
        return falling_cloth::take_mode(option, value, request);
    };
    if (!example::parse({argv + 1, argv + argc}, request, take)) return example::fail_usage();
    return falling_cloth::simulate(request);
}
