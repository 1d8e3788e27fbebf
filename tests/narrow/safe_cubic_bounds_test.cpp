// The constants of `safe-cubic`, each measured against exact arithmetic where it is nearest to
// failing. Prints the worst ratio of what was found to what is proved; none may exceed 1.
//
// Exact values are those of the corners, so that the roundings of differences and velocities count.
// Ratios are small where many roundings add up: bounds take them all at their largest and of one
// sign, random ones are neither.
// Defends G-SAFE-3 (docs/GUARANTEES.md).
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "graze/narrow/certified.hpp"
#include "graze/verify/safe_cubic_families.hpp"
#include "narrow/safe_cubic/coplanar_test.hpp"

namespace graze::safe_cubic {
namespace {

using testing::Dice;
using Exact = Vec<mpq_class>;
using ExactMotion = LinearMotion<mpq_class>;

class WorstRatio {
public:
    explicit WorstRatio(std::string_view name) : name_(name) {}
    ~WorstRatio() { std::printf("%s: %.3f\n", std::string(name_).c_str(), worst_); }

    void add(const mpq_class& error, const mpq_class& bound) {
        const double ratio = mpq_class(abs(error) / bound).get_d();
        worst_ = std::max(worst_, ratio);
        ASSERT_LE(ratio, 1.0) << name_;
    }
    [[nodiscard]] double worst() const { return worst_; }

private:
    std::string_view name_;
    double worst_ = 0.0;
};

Exact exact(const Vec3& v) {
    return {v.x, v.y, v.z};
}

// Four corners with coordinates about as large as each other, so that B is reached by many; some
// far from the origin, so that differences round.
std::array<MovingPoint, 4> four_corners(Dice& dice) {
    const double far = dice.next() % 2 == 0 ? 0.0 : 3.0;
    std::array<MovingPoint, 4> corners;
    for (MovingPoint& corner : corners) {
        for (Vec3* p : {&corner.start, &corner.end}) {
            for (std::size_t k = 0; k < 3; ++k) {
                const double size = 0.5 - 0x1p-5 * dice.fraction();
                (*p)[k] = (dice.next() % 2 == 0 ? size : -size) + far;
            }
        }
    }
    return corners;
}

// One query with its exact twin, everything in units of the frame.
struct Twin {
    Frame frame;
    double b = 0.0;
    std::array<MovingPoint, 4> corners;

    explicit Twin(Dice& dice)
        : Twin(four_corners(dice), dice.next() % 2 == 0 ? 1.0 : dice.fraction()) {}
    Twin(const std::array<MovingPoint, 4>& four, double t_max) : corners(four) {
        const double positions = largest_difference(extent_of(corners));
        frame.scale = scale_for(positions);
        frame.t_max = t_max;
        std::array<Vector, 4> v{};
        for (std::size_t k = 1; k < 4; ++k)
            v[k] = seen(0, k).v;
        b = bound_from(positions * frame.scale, largest_range(v[0], v[1], v[2], v[3]));
    }
    [[nodiscard]] Moving seen(std::size_t from, std::size_t what) const {
        return seen_from(corners[from], corners[what], frame).path;
    }
    [[nodiscard]] ExactMotion exactly_seen(std::size_t from, std::size_t what) const {
        const mpq_class scale(frame.scale);
        const Exact start = scale * (exact(corners[what].start) - exact(corners[from].start));
        const Exact end = scale * (exact(corners[what].end) - exact(corners[from].end));
        return {start, mpq_class(frame.t_max) * (end - start)};
    }
    // k B^power eps.
    [[nodiscard]] mpq_class bound(double k, int power) const {
        mpq_class product(k * kEps);
        for (int i = 0; i < power; ++i)
            product *= mpq_class(b);
        return product;
    }
};

constexpr int kQueries = 3'000;

TEST(SafeCubicConstants, CoverTheErrorsOfTheCubicAndOfItsValues) {
    Dice dice(1);
    WorstRatio value("F, of 746");
    WorstRatio culled("F a little outside [0, 1]");
    for (int i = 0; i < kQueries; ++i) {
        const Twin twin(dice);
        const Cubic<double> f = coplanarity(twin.seen(1, 0), twin.seen(1, 2), twin.seen(1, 3));
        const Cubic<mpq_class> g =
            coplanarity(twin.exactly_seen(1, 0), twin.exactly_seen(1, 2), twin.exactly_seen(1, 3));
        for (const double t : {0.0, 1.0, dice.fraction()})
            value.add(mpq_class(f.at(t)) - g.at(t), twin.bound(kCubicError, 3));
        for (const double t : {-kLongestCull, 1.0 + kLongestCull}) {
            culled.add(mpq_class(f.at(t)) - g.at(t), twin.bound(kCullExcess - kSolverExcess, 3));
        }
    }
    EXPECT_GT(value.worst(), 0.001);
}

TEST(SafeCubicConstants, CoverTheErrorsOfNormalsSquaresAndWeights) {
    Dice dice(2);
    WorstRatio normals("N, of 13");
    WorstRatio squares("x . x, of 22");
    WorstRatio weights("weight, of 181");
    WorstRatio criteria("sum of weights against N . N, of 565");
    for (int i = 0; i < kQueries; ++i) {
        const Twin twin(dice);
        const double t = dice.next() % 4 == 0 ? 1.0 : dice.fraction();
        const Vector p = twin.seen(1, 0).at(t);
        const Vector q = twin.seen(1, 2).at(t);
        const Vector r = twin.seen(1, 3).at(t);
        const Exact ep = twin.exactly_seen(1, 0).at(t);
        const Exact eq = twin.exactly_seen(1, 2).at(t);
        const Exact er = twin.exactly_seen(1, 3).at(t);
        const Vector n = cross(q, r);
        const Exact en = cross(eq, er);
        normals.add(mpq_class(n.x) - en.x, twin.bound(kNormalError, 2));
        squares.add(mpq_class(dot(p, p)) - dot(ep, ep), twin.bound(kSquareError, 2));
        const double w = weight(n, p, r);
        const mpq_class ew = weight(en, ep, er);
        weights.add(mpq_class(w) - ew, twin.bound(kWeightError, 4));
        const double off = w + weight(n, q, p) - dot(n, n);
        const mpq_class eoff = ew + weight(en, eq, ep) - dot(en, en);
        criteria.add(mpq_class(off) - eoff, twin.bound(kFaceCriterionError, 4));
    }
    EXPECT_GT(normals.worst(), 0.05);
    EXPECT_GT(squares.worst(), 0.05);
    EXPECT_GT(weights.worst(), 0.005);
}

TEST(SafeCubicConstants, CoverTheErrorsOfTheCrossProductsInTheVertexEdgeTest) {
    Dice dice(3);
    WorstRatio a("a, of 10");
    WorstRatio b("b, of 16");
    WorstRatio c("c, of 4");
    for (int i = 0; i < kQueries; ++i) {
        const Twin twin(dice);
        const auto found = cross_quadratics(twin.seen(1, 0), twin.seen(1, 2));
        const auto exact_ones = cross_quadratics(twin.exactly_seen(1, 0), twin.exactly_seen(1, 2));
        a.add(mpq_class(found.a.y) - exact_ones.a.y, twin.bound(kCrossErrorA, 2));
        b.add(mpq_class(found.b.y) - exact_ones.b.y, twin.bound(kCrossErrorB, 2));
        c.add(mpq_class(found.c.y) - exact_ones.c.y, twin.bound(kCrossErrorC, 2));
    }
    EXPECT_GT(std::max({a.worst(), b.worst(), c.worst()}), 0.05);
}

// Heights over a plane whose normal is the computed one, taken as exact.
TEST(SafeCubicConstants, CoverTheErrorsOfPlaneCulling) {
    Dice dice(4);
    WorstRatio heights("n . (p - q + r), of 80");
    WorstRatio own_end("N . (q - r) at its own end, of 80");
    for (int i = 0; i < kQueries; ++i) {
        const Twin twin(dice);
        const Vector p = twin.seen(0, 2).x;
        const Vector q = twin.seen(0, 1).x;
        const Vector r = twin.seen(2, 3).x;
        const Vector n = cross(q, r);
        const Exact en = exact(n);
        const Exact ep = twin.exactly_seen(0, 2).x;
        const Exact eq = twin.exactly_seen(0, 1).x;
        const Exact er = twin.exactly_seen(2, 3).x;
        const double found = dot(n, p) - dot(n, q) + dot(n, r);
        heights.add(mpq_class(found) - (dot(en, ep) - dot(en, eq) + dot(en, er)),
                    twin.bound(kPlaneCulling, 3));
        own_end.add(mpq_class(dot(n, p)) - (dot(en, ep) - dot(en, eq) + dot(en, er)),
                    twin.bound(kPlaneCulling, 3));
    }
    EXPECT_GT(heights.worst(), 0.01);
}

// The least distance as a rational, where it is found inside the step: |x|^2 - (x . v)^2 / |v|^2.
TEST(SafeCubicConstants, CoverTheErrorOfTheVertexVertexTest) {
    Dice dice(5);
    WorstRatio ratios("squared distance, of 311");
    for (int i = 0; i < kQueries; ++i) {
        const Twin twin(dice);
        const Moving x = twin.seen(0, 1);
        const ExactMotion e = twin.exactly_seen(0, 1);
        mpq_class t = -dot(e.x, e.v) / dot(e.v, e.v);
        t = t < 0 ? mpq_class(0) : t > 1 ? mpq_class(1) : t;
        const Exact gap = e.at(t);
        const mpq_class least = dot(gap, gap);
        // The largest distance_sq that the test calls apart is below the exact one.
        const Tolerances tol{.b = twin.b};
        const double threshold = mpq_class(least).get_d();
        EXPECT_TRUE(vertices_meet(x, threshold * (1.0 + 4 * kEps), tol));
        EXPECT_FALSE(vertices_meet(x, threshold - 700.0 * kEps * tol.b2, tol));
        const Vector near = x.at(std::min(1.0, std::max(0.0, t.get_d())));
        ratios.add(mpq_class(dot(near, near)) - least, twin.bound(kVertexVertexError, 2));
    }
    EXPECT_GT(ratios.worst(), 0.0);
}

// --- the same, driven uphill ---------------------------------------------------------------------

// What is computed less what is exact, and the bound of that.
struct ErrorOfOne {
    mpq_class error;
    mpq_class bound;
};
using Measure = ErrorOfOne (*)(const Twin& twin, double t);

ErrorOfOne error_of_value(const Twin& twin, double t) {
    const Cubic<double> f = coplanarity(twin.seen(1, 0), twin.seen(1, 2), twin.seen(1, 3));
    const Cubic<mpq_class> g =
        coplanarity(twin.exactly_seen(1, 0), twin.exactly_seen(1, 2), twin.exactly_seen(1, 3));
    return {mpq_class(f.at(t)) - g.at(t), twin.bound(kCubicError, 3)};
}

// p, q, r and N = q x r at a time, computed and exact.
struct Spread {
    Vector p, q, r, n;
    Exact ep, eq, er, en;
    Spread(const Twin& twin, double t)
        : p(twin.seen(1, 0).at(t)),
          q(twin.seen(1, 2).at(t)),
          r(twin.seen(1, 3).at(t)),
          n(cross(q, r)),
          ep(twin.exactly_seen(1, 0).at(t)),
          eq(twin.exactly_seen(1, 2).at(t)),
          er(twin.exactly_seen(1, 3).at(t)),
          en(cross(eq, er)) {}
};
ErrorOfOne error_of_normal(const Twin& twin, double t) {
    const Spread s(twin, t);
    return {mpq_class(s.n.x) - s.en.x, twin.bound(kNormalError, 2)};
}
ErrorOfOne error_of_square(const Twin& twin, double t) {
    const Spread s(twin, t);
    return {mpq_class(dot(s.p, s.p)) - dot(s.ep, s.ep), twin.bound(kSquareError, 2)};
}
ErrorOfOne error_of_weight(const Twin& twin, double t) {
    const Spread s(twin, t);
    return {mpq_class(weight(s.n, s.p, s.r)) - weight(s.en, s.ep, s.er),
            twin.bound(kWeightError, 4)};
}
ErrorOfOne error_of_criterion(const Twin& twin, double t) {
    const Spread s(twin, t);
    const double off = weight(s.n, s.p, s.r) + weight(s.n, s.q, s.p) - dot(s.n, s.n);
    const mpq_class exact_off =
        weight(s.en, s.ep, s.er) + weight(s.en, s.eq, s.ep) - dot(s.en, s.en);
    return {mpq_class(off) - exact_off, twin.bound(kFaceCriterionError, 4)};
}
// The height test for the largest eta that its bound is for.
ErrorOfOne error_of_height(const Twin& twin, double t) {
    const Spread s(twin, t);
    const double side = s.r.x - s.q.x;
    const mpq_class b(twin.b);
    return {(mpq_class(twin.b * side) - s.n.x) - (b * (s.er.x - s.eq.x) - s.en.x),
            twin.bound(kHeightError, 2)};
}
template <int kCoefficient>
ErrorOfOne error_of_cross(const Twin& twin, double) {
    const auto found = cross_quadratics(twin.seen(1, 0), twin.seen(1, 2));
    const auto e = cross_quadratics(twin.exactly_seen(1, 0), twin.exactly_seen(1, 2));
    if (kCoefficient == 2) return {mpq_class(found.a.y) - e.a.y, twin.bound(kCrossErrorA, 2)};
    if (kCoefficient == 1) return {mpq_class(found.b.y) - e.b.y, twin.bound(kCrossErrorB, 2)};
    return {mpq_class(found.c.y) - e.c.y, twin.bound(kCrossErrorC, 2)};
}
ErrorOfOne error_of_plane(const Twin& twin, double) {
    const Vector p = twin.seen(0, 2).x;
    const Vector n = cross(twin.seen(0, 1).x, twin.seen(2, 3).x);
    const Exact en = exact(n);
    const mpq_class of_all = dot(en, twin.exactly_seen(0, 2).x) -
                             dot(en, twin.exactly_seen(0, 1).x) +
                             dot(en, twin.exactly_seen(2, 3).x);
    return {mpq_class(dot(n, p)) - of_all, twin.bound(kPlaneCulling, 3)};
}
// As in vertices_meet(), whose time is not told.
ErrorOfOne error_of_vertices(const Twin& twin, double) {
    const Moving x = twin.seen(0, 1);
    const ExactMotion e = twin.exactly_seen(0, 1);
    const mpq_class bound = twin.bound(kVertexVertexError, 2);
    if (!(dot(x.v, x.v) > 0.0) || dot(e.v, e.v) == 0) return {0, bound};
    mpq_class t = -dot(e.x, e.v) / dot(e.v, e.v);
    t = t < 0 ? mpq_class(0) : t > 1 ? mpq_class(1) : t;
    const double nearest = -dot(x.x, x.v) / dot(x.v, x.v);
    const Vector gap = x.at(smaller(larger(nearest, 0.0), 1.0));
    const Exact least = e.at(t);
    return {mpq_class(dot(gap, gap)) - dot(least, least), bound};
}

// One query, changed a little at a time: it is kept where the error is no smaller.
class Uphill {
public:
    Uphill(Dice& dice, Measure measure)
        : dice_(dice), measure_(measure), corners_(four_corners(dice)) {}

    [[nodiscard]] double climb(int steps) {
        double best = ratio();
        for (int i = 0; i < steps; ++i) {
            const Uphill before = *this;
            for (std::uint64_t changes = 1 + dice_.next() % 3; changes > 0; --changes)
                change();
            const double now = ratio();
            if (now >= best) {
                best = now;
            } else {
                corners_ = before.corners_;
                t_ = before.t_;
                t_max_ = before.t_max_;
            }
        }
        return best;
    }

private:
    [[nodiscard]] double ratio() const {
        const ErrorOfOne e = measure_(Twin(corners_, t_max_), t_);
        return mpq_class(abs(e.error) / e.bound).get_d();
    }
    void change() {
        const std::uint64_t what = dice_.next() % 28;
        if (what >= 26) {
            t_max_ = dice_.next() % 2 == 0 ? 1.0 : dice_.fraction();
        } else if (what >= 24) {
            t_ = dice_.next() % 4 == 0 ? 1.0 : dice_.fraction();
        } else {
            MovingPoint& corner = corners_[what / 6];
            double& x = (what % 6 < 3 ? corner.start : corner.end)[what % 3];
            // The last bits, all of them, or the side.
            const std::uint64_t how = dice_.next() % 4;
            if (how == 0) x = -x;
            if (how == 1)
                x = (dice_.next() % 2 == 0 ? 1.0 : -1.0) * (0.5 - 0x1p-6 * dice_.fraction());
            if (how >= 2) x += static_cast<double>(dice_.next() % 65) * 0x1p-53 - 0x1p-48;
        }
    }

    Dice& dice_;
    Measure measure_;
    std::array<MovingPoint, 4> corners_;
    double t_ = 1.0;
    double t_max_ = 1.0;
};

void drive_uphill(int climbs, int steps) {
    struct Named {
        const char* name;
        Measure measure;
    };
    const Named all[] = {{"F, of 746", &error_of_value},
                         {"N, of 13", &error_of_normal},
                         {"x . x, of 22", &error_of_square},
                         {"weight, of 181", &error_of_weight},
                         {"weights against N . N, of 565", &error_of_criterion},
                         {"height, of 21", &error_of_height},
                         {"a, of 10", &error_of_cross<2>},
                         {"b, of 16", &error_of_cross<1>},
                         {"c, of 4", &error_of_cross<0>},
                         {"own end of a plane, of 80", &error_of_plane},
                         {"squared distance, of 311", &error_of_vertices}};
    std::uint64_t seed = 100;
    for (const Named& one : all) {
        Dice dice(++seed);
        double worst = 0.0;
        for (int i = 0; i < climbs; ++i)
            worst = std::max(worst, Uphill(dice, one.measure).climb(steps));
        std::printf("%s: %.3f\n", one.name, worst);
        EXPECT_LE(worst, 1.0) << one.name;
    }
}

TEST(SafeCubicConstants, AreNotReachedUphill) {
    drive_uphill(2, 300);
}
TEST(SafeCubicConstantsAttack, AreNotReachedUphill) {
    drive_uphill(10, 10'000);
}

TEST(SafeCubicVertexVertex, KnowsVerticesThatHardlyMoveOrNotAtAll) {
    const Tolerances tol{.b = 0.75};
    for (const double speed :
         {0.0, 0x1p-1074, 0x1p-700, 0x1p-537, 0x1p-451, 0x1p-401, 0x1p-399, 0x1p-60}) {
        const Moving slow{{0x1p-20, 0x1p-20, 0.0}, {-speed, speed, 0.0}};
        EXPECT_TRUE(vertices_meet(slow, 0x1p-39, tol)) << speed;
        EXPECT_FALSE(vertices_meet(slow, 0x1p-40, tol)) << speed;
    }
}

// --- Vertex and edge -----------------------------------------------------------------------------

// A vertex that is within R of an edge at a time, beside it, with everything else as it comes:
// edges from long to shorter than lambda, velocities in any relation, and components that vanish.
struct NearEdge {
    Moving vertex, edge, other_end;
};
double power(Dice& dice, int lowest) {
    return dice.next() % 2 == 0
               ? 1.0
               : std::ldexp(1.0, -static_cast<int>(dice.next() % static_cast<unsigned>(lowest)));
}
Vector some_vector(Dice& dice, double size) {
    Vector v{size * dice.on_grid(50), size * dice.on_grid(50), size * dice.on_grid(50)};
    for (double* component : {&v.x, &v.y, &v.z})
        *component *= dice.next() % 4 == 0 ? power(dice, 40) : 1.0;
    if (dice.next() % 8 == 0) v.y = v.x;
    if (dice.next() % 8 == 0) v.z = -v.x;
    if (dice.next() % 8 == 0) v.z = 0.0;
    return v;
}
NearEdge near_edge(Dice& dice, double distance) {
    const double t = dice.next() % 8 == 0 ? static_cast<double>(dice.next() % 2) : dice.fraction();
    const Vector along = some_vector(dice, 0.25 * power(dice, 14));
    Vector aside = cross(along, some_vector(dice, 1.0));
    const double length = std::sqrt(dot(aside, aside));
    aside = (length > 0.0 ? distance / length : 0.0) * aside;
    const double at = dice.next() % 4 == 0 ? static_cast<double>(dice.next() % 2) : dice.fraction();
    const Vector vertex = at * along + aside;
    const Vector edge_v = 0.25 * power(dice, 40) * some_vector(dice, 1.0);
    const Vector vertex_v = 0.25 * power(dice, 40) * some_vector(dice, 1.0) +
                            (dice.next() % 4 == 0 ? 1.0 : 0.0) * edge_v;
    const Moving v{vertex - t * vertex_v, vertex_v};
    const Moving e{along - t * edge_v, edge_v};
    return {v, e, {v.x - e.x, v.v - e.v}};
}

TEST(SafeCubicVertexEdge, FindsEveryVertexWithinTheRadius) {
    Dice dice(6);
    const Tolerances tol{.b = 1.0};
    std::uint64_t candidates = 0;
    for (int i = 0; i < 200'000; ++i) {
        const double radius = i % 4 == 0 ? 0.0 : kRadius14;
        const NearEdge query = near_edge(dice, radius * kEps14 * (1.0 - 0x1p-30));
        const VertexEdgeAnswer answer =
            vertex_meets_edge(query.vertex, query.edge, query.other_end, radius, tol);
        ASSERT_TRUE(answer.meet) << i;
        EXPECT_LE(answer.candidates, 2U + 6U + 6U + 24U);
        candidates += answer.candidates;
    }
    std::printf("%.2f candidates a test\n", static_cast<double>(candidates) / 200'000.0);
}

// What the proof asks of the candidates (SC-5): wherever F0ij is not positive, with the vertex beside
// the edge, one of them is near enough. Slow vertices beside turning edges have their least F0ij
// between all kinks, so that only the vertices of the smooth pieces (case 2) find it.
TEST(SafeCubicVertexEdge, FindsEveryTimeAtWhichItsFunctionIsNotPositive) {
    Dice dice(8);
    const Tolerances tol{.b = 1.0};
    const double line_distance = tol.line_distance(kRadius14);
    for (int i = 0; i < 100'000; ++i) {
        const double t = dice.fraction();
        const double at = dice.fraction();
        const auto vector = [&dice](double size) {
            return Vector{size * dice.on_grid(40), size * dice.on_grid(40),
                          size * dice.on_grid(40)};
        };
        const Vector along = vector(0.45);
        const Vector aside = cross(along, vector(1.0));
        const double distance =
            line_distance * largest_magnitude(along) / sum_of_magnitudes(cross(aside, along));
        const Vector vertex = at * along + distance * (1.0 - 0x1p-30) * aside;
        const Vector edge_v = vector(0.45);
        const double speed = line_distance * static_cast<double>(1U << (i % 10));
        const Vector vertex_v = at * edge_v + vector(speed);
        const Moving v{vertex - t * vertex_v, vertex_v};
        const Moving e{along - t * edge_v, edge_v};
        ASSERT_TRUE(vertex_meets_edge(v, e, {v.x - e.x, v.v - e.v}, kRadius14, tol).meet) << i;
    }
}

// Says `true` only where the distance is below D: sampled, and polished around the best sample.
double least_distance(const NearEdge& query) {
    const auto distance = [&query](double t) {
        const Vector p = query.vertex.at(t);
        const Vector q = query.edge.at(t);
        const double s = dot(q, q) > 0.0 ? std::clamp(dot(p, q) / dot(q, q), 0.0, 1.0) : 0.0;
        const Vector gap = p - s * q;
        return std::sqrt(dot(gap, gap));
    };
    double best = 0.0;
    double least = distance(0.0);
    double step = 0x1p-8;
    for (double t = 0.0; t <= 1.0; t += step) {
        if (distance(t) < least) {
            least = distance(t);
            best = t;
        }
    }
    for (; step > 0x1p-40; step *= 0.5) {
        for (const double t : {best - step, best + step}) {
            if (t >= 0.0 && t <= 1.0 && distance(t) < least) {
                least = distance(t);
                best = t;
            }
        }
    }
    return least;
}
TEST(SafeCubicVertexEdge, FindsNoVertexFartherThanTheReach) {
    Dice dice(7);
    const Tolerances tol{.b = 1.0};
    for (const double radius : {0.0, kRadius14}) {
        double farthest = 0.0;
        const double reach = std::sqrt(tol.reach_sq(radius));
        int found = 0;
        for (int i = 0; i < 30'000; ++i) {
            const NearEdge query = near_edge(dice, 2.0 * dice.fraction() * reach);
            if (!vertex_meets_edge(query.vertex, query.edge, query.other_end, radius, tol).meet)
                continue;
            ++found;
            farthest = std::max(farthest, least_distance(query) / reach);
        }
        std::printf("farthest of %d: %.3f of the reach\n", found, farthest);
        EXPECT_LE(farthest, 1.0 + 1e-6);
        EXPECT_GT(farthest, 0.5);
    }
}

}  // namespace
}  // namespace graze::safe_cubic
