// The enclosures of motions, attacked with numbers of 100 digits.
// Defends G-RIGID-5, G-RIGID-10 (docs/GUARANTEES.md).
#include "graze/rigid/motion.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "rigid/motion/reduced_angle.hpp"

namespace graze::rigid {
namespace {

using Real = boost::multiprecision::cpp_bin_float_100;
using Random = std::mt19937_64;

double uniform(Random& rng, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(rng);
}
Vec3 random_vector(Random& rng, double size = 1.0) {
    return {uniform(rng, -size, size), uniform(rng, -size, size), uniform(rng, -size, size)};
}
Quaternion random_rotation(Random& rng) {
    std::normal_distribution<double> normal;
    return normalised({normal(rng), normal(rng), normal(rng), normal(rng)});
}

// --- Exact motions -------------------------------------------------------------------------------

using RealVector = std::array<Real, 3>;
using RealMatrix = std::array<RealVector, 3>;
struct RealPose {
    RealMatrix linear;
    RealVector translation;
};
using ExactMotion = std::function<RealPose(const Real& t)>;

RealVector real(const Vec3& v) {
    return {Real(v.x), Real(v.y), Real(v.z)};
}
RealVector mix(const RealVector& a, const RealVector& b, const Real& t) {
    return {(1 - t) * a[0] + t * b[0], (1 - t) * a[1] + t * b[1], (1 - t) * a[2] + t * b[2]};
}
RealVector plus(const RealVector& a, const RealVector& b, const Real& s = 1) {
    return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
Real dot(const RealVector& a, const RealVector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
RealVector cross(const RealVector& a, const RealVector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Real length(const RealVector& a) {
    return sqrt(dot(a, a));
}
RealVector times_vector(const RealMatrix& m, const RealVector& v) {
    return {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
}
RealMatrix product(const RealMatrix& a, const RealMatrix& b) {
    RealMatrix m;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            m[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
    return m;
}

struct RealQuaternion {
    Real w;
    RealVector v;
};
RealQuaternion real(const Quaternion& q) {
    return {Real(q.w), {Real(q.x), Real(q.y), Real(q.z)}};
}
RealQuaternion conjugate(const RealQuaternion& q) {
    return {q.w, {-q.v[0], -q.v[1], -q.v[2]}};
}
RealQuaternion product(const RealQuaternion& p, const RealQuaternion& q) {
    const RealVector c = cross(p.v, q.v);
    return {p.w * q.w - dot(p.v, q.v),
            {p.w * q.v[0] + q.w * p.v[0] + c[0], p.w * q.v[1] + q.w * p.v[1] + c[1],
             p.w * q.v[2] + q.w * p.v[2] + c[2]}};
}
// Of any length.
RealMatrix matrix(const RealQuaternion& q) {
    const Real n = q.w * q.w + dot(q.v, q.v);
    RealMatrix m;
    for (std::size_t j = 0; j < 3; ++j) {
        RealVector e = {0, 0, 0};
        e[j] = 1;
        const RealVector first = cross(q.v, e);
        const RealVector second = cross(q.v, first);
        for (std::size_t i = 0; i < 3; ++i)
            m[i][j] = e[i] + 2 * (q.w * first[i] + second[i]) / n;
    }
    return m;
}
RealQuaternion about(const RealVector& axis, const Real& half_angle) {
    const Real s = sin(half_angle) / length(axis);
    return {cos(half_angle), {s * axis[0], s * axis[1], s * axis[2]}};
}
// q1 q0* with a scalar part >= 0: its half angle and its axis (0 where there is none).
struct Relative {
    Real half_angle;
    RealVector axis;
};
Relative relative(const RealQuaternion& q0, const RealQuaternion& q1) {
    RealQuaternion q = product(q1, conjugate(q0));
    if (q.w < 0) q = {-q.w, {-q.v[0], -q.v[1], -q.v[2]}};
    const Real size = length(q.v);
    if (size == 0) return {0, {0, 0, 0}};
    return {atan2(size, q.w), {q.v[0] / size, q.v[1] / size, q.v[2] / size}};
}
RealQuaternion slerp(const RealQuaternion& q0, const RealQuaternion& q1, const Real& t) {
    const Relative r = relative(q0, q1);
    if (r.half_angle == 0) return q0;
    return product(about(r.axis, t * r.half_angle), q0);
}

RealVector screw_position(const RealQuaternion& q0, const RealQuaternion& q1,
                          const RealVector& first, const RealVector& last, const Real& t) {
    const Relative r = relative(q0, q1);
    if (r.half_angle == 0) return mix(first, last, t);
    const RealVector d = plus(last, first, -1);
    const Real along = dot(d, r.axis);
    const RealVector across = plus(d, r.axis, -along);
    // (R - 1) c = across, c the position relative to the axis.
    const RealVector side = cross(r.axis, across);
    const Real cotangent = cos(r.half_angle) / sin(r.half_angle);
    RealVector c;
    for (std::size_t i = 0; i < 3; ++i)
        c[i] = -across[i] / 2 - cotangent * side[i] / 2;
    const RealVector moved = times_vector(matrix(about(r.axis, t * r.half_angle)), c);
    RealVector result;
    for (std::size_t i = 0; i < 3; ++i)
        result[i] = first[i] + t * along * r.axis[i] + moved[i] - c[i];
    return result;
}

ExactMotion exact_slerp(const BodyStep& step) {
    return [step](const Real& t) {
        return RealPose{matrix(slerp(real(step.start.rotation), real(step.end.rotation), t)),
                        mix(real(step.start.translation), real(step.end.translation), t)};
    };
}
ExactMotion exact_screw(const BodyStep& step) {
    return [step](const Real& t) {
        const RealQuaternion q0 = real(step.start.rotation);
        const RealQuaternion q1 = real(step.end.rotation);
        return RealPose{
            matrix(slerp(q0, q1, t)),
            screw_position(q0, q1, real(step.start.translation), real(step.end.translation), t)};
    };
}
ExactMotion exact_relative_screw(const PairStep& step) {
    return [step](const Real& t) {
        const auto relative_pose = [](const Pose& a, const Pose& b) {
            const RealQuaternion back = conjugate(real(a.rotation));
            const RealVector gap = plus(real(b.translation), real(a.translation), -1);
            return std::pair(product(back, real(b.rotation)), times_vector(matrix(back), gap));
        };
        const auto [q0, y0] = relative_pose(step.a.start, step.b.start);
        const auto [q1, y1] = relative_pose(step.a.end, step.b.end);
        return RealPose{matrix(slerp(q0, q1, t)), screw_position(q0, q1, y0, y1, t)};
    };
}
ExactMotion exact_nlerp(const BodyStep& step) {
    return [step](const Real& t) {
        const RealQuaternion q0 = real(step.start.rotation);
        RealQuaternion q1 = real(step.end.rotation);
        if (q0.w * q1.w + dot(q0.v, q1.v) < 0) q1 = {-q1.w, {-q1.v[0], -q1.v[1], -q1.v[2]}};
        return RealPose{matrix({(1 - t) * q0.w + t * q1.w, mix(q0.v, q1.v, t)}),
                        mix(real(step.start.translation), real(step.end.translation), t)};
    };
}
ExactMotion exact_spin(const Pose& start, const Vec3& end, const Vec3& angular) {
    return [=](const Real& t) {
        const RealVector w = real(angular);
        const Real size = length(w);
        RealMatrix m = matrix(real(start.rotation));
        if (size != 0) m = product(matrix(about(w, t * size / 2)), m);
        return RealPose{m, mix(real(start.translation), real(end), t)};
    };
}
ExactMotion exact_vector(const Vec3& w0, const Vec3& t0, const Vec3& w1, const Vec3& t1) {
    return [=](const Real& t) {
        const RealVector w = mix(real(w0), real(w1), t);
        const Real size = length(w);
        const RealMatrix m = size == 0 ? matrix({1, {0, 0, 0}}) : matrix(about(w, size / 2));
        return RealPose{m, mix(real(t0), real(t1), t)};
    };
}
ExactMotion exact_affine(const std::array<double, 12>& start, const std::array<double, 12>& end) {
    return [=](const Real& t) {
        RealPose pose;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j)
                pose.linear[i][j] = (1 - t) * Real(start[4 * i + j]) + t * Real(end[4 * i + j]);
            pose.translation[i] = (1 - t) * Real(start[4 * i + 3]) + t * Real(end[4 * i + 3]);
        }
        return pose;
    };
}

// --- What is attacked ----------------------------------------------------------------------------

Real frobenius(const RealMatrix& m) {
    return sqrt(dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2]));
}
RealMatrix less(const RealMatrix& a, const RealMatrix& b) {
    return {plus(a[0], b[0], -1), plus(a[1], b[1], -1), plus(a[2], b[2], -1)};
}

// The largest fraction of a bound that was seen: above 1 it is wrong.
struct Seen {
    double linear = 0.0;
    double translation = 0.0;
    double linear_deviation = 0.0;
    double translation_deviation = 0.0;
};

void attack_poses(const Motion& motion, const ExactMotion& exact, double t, const Vec3& origin,
                  Seen& seen) {
    const PoseEnclosure pose = motion.at(t, origin);
    const RealPose truth = exact(Real(t));
    const RealMatrix computed = {real(pose.linear[0]), real(pose.linear[1]), real(pose.linear[2])};
    const Real linear = frobenius(less(computed, truth.linear));
    const RealVector off = plus(plus(real(pose.translation), real(origin)), truth.translation, -1);
    seen.linear = std::max(seen.linear, (linear / Real(pose.linear_error)).convert_to<double>());
    seen.translation = std::max(seen.translation,
                                (length(off) / Real(pose.translation_error)).convert_to<double>());
    const PointEnclosure point = motion.origin_at(t, origin);
    const RealVector off_point = plus(plus(real(point.point), real(origin)), truth.translation, -1);
    EXPECT_LE(length(off_point), Real(point.error));
}

void attack_chord(const Motion& motion, const ExactMotion& exact, double a, double b, const Real& s,
                  Seen& seen) {
    const ChordDeviation k = motion.deviation(a, b);
    const RealPose first = exact(Real(a));
    const RealPose last = exact(Real(b));
    const RealPose between = exact((1 - s) * Real(a) + s * Real(b));
    RealMatrix chord;
    for (std::size_t i = 0; i < 3; ++i)
        chord[i] = mix(first.linear[i], last.linear[i], s);
    const RealVector line = mix(first.translation, last.translation, s);
    const Real weight = s * (1 - s);
    // The operator norm, by random unit vectors from below.
    const RealMatrix off = less(between.linear, chord);
    Real largest = 0;
    Random rng(7);
    for (int i = 0; i < 8; ++i) {
        const RealVector x = real(random_vector(rng));
        largest = std::max(largest, Real(length(times_vector(off, x)) / length(x)));
    }
    const Real tiny("1e-60");
    seen.linear_deviation =
        std::max(seen.linear_deviation,
                 ((largest - tiny) / (Real(k.linear) * weight + tiny)).convert_to<double>());
    const Real moved = length(plus(between.translation, line, -1));
    seen.translation_deviation =
        std::max(seen.translation_deviation,
                 ((moved - tiny) / (Real(k.translation) * weight + tiny)).convert_to<double>());
}

void attack(const Motion& motion, const ExactMotion& exact, Random& rng, Seen& seen) {
    ASSERT_TRUE(motion.is_valid());
    for (const double t : {0.0, 1.0, 0.5, uniform(rng, 0.0, 1.0), uniform(rng, 0.0, 1e-9)})
        attack_poses(motion, exact, t, rng() % 2 == 0 ? Vec3{} : motion.start(), seen);
    for (int i = 0; i < 3; ++i) {
        double a = uniform(rng, 0.0, 1.0);
        double b = uniform(rng, 0.0, 1.0);
        if (i == 0) a = 0.0;
        if (i == 1) b = a + 1e-4 * (1.0 - a);
        if (b < a) std::swap(a, b);
        if (motion.next_joint(a) < b) b = motion.next_joint(a);
        if (!(a < b)) continue;
        attack_chord(motion, exact, a, b, Real(uniform(rng, 0.01, 0.99)), seen);
    }
}

void expect_within(const Seen& seen) {
    EXPECT_LE(seen.linear, 1.0);
    EXPECT_LE(seen.translation, 1.0);
    EXPECT_LE(seen.linear_deviation, 1.0);
    EXPECT_LE(seen.translation_deviation, 1.0);
}

// Rotations of all sizes, from 2^-60 to half a rotation and a little less.
BodyStep random_step(Random& rng) {
    BodyStep step;
    const double far = rng() % 4 == 0 ? 1e6 : 1.0;
    step.start = {random_rotation(rng), random_vector(rng, far)};
    double angle = uniform(rng, 0.0, 3.14159);
    if (rng() % 3 == 0) angle = std::exp2(uniform(rng, -60.0, 0.0));
    if (rng() % 8 == 0) angle = 3.141592653589793 - std::exp2(uniform(rng, -50.0, -5.0));
    const Quaternion change = rotation_about(random_vector(rng), angle);
    step.end = compose(Pose{change, {}}, Pose{step.start.rotation, {}});
    step.end.translation = step.start.translation + random_vector(rng);
    if (rng() % 2 == 0) {  // the same rotation
        Quaternion& q = step.end.rotation;
        q = {-q.w, -q.x, -q.y, -q.z};
    }
    return step;
}

constexpr int kMotions = 60;

TEST(Motion, EnclosesASlerp) {
    Random rng(1);
    Seen seen;
    for (int i = 0; i < kMotions; ++i) {
        const BodyStep step = random_step(rng);
        attack(BodyMotion::slerp(step), exact_slerp(step), rng, seen);
    }
    expect_within(seen);
}

TEST(Motion, EnclosesAScrew) {
    Random rng(2);
    Seen seen;
    for (int i = 0; i < kMotions; ++i) {
        const BodyStep step = random_step(rng);
        attack(BodyMotion::screw(step), exact_screw(step), rng, seen);
    }
    expect_within(seen);
}

TEST(Motion, EnclosesTheRelativeScrewOfTwoBodies) {
    Random rng(3);
    Seen seen;
    for (int i = 0; i < kMotions; ++i) {
        const PairStep step = {random_step(rng), random_step(rng)};
        attack(BodyMotion::relative_screw(step), exact_relative_screw(step), rng, seen);
    }
    expect_within(seen);
}

TEST(Motion, EnclosesAnNlerpOfQuaternionsAsGiven) {
    Random rng(4);
    Seen seen;
    for (int i = 0; i < kMotions; ++i) {
        BodyStep step = random_step(rng);
        // Off unit length by as much as is accepted.
        const double size = 1.0 + uniform(rng, -4e-7, 4e-7);
        Quaternion& q = step.end.rotation;
        q = {size * q.w, size * q.x, size * q.y, size * q.z};
        attack(BodyMotion::nlerp(step), exact_nlerp(step), rng, seen);
    }
    expect_within(seen);
}

TEST(Motion, EnclosesSeveralFullRotations) {
    Random rng(5);
    Seen seen;
    for (int i = 0; i < kMotions; ++i) {
        const Pose start = {random_rotation(rng), random_vector(rng)};
        const Vec3 end = random_vector(rng);
        const Vec3 angular = random_vector(rng, std::exp2(uniform(rng, -110.0, 19.0)));
        attack(BodyMotion::spin(start, end, angular), exact_spin(start, end, angular), rng, seen);
    }
    expect_within(seen);
}

TEST(Motion, EnclosesALinearRotationVector) {
    Random rng(6);
    Seen seen;
    for (int i = 0; i < kMotions; ++i) {
        const Vec3 w0 = random_vector(rng, std::exp2(uniform(rng, -40.0, 5.0)));
        const Vec3 w1 = i % 5 == 0 ? -w0 : random_vector(rng, std::exp2(uniform(rng, -40.0, 5.0)));
        const Vec3 t0 = random_vector(rng);
        const Vec3 t1 = random_vector(rng);
        attack(BodyMotion::rotation_vector(w0, t0, w1, t1), exact_vector(w0, t0, w1, t1), rng,
               seen);
    }
    expect_within(seen);
}

TEST(Motion, EnclosesALinearAffineMap) {
    Random rng(7);
    Seen seen;
    for (int i = 0; i < kMotions; ++i) {
        std::array<double, 12> start{};
        std::array<double, 12> end{};
        for (std::size_t k = 0; k < 12; ++k) {
            start[k] = uniform(rng, -3.0, 3.0);
            end[k] = uniform(rng, -3.0, 3.0);
        }
        attack(BodyMotion::affine(start, end), exact_affine(start, end), rng, seen);
    }
    expect_within(seen);
}

TEST(Motion, EnclosesASequenceOfPoses) {
    Random rng(8);
    Seen seen;
    for (int i = 0; i < kMotions; ++i) {
        const std::vector<double> times = {0.0, uniform(rng, 0.01, 0.4), uniform(rng, 0.5, 0.99),
                                           1.0};
        std::vector<Pose> poses;
        for (int k = 0; k < 4; ++k)
            poses.push_back({random_rotation(rng), random_vector(rng)});
        const bool screws = i % 2 == 0;
        const auto motion = PiecewiseMotion::create(
            times, poses, screws ? Interpolation::Screw : Interpolation::Slerp);
        ASSERT_TRUE(motion.has_value());
        const ExactMotion exact = [&](const Real& t) {
            std::size_t k = 0;
            while (k < 2 && t > Real(times[k + 1]))
                ++k;
            const Real s = (t - Real(times[k])) / (Real(times[k + 1]) - Real(times[k]));
            const BodyStep step = {poses[k], poses[k + 1]};
            return screws ? exact_screw(step)(s) : exact_slerp(step)(s);
        };
        attack(*motion, exact, rng, seen);
    }
    expect_within(seen);
}

TEST(Motion, EnclosesAChainOfThreeLinks) {
    Random rng(9);
    Seen seen;
    for (int i = 0; i < kMotions; ++i) {
        const BodyStep base = random_step(rng);
        const Pose joint = {random_rotation(rng), random_vector(rng)};
        const Vec3 w = random_vector(rng, 4.0);
        const BodyStep hand = random_step(rng);
        const BodyMotion first = BodyMotion::slerp(base);
        const BodyMotion second = BodyMotion::spin(joint, joint.translation, w);
        const BodyMotion third = BodyMotion::screw(hand);
        const ComposedMotion inner(second, third);
        const ComposedMotion chain(first, inner);
        const ExactMotion exact = [&](const Real& t) {
            RealPose result = exact_screw(hand)(t);
            for (const ExactMotion& outer :
                 {exact_spin(joint, joint.translation, w), exact_slerp(base)}) {
                const RealPose pose = outer(t);
                result = {product(pose.linear, result.linear),
                          plus(times_vector(pose.linear, result.translation), pose.translation)};
            }
            return result;
        };
        attack(chain, exact, rng, seen);
    }
    expect_within(seen);
}

TEST(Motion, RotatesByPiInTheSenseOfTheQuaternion) {
    for (const double sign : {1.0, -1.0}) {
        BodyStep step;
        step.end.rotation = {0.0, 0.0, 0.0, sign};
        for (const BodyMotion& motion : {BodyMotion::slerp(step), BodyMotion::screw(step)}) {
            const PoseEnclosure half = motion.at(0.5, {});
            EXPECT_NEAR(half.linear[1].x, sign, 1e-12);
        }
    }
}

TEST(Motion, CallsAtRestWhatHasOnePoseAtAllTimes) {
    Random rng(20261118);
    const Pose pose{random_rotation(rng), random_vector(rng)};
    const Pose moved{pose.rotation, pose.translation + Vec3{0.0, 0x1p-40, 0.0}};
    Pose rotated = pose;
    rotated.rotation.x += 0x1p-40;
    EXPECT_TRUE(BodyMotion::rest(pose).is_at_rest());
    EXPECT_TRUE(BodyMotion::screw({pose, pose}).is_at_rest());
    for (const Pose& end : {moved, rotated}) {
        EXPECT_FALSE(BodyMotion::screw({pose, end}).is_at_rest());
        EXPECT_FALSE(BodyMotion::slerp({pose, end}).is_at_rest());
        EXPECT_FALSE(BodyMotion::nlerp({pose, end}).is_at_rest());
    }
    const Vec3 slow{0x1p-200, 0.0, 0.0};
    EXPECT_FALSE(BodyMotion::spin(pose, pose.translation, slow).is_at_rest());
    EXPECT_FALSE(BodyMotion::rotation_vector({}, {}, slow, {}).is_at_rest());
}

TEST(Motion, RefusesWhatItCannotWorkWith) {
    const double nan = std::nan("");
    Pose bad;
    bad.translation.x = nan;
    Pose zero;
    zero.rotation = {0.0, 0.0, 0.0, 0.0};
    Pose infinite;
    infinite.rotation.w = std::numeric_limits<double>::infinity();
    for (const Pose& pose : {bad, zero, infinite}) {
        EXPECT_FALSE(BodyMotion::rest(pose).is_valid());
        EXPECT_FALSE(BodyMotion::slerp({Pose{}, pose}).is_valid());
        EXPECT_FALSE(BodyMotion::nlerp({pose, Pose{}}).is_valid());
        EXPECT_FALSE(BodyMotion::screw({pose, Pose{}}).is_valid());
        EXPECT_FALSE(BodyMotion::relative_screw({{pose, Pose{}}, {}}).is_valid());
        EXPECT_FALSE(BodyMotion::spin(pose, {}, {}).is_valid());
    }
    EXPECT_FALSE(BodyMotion::spin({}, {}, {0x1p+21, 0.0, 0.0}).is_valid());
    EXPECT_FALSE(BodyMotion::rotation_vector({nan, 0, 0}, {}, {}, {}).is_valid());
    std::array<double, 12> matrix{};
    matrix[5] = nan;
    EXPECT_FALSE(BodyMotion::affine(matrix, {}).is_valid());
    EXPECT_FALSE(BodyMotion().is_valid());
    EXPECT_FALSE(BodyMotion().at(0.5, {}).linear_error < 1e300);
    const std::vector<Pose> poses(3);
    EXPECT_FALSE(PiecewiseMotion::create(std::vector{0.0, 0.5}, poses).has_value());
    EXPECT_FALSE(PiecewiseMotion::create(std::vector{0.0, 0.0, 1.0}, poses).has_value());
    EXPECT_FALSE(PiecewiseMotion::create(std::vector{0.1, 0.5, 1.0}, poses).has_value());
}

TEST(Motion, ReducesAnglesWithinItsBound) {
    Random rng(10);
    for (int i = 0; i < 3000; ++i) {
        const double x = i % 3 == 0 ? std::exp2(uniform(rng, -40.0, 20.0))
                                    : 1.5707963267948966 * std::floor(uniform(rng, 0.0, 6e5)) +
                                          uniform(rng, 0.0, 1e-9);
        const detail::SineCosine computed = detail::reduced_sine_cosine(x);
        const Real bound = Real(detail::kReducedRoundoffs) * Real(0x1p-53);
        EXPECT_LE(abs(Real(computed.sine) - sin(Real(x))), bound) << x;
        EXPECT_LE(abs(Real(computed.cosine) - cos(Real(x))), bound) << x;
    }
}

}  // namespace
}  // namespace graze::rigid
