#include "graze/verify/rigid_random_motions.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>

#include "graze/core/elementary.hpp"
#include "graze/generate/models.hpp"
#include "graze/verify/rigid_reference_motion.hpp"

namespace graze::rigid {
namespace {

const generate::ThreadShape kThread{};
constexpr double kThreadClearance = 0.05;
constexpr std::uint32_t kTeeth = 8;
constexpr double kCombClearance = 0.125;

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
        return {cosine(angle / 2.0), sine(angle / 2.0) * direction()};
    }

private:
    std::mt19937_64 rng_;
};

// A family of steps by the offset of B's path: at `hits` there is a contact, at `misses` none.
struct Family {
    Placement a_start{{1.0, {}}, {}};
    Placement a_end{{1.0, {}}, {}};
    Placement b_start;  // seen from A
    Placement b_end;
    Vector64 offset_start;
    Vector64 offset_end;
    double hits = 0.0;
    double misses = 2.0;

    [[nodiscard]] PairStep step(double offset) const {
        return {{to_pose(a_start), to_pose(a_end)},
                {to_pose(a_start * shifted(b_start, offset * offset_start)),
                 to_pose(a_end * shifted(b_end, offset * offset_end))}};
    }
    static Placement shifted(const Placement& p, const Vector64& by) {
        return {p.turn, p.shift + by};
    }
};

Vector64 middle_of(const Polyhedron& body) {
    return {body.centre().x, body.centre().y, body.centre().z};
}

// B's path leads through A's middle, or passes by.
void set_loose(Family& f, Dice& dice, const Shapes& bodies, const MotionOptions& options) {
    const double sizes = bodies.a.radius() + bodies.b.radius();
    const Turn<double> first = dice.turn(dice.uniform(0, 2.0 * std::numbers::pi));
    const Turn<double> last = dice.turn(dice.uniform(0, options.max_angle)) * first;
    const Vector64 e = dice.direction();
    const double from = dice.uniform(1.02, 1.6) * sizes;
    const double to = dice.uniform(-1.4, 0.1) * sizes;
    Vector64 side = cross(e, dice.direction());
    while (!(length(side) > 0.1))
        side = cross(e, dice.direction());
    f.offset_start = f.offset_end = sizes / length(side) * side;
    const auto placed = [&](const Turn<double>& turn, const Vector64& middle) {
        return Placement{
            turn, middle_of(bodies.a) + middle - reference::turned(turn, middle_of(bodies.b))};
    };
    f.b_start = placed(first, from * e);
    f.b_end = placed(last, to * e);
}

// The screw rotates within the nut, shifted by a fraction of the lead more than it should be.
void set_thread(Family& f, Dice& dice, const MotionOptions& options) {
    const auto turned_to = [](double angle) {
        return Placement{{cosine(angle / 2.0), {0.0, sine(angle / 2.0), 0.0}},
                         {0.0, kThread.lead * angle / (2.0 * std::numbers::pi), 0.0}};
    };
    const double from = dice.uniform(-2.0, 6.0) * std::numbers::pi;
    const double sign = dice.uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;
    f.b_start = turned_to(from);
    f.b_end = turned_to(from + sign * dice.uniform(0.05, 1.0) * options.max_angle);
    f.offset_end = {0.0, (dice.uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0) * kThread.lead, 0.0};
    f.hits = dice.uniform(0.3, 0.7);
    f.misses = 0.0;
}

// The teeth of one comb come down between those of the other, or a little beside.
void set_comb(Family& f, Dice& dice) {
    const Turn<double> turned_over{0.0, {1.0, 0.0, 0.0}};
    f.b_start = {turned_over, {0.5, dice.uniform(3.05, 3.6), dice.uniform(-0.3, 0.3)}};
    f.b_end = {dice.turn(dice.uniform(0.0, 0.004)) * turned_over,
               {0.5, dice.uniform(2.05, 2.9), dice.uniform(-0.3, 0.3)}};
    f.offset_start = f.offset_end = {dice.uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0, 0.0, 0.0};
    f.hits = dice.uniform(0.2, 0.4);
    f.misses = 0.0;
}

Family random_family(Dice& dice, const Shapes& bodies, const MotionOptions& options) {
    Family f;
    if (!options.a_at_rest) {
        const double sizes = bodies.a.radius() + bodies.b.radius();
        f.a_start = {dice.turn(dice.uniform(0, 2.0 * std::numbers::pi)),
                     (options.far + dice.uniform(0, 3)) * sizes * dice.direction()};
        f.a_end = {dice.turn(dice.uniform(0, options.max_angle)) * f.a_start.turn,
                   f.a_start.shift + dice.uniform(0, 2) * sizes * dice.direction()};
    }
    switch (bodies.fit) {
        case Fit::Loose:
            set_loose(f, dice, bodies, options);
            break;
        case Fit::Thread:
            set_thread(f, dice, options);
            break;
        case Fit::Comb:
            set_comb(f, dice);
            break;
    }
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
        double hits = family.hits;
        double misses = family.misses;
        RandomMotion hit{family.step(hits), true, truth_of(family.step(hits))};
        RandomMotion miss{family.step(misses), false, truth_of(family.step(misses))};
        if (hit.truth.answer != Verdict::Contact || miss.truth.answer != Verdict::Separated)
            continue;
        const bool anyhow = index % 4 == 1;
        const int halvings =
            static_cast<int>(dice.uniform(options.fewest_halvings, options.most_halvings + 1));
        const double share = dice.uniform(0.0, 1.0);
        for (int i = 0; i < halvings; ++i) {
            const double offset = hits + (misses - hits) * (i == 0 && anyhow ? share / 2 : 0.5);
            RandomMotion between{family.step(offset), false, truth_of(family.step(offset))};
            const bool is_hit = between.truth.answer != Verdict::Separated;
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

namespace {

Turn<double> grid_turn(Dice& dice) {
    const auto sign = [&] { return dice.uniform(-1.0, 1.0) < 0.0 ? -1.0 : 1.0; };
    const auto kind = static_cast<int>(dice.uniform(0.0, 4.0));
    const auto axis = static_cast<int>(dice.uniform(0.0, 3.0));
    const auto along = [&](double s) {
        return Vector64{axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0};
    };
    switch (kind) {
        case 0:
            return {1.0, {}};
        case 1:
            return {std::numbers::sqrt2 / 2.0, along(sign() * std::numbers::sqrt2 / 2.0)};
        case 2:
            return {0.5, {0.5 * sign(), 0.5 * sign(), 0.5 * sign()}};
        default:
            return {0.0, along(sign())};
    }
}

Vector64 grid_place(Dice& dice, int quarters) {
    const auto one = [&] { return std::floor(dice.uniform(-quarters, quarters + 1)) / 4.0; };
    return {one(), one(), one()};
}

}  // namespace

RandomMotion grid_motion(reference::Pair& pair, std::uint64_t seed, std::uint64_t index) {
    Dice dice(seed, index);
    for (;;) {
        RandomMotion motion;
        const Turn<double> first = grid_turn(dice);
        const Turn<double> last = index % 2 == 0 ? first : grid_turn(dice);
        motion.step.b = {to_pose({first, grid_place(dice, 8)}),
                         to_pose({last, grid_place(dice, 8)})};
        pair.set(motion.step);
        if (!(reference::distance_at(pair, 0.0) > 0.0) ||
            reference::one_inside_other_at_start(pair))
            continue;
        motion.truth = reference::first_contact(pair);
        motion.meant_to_collide = motion.truth.answer != Verdict::Separated;
        return motion;
    }
}

// --- Models ------------------------------------------------------------------------------------

namespace {

Polyhedron body_of(const io::PolygonMesh& mesh) {
    auto body = Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
    if (!body) {
        std::fprintf(stderr, "a model is not valid: %s\n", body.error().message.c_str());
        std::exit(1);
    }
    return *std::move(body);
}

Polyhedron body_of(std::string_view name, std::uint32_t faces) {
    const auto mesh = generate::model(name, faces);
    if (!mesh) {
        std::fprintf(stderr, "%s\n", mesh.error().message.c_str());
        std::exit(2);
    }
    return body_of(*mesh);
}

}  // namespace

Shapes shapes(const std::string& name, std::uint32_t faces) {
    if (name == "mixed") return {body_of("cube", 0), body_of("tetrahedron", 0), Fit::Loose};
    if (name == "thread")
        return {body_of(generate::threaded_hole(kThread, kThreadClearance)),
                body_of(generate::screw_thread(kThread)), Fit::Thread};
    if (name == "comb")
        return {body_of(generate::comb(kTeeth, kCombClearance)),
                body_of(generate::comb(kTeeth, kCombClearance)), Fit::Comb};
    return {body_of(name, faces), body_of(name, faces), Fit::Loose};
}

}  // namespace graze::rigid
