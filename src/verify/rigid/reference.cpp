#include "graze/verify/rigid_reference.hpp"

#include <cmath>

#include "graze/verify/rigid_reference_bodies.hpp"

namespace graze::rigid::reference {
namespace {

// --- How long the bodies stay separated from a time on
// -------------------------------------------------

// Below these, more digits are asked [fractions of the step].
constexpr double kDoubleTells = 1e-5;
constexpr double kExtendedTells = 1e-15;

struct Advance {
    Extended s = 0;
    std::uint32_t triangle_a = 0;
    std::uint32_t triangle_b = 0;
};

struct NodePair {
    std::uint32_t a;
    std::uint32_t b;
    double bound;  // the pair is free at least so long
};

class AdvanceSearch {
public:
    AdvanceSearch(const Bodies& bodies, const MapAtTime& pose, double separation, bool use_168_bits)
        : bodies_(bodies),
          pose_(pose),
          separation_(separation),
          use_168_bits_(use_168_bits),
          margins_{bodies.doubt<double>() + separation, bodies.speed_doubt<double>()} {}

    // At most `longest`.
    Advance run(Extended longest) {
        best_.s = longest;
        push(0, 0);
        while (!stack_.empty()) {
            const NodePair pair = stack_.back();
            stack_.pop_back();
            if (pair.bound < best_.s) open(pair);
        }
        return best_;
    }

private:
    // Balls around c_A and c_B approach along the line of their centres, at most at the speed of
    // c_B in that direction and that of the rotation, angle * radius; the acceleration likewise.
    [[nodiscard]] double bound(const Ball& a, const Ball& b) const {
        const Vector64 centre = pose_.map(b.centre);
        const Vector64 apart = centre - a.centre;
        const double distance = length(apart);
        const double gap = distance - a.radius - b.radius - 2.0 * margins_.gap;
        if (!(gap > 0.0)) return 0.0;
        const Vector64 v = bodies_.motion.velocity(centre);
        const double speed =
            bodies_.angle * b.radius - dot(apart, v) / distance + 2.0 * margins_.speed;
        const double acceleration = bodies_.motion.acceleration(centre) +
                                    bodies_.angle * bodies_.angle * b.radius + 2.0 * margins_.speed;
        return 0.999999 * free_time(gap, speed, acceleration);
    }

    void push(std::uint32_t a, std::uint32_t b) {
        stack_.push_back({a, b, bound(bodies_.tree_a[a], bodies_.tree_b[b])});
    }

    void open(const NodePair& pair) {
        const Ball& a = bodies_.tree_a[pair.a];
        const Ball& b = bodies_.tree_b[pair.b];
        if (a.is_leaf() && b.is_leaf()) {
            leaf(a.triangle, b.triangle, pose_.map(b.centre) - a.centre);
            return;
        }
        const bool split_a = b.is_leaf() || (!a.is_leaf() && a.radius > b.radius);
        const std::size_t before = stack_.size();
        push(split_a ? a.left : pair.a, split_a ? pair.b : b.left);
        push(split_a ? a.right : pair.a, split_a ? pair.b : b.right);
        // The nearer one first.
        if (stack_[before].bound < stack_[before + 1].bound)
            std::swap(stack_[before], stack_[before + 1]);
    }

    template <class Real>
    [[nodiscard]] Extended pair_time(std::uint32_t i, std::uint32_t j,
                                     const RelativeMotion<Real>& motion, const RigidMap<Real>& map,
                                     const Vector64& hint) const {
        const Triangle<Real> a = bodies_.triangle_a<Real>(i);
        const MovingTriangle<Real> b = moving(bodies_.triangle_b<Real>(j), motion, map);
        const Margins<Real> margins{bodies_.doubt<Real>() + Real(separation_),
                                    bodies_.speed_doubt<Real>()};
        // A little less, so that no rounding to `Extended` makes it more.
        return static_cast<Extended>(Real(0.999999) * free_time(a, b, margins,
                                                                Real(best_.s * 1.00001L),
                                                                convert<Real>(hint)));
    }

    void leaf(std::uint32_t i, std::uint32_t j, Vector64 hint) {
        if (separation_ > 0.0)
            hint = between(bodies_.triangle_a<double>(i), bodies_.placed_triangle_b(pose_, j));
        Extended s = pair_time<double>(i, j, bodies_.motion, pose_.map, hint);
        if (s < kDoubleTells && s < best_.s)
            s = pair_time<Extended>(i, j, bodies_.motion_extended, pose_.map_extended, hint);
        if (use_168_bits_ && s < kExtendedTells && s < best_.s)
            s = pair_time<Real50>(i, j, bodies_.motion_168_bits,
                                  bodies_.motion_168_bits.at(Real50(pose_.t)), hint);
        if (s < best_.s) best_ = {s, i, j};
    }

    const Bodies& bodies_;
    const MapAtTime& pose_;
    double separation_;
    bool use_168_bits_;
    Margins<double> margins_;
    Advance best_;
    std::vector<NodePair> stack_;
};

// --- Whether they cross
// ----------------------------------------------------------------------------

template <class Leaf>
bool any_close_pair(const Bodies& bodies, const MapAtTime& pose, const Leaf& leaf) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack{{0, 0}};
    while (!stack.empty()) {
        const auto [ia, ib] = stack.back();
        stack.pop_back();
        const Ball& a = bodies.tree_a[ia];
        const Ball& b = bodies.tree_b[ib];
        if (length(pose.map(b.centre) - a.centre) >
            a.radius + b.radius + 2.0 * bodies.doubt<double>())
            continue;
        if (a.is_leaf() && b.is_leaf()) {
            if (leaf(a.triangle, b.triangle)) return true;
        } else if (b.is_leaf() || (!a.is_leaf() && a.radius > b.radius)) {
            stack.emplace_back(a.left, ib);
            stack.emplace_back(a.right, ib);
        } else {
            stack.emplace_back(ia, b.left);
            stack.emplace_back(ia, b.right);
        }
    }
    return false;
}

template <class Real>
bool cross_at(const Bodies& bodies, const RelativeMotion<Real>& motion, Extended t) {
    const RigidMap<Real> map = motion.at(Real(t));
    return any_close_pair(bodies, bodies.map_at(t), [&](std::uint32_t i, std::uint32_t j) {
        Triangle<Real> b = bodies.triangle_b<Real>(j);
        for (auto& corner : b)
            corner = map(corner);
        return cross_each_other(bodies.triangle_a<Real>(i), b, bodies.doubt<Real>());
    });
}

double not_above(Extended t) {
    const auto rounded = static_cast<double>(t);
    return rounded <= t ? rounded : std::nextafter(rounded, -1.0);
}
double not_below(Extended t) {
    return -not_above(-t);
}

// A time soon after t at which the surfaces cross, or a negative number. The times grow from a few
// rounding errors on; where a contact goes on its crossing grows in proportion.
template <class Real>
Extended crossing_soon_after(const Bodies& bodies, const RelativeMotion<Real>& motion, Extended t) {
    for (Extended ahead = 2e-15L; ahead < 1e-6L; ahead *= 8)
        if (t + ahead <= 1 && cross_at(bodies, motion, t + ahead)) return t + ahead;
    return -1;
}

// Long double first.
Extended crossing_soon_after(const Bodies& bodies, Extended t) {
    const Extended soon = crossing_soon_after(bodies, bodies.motion_extended, t);
    return soon >= 0 ? soon : crossing_soon_after(bodies, bodies.motion_168_bits, t);
}

}  // namespace

FirstContact first_contact(const Pair& pair, double separation) {
    const Bodies& bodies = pair.bodies();
    constexpr std::uint32_t kMaxSteps = 20'000;
    FirstContact result;
    Extended t = 0;
    for (; result.steps < kMaxSteps && t < 1; ++result.steps) {
        const MapAtTime pose = bodies.map_at(t);
        Advance advance = AdvanceSearch(bodies, pose, separation, false).run(1 - t);
        if (advance.s < kExtendedTells && separation == 0.0) {
            result.triangle_a = advance.triangle_a;
            result.triangle_b = advance.triangle_b;
            const Extended crossing = crossing_soon_after(bodies, t);
            if (crossing >= 0) {
                result.answer = Verdict::Contact;
                result.lower = not_above(t);
                result.upper = not_below(crossing);
                return result;
            }
            advance = AdvanceSearch(bodies, pose, separation, true).run(1 - t);
            result.needed_168_bits = true;
        }
        // The last two rounding errors of t are below 1e-19.
        if (!(advance.s > 1e-17L)) {
            result.lower = not_above(t);
            return result;
        }
        // No rounding leads to the end that is not proved free.
        const Extended before_end = std::nextafter(Extended(1), Extended(0));
        t = advance.s >= 1 - t ? 1 : std::min(t + 0.999L * advance.s, before_end);
    }
    result.lower = not_above(t);
    if (t >= 1) result.answer = Verdict::Separated;
    return result;
}

// --- Distances
// -------------------------------------------------------------------------------------

namespace {

class DistanceSearch {
public:
    DistanceSearch(const Bodies& bodies, const MapAtTime& pose, double at_most)
        : bodies_(bodies), pose_(pose), best_(at_most) {}

    double run() {
        visit(0, 0);
        return best_;
    }

private:
    [[nodiscard]] double bound(std::uint32_t ia, std::uint32_t ib) const {
        const Ball& a = bodies_.tree_a[ia];
        const Ball& b = bodies_.tree_b[ib];
        return length(pose_.map(b.centre) - a.centre) - a.radius - b.radius;
    }
    void visit_both(std::uint32_t a0, std::uint32_t b0, std::uint32_t a1, std::uint32_t b1) {
        const double first = bound(a0, b0);
        const double second = bound(a1, b1);
        if (second < first) {
            visit_if(a1, b1, second);
            visit_if(a0, b0, first);
        } else {
            visit_if(a0, b0, first);
            visit_if(a1, b1, second);
        }
    }
    void visit_if(std::uint32_t ia, std::uint32_t ib, double at_least) {
        if (at_least < best_) visit(ia, ib);
    }
    void visit(std::uint32_t ia, std::uint32_t ib) {
        const Ball& a = bodies_.tree_a[ia];
        const Ball& b = bodies_.tree_b[ib];
        if (a.is_leaf() && b.is_leaf())
            best_ = std::min(best_, length(between(bodies_.triangle_a<double>(a.triangle),
                                                   bodies_.placed_triangle_b(pose_, b.triangle))));
        else if (b.is_leaf() || (!a.is_leaf() && a.radius > b.radius))
            visit_both(a.left, ib, a.right, ib);
        else
            visit_both(ia, b.left, ia, b.right);
    }

    const Bodies& bodies_;
    const MapAtTime pose_;
    double best_;
};

double distance_at(const Bodies& bodies, double t) {
    const MapAtTime pose = bodies.map_at(t);
    return DistanceSearch(bodies, pose, std::numeric_limits<double>::infinity()).run();
}

}  // namespace

double distance_at(const Pair& pair, double t) {
    return distance_at(pair.bodies(), t);
}

namespace {

// The least of a few distances around a minimum, which is in [from, to] where there is one alone.
void refine(const Bodies& bodies, double from, double to, LeastDistance& best) {
    constexpr double kGolden = 0.6180339887498949;
    const auto keep = [&](double t) {
        const double d = distance_at(bodies, t);
        if (d < best.upper) {
            best.upper = d;
            best.time = t;
        }
        return d;
    };
    double t0 = to - kGolden * (to - from);
    double t1 = from + kGolden * (to - from);
    double d0 = keep(t0);
    double d1 = keep(t1);
    for (int i = 0; i < 30; ++i) {
        const bool left = d0 < d1;
        (left ? to : from) = left ? t1 : t0;
        (left ? t1 : t0) = left ? t0 : t1;
        (left ? d1 : d0) = left ? d0 : d1;
        double& t = left ? t0 : t1;
        t = left ? to - kGolden * (to - from) : from + kGolden * (to - from);
        (left ? d0 : d1) = keep(t);
    }
}

}  // namespace

// Guesses by samples; the walk in time proves that it comes no nearer than a fraction of the guess, or
// names a time at which it does.
LeastDistance least_distance(const Pair& pair, double relative_width) {
    const Bodies& bodies = pair.bodies();
    constexpr int kSamples = 32;
    constexpr int kMostGuesses = 40;
    LeastDistance best{0.0, std::numeric_limits<double>::infinity(), 0.0};
    for (int i = 0; i <= kSamples; ++i) {
        const double t = i / double{kSamples};
        const double d = DistanceSearch(bodies, bodies.map_at(t), best.upper).run();
        if (d < best.upper) {
            best.upper = d;
            best.time = t;
        }
    }
    double from = best.time - 1.0 / kSamples;
    for (int i = 0; i < kMostGuesses && best.upper > 0.0; ++i) {
        refine(bodies, std::max(0.0, from), std::min(1.0, from + 2.0 / kSamples), best);
        const double sought = (1.0 - relative_width) * best.upper;
        const FirstContact nearer = first_contact(pair, sought);
        if (nearer.answer == Verdict::Separated) {
            best.lower = sought;
            break;
        }
        from = nearer.lower;
    }
    return best;
}

}  // namespace graze::rigid::reference
