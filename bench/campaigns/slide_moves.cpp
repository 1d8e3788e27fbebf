// Random moves of every shape in closed levels and among moving platforms, each verified in exact
// arithmetic.
//   slide_moves --shape box --count 1000000
//   slide_moves --shape capsule --platforms 100 --count 1000000
//   slide_moves --shape capsule --platforms 100 --hall 8 --count 100000    in a crowd
//   slide_moves --caught 50        who is caught on the edges of ground: every ground, every shape
// Moves come in blocks of 1000; block i of a seed is the same in every run, so that a long campaign
// is cut into parts by --first, and one block is looked at again by --first I --count 1000.
// The last line is JSON.
//   0 nothing that must not happen; 1 something did, and is listed on stderr; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "graze/generate/levels.hpp"
#include "graze/slide/ride.hpp"
#include "graze/slide/world.hpp"
#include "graze/verify/exact_gap.hpp"
#include "graze/verify/slide_snag.hpp"

namespace graze::bench {
namespace {

using slide::narrowed;
using slide::Shape;
using slide::widened;
using verify::GapMeasure;

constexpr std::uint64_t kMovesPerBlock = 1000;
constexpr std::array<std::string_view, 4> kShapes = {"ball", "ellipsoid", "capsule", "box"};

struct MovesRequest {
    std::string shape = "ball";
    std::string level = "soup";
    std::string precision = "both";
    std::uint64_t count = 10'000;
    std::uint64_t first = 0;  // block
    std::uint64_t seed = 1;
    std::uint64_t platforms = 0;
    double hall = 16.0;        // [length] from the middle of the platforms' hall to its walls
    std::uint64_t caught = 0;  // trials
    double progress = 30.0;    // [s]
};

struct MoveSums {
    std::uint64_t moves = 0;
    std::uint64_t proved = 0;
    std::uint64_t pushed = 0;       // out of what was too near
    std::uint64_t crushed = 0;      // no room beside the platforms: reported so
    std::uint64_t ride_limits = 0;  // the steps of a ride ran out: reported so
    std::uint64_t ridden = 0;       // carried or pushed by a platform
    int iterations = 0;             // most
    std::uint64_t inside = 0;       // wrong from here on
    std::uint64_t below_skin = 0;
    std::uint64_t not_finite = 0;
    std::uint64_t unproved = 0;  // where nothing moved into it
    std::uint64_t too_many = 0;  // iterations

    [[nodiscard]] std::uint64_t wrong() const {
        return inside + below_skin + not_finite + unproved + too_many;
    }
};

// All fit into a ball of radius 1.
template <class Real>
Shape<Real> shape_named(const std::string& name) {
    const auto real = [](double x) { return static_cast<Real>(x); };
    if (name == "ellipsoid") return {{real(0.4), real(0.9), real(0.4)}};
    if (name == "capsule") return slide::capsule(real(0.4), real(0.55));
    if (name == "box")
        return slide::rounded_box<Real>({real(0.45), real(0.75), real(0.4)}, real(0.125),
                                        rotation_about({0, 1, 0}, 0.5));
    return {{real(1), real(1), real(1)}};
}

template <class Real>
class MoveCampaign {
public:
    MoveCampaign(const MovesRequest& request, MoveSums& sums)
        : request_(request), sums_(sums), shape_(shape_named<Real>(request.shape)) {}

    void run_block(std::uint64_t block) {
        block_ = block;
        if (request_.platforms > 0) {
            run_among_platforms();
        } else {
            run_in_level();
        }
    }

private:
    using Face = std::array<std::uint32_t, 3>;

    void complain(std::uint64_t move, const char* what) const {
        fmt::print(stderr, "WRONG {} {} block {} move {}: {}\n", request_.shape,
                   sizeof(Real) == 4 ? "float" : "double", block_, move, what);
    }

    // `is_wanted`: which triangles.
    template <class IsWanted>
    [[nodiscard]] GapMeasure measure_of(const slide::Obstacles<Real>& obstacles,
                                        const IsWanted& is_wanted) const {
        std::vector<verify::Corners> all;
        for (std::uint32_t part = 0; part < obstacles.part_count(); ++part) {
            for (std::uint32_t face = 0; face < obstacles.face_count(part); ++face) {
                const auto t = obstacles.triangle(part, face);
                all.push_back({widened(t[0]), widened(t[1]), widened(t[2])});
                if (!is_wanted(all.back())) all.pop_back();
            }
        }
        return {std::move(all),
                widened(shape_.radii),
                widened(shape_.half_axis),
                {widened(shape_.side_axes[0]), widened(shape_.side_axes[1])}};
    }

    // What is all beyond 4 from the position on an axis is farther than any shape here reaches: 1, and
    // a skin.
    [[nodiscard]] GapMeasure measure_near(const slide::Obstacles<Real>& obstacles,
                                          const Vec<Real>& position) const {
        constexpr double kFar = 4.0;
        const Vec3 at = widened(position);
        return measure_of(obstacles, [&](const verify::Corners& t) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const double low = std::min({t[0][axis], t[1][axis], t[2][axis]});
                const double high = std::max({t[0][axis], t[1][axis], t[2][axis]});
                if (low > at[axis] + kFar || high < at[axis] - kFar) return false;
            }
            return true;
        });
    }

    void verify_position(const GapMeasure& measure, const Vec<Real>& position, double skin,
                         std::uint64_t move) {
        const verify::GapAnswer answer = measure.ask(widened(position), skin, 2.0 * skin);
        if (answer.depth > 0.0) {
            ++sums_.inside;
            complain(move, "inside");
        } else if (!answer.keeps_skin) {
            ++sums_.below_skin;
            complain(move, "below the skin");
        }
    }

    // True where the position is proved, and a number.
    bool count(const slide::MoveResult<Real>& moved, bool may_be_unproved, std::uint64_t move) {
        ++sums_.moves;
        sums_.proved += moved.gap_proved ? 1 : 0;
        sums_.pushed += moved.stopped == slide::StopReason::PushedOut ? 1 : 0;
        sums_.iterations = std::max(sums_.iterations, moved.iterations);
        if (moved.iterations > slide::kMaxMoveIterations) {
            ++sums_.too_many;
            complain(move, "too many iterations");
        }
        if (!is_finite(widened(moved.position))) {
            ++sums_.not_finite;
            complain(move, "not finite");
            return false;
        }
        if (!moved.gap_proved && !may_be_unproved) {
            ++sums_.unproved;
            complain(move, "not proved");
        }
        return moved.gap_proved;
    }

    [[nodiscard]] Vec<Real> wish(std::uint64_t move) const {
        return narrowed<Real>(generate::random_wish(request_.seed, block_ * kMovesPerBlock + move));
    }

    void run_in_level() {
        if (!measure_) {
            const auto scene = generate::make_level(*generate::level_from_name(request_.level));
            for (const generate::LevelPart& part : scene.parts) {
                std::vector<Vec<Real>> positions;
                for (const Vec3& p : part.positions)
                    positions.push_back(narrowed<Real>(p));
                if (!level_.add_part(positions, part.faces)) std::abort();
            }
            start_ = narrowed<Real>(scene.start);
            measure_.emplace(measure_of(level_, [](const verify::Corners&) { return true; }));
        }
        Vec<Real> position = start_;
        for (std::uint64_t i = 0; i < kMovesPerBlock; ++i) {
            const auto moved = move_and_slide(level_, shape_, position, wish(i));
            if (count(moved, false, i))
                verify_position(*measure_, moved.position, double{moved.skin}, i);
            position = moved.position;
        }
    }

    // --- platforms

    static constexpr double kMostStep = 0.125;  // [length] of a platform in a frame

    static std::uint32_t add_box_mesh(slide::World<Real>& world, const Vec3& half) {
        std::vector<Vec<Real>> points;
        for (int i = 0; i < 8; ++i)
            points.push_back(
                narrowed<Real>({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                                (i & 4) != 0 ? half.z : -half.z}));
        const std::array<Face, 12> faces{{{0, 2, 1},
                                          {1, 2, 3},
                                          {4, 5, 6},
                                          {5, 7, 6},
                                          {0, 1, 4},
                                          {1, 5, 4},
                                          {2, 6, 3},
                                          {3, 6, 7},
                                          {0, 4, 2},
                                          {2, 4, 6},
                                          {1, 3, 5},
                                          {3, 7, 5}}};
        return world.add_mesh(points, faces).value();
    }

    struct Platform {
        std::uint32_t part = 0;
        Pose pose;
        Vec3 velocity;
        Vec3 spin;
    };

    // Back from the walls; the rotation goes on.
    void advance(Platform& p) const {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double next = p.pose.translation[axis] + p.velocity[axis];
            if (std::fabs(next) > request_.hall - 2.0) p.velocity[axis] = -p.velocity[axis];
        }
        p.pose.translation = p.pose.translation + p.velocity;
        const double angle = std::sqrt(norm_sq(p.spin));
        p.pose.rotation = normalised(
            compose({rotation_about(p.spin, angle), {}}, {p.pose.rotation, {}}).rotation);
    }

    void run_among_platforms() {
        std::mt19937_64 engine(request_.seed * 0x9e3779b97f4a7c15U + block_);
        const auto between = [&](double a, double b) {
            return a + (b - a) * (static_cast<double>(engine() >> 11) * 0x1p-53);
        };
        const auto vector = [&](double most) {
            return Vec3{between(-most, most), between(-most, most), between(-most, most)};
        };
        slide::World<Real> world;
        const std::uint32_t hall = add_box_mesh(world, request_.hall * Vec3{1, 1, 1});
        (void)world.add_part(hall).value();
        std::vector<Platform> platforms;
        for (std::uint64_t i = 0; i < request_.platforms; ++i) {
            const std::uint32_t mesh =
                add_box_mesh(world, {between(0.25, 2), between(0.125, 0.5), between(0.25, 2)});
            Platform p;
            p.pose = {rotation_about(vector(1.0) + Vec3{0, 2, 0}, between(0, 3)),
                      vector(request_.hall - 2.0)};
            p.velocity = vector(kMostStep);
            p.spin = i % 2 == 0 ? vector(0.02) : Vec3{0, between(0.001, 0.02), 0};
            p.part = world.add_part(mesh, p.pose).value();
            platforms.push_back(p);
        }
        world.update();
        Vec<Real> position{};
        std::optional<std::uint32_t> carrier;
        bool is_proved = false;
        for (std::uint64_t i = 0; i < kMovesPerBlock; ++i) {
            for (Platform& p : platforms) {
                advance(p);
                if (!world.move_part(p.part, p.pose)) std::abort();
            }
            world.update();
            bool may_be_inside = !is_proved;
            if (is_proved) {
                const auto ride = ride_parts(world, shape_, position, carrier);
                position = ride.position;
                sums_.crushed += ride.outcome == slide::RideOutcome::Crushed ? 1 : 0;
                sums_.ride_limits += ride.outcome == slide::RideOutcome::Limit ? 1 : 0;
                sums_.ridden += ride.outcome == slide::RideOutcome::Carried ||
                                        ride.outcome == slide::RideOutcome::Pushed
                                    ? 1
                                    : 0;
                may_be_inside = ride.time < 1.0;
                if (ride.steps > slide::kMaxRideSteps) ++sums_.too_many;
                if (!may_be_inside)
                    verify_position(measure_near(world, position), position,
                                    double{slide::default_skin(shape_)}, i);
            }
            Vec<Real> move = wish(i);
            if (i % 2 == 0) move = narrowed<Real>({0.05, -0.25, 0.02});
            const auto moved = move_and_slide(world, shape_, position, move);
            is_proved = count(moved, may_be_inside, i);
            position = moved.position;
            carrier.reset();
            for (const auto& contact : moved.touched())
                if (contact.normal.y > Real(0.7)) carrier = contact.part;
            if (is_proved) {
                verify_position(measure_near(world, position), position, double{moved.skin}, i);
            } else {
                position = narrowed<Real>(vector(request_.hall - 2.0));  // elsewhere
            }
        }
    }

    const MovesRequest& request_;
    MoveSums& sums_;
    Shape<Real> shape_;
    std::uint64_t block_ = 0;
    slide::Level<Real> level_;
    Vec<Real> start_;
    std::optional<GapMeasure> measure_;
};

// --- Caught --------------------------------------------------------------------------------------

verify::SlideSettings settings_named(const std::string& name, verify::Precision precision) {
    const Shape<double> shape = shape_named<double>(name);
    return {slide::MoverKind::Graze, precision,      shape.radii, 1.0 / 256,
            shape.half_axis,         shape.side_axes};
}

// A frame is caught that makes less than half of what it should (graze/verify/slide_snag.hpp).
int run_caught(const MovesRequest& request) {
    fmt::print(
        "| ground | shape | frames | caught | longest in a row | lost | inside |\n"
        "|---|---|---|---|---|---|---|\n");
    for (const verify::SnagGroundKind ground : verify::kAllSnagGrounds) {
        for (const std::string_view shape : kShapes) {
            verify::SnagTally all;
            for (std::uint64_t i = 0; i < request.caught; ++i) {
                const auto precision =
                    i % 2 == 0 ? verify::Precision::Float : verify::Precision::Double;
                const auto tally =
                    verify::measure_snags(verify::random_snag_trial(ground, request.first + i),
                                          settings_named(std::string(shape), precision));
                if (tally) all += *tally;
            }
            fmt::print("| {} | {} | {} | {} | {} | {:.3g} % | {} |\n", verify::name(ground), shape,
                       all.frames, all.caught, all.longest, 100.0 * all.lost(), all.penetrating);
            std::fflush(stdout);
        }
    }
    return 0;
}

int run_moves(const MovesRequest& request) {
    const auto begin = std::chrono::steady_clock::now();
    auto reported = begin;
    const auto since = [](auto time) {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - time).count();
    };
    MoveSums sums;
    MoveCampaign<float> floats(request, sums);
    MoveCampaign<double> doubles(request, sums);
    const std::uint64_t end = request.first + (request.count + kMovesPerBlock - 1) / kMovesPerBlock;
    for (std::uint64_t block = request.first; block < end; ++block) {
        if (request.precision != "double") floats.run_block(block);
        if (request.precision != "float") doubles.run_block(block);
        if (since(reported) < request.progress) continue;
        reported = std::chrono::steady_clock::now();
        fmt::print(stderr, "slide_moves: block {} of {} to {}, {} moves, {} wrong\n", block,
                   request.first, end, sums.moves, sums.wrong());
    }
    fmt::print(
        "{{\"shape\":\"{}\",\"level\":\"{}\",\"platforms\":{},\"hall\":{:g},\"precision\":\"{}\","
        "\"seed\":{},"
        "\"first\":{},\"next\":{},\"moves\":{},\"proved\":{},\"pushed_out\":{},\"ridden\":{},"
        "\"crushed\":{},\"ride_limits\":{},\"max_iterations\":{},\"inside\":{},\"below_skin\":{},"
        "\"not_finite\":{},\"unproved\":{},\"too_many\":{},\"wrong\":{},\"seconds\":{:.1f}}}\n",
        request.shape, request.platforms > 0 ? "platforms" : request.level, request.platforms,
        request.hall, request.precision, request.seed, request.first, end, sums.moves, sums.proved,
        sums.pushed, sums.ridden, sums.crushed, sums.ride_limits, sums.iterations, sums.inside,
        sums.below_skin, sums.not_finite, sums.unproved, sums.too_many, sums.wrong(), since(begin));
    return sums.wrong() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    graze::bench::MovesRequest request;
    CLI::App app("Random moves of every shape, verified in exact arithmetic");
    app.add_option("--shape", request.shape, "ball, ellipsoid, capsule or box")
        ->check(CLI::IsMember(
            std::vector<std::string>(graze::bench::kShapes.begin(), graze::bench::kShapes.end())));
    app.add_option("--level", request.level, "A closed level: soup or cave")
        ->check(CLI::IsMember({"soup", "cave"}));
    app.add_option("--platforms", request.platforms,
                   "So many platforms that move and rotate in a hall, in place of a level");
    app.add_option("--hall", request.hall, "From the middle of that hall to its walls: 4 or more")
        ->check(CLI::Range(4.0, 1000.0));
    app.add_option("--caught", request.caught, "So many trials on each ground, and a table");
    app.add_option("--count", request.count, "Moves in each precision; 1000 to a block");
    app.add_option("--first", request.first, "The first block: goes on where a run has ended");
    app.add_option("--seed", request.seed, "Of what is random");
    app.add_option("--precision", request.precision, "float, double or both")
        ->check(CLI::IsMember({"float", "double", "both"}));
    app.add_option("--progress", request.progress, "Seconds between lines of progress on stderr");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return request.caught > 0 ? graze::bench::run_caught(request)
                              : graze::bench::run_moves(request);
}
