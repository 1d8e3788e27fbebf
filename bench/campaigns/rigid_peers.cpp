// The first impact of two rigid bodies: graze, FCL and Bullet on the same motions, in one run.
//   rigid_peers [--shapes cube,translation,disjoint,car,torus,capsule,sphere] [--count 400]
//                             times, misses and errors of all, and how much faster than surfaces
//   rigid_peers --scaling     `certified` on tori of up to 100,000 faces
// One body rests, so that all but Bullet do the very same motion. `translation`: cubes that do not
// rotate; `disjoint`: cubes that pass each other far away; `capsule`, `sphere`: in the cubes' motions.
// Prints Markdown.
//   0 success; 2 wrong usage.
#include "rigid_peers.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "graze/rigid/convex.hpp"
#include "graze/verify/rigid_motion_judges.hpp"

namespace graze::bench {
namespace {

using rigid::RandomMotion;
using rigid::Shapes;

struct Request {
    std::vector<std::string> shapes{"cube",  "translation", "disjoint", "car",
                                    "torus", "capsule",     "sphere"};
    std::uint64_t count = 400;
    std::uint64_t seed = 1;
    unsigned repeat = 3;
    int halvings = 8;
    bool scaling = false;
    std::string only;
    std::vector<std::uint32_t> faces{300, 1'000, 3'000, 10'000, 30'000, 100'000};
};

double quantile(std::vector<double> values, double share) {
    if (values.empty()) return std::nan("");
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// The least of several wall times, in us.
template <class Body>
double best_us(unsigned repeat, const Body& body) {
    using Clock = std::chrono::steady_clock;
    double best = HUGE_VAL;
    for (unsigned i = 0; i < repeat; ++i) {
        const Clock::time_point begin = Clock::now();
        body();
        best =
            std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    }
    return best;
}

// Half of them just miss, by about 2^-4 to 2^-halvings of the sizes.
std::vector<RandomMotion> motions(const Shapes& bodies, std::uint64_t seed, std::uint64_t count,
                                  int halvings, bool rotate = true) {
    rigid::reference::Pair pair(bodies.a, bodies.b);
    rigid::MotionOptions options;
    options.a_at_rest = true;
    options.most_halvings = halvings;
    if (!rotate) options.max_angle = 0.0;
    std::vector<RandomMotion> result;
    for (std::uint64_t i = 0; i < count; ++i)
        result.push_back(rigid::random_motion(pair, bodies, seed, i, options));
    return result;
}

// The same motions, moved aside by so many sizes that what the bodies sweep is disjoint.
void move_aside(std::vector<RandomMotion>& all, const Shapes& bodies) {
    const double far = 4.0 * (bodies.a.radius() + bodies.b.radius());
    for (RandomMotion& motion : all) {
        rigid::BodyStep& b = motion.step.b;
        const Vec3 path = b.end.translation - b.start.translation;
        const Vec3 axis =
            std::fabs(path.x) < std::fabs(path.y) ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
        Vec3 aside = cross(path, axis);
        aside = (far / norm(aside)) * aside;
        b.start.translation = b.start.translation + aside;
        b.end.translation = b.end.translation + aside;
        motion.truth = {};
        motion.truth.answer = Verdict::Separated;
    }
}

// --- Ours
// ------------------------------------------------------------------------------------------

std::vector<Peer> our_peers(const Shapes& bodies) {
    const auto a = std::make_shared<const rigid::RigidBody>(bodies.a);
    const auto b = std::make_shared<const rigid::RigidBody>(bodies.b);
    std::vector<Peer> peers;
    peers.push_back({"graze certified", [=](const rigid::PairStep& step) -> std::optional<double> {
                         const auto r = rigid::first_impact(*a, *b, step);
                         if (r.verdict == Verdict::Separated) return std::nullopt;
                         return r.toi_lower;
                     }});
    const auto search = std::make_shared<rigid::RasterSearch>();
    for (const bool robust : {false, true})
        peers.push_back({robust ? "graze raster, robust" : "graze raster",
                         [=, &bodies](const rigid::PairStep& step) -> std::optional<double> {
                             rigid::RasterOptions options;
                             options.robust = robust;
                             const auto r = search->collisions(bodies.a, bodies.b, step, options);
                             if (!r || r->collisions.empty()) return std::nullopt;
                             return r->collisions.front().time;
                         }});
    return peers;
}

// --- Convex parts
// ------------------------------------------------------------------------------------

// The car's body and cabin, by the outline of graze/generate/models.hpp: stations 0 to 7 of a side,
// then those of the other.
std::vector<Vec3> stations(const rigid::Polyhedron& car, std::initializer_list<std::size_t> which) {
    std::vector<Vec3> part;
    for (const std::size_t i : which) {
        part.push_back(car.positions()[i]);
        part.push_back(car.positions()[i + 8]);
    }
    return part;
}

// A torus by its rings: each two neighbouring sections of 15 corners.
ConvexParts ring_parts(const rigid::Polyhedron& torus, std::size_t sides) {
    ConvexParts parts;
    const std::size_t count = torus.positions().size();
    for (std::size_t first = 0; first < count; first += sides) {
        std::vector<Vec3> part;
        for (std::size_t i = 0; i < 2 * sides; ++i)
            part.push_back(torus.positions()[(first + i) % count]);
        parts.push_back(std::move(part));
    }
    return parts;
}

ConvexParts convex_parts(const std::string& shape, const rigid::Polyhedron& body) {
    if (shape == "car") return {stations(body, {0, 1, 2, 3, 6, 7}), stations(body, {3, 4, 5, 6})};
    if (shape == "torus") return ring_parts(body, 15);
    return {{body.positions().begin(), body.positions().end()}};
}

// --- Ours, convex
// ------------------------------------------------------------------------------------

std::vector<rigid::ConvexShape> convex_shapes(const std::string& shape,
                                              const rigid::Polyhedron& body) {
    using rigid::ConvexShape;
    if (shape == "sphere") return {ConvexShape::sphere(0.5).value()};
    if (shape == "capsule")
        return {ConvexShape::capsule({0.0, 0.0, -0.25}, {0.0, 0.0, 0.25}, 0.4).value()};
    if (shape != "car") return {ConvexShape::box({0.5, 0.5, 0.5}).value()};
    std::vector<ConvexShape> hulls;
    for (const auto& part : convex_parts(shape, body))
        hulls.push_back(ConvexShape::hull(part).value());
    return hulls;
}

// Convex parts against convex parts, each up to the earliest contact of those before.
Peer convex_peer(const std::string& shape, const Shapes& bodies) {
    const auto a = convex_shapes(shape, bodies.a);
    const auto b = convex_shapes(shape, bodies.b);
    Peer peer;
    peer.name = a.size() == 1 ? "graze convex" : "graze convex, 2 parts";
    peer.first_impact = [=](const rigid::PairStep& step) -> std::optional<double> {
        rigid::ImpactOptions options;
        std::optional<double> first;
        for (const rigid::ConvexShape& part_a : a) {
            for (const rigid::ConvexShape& part_b : b) {
                const auto r = rigid::first_impact(part_a, part_b, step, options);
                if (r.verdict == Verdict::Separated) continue;
                if (!first || r.toi_lower < *first) first = r.toi_lower;
                options.t_max = std::min(options.t_max, r.toi_upper);
            }
        }
        return first;
    };
    return peer;
}

// --- The table
// ---------------------------------------------------------------------------------------

struct Row {
    std::vector<double> hit_us;
    std::vector<double> miss_us;
    std::vector<double> time_errors;
    std::size_t missed = 0;
    std::size_t false_alarms = 0;
};

Row measure(const Peer& peer, const std::vector<RandomMotion>& motions, unsigned repeat) {
    Row row;
    for (const RandomMotion& motion : motions) {
        if (motion.truth.answer == Verdict::Unresolved) continue;
        std::optional<double> time;
        peer.prepare(motion.step);
        const double us = best_us(repeat, [&] { time = peer.first_impact(motion.step); });
        const bool collides = motion.truth.answer == Verdict::Contact;
        (collides ? row.hit_us : row.miss_us).push_back(us);
        row.missed += collides && !time;
        row.false_alarms += !collides && time;
        if (collides && time) row.time_errors.push_back(*time - motion.truth.upper);
    }
    return row;
}

// `base` is the row of surfaces, or empty: how many times faster than it this one is.
void print(const std::string& shape, const Peer& peer, const Row& row, const Row& base) {
    const auto faster = [](const std::vector<double>& slow, const std::vector<double>& fast) {
        return quantile(slow, 0.5) / quantile(fast, 0.5);
    };
    fmt::print(
        "| {} | {} | {:.2f} / {:.2f} | {:.2f} / {:.2f} | {:.1f}, {:.1f} | {} of {} | {} of {} | "
        "{:+.1e} .. {:+.1e} |\n",
        shape, peer.name, quantile(row.hit_us, 0.5), quantile(row.hit_us, 0.99),
        quantile(row.miss_us, 0.5), quantile(row.miss_us, 0.99), faster(base.hit_us, row.hit_us),
        faster(base.miss_us, row.miss_us), row.missed, row.hit_us.size(), row.false_alarms,
        row.miss_us.size(), quantile(row.time_errors, 0.0), quantile(row.time_errors, 1.0));
    std::fflush(stdout);
}

std::vector<Peer> all_peers(const std::string& shape, const Shapes& bodies, bool are_cubes) {
    std::vector<Peer> peers = our_peers(bodies);
    if (are_cubes || shape == "car") peers.push_back(convex_peer(shape, bodies));
    for (Peer& peer : fcl_peers(bodies.a, bodies.b, are_cubes))
        peers.push_back(std::move(peer));
    for (Peer& peer : bullet_peers(convex_parts(shape, bodies.a), convex_parts(shape, bodies.b)))
        peers.push_back(std::move(peer));
    return peers;
}

// Other shapes in the motions of cubes have no reference here: hits are what is not proved separated.
void compare_round(const std::string& shape, const Shapes& cubes, std::vector<RandomMotion> all,
                   unsigned repeat) {
    const Peer peer = convex_peer(shape, cubes);
    for (RandomMotion& motion : all) {
        const auto time = peer.first_impact(motion.step);
        motion.truth.answer = time ? Verdict::Contact : Verdict::Separated;
        motion.truth.upper = time.value_or(0.0);
    }
    const Peer surfaces = our_peers(cubes).front();
    print(shape, peer, measure(peer, all, repeat), measure(surfaces, all, repeat));
}

void compare(const Request& request) {
    fmt::print(
        "| shape | method | us, hit: median / p99 | us, miss: median / p99 | times faster than "
        "surfaces: hit, miss | missed | false | time of impact, less the true one "
        "|\n|---|---|---|---|---|---|---|---|\n");
    for (const std::string& shape : request.shapes) {
        const bool is_round = shape == "capsule" || shape == "sphere";
        const bool are_cubes =
            is_round || shape == "cube" || shape == "translation" || shape == "disjoint";
        const Shapes bodies = rigid::shapes(are_cubes ? "cube" : shape);
        auto all =
            motions(bodies, request.seed, request.count, request.halvings, shape != "translation");
        if (shape == "disjoint") move_aside(all, bodies);
        if (is_round) {
            compare_round(shape, bodies, all, request.repeat);
            continue;
        }
        const std::vector<Peer> peers = all_peers(shape, bodies, are_cubes);
        std::optional<Row> base;
        for (const Peer& peer : peers) {
            if (!request.only.empty() && peer.name.find(request.only) == std::string::npos)
                continue;
            const Row row = measure(peer, all, request.repeat);
            if (!base) base = row;
            print(shape, peer, row, *base);
        }
    }
}

// --- Growth
// ------------------------------------------------------------------------------------------

bool contradicts(const rigid::ImpactResult& r, const rigid::reference::FirstContact& truth) {
    if (truth.answer == Verdict::Contact)
        return r.verdict == Verdict::Separated || r.toi_lower > truth.upper ||
               r.toi_upper < truth.lower;
    return truth.answer == Verdict::Separated && r.verdict == Verdict::Contact;
}

// The motions are those of the small torus, so that sizes are compared on the same ones.
void scale(const Request& request) {
    fmt::print(
        "| faces each | set-up of a body, ms | us, contact: median / p99 | us, separated: median / "
        "p99 | "
        "contacts, separated, unresolved | wrong |\n|---|---|---|---|---|---|\n");
    const auto all = motions(rigid::shapes("torus"), request.seed, request.count, request.halvings);
    for (const std::uint32_t faces : request.faces) {
        const Shapes bodies = rigid::shapes("torus", faces);
        std::optional<rigid::RigidBody> a;
        const double set_up_us = best_us(1, [&] { a.emplace(bodies.a); });
        const rigid::RigidBody b(bodies.b);
        rigid::reference::Pair pair(bodies.a, bodies.b);
        std::vector<double> us[3];
        std::size_t wrong = 0;
        for (const RandomMotion& motion : all) {
            rigid::ImpactResult r;
            const double spent =
                best_us(request.repeat, [&] { r = rigid::first_impact(*a, b, motion.step); });
            us[r.verdict == Verdict::Contact     ? 0
               : r.verdict == Verdict::Separated ? 1
                                                 : 2]
                .push_back(spent);
            pair.set(motion.step);
            wrong += contradicts(r, rigid::reference::first_contact(pair));
        }
        fmt::print("| {} | {:.1f} | {:.0f} / {:.0f} | {:.0f} / {:.0f} | {}, {}, {} | {} |\n",
                   bodies.a.face_count(), set_up_us / 1000.0, quantile(us[0], 0.5),
                   quantile(us[0], 0.99), quantile(us[1], 0.5), quantile(us[1], 0.99), us[0].size(),
                   us[1].size(), us[2].size(), wrong);
        std::fflush(stdout);
    }
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    graze::bench::Request request;
    CLI::App app{"graze, FCL and Bullet on the same rigid motions, one body at rest."};
    app.add_option("--shapes", request.shapes,
                   "of cube, translation, disjoint, car, torus, capsule, sphere")
        ->delimiter(',');
    app.add_option("--only", request.only, "methods whose names hold this text");
    app.add_option("--count", request.count, "motions a shape, half of them collide");
    app.add_option("--seed", request.seed);
    app.add_option("--repeat", request.repeat, "the least time of so many runs counts")
        ->check(CLI::Range(1, 1000));
    app.add_option("--halvings", request.halvings, "misses are by 2^-4 to 2^-halvings of the sizes")
        ->check(CLI::Range(4, 40));
    app.add_flag("--scaling", request.scaling, "certified alone, on larger and larger tori");
    app.add_option("--faces", request.faces, "sizes for --scaling")->delimiter(',');
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    request.scaling ? scale(request) : compare(request);
    return 0;
}
