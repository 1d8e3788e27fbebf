// What moves cost: shape against shape, a world of many parts against one of a single part, and parts
// that move. Each in one run, so that figures can be compared.
//   slide_costs                     all tables
//   slide_costs --only shapes       shapes over the terrain, against the ball
//   slide_costs --only parts        the same ground as one part, and as 10,000
//   slide_costs --only moving       1,000 parts that move, updated and asked for
//   slide_costs --only shapes --shape capsule --repeat 1     for a profiler: one shape, once
// Of each move the shortest of --repeat passes counts, so that what other programs take of the machine
// hardly shows. Prints Markdown tables.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <vector>

#include "graze/broad/box.hpp"
#include "graze/core/quaternion.hpp"
#include "graze/generate/levels.hpp"
#include "graze/slide.hpp"
#include "graze/verify/stats.hpp"

namespace graze::bench {
namespace {

using generate::LevelId;
using generate::LevelScene;
using slide::narrowed;
using slide::Shape;
using slide::World;
using Clock = std::chrono::steady_clock;
using Face = std::array<std::uint32_t, 3>;

struct CostsRequest {
    std::string only;
    std::string shape;
    std::string precision = "float";
    unsigned repeat = 5;
    std::uint32_t moves = 0xffff'ffffU;
};

struct NamedShape {
    std::string_view name;
    Shape<double> shape;
};

// All fit into a ball of radius 1, about.
std::vector<NamedShape> shapes_to_compare() {
    const Shape<double> box = slide::rounded_box<double>({0.5, 0.9, 0.4}, 0.1);
    return {{"ball", {{0.5, 0.5, 0.5}}},
            {"ellipsoid", {{0.4, 0.9, 0.4}}},
            {"capsule", slide::capsule(0.5, 0.5)},
            {"lying-capsule", slide::capsule(0.5, 0.5, {1.0, 0.0, 0.0})},
            {"leaning-capsule", slide::capsule(0.5, 0.5, {1.0, 1.0, 0.5})},
            {"box", box}};
}

template <class Real>
Shape<Real> rounded_to(const Shape<double>& s) {
    return {narrowed<Real>(s.radii),
            narrowed<Real>(s.half_axis),
            {narrowed<Real>(s.side_axes[0]), narrowed<Real>(s.side_axes[1])}};
}

std::uint64_t ns_since(Clock::time_point begin) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count());
}

// The moves of a level, from its start; of each the shortest time of all passes.
class Passes {
public:
    explicit Passes(const LevelScene& scene) : scene_(scene), least_(scene.moves.size(), kNone) {}

    template <class Real>
    void run(const slide::Obstacles<Real>& obstacles, const Shape<Real>& shape) {
        Vec<Real> position = narrowed<Real>(scene_.start);
        for (std::size_t i = 0; i < scene_.moves.size(); ++i) {
            const Vec<Real> move = narrowed<Real>(scene_.moves[i].displacement);
            const auto begin = Clock::now();
            const auto moved = move_and_slide(obstacles, shape, position, move);
            least_[i] = std::min(least_[i], ns_since(begin));
            position = moved.position;
            is_proved_ = is_proved_ && moved.gap_proved;
        }
        end_ = slide::widened(position);
    }
    [[nodiscard]] verify::TimeSummary times() const {
        verify::TimeSample sample;
        for (const std::uint64_t ns : least_)
            sample.add(ns);
        return sample.summary().value_or(verify::TimeSummary{});
    }
    [[nodiscard]] bool is_proved() const { return is_proved_; }
    [[nodiscard]] const Vec3& end() const { return end_; }

private:
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    const LevelScene& scene_;
    std::vector<std::uint64_t> least_;
    bool is_proved_ = true;
    Vec3 end_;
};

// --- shapes --------------------------------------------------------------------------------------

template <class Real>
void compare_shapes(const CostsRequest& request) {
    const LevelScene scene = generate::make_level(LevelId::Terrain, {.max_moves = request.moves});
    slide::Level<Real> level;
    for (const generate::LevelPart& part : scene.parts) {
        std::vector<Vec<Real>> positions;
        for (const Vec3& p : part.positions)
            positions.push_back(narrowed<Real>(p));
        if (!level.add_part(positions, part.faces)) std::abort();
    }
    std::vector<NamedShape> shapes = shapes_to_compare();
    if (!request.shape.empty())
        std::erase_if(shapes, [&](const NamedShape& s) { return s.name != request.shape; });
    std::vector<Passes> passes(shapes.size(), Passes(scene));
    // In turn, so that a slow minute of the machine is everybody's.
    for (unsigned pass = 0; pass < request.repeat; ++pass)
        for (std::size_t i = 0; i < shapes.size(); ++i)
            passes[i].run(level, rounded_to<Real>(shapes[i].shape));
    fmt::print(
        "{} moves over {} triangles\n\n"
        "| shape | mean | median | p99.9 | longest | mean against the ball | p99.9 against the "
        "mean |"
        "\n|---|---|---|---|---|---|---|\n",
        scene.moves.size(), scene.face_count());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const verify::TimeSummary t = passes[i].times();
        fmt::print("| {} | {} | {} | {} | {} | {:.2f} | {:.1f} |{}\n", shapes[i].name,
                   verify::format_ns(t.mean), verify::format_ns(t.median),
                   verify::format_ns(t.p999), verify::format_ns(t.max),
                   t.mean / passes[0].times().mean, t.p999 / t.mean,
                   passes[i].is_proved() ? "" : " NOT PROVED");
    }
    fmt::print("\n");
}

// --- parts ---------------------------------------------------------------------------------------

// The triangles of a level by the square of a grid that their first vertex is in.
std::vector<generate::LevelPart> tiles_of(const generate::LevelPart& ground, std::size_t side) {
    Box box;
    for (const Vec3& p : ground.positions)
        box.add(p);
    const auto cell = [&](double x, double low, double high) {
        const double part = (x - low) / (high - low);
        return std::min(side - 1, static_cast<std::size_t>(part * static_cast<double>(side)));
    };
    std::vector<generate::LevelPart> tiles(side * side);
    std::vector<std::map<std::uint32_t, std::uint32_t>> numbers(tiles.size());
    for (const Face& face : ground.faces) {
        const Vec3& p = ground.positions[face[0]];
        const std::size_t at =
            cell(p.x, box.lower.x, box.upper.x) * side + cell(p.z, box.lower.z, box.upper.z);
        Face made{};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [found, is_new] = numbers[at].try_emplace(
                face[k], static_cast<std::uint32_t>(tiles[at].positions.size()));
            if (is_new) tiles[at].positions.push_back(ground.positions[face[k]]);
            made[k] = found->second;
        }
        tiles[at].faces.push_back(made);
    }
    std::erase_if(tiles, [](const generate::LevelPart& t) { return t.faces.empty(); });
    return tiles;
}

template <class Real>
void add_part(World<Real>& world, const generate::LevelPart& part, const Vec3& by) {
    std::vector<Vec<Real>> positions;
    for (const Vec3& p : part.positions)
        positions.push_back(narrowed<Real>(p - by));
    const auto mesh = world.add_mesh(positions, part.faces);
    if (!mesh || !world.add_part(*mesh, {{}, by})) std::abort();
}

// Elsewhere: boxes beside the ground, high and low.
template <class Real>
void add_crowd(World<Real>& world, std::size_t count, double width) {
    const auto box = world.add_box({Real(0.5), Real(0.5), Real(0.5)}).value();
    for (std::size_t i = 0; i < count; ++i) {
        const double x = width * (static_cast<double>(i % 100) / 100.0 - 0.5);
        const double z = width * (static_cast<double>(i / 100) / 100.0 - 0.5);
        const Pose pose{rotation_about({0, 1, 0}, static_cast<double>(i)), {x, 40.0, z}};
        if (!world.add_part(box, pose)) std::abort();
    }
}

template <class Real>
void compare_parts(const CostsRequest& request) {
    const LevelScene scene = generate::make_level(LevelId::Terrain, {.max_moves = request.moves});
    const std::vector<generate::LevelPart> tiles = tiles_of(scene.parts.front(), 100);
    Box box;
    for (const Vec3& p : scene.parts.front().positions)
        box.add(p);
    struct Case {
        const char* name;
        World<Real> world;
    };
    std::array<Case, 3> cases{{{"one part", {}}, {"one part of 10,000", {}}, {"10,000 tiles", {}}}};
    add_part(cases[0].world, scene.parts.front(), {});
    add_part(cases[1].world, scene.parts.front(), {});
    add_crowd(cases[1].world, 9'999, box.upper.x - box.lower.x);
    for (const generate::LevelPart& tile : tiles)
        add_part(cases[2].world, tile, {});
    for (Case& c : cases)
        c.world.update();
    fmt::print(
        "| shape | world | parts | mean | p99.9 | longest | against one part |\n"
        "|---|---|---|---|---|---|---|\n");
    for (const NamedShape& named : shapes_to_compare()) {
        if (!request.shape.empty() && named.name != request.shape) continue;
        if (request.shape.empty() && named.name != "ball" && named.name != "capsule") continue;
        std::vector<Passes> passes(cases.size(), Passes(scene));
        for (unsigned pass = 0; pass < request.repeat; ++pass)
            for (std::size_t i = 0; i < cases.size(); ++i)
                passes[i].run(cases[i].world, rounded_to<Real>(named.shape));
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const verify::TimeSummary t = passes[i].times();
            fmt::print("| {} | {} | {} | {} | {} | {} | {:.2f} |{}\n", named.name, cases[i].name,
                       cases[i].world.part_count(), verify::format_ns(t.mean),
                       verify::format_ns(t.p999), verify::format_ns(t.max),
                       t.mean / passes[0].times().mean, passes[i].is_proved() ? "" : " NOT PROVED");
        }
    }
    fmt::print("\n");
}

// --- parts that move -----------------------------------------------------------------------------

template <class Real>
void measure_moving(const CostsRequest& request) {
    constexpr std::size_t kParts = 1'000;
    constexpr std::size_t kFrames = 200;
    World<Real> world;
    const auto box = world.add_box({Real(0.5), Real(0.25), Real(0.5)}).value();
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < kParts; ++i) {
        const double x = 2.0 * static_cast<double>(i % 32);
        const double z = 2.0 * static_cast<double>(i / 32);
        poses.push_back({rotation_about({0, 1, 0}, 0.1 * static_cast<double>(i)), {x, 0, z}});
        if (!world.add_part(box, poses.back())) std::abort();
    }
    world.update();
    const Shape<Real> ball{{Real(0.25), Real(0.25), Real(0.25)}};
    const Shape<Real> capsule = slide::capsule(Real(0.25), Real(0.5));
    std::array<std::vector<std::uint64_t>, 4> ns;
    std::uint64_t separated = 0;
    const Quaternion turn = rotation_about({0, 1, 0}, 0.02);
    for (std::size_t frame = 0; frame < kFrames * request.repeat; ++frame) {
        const double up = (frame / 50) % 2 == 0 ? 0.01 : -0.01;
        for (Pose& pose : poses)
            pose = {normalised(product(turn, pose.rotation)),
                    pose.translation + Vec3{0.005, up, 0}};
        auto begin = Clock::now();
        for (std::uint32_t i = 0; i < kParts; ++i)
            if (!world.move_part(i, poses[i])) std::abort();
        world.update();
        ns[0].push_back(ns_since(begin));
        // Beside each: does it touch, and what would it meet?
        begin = Clock::now();
        for (const Pose& pose : poses)
            separated +=
                overlap_at(world, ball, narrowed<Real>(pose.translation + Vec3{0, 0.6, 0})) ==
                Verdict::Separated;
        ns[1].push_back(ns_since(begin));
        begin = Clock::now();
        for (const Pose& pose : poses)
            separated += first_contact(world, ball,
                                       {narrowed<Real>(pose.translation + Vec3{0, 0.6, 0}),
                                        {Real(0.1), Real(-0.2), Real(0)}})
                             .verdict == Verdict::Separated;
        ns[2].push_back(ns_since(begin));
        begin = Clock::now();
        for (const Pose& pose : poses)
            separated += first_contact(world, capsule,
                                       {narrowed<Real>(pose.translation + Vec3{0, 1.1, 0}),
                                        {Real(0.1), Real(-0.2), Real(0)}})
                             .verdict == Verdict::Separated;
        ns[3].push_back(ns_since(begin));
    }
    fmt::print("{} parts that move, {} frames; {} answers were `separated`\n\n", kParts,
               kFrames * request.repeat, separated);
    fmt::print("| of each part | median | least | p99 |\n|---|---|---|---|\n");
    const std::array<const char*, 4> names = {"moved and updated", "is a ball clear of it?",
                                              "a ball swept at it", "a capsule swept at it"};
    const auto per_part = [](std::uint64_t all) {
        return verify::format_ns(static_cast<double>(all) / double{kParts});
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::sort(ns[i].begin(), ns[i].end());
        fmt::print("| {} | {} | {} | {} |\n", names[i], per_part(ns[i][ns[i].size() / 2]),
                   per_part(ns[i].front()), per_part(ns[i][ns[i].size() * 99 / 100]));
    }
    fmt::print("\n");
}

template <class Real>
void run_tables(const CostsRequest& request) {
    const auto is_wanted = [&](const char* table) {
        return request.only.empty() || request.only == table;
    };
    if (is_wanted("shapes")) compare_shapes<Real>(request);
    if (is_wanted("parts")) compare_parts<Real>(request);
    if (is_wanted("moving")) measure_moving<Real>(request);
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    graze::bench::CostsRequest request;
    CLI::App app("What moves cost: shapes, many parts, parts that move");
    app.add_option("--only", request.only, "One table")
        ->check(CLI::IsMember({"shapes", "parts", "moving"}));
    app.add_option("--shape", request.shape, "One shape of the table");
    app.add_option("--precision", request.precision, "float or double")
        ->check(CLI::IsMember({"float", "double"}));
    app.add_option("--repeat", request.repeat, "Of each move the shortest of so many times counts")
        ->check(CLI::PositiveNumber);
    app.add_option("--moves", request.moves, "No more than the first so many");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (request.precision == "float") {
        graze::bench::run_tables<float>(request);
    } else {
        graze::bench::run_tables<double>(request);
    }
    return 0;
}
