// A step of a world of many cubes and tori: what it costs, and how that grows.
//   rigid_world [--cubes 10000] [--tori 1000] [--spread 1] [--threads 2] [--repeat 5] [--seed 1]
//   rigid_world --growth        microseconds per body, of 1,000 to 100,000 bodies at one density
// Cubes and tori are of about one size, their positions random in a cube, disjoint at the start (with
// --overlapping: uniform). With the defaults more than 30,000 swept boxes overlap, more than 1,000 of a
// cube and a torus and more than 200 of two tori among them; --spread 8 leaves fewer than 100. Wall
// time, the least of the repeats.
//   0 success; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <random>

#include "graze/core/elementary.hpp"
#include "graze/generate/models.hpp"
#include "graze/rigid/world.hpp"

namespace graze::bench {
namespace {

struct WorldRequest {
    std::uint32_t cubes = 10'000;
    std::uint32_t tori = 1'000;
    double spread = 1.0;
    std::size_t threads = 2;
    unsigned repeat = 5;
    unsigned seed = 1;
    bool growth = false;
    bool overlapping = false;
    // Of pairs with that many tori alone; 3: of all.
    unsigned tori_of_pair = 3;
};

class RandomSteps {
public:
    explicit RandomSteps(unsigned seed) : engine_(seed) {}
    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    Vec3 in_cube(double half) {
        const double x = uniform(-half, half);
        const double y = uniform(-half, half);
        return {x, y, uniform(-half, half)};
    }
    Vec3 vector() {
        const double x = normal_(engine_);
        const double y = normal_(engine_);
        return {x, y, normal_(engine_)};
    }
    Quaternion rotation() {
        const Vec3 v = vector();
        return normalised({normal_(engine_), v.x, v.y, v.z});
    }

private:
    std::mt19937 engine_;
    std::normal_distribution<double> normal_;
};

rigid::Polyhedron polyhedron_of(io::PolygonMesh mesh, double scale) {
    for (Vec3& p : mesh.positions)
        p = scale * p;
    return rigid::Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners()).value();
}

struct Kinds {
    rigid::RigidBody cube;
    rigid::RigidBody torus;
    double radius;

    [[nodiscard]] const rigid::RigidBody& of(bool is_torus) const {
        return is_torus ? torus : cube;
    }
};
Kinds make_kinds() {
    const rigid::Polyhedron cube = polyhedron_of(generate::cube(), 1.0);
    const double scale = cube.radius() / polyhedron_of(generate::torus(), 1.0).radius();
    return {rigid::RigidBody(cube), rigid::RigidBody(polyhedron_of(generate::torus(), scale)),
            cube.radius()};
}

bool is_torus(const WorldRequest& request, std::size_t body) {
    return body % 11 == 10 ? request.tori > 0 : request.cubes == 0;
}

// Poses that were taken, by the cells of a lattice that is wider than a body.
class TakenPoses {
public:
    TakenPoses(const Kinds& kinds, double half)
        : kinds_(&kinds),
          half_(half),
          cells_(std::max<std::size_t>(1, static_cast<std::size_t>(half / kinds.radius))),
          lists_(cells_ * cells_ * cells_) {}

    // False where the body would meet another.
    bool take(const Pose& pose, bool is_ring) {
        const auto [x, y, z] = cell_of(pose.translation);
        for (std::size_t i = x > 0 ? x - 1 : 0; i <= std::min(x + 1, cells_ - 1); ++i)
            for (std::size_t j = y > 0 ? y - 1 : 0; j <= std::min(y + 1, cells_ - 1); ++j)
                for (std::size_t k = z > 0 ? z - 1 : 0; k <= std::min(z + 1, cells_ - 1); ++k)
                    for (const Taken& other : lists_[(i * cells_ + j) * cells_ + k])
                        if (meets(other, pose, is_ring)) return false;
        lists_[(x * cells_ + y) * cells_ + z].push_back({pose, is_ring});
        return true;
    }

private:
    struct Taken {
        Pose pose;
        bool is_ring;
    };
    [[nodiscard]] std::array<std::size_t, 3> cell_of(const Vec3& p) const {
        std::array<std::size_t, 3> cell{};
        for (std::size_t i = 0; i < 3; ++i) {
            const double at = (p[i] + half_) / (2.0 * half_) * static_cast<double>(cells_);
            cell[i] = std::min(static_cast<std::size_t>(std::max(at, 0.0)), cells_ - 1);
        }
        return cell;
    }
    [[nodiscard]] bool meets(const Taken& other, const Pose& pose, bool is_ring) const {
        if (norm(pose.translation - other.pose.translation) > 2.0 * kinds_->radius) return false;
        rigid::ImpactOptions options;
        options.t_max = 0.0;
        const rigid::PairStep step = {rigid::BodyStep::rest(other.pose),
                                      rigid::BodyStep::rest(pose)};
        return first_impact(kinds_->of(other.is_ring), kinds_->of(is_ring), step, options)
                   .verdict != Verdict::Separated;
    }

    const Kinds* kinds_;
    double half_;
    std::size_t cells_;
    std::vector<std::vector<Taken>> lists_;
};

// Displacements of a quarter of a size and rotations by up to 0.2 radians.
rigid::BodyWorld make_world(const WorldRequest& request) {
    const Kinds kinds = make_kinds();
    rigid::BodyWorld world;
    const rigid::ShapeId box = world.add_shape(rigid::ConvexShape::box({0.5, 0.5, 0.5}).value(),
                                               rigid::RigidBody(kinds.cube.surface()));
    const rigid::ShapeId torus = world.add_shape(rigid::RigidBody(kinds.torus.surface()));
    const std::uint32_t count = request.cubes + request.tori;
    const double half = request.spread * 0.85 * cube_root(static_cast<double>(count));
    RandomSteps random(request.seed);
    TakenPoses taken(kinds, half);
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool is_ring = is_torus(request, i);
        Pose start;
        do {
            start.rotation = random.rotation();
            start.translation = random.in_cube(half);
        } while (!request.overlapping && !taken.take(start, is_ring));
        const double angle = random.uniform(0.0, 0.2);
        const Quaternion change = rotation_about(random.vector(), angle);
        Pose end = compose(Pose{change, {}}, Pose{start.rotation, {}});
        end.translation = start.translation + 0.15 * random.vector();
        const rigid::BodyId body = world.add_body(is_ring ? torus : box, start).value();
        if (!world.set_target(body, end)) std::abort();
    }
    return world;
}

double best_ms(const rigid::BodyWorld& world, const rigid::WorldOptions& options, unsigned repeat) {
    using Clock = std::chrono::steady_clock;
    double best = HUGE_VAL;
    for (unsigned i = 0; i < repeat; ++i) {
        const Clock::time_point begin = Clock::now();
        const auto found = world.search(options);
        best =
            std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
        if (!found) std::abort();
    }
    return best;
}

struct PairCounts {
    std::array<std::uint64_t, 3> of_tori{};  // pairs with 0, 1 and 2 tori
};
PairCounts count_pairs(const rigid::BodyWorld& world, const WorldRequest& request) {
    PairCounts counts;
    rigid::WorldOptions options;
    options.pair_filter = [&](rigid::BodyId a, rigid::BodyId b) {
        ++counts.of_tori[static_cast<std::size_t>(is_torus(request, a)) +
                         static_cast<std::size_t>(is_torus(request, b))];
        return false;
    };
    if (!world.search(options)) std::abort();
    return counts;
}

void measure(const WorldRequest& request) {
    const rigid::BodyWorld world = make_world(request);
    const PairCounts pairs = count_pairs(world, request);
    rigid::WorldOptions options;
    options.threads = request.threads;
    if (request.tori_of_pair < 3) {
        options.pair_filter = [&](rigid::BodyId a, rigid::BodyId b) {
            return static_cast<unsigned>(is_torus(request, a)) +
                       static_cast<unsigned>(is_torus(request, b)) ==
                   request.tori_of_pair;
        };
    }
    const auto found = world.search(options);
    std::array<std::size_t, 3> verdicts{};
    for (const rigid::PairImpact& one : found->impacts)
        ++verdicts[static_cast<std::size_t>(one.result.verdict)];
    fmt::print("bodies {}  pairs: cube-cube {}, cube-torus {}, torus-torus {}\n", world.size(),
               pairs.of_tori[0], pairs.of_tori[1], pairs.of_tori[2]);
    fmt::print("contacts {}, unresolved {}, safe fraction {:.6g}\n",
               verdicts[static_cast<std::size_t>(Verdict::Contact)],
               verdicts[static_cast<std::size_t>(Verdict::Unresolved)], found->safe_fraction);
    fmt::print("one step on {} threads: {:.2f} ms\n", request.threads,
               best_ms(world, options, request.repeat));
    options.pair_filter = [](rigid::BodyId, rigid::BodyId) { return false; };
    fmt::print("pairs alone: {:.2f} ms\n", best_ms(world, options, request.repeat));
}

void measure_growth(WorldRequest request) {
    fmt::print("| bodies | pairs | us per body |\n|---|---|---|\n");
    for (const std::uint32_t count : {1'000U, 10'000U, 100'000U}) {
        request.cubes = count / 11 * 10;
        request.tori = count - request.cubes;
        const rigid::BodyWorld world = make_world(request);
        rigid::WorldOptions options;
        options.threads = request.threads;
        const auto found = world.search(options);
        fmt::print("| {} | {} | {:.2f} |\n", count, found->candidates,
                   1000.0 * best_ms(world, options, request.repeat) / count);
    }
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    graze::bench::WorldRequest request;
    CLI::App app{"A step of a world of cubes and tori."};
    app.add_option("--cubes", request.cubes);
    app.add_option("--tori", request.tori, "0, or a tenth of the cubes");
    app.add_option("--spread", request.spread, "positions are farther from each other by this");
    app.add_option("--threads", request.threads);
    app.add_option("--repeat", request.repeat)->check(CLI::Range(1, 1000));
    app.add_option("--seed", request.seed);
    app.add_flag("--overlapping", request.overlapping, "bodies may overlap at the start");
    app.add_option("--tori-of-pair", request.tori_of_pair, "pairs with that many tori alone")
        ->check(CLI::Range(0, 3));
    app.add_flag("--growth", request.growth, "1,000 to 100,000 bodies");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    request.growth ? graze::bench::measure_growth(request) : graze::bench::measure(request);
    return 0;
}
