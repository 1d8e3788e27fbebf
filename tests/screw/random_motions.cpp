#include "screw/random_motions.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>

#include "screw/reference_motion.hpp"

namespace graze::screw {
namespace {

using reference::Answer;
using reference::Turn;
using reference::Vector;
using Vector64 = Vector<double>;

struct Placement {
    Turn<double> turn;
    Vector64 shift;
};

Placement operator*(const Placement& p, const Placement& q) {
    return {p.turn * q.turn, p.shift + reference::turned(p.turn, q.shift)};
}

Pose to_pose(const Placement& p) {
    const double size = std::sqrt(p.turn.w * p.turn.w + dot(p.turn.v, p.turn.v));
    const Turn<double> q{p.turn.w / size, 1.0 / size * p.turn.v};
    return {{q.w, q.v.x, q.v.y, q.v.z}, {p.shift.x, p.shift.y, p.shift.z}};
}

// The generator's numbers are the same with every standard library; its distributions are not.
class Dice {
public:
    Dice(std::uint64_t seed, std::uint64_t index) : rng_(seed * 0x9e3779b97f4a7c15U + index) {
        rng_.discard(8);
    }
    double uniform(double low, double high) {
        return low + (high - low) * static_cast<double>(rng_() >> 11) * 0x1p-53;
    }
    Vector64 direction() {
        for (;;) {
            const Vector64 v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            const double size_sq = dot(v, v);
            if (size_sq > 1e-3 && size_sq <= 1.0) return 1.0 / std::sqrt(size_sq) * v;
        }
    }
    Turn<double> turn(double angle) {
        return {std::cos(angle / 2.0), std::sin(angle / 2.0) * direction()};
    }

private:
    std::mt19937_64 rng_;
};

// A family of steps by the sideways offset of B's path: at 0 it leads through A's middle, from some
// offset on it passes by.
struct Family {
    Placement a_start;
    Placement a_end;
    Turn<double> b_start_turn;
    Turn<double> b_end_turn;
    Vector64 centre_a;
    Vector64 centre_b;
    Vector64 from;  // where B's centre starts and ends, from A's, without the offset
    Vector64 to;
    Vector64 sideways;

    [[nodiscard]] Placement b_seen_from_a(const Turn<double>& turn, const Vector64& middle,
                                          double offset) const {
        return {turn, centre_a + middle + offset * sideways - reference::turned(turn, centre_b)};
    }
    [[nodiscard]] PairStep step(double offset) const {
        return {{to_pose(a_start), to_pose(a_end)},
                {to_pose(a_start * b_seen_from_a(b_start_turn, from, offset)),
                 to_pose(a_end * b_seen_from_a(b_end_turn, to, offset))}};
    }
};

Vector64 middle_of(const Polyhedron& body) {
    return {body.centre().x, body.centre().y, body.centre().z};
}

Family random_family(Dice& dice, const Shapes& bodies, const MotionOptions& options) {
    const double sizes = bodies.a.radius() + bodies.b.radius();
    const double full_turn = 2.0 * std::numbers::pi;
    Family f{};
    f.a_start.turn = {1.0, {}};
    f.a_end.turn = {1.0, {}};
    if (!options.a_at_rest) {
        f.a_start = {dice.turn(dice.uniform(0, full_turn)),
                     dice.uniform(0, 3) * sizes * dice.direction()};
        f.a_end = {dice.turn(dice.uniform(0, options.max_angle)) * f.a_start.turn,
                   f.a_start.shift + dice.uniform(0, 2) * sizes * dice.direction()};
    }
    f.b_start_turn = dice.turn(dice.uniform(0, full_turn));
    f.b_end_turn = dice.turn(dice.uniform(0, options.max_angle)) * f.b_start_turn;
    f.centre_a = middle_of(bodies.a);
    f.centre_b = middle_of(bodies.b);
    const Vector64 e = dice.direction();
    f.from = dice.uniform(1.02, 1.6) * sizes * e;
    f.to = dice.uniform(-1.4, 0.1) * sizes * e;
    Vector64 side = cross(e, dice.direction());
    while (!(length(side) > 0.1))
        side = cross(e, dice.direction());
    f.sideways = sizes / length(side) * side;
    return f;
}

}  // namespace

RandomMotion random_motion(reference::Pair& pair, const Shapes& bodies, std::uint64_t seed,
                           std::uint64_t index, const MotionOptions& options) {
    Dice dice(seed, index);
    const auto truth_of = [&](const PairStep& step) {
        pair.set(step);
        return reference::first_contact(pair);
    };
    for (;;) {
        const Family family = random_family(dice, bodies, options);
        double hits = 0.0;
        double misses = 2.0;
        RandomMotion hit{family.step(hits), true, truth_of(family.step(hits))};
        RandomMotion miss{family.step(misses), false, truth_of(family.step(misses))};
        if (hit.truth.answer != Answer::Contact || miss.truth.answer != Answer::Separated) continue;
        const bool anyhow = index % 4 == 1;
        const int halvings =
            static_cast<int>(dice.uniform(options.fewest_halvings, options.most_halvings + 1));
        const double share = dice.uniform(0.0, 1.0);
        for (int i = 0; i < halvings; ++i) {
            const double offset = hits + (misses - hits) * (i == 0 && anyhow ? share / 2 : 0.5);
            RandomMotion between{family.step(offset), false, truth_of(family.step(offset))};
            const bool is_hit = between.truth.answer != Answer::Separated;
            between.meant_to_collide = is_hit;
            (is_hit ? hits : misses) = offset;
            (is_hit ? hit : miss) = between;
            if (anyhow && is_hit) break;
        }
        const RandomMotion& result = index % 2 == 1 ? hit : miss;
        pair.set(result.step);
        return result;
    }
}

// --- Models ------------------------------------------------------------------------------------------

namespace {

Polyhedron built(std::vector<Vec3> positions,
                 const std::vector<std::vector<std::uint32_t>>& faces) {
    std::vector<std::uint32_t> counts;
    std::vector<std::uint32_t> corners;
    for (const auto& f : faces) {
        counts.push_back(static_cast<std::uint32_t>(f.size()));
        corners.insert(corners.end(), f.begin(), f.end());
    }
    auto body = Polyhedron::build(std::move(positions), counts, corners);
    if (!body) {
        std::fprintf(stderr, "a model of the campaigns is not valid\n");
        std::exit(1);
    }
    return *std::move(body);
}

Polyhedron cube() {
    return built(
        {{-1, -1, -1},
         {1, -1, -1},
         {1, 1, -1},
         {-1, 1, -1},
         {-1, -1, 1},
         {1, -1, 1},
         {1, 1, 1},
         {-1, 1, 1}},
        {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}});
}

Polyhedron tetrahedron() {
    return built({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                 {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}});
}

Polyhedron torus(std::uint32_t rings, std::uint32_t sides) {
    std::vector<Vec3> positions;
    std::vector<std::vector<std::uint32_t>> faces;
    for (std::uint32_t i = 0; i < rings; ++i)
        for (std::uint32_t j = 0; j < sides; ++j) {
            const double u = 2.0 * std::numbers::pi * i / rings;
            const double v = 2.0 * std::numbers::pi * j / sides;
            const double r = 1.0 + 0.4 * std::cos(v);
            positions.push_back({r * std::cos(u), r * std::sin(u), 0.4 * std::sin(v)});
            const auto at = [&](std::uint32_t k, std::uint32_t l) {
                return k % rings * sides + l % sides;
            };
            faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    return built(std::move(positions), faces);
}

}  // namespace

Shapes shapes(const std::string& name) {
    if (name == "cube") return {cube(), cube()};
    if (name == "tetrahedron") return {tetrahedron(), tetrahedron()};
    if (name == "mixed") return {cube(), tetrahedron()};
    if (name == "torus") return {torus(20, 15), torus(20, 15)};
    std::fprintf(stderr, "no shape '%s'\n", name.c_str());
    std::exit(2);
}

}  // namespace graze::screw
