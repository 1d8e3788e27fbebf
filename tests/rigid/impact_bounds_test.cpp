// The bounds that the certified impact stands on, attacked with numbers of 100 digits.
// Defends G-RIGID-3, G-RIGID-4, G-RIGID-5 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "graze/core/norm_bounds.hpp"
#include "rigid/impact/ball.hpp"
#include "rigid/impact/relative_motion.hpp"
#include "rigid/impact/sine.hpp"
#include "rigid/impact/slab.hpp"
#include "rigid/impact/tree.hpp"

namespace graze::rigid::detail {
namespace {

using Real = boost::multiprecision::cpp_bin_float_100;
using Random = std::mt19937_64;

double uniform(Random& rng, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(rng);
}
double log_uniform(Random& rng, double low_exponent, double high_exponent) {
    const double size = std::exp2(uniform(rng, low_exponent, high_exponent));
    return rng() % 2 == 0 ? size : -size;
}
Vec3 random_vector(Random& rng) {
    return {uniform(rng, -1.0, 1.0), uniform(rng, -1.0, 1.0), uniform(rng, -1.0, 1.0)};
}

Real middle(const Ball& a) {
    return Real(a.hi) + Real(a.lo);
}
Ball random_ball(Random& rng) {
    const double hi = log_uniform(rng, -40.0, 40.0);
    const double lo = hi * uniform(rng, -0x1p-53, 0x1p-53);
    const ValueAndError sum = two_sum(hi, lo);
    return {sum.value, sum.error, std::fabs(hi) * std::exp2(uniform(rng, -120.0, -60.0))};
}
// A number in the ball, often at its rim.
Real member(Random& rng, const Ball& a) {
    return middle(a) + Real(a.radius) * Real(uniform(rng, 0.0, 1.0) < 0.5
                                                 ? uniform(rng, -1.0, 1.0)
                                                 : (rng() % 2 == 0 ? 1.0 : -1.0));
}

TEST(ScrewImpactBall, HoldsEveryResultOfTheExactOperation) {
    Random rng(20250201);
    for (int i = 0; i < 20'000; ++i) {
        Ball a = random_ball(rng);
        Ball b = random_ball(rng);
        if (i % 3 == 0) b = Ball(-a.hi, a.lo, b.radius);  // sums that cancel
        if (i % 5 == 0) a.radius = b.radius = 0.0;
        const Real x = member(rng, a);
        const Real y = member(rng, b);
        const auto holds = [](const Ball& ball, const Real& exact) {
            return abs(exact - middle(ball)) <= Real(ball.radius);
        };
        EXPECT_TRUE(holds(a + b, x + y));
        EXPECT_TRUE(holds(a - b, x - y));
        EXPECT_TRUE(holds(a * b, x * y));
        EXPECT_TRUE(holds(a / b, x / y));
        if (a.hi > 0.0) {
            EXPECT_TRUE(holds(square_root(a), sqrt(x)));
        }
        EXPECT_GE(Real(magnitude_upper(a)), abs(x));
        EXPECT_LE(Real(magnitude_lower(a)), abs(x));
    }
}

TEST(ScrewImpactBall, IsTightWhereTheOperandsAreExact) {
    Random rng(20250202);
    for (int i = 0; i < 2'000; ++i) {
        const Ball a = uniform(rng, 1.0, 2.0);
        const Ball b = uniform(rng, 1.0, 2.0);
        EXPECT_LT((a * b).radius, 0x1p-98);
        EXPECT_LT((a / b).radius, 0x1p-98);
        EXPECT_LT(square_root(a).radius, 0x1p-98);
    }
}

TEST(ScrewImpactBall, ProvesNothingOfDivisionByWhatMayBeZero) {
    EXPECT_FALSE((Ball(1.0) / Ball(0.5, 0.0, 1.0)).radius < 1e300);
    EXPECT_FALSE((Ball(1.0) / Ball(0.0)).radius < 1e300);
    EXPECT_FALSE(square_root(Ball(0.5, 0.0, 1.0)).radius < 1e300);
    EXPECT_FALSE(square_root(Ball(-1.0)).radius < 1e300);
    EXPECT_FALSE((Ball(1e308) * Ball(1e308)).radius < 1e300);
}

TEST(ScrewImpactSine, IsWithinItsBound) {
    Random rng(20250203);
    double worst = 0.0;
    for (int i = 0; i < 20'000; ++i) {
        double x = uniform(rng, 0.0, kSineLargest);
        if (i % 4 == 0) x = std::fabs(log_uniform(rng, -60.0, 0.65));
        if (i % 4 == 1) x = kSineLargest - std::fabs(log_uniform(rng, -50.0, -3.0));
        x = std::fmin(std::fmax(x, 0.0), kSineLargest);
        const auto [s, c] = sine_cosine(x);
        const Real sine = sin(Real(x));
        const Real s_error = sine == 0 ? Real(0) : abs(Real(s) - sine) / sine;
        const Real c_error = abs(Real(c) - cos(Real(x)));
        worst = std::max({worst, s_error.convert_to<double>(), c_error.convert_to<double>()});
    }
    EXPECT_LE(worst, kSineRoundoffs * 0x1p-53);
    EXPECT_GE(worst, 0.05 * kSineRoundoffs * 0x1p-53) << "the test does not look where errors are";
}

// The exact motion, by the axis and the rotation about it: another way than the code's.
struct RealVector {
    Real x, y, z;
};
RealVector real(const Vec3& v) {
    return {v.x, v.y, v.z};
}
RealVector operator+(const RealVector& a, const RealVector& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
RealVector operator-(const RealVector& a, const RealVector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
RealVector operator*(const Real& s, const RealVector& a) {
    return {s * a.x, s * a.y, s * a.z};
}
Real dot(const RealVector& a, const RealVector& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
RealVector cross(const RealVector& a, const RealVector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Real length(const RealVector& a) {
    return sqrt(dot(a, a));
}
struct RealQuaternion {
    Real w;
    RealVector v;
};
RealQuaternion operator*(const RealQuaternion& a, const RealQuaternion& b) {
    return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}
RealQuaternion real(const Quaternion& q) {
    return {q.w, {q.x, q.y, q.z}};
}
RealQuaternion conjugate(const RealQuaternion& q) {
    return {q.w, Real(-1) * q.v};
}
RealVector rotated(const RealQuaternion& q, const RealVector& v) {
    const RealQuaternion r = q * RealQuaternion{0, v} * conjugate(q);
    return (1 / (q.w * q.w + dot(q.v, q.v))) * r.v;
}
RealVector in_frame_of_a(const Pose& a, const Pose& b, const Vec3& local) {
    const RealVector world = rotated(real(b.rotation), real(local)) + real(b.translation);
    return rotated(conjugate(real(a.rotation)), world - real(a.translation));
}

struct ExactScrew {
    RealVector direction{0, 1, 0};
    RealVector point{0, 0, 0};
    Real angle = 0;
    RealVector shift{0, 0, 0};  // along the axis; all of it without a turn

    explicit ExactScrew(const PairStep& step) {
        const RealQuaternion first =
            conjugate(real(step.a.start.rotation)) * real(step.b.start.rotation);
        const RealQuaternion last =
            conjugate(real(step.a.end.rotation)) * real(step.b.end.rotation);
        RealQuaternion turn = last * conjugate(first);
        if (turn.w < 0) turn = {-turn.w, Real(-1) * turn.v};
        const RealVector from = in_frame_of_a(step.a.start, step.b.start, {});
        const RealVector to = in_frame_of_a(step.a.end, step.b.end, {});
        const Real sine = length(turn.v);
        if (sine == 0) {
            shift = to - from;
            return;
        }
        direction = (1 / sine) * turn.v;
        angle = 2 * atan2(sine, turn.w);
        const RealVector way = to - from;
        shift = dot(direction, way) * direction;
        const RealVector across = way - shift;
        // The chord `across` is seen from the axis under `angle`.
        const RealVector out = (turn.w / (2 * sine)) * cross(direction, across);
        point = from + Real(0.5) * across + out;
    }
    [[nodiscard]] RealVector moved(const RealVector& x, const Real& t) const {
        if (angle == 0) return x + t * shift;
        const RealVector r = x - point;
        const RealVector along = dot(direction, r) * direction;
        const RealVector across = r - along;
        return point + along + t * shift + cos(t * angle) * across +
               sin(t * angle) * cross(direction, across);
    }
};

struct Attack {
    PairStep step;
    BodyExtent a;
    BodyExtent b;
};

Quaternion small_turn(Random& rng, double half) {
    const Vec3 axis = random_vector(rng);
    const double size = norm(axis);
    const double s = std::sin(half) / size;
    return {std::cos(half), s * axis.x, s * axis.y, s * axis.z};
}
Quaternion product(const Quaternion& a, const Quaternion& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
            a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x};
}

Attack random_attack(Random& rng, int kind) {
    Attack attack;
    const double scale = std::exp2(uniform(rng, -20.0, 20.0));
    const double far = kind % 5 == 4 ? 1e6 : 3.0;
    const auto place = [&](double reach) { return (scale * reach) * random_vector(rng); };
    double half = uniform(rng, 0.0, 1.5707963);
    if (kind % 3 == 1) half = std::fabs(log_uniform(rng, -110.0, 0.0));
    if (kind % 7 == 2) half = 1.5707963267948966 - std::fabs(log_uniform(rng, -60.0, -3.0));
    attack.step.a.start = {small_turn(rng, uniform(rng, 0.0, 3.1)), place(far)};
    attack.step.b.start = {small_turn(rng, uniform(rng, 0.0, 3.1)),
                           attack.step.a.start.translation + place(3.0)};
    attack.step.a.end = {small_turn(rng, uniform(rng, 0.0, 3.1)), place(far)};
    attack.step.b.end = {product(small_turn(rng, half), attack.step.b.start.rotation),
                         attack.step.a.end.translation + place(3.0)};
    if (kind % 2 == 0) attack.step.a.end = attack.step.a.start;
    if (kind % 11 == 3) {  // a half turn, exactly
        attack.step.a = {};
        attack.step.b.start.rotation = {};
        attack.step.b.end.rotation = {0.0, 1.0, 0.0, 0.0};
    }
    if (kind % 13 == 5) attack.step.b.end.rotation = attack.step.b.start.rotation;
    const double shift = kind % 6 == 5 ? 1e5 : 1.0;
    attack.a = {place(shift), scale * std::exp2(uniform(rng, -8.0, 4.0))};
    attack.b = {place(shift), scale * std::exp2(uniform(rng, -8.0, 4.0))};
    return attack;
}

// A corner of the body as given, and shifted as the tree shifts it.
struct Corner {
    Vec3 given;
    Vec3 shifted;
};
Corner random_corner(Random& rng, const BodyExtent& body) {
    const Vec3 v = random_vector(rng);
    const Vec3 given = body.centre + (body.radius / 1.8) * v;
    return {given, given - body.centre};
}

TEST(ScrewImpactMotion, PlacesAndProjectionsAreWithinTheErrorAtAllAnglesAndOffsets) {
    Random rng(20250204);
    double worst = 0.0;
    for (int i = 0; i < 1'500; ++i) {
        const Attack attack = random_attack(rng, i);
        const RelativeMotion motion(attack.step, attack.a, attack.b);
        ASSERT_TRUE(motion.is_valid()) << i;
        const ExactScrew exact(attack.step);
        for (const double t : {0.0, 1.0, uniform(rng, 0.0, 1.0), std::exp2(uniform(rng, -99, 0))}) {
            const Frame frame = motion.at(t);
            const Corner a = random_corner(rng, attack.a);
            const Corner b = random_corner(rng, attack.b);
            const RealVector start =
                in_frame_of_a(attack.step.a.start, attack.step.b.start, b.given);
            const RealVector gap = exact.moved(start, t) - real(a.given);
            const Vec3 n = unit(random_vector(rng));
            const double computed =
                graze::dot(n, frame.transform(b.shifted)) - graze::dot(n, a.shifted);
            const Real error = abs(dot(real(n), gap) - Real(computed));
            const double ratio = (error / Real(motion.error())).convert_to<double>();
            EXPECT_LE(ratio, 1.0) << "attack " << i << " at t = " << t;
            worst = std::max(worst, ratio);
        }
    }
    RecordProperty("worst_ratio", std::to_string(worst));
    EXPECT_GE(worst, 0.01) << "the test does not look where errors are";
}

TEST(ScrewImpactMotion, TheErrorStaysSmallWhereOnlyTheWorldIsFar) {
    Random rng(20250205);
    Attack attack = random_attack(rng, 0);
    attack.a = {{0.0, 0.0, 0.0}, 1.0};
    attack.b = {{0.0, 0.0, 0.0}, 1.0};
    const Vec3 far = {1048576.0, -2097152.0, 1048576.0};
    attack.step.a = {{{1.0, 0.0, 0.0, 0.0}, far}, {{1.0, 0.0, 0.0, 0.0}, far}};
    attack.step.b = {{{1.0, 0.0, 0.0, 0.0}, far + Vec3{3.0, 0.0, 0.0}},
                     {{0.8, 0.6, 0.0, 0.0}, far + Vec3{-3.0, 0.5, 0.0}}};
    const RelativeMotion motion(attack.step, attack.a, attack.b);
    EXPECT_LT(motion.error(), 1e-12);
}

TEST(ScrewImpactMotion, APointStaysWithinTheBulgeOfItsChord) {
    Random rng(20250206);
    double worst = 0.0;
    for (int i = 0; i < 400; ++i) {
        const Attack attack = random_attack(rng, i);
        const RelativeMotion motion(attack.step, attack.a, attack.b);
        ASSERT_TRUE(motion.is_valid());
        const ExactScrew exact(attack.step);
        const Corner b = random_corner(rng, attack.b);
        const RealVector start = in_frame_of_a(attack.step.a.start, attack.step.b.start, b.given);
        const double t0 = uniform(rng, 0.0, 0.9);
        const double t1 = t0 + (1.0 - t0) * std::exp2(uniform(rng, -10.0, 0.0));
        const Slab slab = make_slab(motion, motion.at(t0), motion.at(std::fmin(t1, 1.0)), 0.0);
        const double bulge = slab.bulge(norm_upper(b.shifted));
        const RealVector first = exact.moved(start, t0);
        const RealVector last = exact.moved(start, std::fmin(t1, 1.0));
        for (const double s : {0.5, uniform(rng, 0.0, 1.0)}) {
            const Real t = Real(t0) + Real(s) * (Real(std::fmin(t1, 1.0)) - Real(t0));
            const RealVector chord = (1 - Real(s)) * first + Real(s) * last;
            const Real off = length(exact.moved(start, t) - chord);
            const Real bound = Real(bulge) * Real(s) * (1 - Real(s));
            // The rounding of the shift by the centre, and turns below 2^-80, count as errors.
            EXPECT_LE(off, bound + Real(0x1p-20 * motion.error())) << i;
            if (bound > 0) worst = std::max(worst, (off / bound).convert_to<double>());
        }
    }
    EXPECT_GE(worst, 0.5) << "the bound is loose, or the test does not look where it is tight";
}

TEST(ScrewImpactMotion, RefusesWhatIsNotFinite) {
    PairStep step;
    const BodyExtent body = {{}, 1.0};
    EXPECT_TRUE(RelativeMotion(step, body, body).is_valid());
    step.b.end.translation.y = std::nan("");
    EXPECT_FALSE(RelativeMotion(step, body, body).is_valid());
    step = {};
    step.a.start.rotation = {0.0, 0.0, 0.0, 0.0};
    EXPECT_FALSE(RelativeMotion(step, body, body).is_valid());
    step = {};
    EXPECT_FALSE(RelativeMotion(step, {{}, kInfinity}, body).is_valid());
}

// Half a turn exactly, with components far apart in size: only integers see the sign.
TEST(ScrewImpactMotion, TheSenseOfNearlyHalfATurnIsThatOfTheExactSign) {
    const BodyExtent body = {{}, 1.0};
    for (const double w : {0x1p-1074, 0.0, -0x1p-1074, 0x1p-300, -0x1p-300}) {
        PairStep step;
        step.b.start.translation = {1.0, 0.0, 0.0};
        step.b.end = {{w, 0.0, 0.0, 1.0}, {-1.0, 0.0, 0.0}};
        const RelativeMotion motion(step, body, body);
        ASSERT_TRUE(motion.is_valid());
        const double y = motion.at(0.5).centre.y;
        // About +z from (1, 0, 0) to (-1, 0, 0): over (0, 1, 0); about -z under it.
        EXPECT_NEAR(y, w >= 0.0 ? 1.0 : -1.0, 1e-12) << w;
    }
}

TEST(ScrewImpactSlab, AShareIsFreeOfRootsOfTheBound) {
    Random rng(20250207);
    for (int i = 0; i < 20'000; ++i) {
        const double g0 = log_uniform(rng, -30.0, 2.0);
        const double g1 = i % 3 == 0 ? g0 * uniform(rng, 0.9, 1.1) : log_uniform(rng, -30.0, 2.0);
        double bulge = std::fabs(log_uniform(rng, -30.0, 3.0));
        // Often just where the bound has a double root: K = g0 + g1 + 2 sqrt(g0 g1).
        if (i % 2 == 0 && g0 > 0.0 && g1 > 0.0)
            bulge = (g0 + g1 + 2.0 * std::sqrt(g0 * g1)) * uniform(rng, 0.9999999, 1.0000001);
        const FreeFraction fraction = free_fraction(g0, g1, bulge);
        const double end = std::fmin(fraction.proved, 1.0);
        const auto bound = [&](const Real& s) {
            return (1 - s) * Real(g0) + s * Real(g1) - Real(bulge) * s * (1 - s);
        };
        if (fraction.proved == 0.0) continue;
        EXPECT_GT(g0, 0.0);
        if (fraction.proved == kAllFree) {
            EXPECT_GT(g1, 0.0);
        }
        const Real lowest_at = (Real(bulge) + Real(g0) - Real(g1)) / (2 * Real(bulge));
        for (const Real& s :
             {Real(0), Real(end) * Real(0.5), Real(end) * (1 - Real(0x1p-60)), lowest_at}) {
            if (s >= 0 && s < Real(end)) {
                EXPECT_GT(bound(s), 0) << g0 << ' ' << g1 << ' ' << bulge;
            }
        }
    }
    EXPECT_EQ(free_fraction(1.0, 1.0, 1.0).proved, kAllFree);
    EXPECT_EQ(free_fraction(std::nan(""), 1.0, 1.0).proved, 0.0);
    EXPECT_EQ(free_fraction(1.0, 1.0, std::nan("")).proved, 0.0);
    EXPECT_EQ(free_fraction(kInfinity, kInfinity, 1.0).proved, 0.0);
}

// The least distance from the origin of the points of a segment, in exact enough numbers.
Real distance_of_segment(const Vec3& first, const Vec3& last) {
    const auto at = [&](std::size_t k, const Real& s) {
        return (1 - s) * Real(first[k]) + s * Real(last[k]);
    };
    Real along = 0;
    Real whole = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Real path = Real(last[k]) - Real(first[k]);
        along -= Real(first[k]) * path;
        whole += path * path;
    }
    Real s = whole > 0 ? Real(along / whole) : Real(0);
    s = s < 0 ? Real(0) : s > 1 ? Real(1) : s;
    return sqrt(at(0, s) * at(0, s) + at(1, s) * at(1, s) + at(2, s) * at(2, s));
}

// Boxes so wide that only the balls can separate, radii within a few ulps of what is just free, from
// scales at which squares underflow to large ones.
TEST(ScrewImpactSlab, BallsThatAreCalledSeparatedHaveAGap) {
    Random rng(20261116);
    int separated = 0;
    for (int i = 0; i < 40'000; ++i) {
        const double scale =
            std::exp2(uniform(rng, i % 4 == 0 ? -560.0 : -30.0, i % 4 == 1 ? 280.0 : 30.0));
        Slab slab;
        slab.first.rotation =
            slab.last.rotation = {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};
        slab.first.centre = scale * random_vector(rng);
        slab.last.centre = i % 3 == 0 ? slab.first.centre : scale * random_vector(rng);
        set_axes(slab);
        const Real distance = distance_of_segment(slab.first.centre, slab.last.centre);
        // What RI-3 counts for positions and projections, and more where nothing else is left.
        slab.slack = 0x1p-48 * scale;
        const double bulge_fraction = i % 2 == 0 ? 0.0 : uniform(rng, 0.0, 0.9);
        slab.centre_bulge = 4.0 * bulge_fraction * distance.convert_to<double>();
        const double left = distance.convert_to<double>() * (1.0 - bulge_fraction);
        Node a;
        Node b;
        a.half = b.half = {8.0 * scale, 8.0 * scale, 8.0 * scale};
        a.radius = uniform(rng, 0.0, 1.0) * left;
        b.radius = left - a.radius;
        const double off = std::exp2(uniform(rng, -52.0, -30.0));
        b.radius *= i % 5 == 0 ? 1.0 + off : 1.0 - off;
        if (free_fraction(slab, a, b).fraction.proved != kAllFree) continue;
        ++separated;
        EXPECT_GT(distance, Real(a.radius) + Real(b.radius) + Real(slab.centre_bulge) / 4) << i;
    }
    EXPECT_GT(separated, 5'000);
    Slab rest;
    rest.first.centre = rest.last.centre = {4.0, 0.0, 0.0};
    Node unknown;
    unknown.half = {8.0, 8.0, 8.0};
    EXPECT_EQ(free_fraction(rest, unknown, unknown).fraction.proved, 0.0)
        << "a node whose ball is not known has none";
}

// Each corner below a node is in its ball, whatever the scale.
TEST(ScrewImpactSlab, TheBallOfANodeHoldsEveryCornerBelowIt) {
    Random rng(7);
    for (const double scale : {1.0, 0x1p-470, 0x1p-600, 0x1p+290}) {
        std::vector<Vec3> vertices;
        std::vector<std::array<std::uint32_t, 3>> triangles;
        for (std::uint32_t i = 0; i < 40; ++i) {
            const Vec3 at = random_vector(rng);
            for (std::uint32_t k = 0; k < 3; ++k)
                vertices.push_back(scale * (at + 0.1 * random_vector(rng)));
            triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
        }
        const auto body = RigidBody::create(vertices, triangles);
        if (!body) continue;
        const BodyTree& tree = tree_of(*body);
        const auto check = [&](const auto& self, const Node& ball, const Node& node) -> void {
            if (!node.is_leaf) {
                self(self, ball, tree.nodes[node.child]);
                self(self, ball, tree.nodes[node.child + 1]);
                return;
            }
            for (std::size_t c = 0; c < 4; ++c) {
                Real square = 0;
                for (std::size_t k = 0; k < 3; ++k) {
                    const Real d =
                        Real(tree.pieces[node.child].corner(c)[k]) - Real(ball.centre[k]);
                    square += d * d;
                }
                EXPECT_LE(sqrt(square), Real(ball.radius));
            }
        };
        for (const Node& node : tree.nodes)
            check(check, node, node);
    }
}

}  // namespace
}  // namespace graze::rigid::detail
