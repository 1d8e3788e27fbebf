// Motions that hurt, against a reference of 100 digits that shares nothing with src/rigid but the
// plain types of input: it goes by a point of the screw's axis, and by distances of triangles.
//
// GRAZE_ATTACK_FACTOR in the environment multiplies the number of motions (default 1).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graze/rigid/impact.hpp"
#include "graze/rigid/screw_motion.hpp"

namespace graze::rigid {
namespace {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float_100::backend_type,
                                           boost::multiprecision::et_off>;

// ---- vectors of any number type ----

template <class T>
struct V {
    T x{};
    T y{};
    T z{};
};
template <class T>
V<T> operator+(const V<T>& a, const V<T>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
V<T> operator-(const V<T>& a, const V<T>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
V<T> times(const T& s, const V<T>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class T>
T dot(const V<T>& a, const V<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
V<T> cross(const V<T>& a, const V<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T length(const V<T>& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
}
template <class T>
V<T> widened(const Vec3& a) {
    return {T(a.x), T(a.y), T(a.z)};
}
template <class To>
V<To> narrowed(const V<Real>& a) {
    return {static_cast<To>(a.x), static_cast<To>(a.y), static_cast<To>(a.z)};
}

// ---- distance of two triangles ----

template <class T>
using Triangle = std::array<V<T>, 3>;

template <class T>
T clamped(const T& x) {
    return x < 0 ? T(0) : x > 1 ? T(1) : x;
}

template <class T>
T segments_sq(const V<T>& p, const V<T>& p2, const V<T>& q, const V<T>& q2) {
    const V<T> d = p2 - p;
    const V<T> e = q2 - q;
    const V<T> r = p - q;
    const T dd = dot(d, d);
    const T ee = dot(e, e);
    const T de = dot(d, e);
    const T dr = dot(d, r);
    const T er = dot(e, r);
    const auto at = [&](const T& s, const T& t) {
        const V<T> gap = r + times(s, d) - times(t, e);
        return dot(gap, gap);
    };
    // The least of the square over a square: inside, or on one of its four sides.
    const auto best_t = [&](const T& s) { return ee > 0 ? clamped<T>((er + s * de) / ee) : T(0); };
    const auto best_s = [&](const T& t) { return dd > 0 ? clamped<T>((t * de - dr) / dd) : T(0); };
    T least = std::min({at(0, best_t(0)), at(1, best_t(1)), at(best_s(0), 0), at(best_s(1), 1)});
    const T det = dd * ee - de * de;
    if (det > 0) {
        const T s = clamped<T>((de * er - ee * dr) / det);
        least = std::min(least, at(s, best_t(s)));
    }
    return least;
}

// From p to the inside of the triangle, where the foot is inside; else `none`.
template <class T>
T foot_sq(const V<T>& p, const Triangle<T>& t, const T& none) {
    const V<T> n = cross(t[1] - t[0], t[2] - t[0]);
    const T nn = dot(n, n);
    if (!(nn > 0)) return none;
    for (std::size_t i = 0; i < 3; ++i) {
        if (dot(cross(t[(i + 1) % 3] - t[i], p - t[i]), n) < 0) return none;
    }
    const T h = dot(p - t[0], n);
    return h * h / nn;
}

template <class T>
bool pierces(const V<T>& p, const V<T>& q, const Triangle<T>& t) {
    const V<T> n = cross(t[1] - t[0], t[2] - t[0]);
    const T a = dot(p - t[0], n);
    const T b = dot(q - t[0], n);
    if (!((a <= 0 && b >= 0) || (a >= 0 && b <= 0)) || a == b) return false;
    const V<T> at = p + times<T>(a / (a - b), q - p);
    for (std::size_t i = 0; i < 3; ++i) {
        if (dot(cross(t[(i + 1) % 3] - t[i], at - t[i]), n) < 0) return false;
    }
    return true;
}

template <class T>
T distance_sq(const Triangle<T>& a, const Triangle<T>& b) {
    T least = segments_sq(a[0], a[1], b[0], b[1]);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            least = std::min(least, segments_sq(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
        }
        least = std::min({least, foot_sq(a[i], b, least), foot_sq(b[i], a, least)});
    }
    for (std::size_t i = 0; i < 3; ++i) {
        if (pierces(a[i], a[(i + 1) % 3], b) || pierces(b[i], b[(i + 1) % 3], a)) return T(0);
    }
    return least;
}

// ---- the motion ----

struct Turn {
    Real w;
    V<Real> v;
};
Turn product(const Turn& p, const Turn& q) {
    return {p.w * q.w - dot(p.v, q.v), times(p.w, q.v) + times(q.w, p.v) + cross(p.v, q.v)};
}
Turn turn_of(const Quaternion& q) {
    return {Real(q.w), {Real(q.x), Real(q.y), Real(q.z)}};
}
Turn back(const Turn& q) {
    return {q.w, times(Real(-1), q.v)};
}
V<Real> turned(const Turn& q, const V<Real>& x) {
    const Turn r = product(product(q, {Real(0), x}), back(q));
    return times(Real(1) / (q.w * q.w + dot(q.v, q.v)), r.v);
}

class Reference {
public:
    Reference(const Polyhedron& a, const Polyhedron& b, const PairStep& step)
        : a_(&a), b_(&b), middle_(widened<Real>(a.positions()[0])) {
        start_ = seen(step.a.start.rotation, step.b.start.rotation);
        const Turn last = seen(step.a.end.rotation, step.b.end.rotation);
        Turn q = product(last, back(start_));
        if (q.w < 0) q = {-q.w, times(Real(-1), q.v)};
        y0_ = place(step.a.start, step.b.start);
        const V<Real> y1 = place(step.a.end, step.b.end);
        const Real sine = length(q.v);
        fast_a_ = points_a<long double>();
        for (const Vec3& p : a.positions())
            size_ = std::max(size_, static_cast<long double>(length(widened<Real>(p) - middle_)));
        for (const Vec3& p : b.positions())
            size_ = std::max(size_,
                             static_cast<long double>(length(widened<Real>(p - b.positions()[0]))));
        if (sine == 0) {
            pitch_ = y1 - y0_;
            centre_ = y0_;
            set_fast({});
            return;
        }
        angle_ = 2 * atan2(sine, q.w);
        axis_ = times(Real(1) / sine, q.v);
        const V<Real> d = y1 - y0_;
        pitch_ = times(dot(axis_, d), axis_);
        const V<Real> across = d - pitch_;
        // The centre of the arc from y0: half the chord, and across it.
        const Real half = angle_ / 2;
        centre_ =
            y0_ + times(Real(0.5), across) + times(cos(half) / sin(half) / 2, cross(axis_, across));
        set_fast(y0_ - centre_);
    }

    // The least distance of the surfaces at time t. In long double; with `exact` in 100 digits for
    // all triangles that are nearly the nearest.
    [[nodiscard]] Real gap(const Real& t, bool exact) const {
        const auto b = fast_points(static_cast<long double>(t));
        const std::vector<V<long double>>& a = fast_a_;
        std::vector<std::pair<long double, std::pair<std::size_t, std::size_t>>> gaps;
        long double least = 1e4000L;
        for (std::size_t i = 0; i < a_->triangles().size(); ++i) {
            for (std::size_t j = 0; j < b_->triangles().size(); ++j) {
                const auto p = pick(a, a_->triangles()[i]);
                const auto q = pick(b, b_->triangles()[j]);
                if (!exact && rough(p, q) > least) continue;
                const long double g = std::sqrt(distance_sq(p, q));
                least = std::min(least, g);
                if (exact) gaps.push_back({g, {i, j}});
            }
        }
        if (!exact) return Real(least);
        const auto fine_b = points<Real>(at(t));
        const auto fine_a = points_a<Real>();
        Real result = Real(least) + 1000 * size_;
        for (const auto& [g, ij] : gaps) {
            if (g > least + 1e-15L * (size_ + least)) continue;
            using std::sqrt;
            const Real fine = sqrt(distance_sq(pick(fine_a, a_->triangles()[ij.first]),
                                               pick(fine_b, b_->triangles()[ij.second])));
            result = std::min(result, fine);
            if (result == 0) break;
        }
        return result;
    }
    [[nodiscard]] long double size() const { return size_; }
    // Places from A's first point, in long double.
    [[nodiscard]] const std::vector<V<long double>>& places_a() const { return fast_a_; }
    [[nodiscard]] std::vector<V<long double>> places_b(long double t) const {
        return fast_points(t);
    }

private:
    static Turn seen(const Quaternion& a, const Quaternion& b) {
        return product(back(turn_of(a)), turn_of(b));
    }
    // B's first point in A's frame.
    [[nodiscard]] V<Real> place(const Pose& a, const Pose& b) const {
        const V<Real> world = turned(turn_of(b.rotation), widened<Real>(b_->positions()[0])) +
                              (widened<Real>(b.translation) - widened<Real>(a.translation));
        return turned(back(turn_of(a.rotation)), world) - middle_;
    }
    struct Map {
        std::array<V<Real>, 3> columns;
        V<Real> shift;
    };
    [[nodiscard]] Map at(const Real& t) const {
        const Real h = t * angle_ / 2;
        const Turn screw{cos(h), times(sin(h), axis_)};
        const Turn q = product(screw, start_);
        return {{turned(q, {1, 0, 0}), turned(q, {0, 1, 0}), turned(q, {0, 0, 1})},
                centre_ + turned(screw, y0_ - centre_) + times(t, pitch_)};
    }
    template <class T>
    [[nodiscard]] std::vector<V<T>> points(const Map& map) const {
        const std::array<V<T>, 3> c = {narrowed<T>(map.columns[0]), narrowed<T>(map.columns[1]),
                                       narrowed<T>(map.columns[2])};
        const V<T> shift = narrowed<T>(map.shift);
        const V<T> first = widened<T>(b_->positions()[0]);
        std::vector<V<T>> result;
        for (const Vec3& p : b_->positions()) {
            const V<T> x = widened<T>(p) - first;
            result.push_back(times(x.x, c[0]) + times(x.y, c[1]) + times(x.z, c[2]) + shift);
        }
        return result;
    }
    template <class T>
    [[nodiscard]] std::vector<V<T>> points_a() const {
        std::vector<V<T>> result;
        for (const Vec3& p : a_->positions())
            result.push_back(widened<T>(p) - widened<T>(a_->positions()[0]));
        return result;
    }
    template <class T>
    static Triangle<T> pick(const std::vector<V<T>>& p, const std::array<std::uint32_t, 3>& t) {
        return {p[t[0]], p[t[1]], p[t[2]]};
    }
    // A lower bound of the distance: of the boxes.
    static long double rough(const Triangle<long double>& p, const Triangle<long double>& q) {
        const auto apart = [&](auto part) {
            const auto [pl, ph] = std::minmax({part(p[0]), part(p[1]), part(p[2])});
            const auto [ql, qh] = std::minmax({part(q[0]), part(q[1]), part(q[2])});
            return std::max(ql - ph, pl - qh);
        };
        return std::max({apart([](const auto& v) { return v.x; }),
                         apart([](const auto& v) { return v.y; }),
                         apart([](const auto& v) { return v.z; })});
    }

    // Places in long double: y0 + sin(t angle)/angle w1 + (1 - cos(t angle))/angle^2 w2 + t pitch,
    // which loses nothing where the axis is far away.
    void set_fast(const V<Real>& from_axis) {
        const V<Real> along = cross(axis_, from_axis);
        const std::array<V<Real>, 3> parts = {
            times(angle_, along), times(Real(angle_ * angle_), cross(axis_, along)), pitch_};
        for (std::size_t i = 0; i < 3; ++i)
            fast_[i] = narrowed<long double>(parts[i]);
        fast_axis_ = narrowed<long double>(axis_);
        fast_y0_ = narrowed<long double>(y0_);
        fast_angle_ = static_cast<long double>(angle_);
        for (const Vec3& p : b_->positions()) {
            const V<Real> x = widened<Real>(p) - widened<Real>(b_->positions()[0]);
            fast_b_.push_back(narrowed<long double>(turned(start_, x)));
        }
    }
    [[nodiscard]] std::vector<V<long double>> fast_points(long double t) const {
        const long double phi = t * fast_angle_;
        const long double half = std::sin(phi / 2);
        const long double s = std::sin(phi);
        const long double versine = 2 * half * half;
        V<long double> y = fast_y0_ + times(t, fast_[2]);
        if (fast_angle_ > 0)
            y = y + times(s / fast_angle_, fast_[0]) +
                times(versine / fast_angle_ / fast_angle_, fast_[1]);
        std::vector<V<long double>> result;
        for (const V<long double>& x : fast_b_) {
            const V<long double> c = cross(fast_axis_, x);
            result.push_back(y + x + times(s, c) + times(versine, cross(fast_axis_, c)));
        }
        return result;
    }

    std::vector<V<long double>> fast_a_;
    std::vector<V<long double>> fast_b_;
    std::array<V<long double>, 3> fast_;
    V<long double> fast_axis_;
    V<long double> fast_y0_;
    long double fast_angle_ = 0.0L;
    const Polyhedron* a_;
    const Polyhedron* b_;
    V<Real> middle_;
    Turn start_;
    V<Real> y0_;
    V<Real> centre_;
    V<Real> axis_;
    V<Real> pitch_;
    Real angle_ = 0;
    long double size_ = 0.0L;
};

// The least gap in [from, to] and its time: by samples, and golden sections around the lowest. With
// `exact` the sections end in 100 digits.
struct Least {
    Real t;
    Real gap;
};
Least golden(const Reference& r, Real low, Real high, int steps, bool exact) {
    const Real ratio = (sqrt(Real(5)) - 1) / 2;
    Real p = high - ratio * (high - low);
    Real q = low + ratio * (high - low);
    Real at_p = r.gap(p, exact);
    Real at_q = r.gap(q, exact);
    for (int i = 0; i < steps && at_p > 0 && at_q > 0; ++i) {
        if (at_p < at_q) {
            high = q;
            q = p;
            at_q = at_p;
            p = high - ratio * (high - low);
            at_p = r.gap(p, exact);
        } else {
            low = p;
            p = q;
            at_p = at_q;
            q = low + ratio * (high - low);
            at_q = r.gap(q, exact);
        }
    }
    return at_p < at_q ? Least{p, at_p} : Least{q, at_q};
}
Least least_gap(const Reference& r, const Real& from, const Real& to, const Real& d, int samples,
                int exact_steps) {
    std::vector<Real> t;
    std::vector<Real> g;
    for (int i = 0; i <= samples; ++i) {
        t.push_back(from + (to - from) * i / samples);
        g.push_back(r.gap(t.back(), false));
    }
    Least best{t[0], g[0]};
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (g[i] < best.gap) best = {t[i], g[i]};
    }
    for (std::size_t i = 0; i < t.size(); ++i) {
        const Real before = i == 0 ? g[i] : g[i - 1];
        const Real after = i + 1 == t.size() ? g[i] : g[i + 1];
        if (g[i] > before || g[i] > after) continue;
        const Real low = i == 0 ? t[i] : t[i - 1];
        const Real high = i + 1 == t.size() ? t[i] : t[i + 1];
        if (low == high) continue;
        const Real slope = std::max(Real(before - g[i]), Real(after - g[i]));
        if (g[i] > best.gap + 2 * slope) continue;
        const Least found = golden(r, low, high, 45, false);
        if (found.gap < best.gap) best = found;
    }
    // Long double decides what is further than this from d.
    if (abs(best.gap - d) > Real(1e-16) * (r.size() + d)) return best;
    const Real width = (to - from) / 4096 / 1024;
    const Real low = std::max(from, Real(best.t - width));
    const Real high = std::min(to, Real(best.t + width));
    Least fine = golden(r, low, high, exact_steps, true);
    for (const Real& end : {low, high, best.t}) {
        const Real at_end = r.gap(end, true);
        if (at_end < fine.gap) fine = {end, at_end};
    }
    return fine;
}

struct Tally {
    int contact = 0;
    int separated = 0;
    int unresolved = 0;
    void print() const {
        std::printf("contact %d separated %d unresolved %d\n", contact, separated, unresolved);
    }
};

std::string hex(const Pose& p) {
    char text[400];
    std::snprintf(text, sizeof text, "{{%a,%a,%a,%a},{%a,%a,%a}}", p.rotation.w, p.rotation.x,
                  p.rotation.y, p.rotation.z, p.translation.x, p.translation.y, p.translation.z);
    return text;
}

std::string text_of(const Polyhedron& body) {
    std::string result;
    for (const Vec3& p : body.positions()) {
        char text[100];
        std::snprintf(text, sizeof text, "{%a,%a,%a},", p.x, p.y, p.z);
        result += text;
    }
    return result;
}

// Everything that a result claims.
void judge(const RigidBody& a, const RigidBody& b, const PairStep& step,
           const ImpactOptions& options, Tally& tally) {
    const ImpactResult result = first_impact(a, b, step, options);
    const Reference reference(a.surface(), b.surface(), step);
    const Real d = options.min_separation;
    const Real tiny = Real(1e-25) * reference.size();
    const auto explain = [&] {
        char text[300];
        std::snprintf(text, sizeof text,
                      "verdict %d lower %.17g upper %.17g start %d checks %llu d %a width %a t_max "
                      "%a budget %llu\n",
                      static_cast<int>(result.verdict), result.toi_lower, result.toi_upper,
                      static_cast<int>(result.start),
                      static_cast<unsigned long long>(result.checks), options.min_separation,
                      options.time_width, options.t_max,
                      static_cast<unsigned long long>(options.max_checks));
        return std::string(text) + "A " + hex(step.a.start) + " -> " + hex(step.a.end) + "\nB " +
               hex(step.b.start) + " -> " + hex(step.b.end) + "\nA's points " +
               text_of(a.surface()) + "\nB's points " + text_of(b.surface());
    };
    const double free_until = std::min(result.toi_lower, options.t_max);
    if (result.verdict == Verdict::Separated) {
        ++tally.separated;
        EXPECT_EQ(result.toi_lower, kInfinity);
        EXPECT_EQ(result.toi_upper, kInfinity);
    }
    if (result.toi_lower > 0.0) {
        const Least least = least_gap(reference, Real(0), Real(free_until), d, 64, 60);
        EXPECT_TRUE(least.gap > d + tiny) << "not free at " << static_cast<double>(least.t)
                                          << " by " << static_cast<double>(least.gap - d) << "\n"
                                          << explain();
        EXPECT_NE(result.start, StartState::Contact) << explain();
    }
    if (result.verdict == Verdict::Unresolved) ++tally.unresolved;
    if (result.verdict != Verdict::Contact) return;
    ++tally.contact;
    EXPECT_LE(result.toi_lower, result.toi_upper) << explain();
    EXPECT_LE(result.toi_upper, options.t_max) << explain();
    if (reference.gap(Real(result.toi_upper), true) <= d) return;
    // Passed through before; somewhere in the bracket they meet.
    const double from = std::max(0.0, 2.0 * result.toi_lower - result.toi_upper);
    // (Looked for a bracket's width before toi_lower too: contact there is judged above.)
    const Least least = least_gap(reference, Real(from), Real(result.toi_upper), d, 32, 250);
    EXPECT_TRUE(least.gap <= d + Real(1e-40) * reference.size())
        << "no contact at or before toi_upper: " << static_cast<double>(least.gap - d) << "\n"
        << explain();
}

// ---- bodies ----

RigidBody make(std::vector<Vec3> points, const std::vector<std::uint32_t>& counts,
               const std::vector<std::uint32_t>& corners) {
    auto body = Polyhedron::build(std::move(points), counts, corners);
    if (!body) ADD_FAILURE() << body.error().message;
    return RigidBody(std::move(body).value());
}
RigidBody box(const Vec3& half, const Vec3& centre = {}) {
    std::vector<Vec3> p;
    for (unsigned i = 0; i < 8; ++i) {
        p.push_back(centre + Vec3{(i & 1U) != 0 ? half.x : -half.x,
                                  (i & 2U) != 0 ? half.y : -half.y,
                                  (i & 4U) != 0 ? half.z : -half.z});
    }
    return make(p, {4, 4, 4, 4, 4, 4},
                {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5});
}
RigidBody tetrahedron(const std::array<Vec3, 4>& p) {
    return make({p.begin(), p.end()}, {3, 3, 3, 3}, {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2});
}
RigidBody triangle(const std::array<Vec3, 3>& p) {
    return make({p.begin(), p.end()}, {3}, {0, 1, 2});
}

class Dice {
public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    double power(double low, double high) { return std::pow(10.0, uniform(low, high)); }
    std::size_t index(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine_);
    }
    int pick(int count) { return static_cast<int>(index(static_cast<std::size_t>(count))); }
    Vec3 vector() {
        std::normal_distribution<double> n;
        return {n(engine_), n(engine_), n(engine_)};
    }
    Quaternion rotation() {
        const Vec3 v = vector();
        const Vec3 w = vector();
        return normalised({v.x, v.y, v.z, w.x});
    }
    // Sizes about s.
    RigidBody body(double s) {
        switch (pick(7)) {
            case 0:
                return box({s, s, s});
            case 1:
                return box({s, 1e-4 * s, s});  // plate
            case 2:
                return box({s, 1e-3 * s, 1e-3 * s});  // needle
            case 3:
                return triangle({s * vector(), s * vector(), s * vector()});
            case 4: {  // sliver
                const Vec3 p = s * vector();
                const Vec3 q = s * vector();
                const Vec3 between = p + uniform(0.1, 0.9) * (q - p);
                return triangle({p, q, between + power(-16.0, -6.0) * s * vector()});
            }
            case 5: {  // no area at all
                const Vec3 p = s * vector();
                const Vec3 q = s * vector();
                return triangle({p, q, p});
            }
            default:
                return tetrahedron({s * vector(), s * vector(), s * vector(), s * vector()});
        }
    }

private:
    std::mt19937_64 engine_;
};

// The turn by `angle` about `axis`, then the shift, after `start`.
Pose after(const Pose& start, const Vec3& axis, double angle, const Vec3& shift) {
    return compose({rotation_about(axis, angle), shift}, start);
}
Quaternion stretched(const Quaternion& q, double s) {
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}

// Fewer where every step is watched.
int rounds(int count) {
    const char* text = std::getenv("GRAZE_ATTACK_FACTOR");
    const int factor = text == nullptr ? 1 : std::max(1, std::atoi(text));
#if defined(GRAZE_SANITIZE_ADDRESS)
    return std::max(count * factor / 4, 15);
#else
    return count * factor;
#endif
}

double angle_of(Dice& dice) {
    constexpr double pi = 3.14159265358979323846;
    switch (dice.pick(6)) {
        case 0:
            return 0.0;
        case 1:
            return dice.power(-18.0, -3.0);
        case 2:
            return pi - dice.power(-18.0, -3.0);
        case 3:
            return pi + dice.power(-18.0, -3.0);
        case 4:
            return pi;
        default:
            return dice.uniform(0.0, 3.0);
    }
}

ImpactOptions options_of(Dice& dice, double size) {
    ImpactOptions options;
    if (dice.pick(3) == 0) options.min_separation = size * dice.power(-12.0, 1.0);
    if (dice.pick(3) == 0) options.time_width = dice.power(-15.0, 0.0);
    if (dice.pick(4) == 0) options.max_checks = std::array{1U, 10U, 100U, 1000U}[dice.index(4)];
    if (dice.pick(4) == 0)
        options.t_max = std::array{0.0, 5e-324, 1e-300, 0.3, 0.999}[dice.index(5)];
    options.max_checks = std::min<std::uint64_t>(options.max_checks, 200'000);
    return options;
}

// Squared lengths of 1/4, 4, and off by a rounding; and the other sign.
void stretch(Dice& dice, PairStep& step) {
    for (Pose* p : {&step.a.start, &step.a.end, &step.b.start, &step.b.end}) {
        const double s = std::array{1.0, 1.0, -1.0, 0.5, 2.0, 1.0 + 4e-7}[dice.index(6)];
        p->rotation = stretched(p->rotation, s);
    }
}

// A step of B, with B's parts in the world at time t, in double: to aim with.
struct Aim {
    ScrewMotion screw;
    Pose start;
    [[nodiscard]] Vec3 place(const Vec3& p, double t) const {
        return screw.position(apply(start, p), t);
    }
    [[nodiscard]] Vec3 velocity(const Vec3& p, double t) const {
        return screw.velocity(place(p, t));
    }
    [[nodiscard]] Vec3 acceleration(const Vec3& p, double t) const {
        return cross(screw.angular, velocity(p, t));
    }
};
Aim aim_of(const BodyStep& b) {
    return {relative_screw({{}, b}), b.start};
}
Vec3 point_of(Dice& dice, const Polyhedron& body) {
    const auto& t = body.triangles()[dice.index(body.triangles().size())];
    const auto at = [&](std::size_t i) { return body.positions()[t[i]]; };
    const double u = std::array{0.0, 1.0, 0.5, 0.3}[dice.index(4)];
    const double v = std::array{0.0, 0.0, 0.25}[dice.index(3)] * (1.0 - u);
    return at(0) + u * (at(1) - at(0)) + v * (at(2) - at(0));
}
double offset_of(Dice& dice, double size) {
    const double sign = dice.pick(2) == 0 ? 1.0 : -1.0;
    return dice.pick(5) == 0 ? 0.0 : sign * size * dice.power(-17.0, -1.0);
}
BodyStep motion_of(Dice& dice, double size) {
    BodyStep b{{dice.rotation(), size * dice.vector()}, {}};
    const Vec3 shift = std::array{0.0, 1.0, 1.0, 1e-3, 30.0}[dice.index(5)] * size * dice.vector();
    const Vec3 axis = dice.pick(4) == 0 ? shift + Vec3{0.0, 1e-300, 0.0} : dice.vector();
    b.end = after(b.start, axis, angle_of(dice), {});
    b.end.translation = (dice.pick(3) == 0 ? b.start.translation : b.end.translation) + shift;
    return b;
}
void move_all(PairStep& step, const Vec3& shift) {
    for (Pose* p : {&step.a.start, &step.a.end, &step.b.start, &step.b.end})
        p->translation = p->translation + shift;
}

void attack_meetings(Dice& dice, Tally& tally) {
    const double size = dice.pick(2) == 0 ? 1.0 : dice.power(-6.0, 6.0);
    const double other = dice.pick(3) == 0 ? size * dice.power(-4.0, 4.0) : size;
    const double large = std::max(size, other);
    const RigidBody a = dice.body(size);
    const RigidBody b = dice.body(other);
    PairStep step;
    step.b = motion_of(dice, large);
    const double t =
        std::array{0.0, 1.0, dice.uniform(0.0, 1.0), dice.power(-12.0, 0.0)}[dice.index(4)];
    const Vec3 meet = aim_of(step.b).place(point_of(dice, b.surface()), t);
    const Quaternion turn = dice.rotation();
    const Vec3 own = rotate(turn, point_of(dice, a.surface()));
    step.a.start = {turn, meet - own + offset_of(dice, large) * dice.vector()};
    step.a.end = step.a.start;
    if (dice.pick(2) == 0) move_all(step, large * dice.power(0.0, 9.0) * dice.vector());
    stretch(dice, step);
    judge(a, b, step, options_of(dice, large), tally);
}

TEST(ScrewImpactAttack, BodiesThatNearlyMeetSomewhereOnTheWay) {
    Dice dice(1);
    Tally tally;
    for (int i = 0; i < rounds(80) && !::testing::Test::HasFailure(); ++i)
        attack_meetings(dice, tally);
    tally.print();
    EXPECT_GT(tally.contact, 0);
    EXPECT_GT(tally.separated, 0);
}

// B's lowest vertex comes down to a face of a box, and goes up again: a double root in time.
bool attack_graze(Dice& dice, Tally& tally) {
    const double size = dice.pick(2) == 0 ? 1.0 : dice.power(-3.0, 3.0);
    const RigidBody b = dice.body(size);
    PairStep step;
    step.b = {{dice.rotation(), size * dice.vector()}, {}};
    step.b.end = after(step.b.start, dice.vector(), dice.uniform(0.01, 3.1), size * dice.vector());
    const Aim aim = aim_of(step.b);
    const double t = dice.uniform(0.1, 0.9);
    const auto points = b.surface().positions();
    for (const Vec3& p : points) {
        const Vec3 v = aim.velocity(p, t);
        const Vec3 acc = aim.acceleration(p, t);
        Vec3 n = acc - (dot(acc, v) / norm_sq(v)) * v;
        n = (1.0 / norm(n)) * n;
        const Vec3 at = aim.place(p, t);
        const bool lowest = std::all_of(points.begin(), points.end(), [&](const Vec3& q) {
            return dot(aim.place(q, t) - at, n) >= 0.0;
        });
        if (!lowest) continue;
        // The turn from z to n.
        const Vec3 z{0.0, 0.0, 1.0};
        const Vec3 axis = cross(z, n);
        const Quaternion turn = normalised({1.0 + dot(z, n), axis.x, axis.y, axis.z});
        const double wide = dice.pick(2) == 0 ? 1e-2 : 1.0;
        const RigidBody a = box({wide * size, wide * size, size});
        const Vec3 top = rotate(turn, {0.3 * wide * size, 0.2 * wide * size, size});
        step.a.start = {turn, at - top - offset_of(dice, size) * n};
        step.a.end = step.a.start;
        if (dice.pick(2) == 0) move_all(step, size * dice.power(0.0, 8.0) * dice.vector());
        stretch(dice, step);
        ImpactOptions options;
        options.max_checks = 200'000;
        if (dice.pick(4) == 0) options.min_separation = size * dice.power(-12.0, -1.0);
        judge(a, b, step, options, tally);
        return true;
    }
    return false;
}

TEST(ScrewImpactAttack, CornersThatComeDownToAFaceAndTurnBack) {
    Dice dice(2);
    Tally tally;
    for (int i = 0; i < rounds(60) && !::testing::Test::HasFailure(); ++i)
        (void)attack_graze(dice, tally);
    tally.print();
    EXPECT_GT(tally.contact, 0);
    EXPECT_GT(tally.separated, 0);
}

// Two boxes, axis by axis: faces and edges that are parallel and meet flat.
void attack_flat(Dice& dice, Tally& tally) {
    const double s = std::array{1.0, 0.1, 3.0, 1e-5, 1e5}[dice.index(5)];
    const Vec3 half{s, s * std::array{1.0, 0.5, 1e-4}[dice.index(3)], s};
    const RigidBody a = box(half);
    const RigidBody b = box(half);
    const Quaternion turn = dice.pick(2) == 0 ? Quaternion{} : dice.rotation();
    // In the frame of the boxes: B above A, shifted sideways or in line with it.
    const Vec3 side = std::array{Vec3{}, Vec3{0.25 * s, 0.0, 0.0}, Vec3{2.0 * s, 0.0, 0.0},
                                 Vec3{0.5 * s, 0.0, -0.5 * s}}[dice.index(4)];
    const double touch = 2.0 * half.y;
    const double near = offset_of(dice, s);
    const double from = std::array{touch, touch + near, touch + s, touch + 4.0 * s}[dice.index(4)];
    const double to = std::array{touch, touch + near, touch - s, touch + s}[dice.index(4)];
    PairStep step;
    step.a = {{turn, {}}, {turn, {}}};
    step.b.start = {turn, rotate(turn, side + Vec3{0.0, from, 0.0})};
    step.b.end = {turn, rotate(turn, side + Vec3{0.0, to, 0.0})};
    if (dice.pick(2) == 0) {  // a hinge: about the edge at (-s, half.y, z), if it is one of B's too
        const double angle = angle_of(dice);
        const Vec3 hinge = rotate(turn, {-s, half.y, 0.0});
        const Quaternion open = rotation_about(rotate(turn, {0.0, 0.0, 1.0}), angle);
        step.b.end.rotation = compose({open, {}}, {step.b.start.rotation, {}}).rotation;
        step.b.end.translation = rotate(open, step.b.start.translation - hinge) + hinge;
    }
    if (dice.pick(3) == 0) std::swap(step.b.start, step.b.end);
    if (dice.pick(2) == 0) move_all(step, s * dice.power(0.0, 9.0) * dice.vector());
    stretch(dice, step);
    judge(a, b, step, options_of(dice, s), tally);
}

TEST(ScrewImpactAttack, FacesAndEdgesThatMeetFlat) {
    Dice dice(3);
    Tally tally;
    for (int i = 0; i < rounds(25) && !::testing::Test::HasFailure(); ++i)
        attack_flat(dice, tally);
    tally.print();
    EXPECT_GT(tally.contact, 0);
    EXPECT_GT(tally.separated, 0);
}

// ---- all crossings ----

using Place = V<long double>;

// A vertex and a face, or two edges: the signed volume, and how far inside the features it is that
// they cross (below 0: beside them), as a share of their sizes.
struct Pass {
    long double volume;
    long double inside;
};
Pass pass_of(const Place& p, const std::vector<Place>& face) {
    const Place n = cross(face[1] - face[0], face[2] - face[0]);
    long double inside = 1.0L;
    for (std::size_t i = 0; i < face.size(); ++i) {
        const Place side = face[(i + 1) % face.size()] - face[i];
        inside = std::min(inside, dot(cross(side, p - face[i]), n) / dot(n, n));
    }
    return {dot(p - face[0], n), inside};
}
Pass pass_of(const Place& p, const Place& p2, const Place& q, const Place& q2) {
    const Place d = p2 - p;
    const Place e = q2 - q;
    const Place n = cross(d, e);
    const long double nn = dot(n, n);
    const long double s = dot(cross(q - p, e), n) / nn;
    const long double t = dot(cross(q - p, d), n) / nn;
    return {dot(q - p, n), std::min({s, 1.0L - s, t, 1.0L - t})};
}

struct Feature {
    ContactType type;
    std::uint32_t a;
    std::uint32_t b;
};
class Passes {
public:
    Passes(const RigidBody& a, const RigidBody& b, const PairStep& step)
        : a_(a.surface()), b_(b.surface()), reference_(a_, b_, step) {}

    [[nodiscard]] std::vector<Feature> features() const {
        std::vector<Feature> result;
        const auto add = [&](ContactType type, std::size_t m, std::size_t n) {
            for (std::uint32_t i = 0; i < m; ++i) {
                for (std::uint32_t j = 0; j < n; ++j)
                    result.push_back({type, i, j});
            }
        };
        add(ContactType::VertexFace, a_.positions().size(), b_.face_count());
        add(ContactType::FaceVertex, a_.face_count(), b_.positions().size());
        add(ContactType::EdgeEdge, a_.edges().size(), b_.edges().size());
        return result;
    }
    [[nodiscard]] Pass at(const Feature& f, long double t) const {
        return at(f, reference_.places_b(t));
    }
    [[nodiscard]] Pass at(const Feature& f, const std::vector<Place>& b) const {
        const std::vector<Place>& a = reference_.places_a();
        switch (f.type) {
            case ContactType::VertexFace:
                return pass_of(a[f.a], corners(b_, f.b, b));
            case ContactType::FaceVertex:
                return pass_of(b[f.b], corners(a_, f.a, a));
            default: {
                const PolyhedronEdge& e = a_.edges()[f.a];
                const PolyhedronEdge& g = b_.edges()[f.b];
                return pass_of(a[e.from], a[e.to], b[g.from], b[g.to]);
            }
        }
    }
    [[nodiscard]] const Reference& reference() const { return reference_; }

private:
    static std::vector<Place> corners(const Polyhedron& body, std::uint32_t face,
                                      const std::vector<Place>& places) {
        std::vector<Place> result;
        for (const std::uint32_t v : body.face(face))
            result.push_back(places[v]);
        return result;
    }

    const Polyhedron& a_;
    const Polyhedron& b_;
    Reference reference_;
};

// Every change of sign between samples is a crossing that must have been told, in its bracket; and
// every bracket told has a change of sign.
void judge_all(const RigidBody& a, const RigidBody& b, const PairStep& step, int samples,
               int& complete, int& events) {
    ImpactOptions options;
    options.max_checks = 2'000'000;
    const AllImpacts told = all_impacts(a, b, step, options, -2.0);
    const Passes passes(a, b, step);
    const std::vector<Feature> features = passes.features();
    const auto is = [](const Contact& c, const Feature& f) {
        return c.type == f.type && c.a == f.a && c.b == f.b;
    };
    for (const Contact& c : told.collisions) {
        const Feature f{c.type, c.a, c.b};
        const Pass first = passes.at(f, c.time_lower);
        const Pass last = passes.at(f, c.time_upper);
        EXPECT_LT(first.volume * last.volume, 0.0L) << hex(step.b.start) << hex(step.b.end);
        EXPECT_GT(first.inside, -1e-6L) << hex(step.b.start) << hex(step.b.end);
    }
    if (!told.complete) return;
    ++complete;
    std::vector<std::vector<Place>> places;
    for (int i = 0; i <= samples; ++i)
        places.push_back(passes.reference().places_b(static_cast<long double>(i) / samples));
    for (const Feature& f : features) {
        Pass before = passes.at(f, places[0]);
        for (std::size_t i = 1; i < places.size(); ++i) {
            const Pass after = passes.at(f, places[i]);
            const bool changes = before.volume * after.volume < 0.0L;
            const Pass first = std::exchange(before, after);
            if (!changes) continue;
            long double low = static_cast<long double>(i - 1) / samples;
            long double high = static_cast<long double>(i) / samples;
            for (int k = 0; k < 50; ++k) {
                const long double t = (low + high) / 2;
                (passes.at(f, t).volume * first.volume > 0.0L ? low : high) = t;
            }
            if (!(passes.at(f, low).inside > 1e-9L)) continue;
            ++events;
            const bool is_told =
                std::any_of(told.collisions.begin(), told.collisions.end(), [&](const Contact& c) {
                    return is(c, f) && c.time_lower <= high && low <= c.time_upper;
                });
            EXPECT_TRUE(is_told) << short_name(f.type) << " " << f.a << " " << f.b << " at "
                                 << static_cast<double>(low) << "\nA " << hex(step.a.start)
                                 << "\nB " << hex(step.b.start) << " -> " << hex(step.b.end)
                                 << "\nA's points " << text_of(a.surface()) << "\nB's points "
                                 << text_of(b.surface());
        }
    }
}

TEST(ScrewImpactAttack, NoCrossingIsLeftOutOfAllImpacts) {
    Dice dice(4);
    int complete = 0;
    int events = 0;
    for (int i = 0; i < rounds(40) && !::testing::Test::HasFailure(); ++i) {
        const double size = dice.pick(2) == 0 ? 1.0 : dice.power(-4.0, 4.0);
        const auto body = [&] {
            if (dice.pick(3) == 0) return box({size, 0.7 * size, 0.4 * size});
            if (dice.pick(2) == 0)
                return triangle({size * dice.vector(), size * dice.vector(), size * dice.vector()});
            return tetrahedron({size * dice.vector(), size * dice.vector(), size * dice.vector(),
                                size * dice.vector()});
        };
        const RigidBody a = body();
        const RigidBody b = body();
        PairStep step;
        step.a.start = step.a.end = {dice.rotation(), 0.5 * size * dice.vector()};
        step.b = motion_of(dice, size);
        if (dice.pick(2) == 0) move_all(step, size * dice.power(0.0, 8.0) * dice.vector());
        stretch(dice, step);
        judge_all(a, b, step, 150, complete, events);
    }
    std::printf("complete %d events %d\n", complete, events);
    EXPECT_GT(complete, 0);
    EXPECT_GT(events, 0);
}

// ---- the start, and places in the world ----

// A box that holds B, or has it beside or across: by the corners of B alone, in long double.
TEST(ScrewImpactAttack, StartsAreWhatTheCornersSay) {
    Dice dice(5);
    std::array<int, 5> seen{};
    for (int i = 0; i < rounds(300) && !::testing::Test::HasFailure(); ++i) {
        const double size = dice.power(-4.0, 4.0);
        const RigidBody a = box({size, size, size});
        const double small = size * dice.power(-2.0, 0.0);
        const RigidBody b = tetrahedron({small * dice.vector(), small * dice.vector(),
                                         small * dice.vector(), small * dice.vector()});
        PairStep step;
        step.a.start = step.a.end = {dice.rotation(), {}};
        step.b = motion_of(dice, 0.5 * size);
        // With a corner of B in a face of A, within rounding, or not.
        if (dice.pick(2) == 0) {
            const Vec3 corner = rotate(step.b.start.rotation, b.surface().positions()[0]);
            const Vec3 face = rotate(step.a.start.rotation, {0.1 * size, size, 0.2 * size});
            const Vec3 off = offset_of(dice, size) * rotate(step.a.start.rotation, {0.0, 1.0, 0.0});
            step.b.end.translation = step.b.end.translation + face + off - corner;
            step.b.start.translation = face + off - corner;
        }
        if (dice.pick(2) == 0) move_all(step, size * dice.power(0.0, 9.0) * dice.vector());
        stretch(dice, step);
        const Reference reference(a.surface(), b.surface(), step);
        const Real gap = reference.gap(Real(0), true);
        const bool touching = gap < Real(1e-60) * size;
        // A's first corner is the lowest of all.
        const auto at = reference.places_b(0.0L)[0] - V<long double>{size, size, size};
        const long double reach = std::max({std::fabs(at.x), std::fabs(at.y), std::fabs(at.z)});
        const StartState expected = touching       ? StartState::Contact
                                    : reach < size ? StartState::BInsideA
                                                   : StartState::Separated;
        const StartState told = start_state(a.surface(), step.a.start, b.surface(), step.b.start);
        EXPECT_EQ(told, expected) << static_cast<double>(gap) << hex(step.a.start)
                                  << hex(step.b.start) << text_of(b.surface());
        const ImpactResult result = first_impact(a, b, step);
        const bool apart = result.toi_lower > 0.0;
        EXPECT_TRUE(result.start == expected || (!apart && result.start == StartState::Unresolved))
            << static_cast<int>(result.start) << " " << static_cast<int>(expected);
        ++seen[static_cast<std::size_t>(told)];
    }
    std::printf("apart %d touching %d inside %d\n", seen[0], seen[1], seen[3]);
    EXPECT_GT(seen[0], 0);
    EXPECT_GT(seen[1], 0);
    EXPECT_GT(seen[3], 0);
}

// The place of a crossing is as far from A's corners in the world as in A's frame, at its time.
TEST(ScrewImpactAttack, PlacesInTheWorldGoWithA) {
    Dice dice(6);
    int count = 0;
    const RigidBody origin = triangle({Vec3{}, Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}});
    for (int i = 0; i < rounds(60) && !::testing::Test::HasFailure(); ++i) {
        const RigidBody a =
            tetrahedron({dice.vector(), dice.vector(), dice.vector(), dice.vector()});
        const RigidBody b =
            tetrahedron({dice.vector(), dice.vector(), dice.vector(), dice.vector()});
        PairStep step{motion_of(dice, 1.0), motion_of(dice, 1.0)};
        stretch(dice, step);
        const Reference in_world(origin.surface(), a.surface(), {{}, step.a});
        for (const Contact& c : all_impacts(a, b, step, {}, -2.0).collisions) {
            const Contact there = to_world(c, step);
            const auto corners = in_world.places_b(c.time);
            const auto at = widened<long double>(there.point);
            const long double scale = 1.0L + length(at);
            for (std::size_t k = 0; k < 4; ++k) {
                const auto local = widened<long double>(c.point) -
                                   widened<long double>(a.surface().positions()[k]);
                EXPECT_NEAR(static_cast<double>(length(at - corners[k]) - length(local)), 0.0,
                            static_cast<double>(1e-14L * scale))
                    << hex(step.a.start) << hex(step.a.end) << c.time;
            }
            EXPECT_NEAR(norm(there.normal), 1.0, 1e-14);
            ++count;
        }
    }
    EXPECT_GT(count, 20);
}

// Within rounding of half a turn: all motions of a step go the way that the exact sign says.
TEST(ScrewImpactAttack, NearlyHalfATurnGoesTheSameWayForAll) {
    Dice dice(7);
    const RigidBody body = box({1.0, 0.5, 0.25}, {0.3, 0.2, 0.1});
    const RigidBody origin = triangle({Vec3{}, Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}});
    for (int i = 0; i < rounds(300) && !::testing::Test::HasFailure(); ++i) {
        PairStep step;
        step.a.start.rotation = dice.rotation();
        step.b.start.rotation = dice.rotation();
        step.a.end = dice.pick(2) == 0 ? step.a.start : Pose{dice.rotation(), {}};
        // B's end: half a turn from where A's motion takes it, within rounding.
        const Quaternion carried =
            compose(compose(step.a.end, inverse(step.a.start)), step.b.start).rotation;
        step.b.end = after({carried, {}}, dice.vector(), 3.14159265358979323846, dice.vector());
        stretch(dice, step);
        const auto corners = body.surface().positions();
        const Reference relative(origin.surface(), body.surface(), step);
        const Reference own(origin.surface(), body.surface(), {{}, step.b});
        const PairStep alone{step.b, {}};
        for (const double t : {0.25, 0.75}) {
            const Pose a = world_pose_a(step, t);
            const Pose seen = compose(inverse(a), world_pose_b(step, t));
            const Pose b = world_pose_a(alone, t);
            for (std::size_t k = 0; k < corners.size(); ++k) {
                const auto off = [&](const Pose& pose, const Reference& reference) {
                    const auto at = widened<long double>(apply(pose, corners[k]));
                    return static_cast<double>(length(at - reference.places_b(t)[k]));
                };
                EXPECT_LT(off(seen, relative), 1e-13) << hex(step.b.start) << hex(step.b.end);
                EXPECT_LT(off(b, own), 1e-13) << hex(step.b.start) << hex(step.b.end);
            }
        }
    }
}

// ---- single motions that once had no answer ----

// Sides in common planes: no edge pierces the inside of a face, however deep the contact goes.
TEST(ScrewImpactAttack, DeepContactOfBodiesWithSidesInCommonPlanesIsProved) {
    const RigidBody cube = box({0.5, 0.5, 0.5});
    PairStep step;
    step.b = {{{0.0, 0.0, -1.0, 0.0}, {0.0, -1.75, 1.75}},
              {{0.0, 0.0, 0.0, 1.0}, {0.0, -1.75, -1.75}}};
    const ImpactResult half_turn = first_impact(cube, cube, step);
    EXPECT_EQ(half_turn.verdict, Verdict::Contact);
    EXPECT_NEAR(half_turn.toi_lower, 0.257762116818, 1e-9);
    EXPECT_LT(half_turn.toi_upper - half_turn.toi_lower, 1e-8);
    // A wedge that comes down edge first between the same two planes.
    const Quaternion tilt = rotation_about({1.0, 0.0, 0.0}, 0.6);
    step.b = {{tilt, {0.0, 3.0, 0.1}}, {tilt, {0.0, 0.0, 0.1}}};
    const ImpactResult wedge = first_impact(cube, cube, step);
    EXPECT_EQ(wedge.verdict, Verdict::Contact);
    EXPECT_LT(wedge.toi_upper - wedge.toi_lower, 1e-8);
}

TEST(ScrewImpactAttack, AStartWithinTheSeparationTellsHowTheBodiesLie) {
    const RigidBody outer = box({1.0, 1.0, 1.0});
    const RigidBody inner = box({0.5, 0.5, 0.5});
    ImpactOptions options;
    options.min_separation = 2.0;
    const auto start_at = [&](const Vec3& p) {
        PairStep step;
        step.b.start.translation = step.b.end.translation = p;
        const ImpactResult result = first_impact(outer, inner, step, options);
        EXPECT_EQ(result.verdict, Verdict::Contact);
        EXPECT_EQ(result.toi_upper, 0.0);
        return result.start;
    };
    EXPECT_EQ(start_at({0.125, 0.0, 0.0}), StartState::BInsideA);
    EXPECT_EQ(start_at({0.5, 0.0, 0.0}), StartState::Contact);
    EXPECT_EQ(start_at({2.0, 0.0, 0.0}), StartState::Separated);
}

// A gap below every rounding, and only the start asked for: exact arithmetic has the answer.
TEST(ScrewImpactAttack, TheStartAloneIsDecidedExactly) {
    const RigidBody cube = box({0.5, 0.5, 0.5});
    ImpactOptions options;
    options.t_max = 0.0;
    const auto verdict_at = [&](double height) {
        PairStep step;
        step.b.start.translation = step.b.end.translation = {0.25, height, 0.125};
        return first_impact(cube, cube, step, options).verdict;
    };
    EXPECT_EQ(verdict_at(std::nextafter(1.0, 2.0)), Verdict::Separated);
    EXPECT_EQ(verdict_at(1.0), Verdict::Contact);
    EXPECT_EQ(verdict_at(std::nextafter(1.0, 0.0)), Verdict::Contact);
}

// Slivers that all cross each other: every pair of faces is in doubt, and the budget is small.
TEST(ScrewImpactAttack, ABudgetHoldsWhereAllFacesAreInDoubt) {
    const auto star = [](double top) {
        std::vector<Vec3> points;
        std::vector<std::uint32_t> counts;
        std::vector<std::uint32_t> corners;
        for (int i = 0; i < 300; ++i) {
            const double f = 0.01 * i;
            const Vec3 d{std::cos(f), std::sin(f), 0.3 * std::sin(3.0 * f)};
            for (const Vec3& p : {-d, d, Vec3{top, 0.0, 0.01}}) {
                corners.push_back(static_cast<std::uint32_t>(points.size()));
                points.push_back(p);
            }
            counts.push_back(3);
        }
        return make(points, counts, corners);
    };
    const RigidBody a = star(0.0);
    const RigidBody b = star(0.001);
    PairStep step;
    step.b.start.translation = {0.0, 0.0, -0.1};
    step.b.end.translation = {0.0, 0.0, 0.1};
    ImpactOptions options;
    options.max_checks = 1000;
    const AllImpacts all = all_impacts(a, b, step, options);
    EXPECT_FALSE(all.complete);
    EXPECT_LE(all.checks, 2000U);
    EXPECT_LE(first_impact(a, b, step, options).checks, 2000U);
}

}  // namespace
}  // namespace graze::rigid
