// Random motions of convex bodies that just collide or just miss, under each motion model, verified by
// a reference of its own: poses by closed forms and distances by features, both in long double, at
// dense times with the local minima refined. It shares nothing with src/rigid but the input.
//   rigid_convex --count 10000 [--first I] [--seed S] [--model spin] [--pair box-capsule]
// Motion i of a seed is the same in every run, so that a campaign is cut into parts by --first.
//   0 nothing that must not happen; 1 something did, and is listed on stderr; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "graze/rigid/convex.hpp"

namespace graze::bench {
namespace {

using Long = long double;
using Point = Vec<Long>;

Point wide(const Vec3& v) {
    return {v.x, v.y, v.z};
}
Long length(const Point& p) {
    return std::sqrt(norm_sq(p));
}

// --- Distances by features -----------------------------------------------------------------------

// A polytope (vertices, faces, normals and edges), or a segment with a radius.
struct Solid {
    std::vector<Point> vertices;
    std::vector<std::array<std::size_t, 3>> triangles;
    std::vector<Point> normals;
    std::vector<Point> edges;
    Long radius = 0;
    [[nodiscard]] bool is_round() const { return triangles.empty(); }
};

struct Axes {
    std::array<Point, 3> columns;
    Point translation;
    [[nodiscard]] Point rotate(const Point& p) const {
        return p.x * columns[0] + p.y * columns[1] + p.z * columns[2];
    }
};
Solid moved(const Solid& solid, const Axes& pose) {
    Solid result = solid;
    for (Point& p : result.vertices)
        p = pose.rotate(p) + pose.translation;
    for (Point& n : result.normals)
        n = pose.rotate(n);
    for (Point& e : result.edges)
        e = pose.rotate(e);
    return result;
}

// The largest gap along normals and crosses of edges: below 0 where polytopes overlap.
Long gap_of_polytopes(const Solid& a, const Solid& b) {
    Long best = -1e300L;
    const auto test = [&](const Point& n) {
        const Long size = length(n);
        if (!(size > 1e-9L)) return;
        Long low_a = 1e300L, high_a = -1e300L, low_b = 1e300L, high_b = -1e300L;
        for (const Point& p : a.vertices) {
            low_a = std::min(low_a, dot(n, p));
            high_a = std::max(high_a, dot(n, p));
        }
        for (const Point& p : b.vertices) {
            low_b = std::min(low_b, dot(n, p));
            high_b = std::max(high_b, dot(n, p));
        }
        best = std::max(best, std::max(low_b - high_a, low_a - high_b) / size);
    };
    for (const Point& n : a.normals)
        test(n);
    for (const Point& n : b.normals)
        test(n);
    for (const Point& e : a.edges)
        for (const Point& g : b.edges)
            test(cross(e, g));
    return best;
}

Long segment_distance(const Point& p, const Point& q, const Point& r, const Point& s) {
    const Point d = q - p;
    const Point e = s - r;
    const Point w = p - r;
    const Long a = dot(d, d), b = dot(d, e), c = dot(e, e), f = dot(d, w), g = dot(e, w);
    const auto at = [&](Long x, Long y) { return length(w + x * d - y * e); };
    const auto clamp = [](Long x) { return std::min<Long>(1, std::max<Long>(0, x)); };
    Long best = 1e300L;
    for (const Long x : {Long{0}, Long{1}})
        best = std::min(best, at(x, c > 0 ? clamp((g + x * b) / c) : 0));
    for (const Long y : {Long{0}, Long{1}})
        best = std::min(best, at(a > 0 ? clamp((y * b - f) / a) : 0, y));
    const Long det = a * c - b * b;
    if (det > 1e-15L * a * c) {
        const Long x = (b * g - c * f) / det;
        const Long y = (a * g - b * f) / det;
        if (x >= 0 && x <= 1 && y >= 0 && y <= 1) best = std::min(best, at(x, y));
    }
    return best;
}

// From the solid polytope, 0 inside, to a segment.
Long round_to_polytope(const Solid& round, const Solid& polytope) {
    const Point& p = round.vertices[0];
    const Point& q = round.vertices[1];
    // Clip the segment by the faces: what is left is inside.
    Long from = 0, to = 1;
    for (const auto& t : polytope.triangles) {
        const Point& o = polytope.vertices[t[0]];
        const Point n = cross(polytope.vertices[t[1]] - o, polytope.vertices[t[2]] - o);
        const Long at_p = dot(n, p - o), at_q = dot(n, q - o);
        if (at_p > 0 && at_q > 0) to = -1;
        if (at_p > 0 && at_q <= 0) from = std::max(from, at_p / (at_p - at_q));
        if (at_p <= 0 && at_q > 0) to = std::min(to, at_p / (at_p - at_q));
    }
    if (from <= to) return 0;
    Long best = 1e300L;
    for (const auto& t : polytope.triangles) {
        const std::array<Point, 3> c = {polytope.vertices[t[0]], polytope.vertices[t[1]],
                                        polytope.vertices[t[2]]};
        const Point n = cross(c[1] - c[0], c[2] - c[0]);
        for (std::size_t i = 0; i < 3; ++i)
            best = std::min(best, segment_distance(p, q, c[i], c[(i + 1) % 3]));
        for (const Point& end : {p, q}) {
            bool is_over = true;
            for (std::size_t i = 0; i < 3; ++i)
                is_over = is_over && dot(cross(n, c[(i + 1) % 3] - c[i]), end - c[i]) >= 0;
            if (is_over) best = std::min(best, std::fabs(dot(n, end - c[0])) / length(n));
        }
    }
    return best;
}

// Below 0: in contact.
Long gap_of(const Solid& a, const Solid& b) {
    if (a.is_round() && b.is_round())
        return segment_distance(a.vertices[0], a.vertices[1], b.vertices[0], b.vertices[1]) -
               a.radius - b.radius;
    if (a.is_round()) return round_to_polytope(a, b) - a.radius;
    if (b.is_round()) return round_to_polytope(b, a) - b.radius;
    return gap_of_polytopes(a, b);
}

// --- Motions by closed forms ---------------------------------------------------------------------

struct Rotor {
    Long w = 1;
    Point v;
};
Rotor wide(const Quaternion& q) {
    return {q.w, {q.x, q.y, q.z}};
}
Rotor times(const Rotor& a, const Rotor& b) {
    return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}
Axes axes_of(const Rotor& q, const Point& translation) {
    const Long n = q.w * q.w + norm_sq(q.v);
    Axes axes;
    for (std::size_t j = 0; j < 3; ++j) {
        Point e;
        e[j] = 1;
        const Point c = cross(q.v, e);
        axes.columns[j] = e + (2 / n) * (q.w * c + cross(q.v, c));
    }
    axes.translation = translation;
    return axes;
}
Rotor about(const Point& axis, Long angle) {
    const Long size = length(axis);
    if (!(size > 0)) return {};
    return {std::cos(angle / 2), (std::sin(angle / 2) / size) * axis};
}

struct Step {
    rigid::BodyStep ends;
    Vec3 vector0;  // angular velocity of a spin; rotation vectors
    Vec3 vector1;
};

struct Model {
    std::string name;
    std::function<rigid::BodyMotion(const Step&)> motion;
    std::function<Axes(const Step&, Long t)> pose;
};

struct Relative {
    Point axis;
    Long angle = 0;
};
Relative relative(const Step& s) {
    const Rotor q0 = wide(s.ends.start.rotation);
    Rotor q = times(wide(s.ends.end.rotation), {q0.w, -q0.v});
    if (q.w < 0) q = {-q.w, -q.v};
    return {q.v, 2 * std::atan2(length(q.v), q.w)};
}
Point straight(const Step& s, Long t) {
    return (1 - t) * wide(s.ends.start.translation) + t * wide(s.ends.end.translation);
}
Axes slerp_pose(const Step& s, Long t) {
    const Relative r = relative(s);
    return axes_of(times(about(r.axis, t * r.angle), wide(s.ends.start.rotation)), straight(s, t));
}
Axes screw_pose(const Step& s, Long t) {
    Axes axes = slerp_pose(s, t);
    const Relative r = relative(s);
    const Long size = length(r.axis);
    if (!(size > 1e-12L)) return axes;
    const Point u = (1 / size) * r.axis;
    const Point d = wide(s.ends.end.translation) - wide(s.ends.start.translation);
    const Long along = dot(u, d);
    const Point across = d - along * u;
    const Long cotangent = 1 / std::tan(r.angle / 2);
    const Point c = Long{-0.5} * across - (cotangent / 2) * cross(u, across);
    const Axes rotated = axes_of(about(u, t * r.angle), {});
    axes.translation = wide(s.ends.start.translation) + (t * along) * u + rotated.rotate(c) - c;
    return axes;
}
Axes nlerp_pose(const Step& s, Long t) {
    const Rotor a = wide(s.ends.start.rotation);
    Rotor b = wide(s.ends.end.rotation);
    if (a.w * b.w + dot(a.v, b.v) < 0) b = {-b.w, -b.v};
    return axes_of({(1 - t) * a.w + t * b.w, (1 - t) * a.v + t * b.v}, straight(s, t));
}
Axes spin_pose(const Step& s, Long t) {
    const Point w = wide(s.vector0);
    return axes_of(times(about(w, t * length(w)), wide(s.ends.start.rotation)), straight(s, t));
}
Axes vector_pose(const Step& s, Long t) {
    const Point w = (1 - t) * wide(s.vector0) + t * wide(s.vector1);
    return axes_of(about(w, length(w)), straight(s, t));
}

std::vector<Model> models() {
    using rigid::BodyMotion;
    return {{"screw", [](const Step& s) { return BodyMotion::screw(s.ends); }, screw_pose},
            {"slerp", [](const Step& s) { return BodyMotion::slerp(s.ends); }, slerp_pose},
            {"nlerp", [](const Step& s) { return BodyMotion::nlerp(s.ends); }, nlerp_pose},
            {"spin",
             [](const Step& s) {
                 return BodyMotion::spin(s.ends.start, s.ends.end.translation, s.vector0);
             },
             spin_pose},
            {"vector",
             [](const Step& s) {
                 return BodyMotion::rotation_vector(s.vector0, s.ends.start.translation, s.vector1,
                                                    s.ends.end.translation);
             },
             vector_pose}};
}

// --- Shapes --------------------------------------------------------------------------------------

struct Shape {
    std::string name;
    rigid::ConvexShape shape;
    Solid solid;
};

Shape polytope(const std::string& name, rigid::ConvexShape shape, std::vector<Vec3> vertices) {
    Solid solid;
    for (const Vec3& v : vertices)
        solid.vertices.push_back(wide(v));
    const std::size_t n = vertices.size();
    // Faces: triples with all vertices on one side; edges of all faces.
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t k = 0; k < n; ++k) {
                if (i == j || j == k || i == k || i > j || i > k) continue;
                const Point& o = solid.vertices[i];
                const Point normal = cross(solid.vertices[j] - o, solid.vertices[k] - o);
                bool is_face = length(normal) > 1e-9L;
                for (const Point& p : solid.vertices)
                    is_face = is_face && dot(normal, p - o) <= 1e-12L;
                if (!is_face) continue;
                solid.triangles.push_back({i, j, k});
                solid.normals.push_back((1 / length(normal)) * normal);
                // Diagonals of a face do no harm: every direction with a gap is a proof.
                solid.edges.push_back(solid.vertices[j] - o);
                solid.edges.push_back(solid.vertices[k] - o);
                solid.edges.push_back(solid.vertices[k] - solid.vertices[j]);
            }
        }
    }
    const auto thin = [](std::vector<Point>& list) {
        std::vector<Point> kept;
        for (const Point& p : list) {
            bool is_new = true;
            for (const Point& q : kept)
                is_new = is_new && length(cross(p, q)) > 1e-12L * length(p) * length(q);
            if (is_new) kept.push_back(p);
        }
        list = kept;
    };
    thin(solid.normals);
    thin(solid.edges);
    return {name, std::move(shape), std::move(solid)};
}

Shape round(const std::string& name, rigid::ConvexShape shape, const Vec3& p, const Vec3& q,
            double radius) {
    Solid solid;
    solid.vertices = {wide(p), wide(q)};
    solid.radius = radius;
    return {name, std::move(shape), std::move(solid)};
}

std::vector<Shape> shapes() {
    using rigid::ConvexShape;
    const Vec3 half = {0.5, 0.4, 0.6};
    std::vector<Vec3> corners;
    for (const double x : {-half.x, half.x})
        for (const double y : {-half.y, half.y})
            for (const double z : {-half.z, half.z})
                corners.push_back({x, y, z});
    const std::vector<Vec3> tetrahedron = {
        {0.7, 0.1, -0.3}, {-0.5, 0.6, -0.2}, {-0.3, -0.7, -0.4}, {0.1, 0.0, 0.8}};
    return {polytope("box", ConvexShape::box(half).value(), corners),
            round("sphere", ConvexShape::sphere(0.5, {0.1, 0.0, 0.2}).value(), {0.1, 0.0, 0.2},
                  {0.1, 0.0, 0.2}, 0.5),
            round("capsule", ConvexShape::capsule({-0.5, 0.0, 0.1}, {0.6, 0.2, 0.0}, 0.2).value(),
                  {-0.5, 0.0, 0.1}, {0.6, 0.2, 0.0}, 0.2),
            polytope("hull", ConvexShape::hull(tetrahedron).value(), tetrahedron)};
}

// --- The reference -------------------------------------------------------------------------------

struct Pair {
    const Shape& a;
    const Shape& b;
    const Model& model;
    Step step_a;
    Step step_b;

    [[nodiscard]] Long gap(Long t) const {
        return gap_of(moved(a.solid, model.pose(step_a, t)), moved(b.solid, model.pose(step_b, t)));
    }
};

// The least gap of [0, end]: samples, and the local minima among them refined by golden sections.
struct Least {
    Long gap = 1e300L;
    Long time = 0;
};
Least refined(const Pair& pair, Long low, Long high) {
    constexpr Long kGolden = 0.618033988749894848L;
    Long x = high - kGolden * (high - low), y = low + kGolden * (high - low);
    Long at_x = pair.gap(x), at_y = pair.gap(y);
    for (int i = 0; i < 40; ++i) {
        if (at_x < at_y) {
            high = y;
            y = x;
            at_y = at_x;
            x = high - kGolden * (high - low);
            at_x = pair.gap(x);
        } else {
            low = x;
            x = y;
            at_x = at_y;
            y = low + kGolden * (high - low);
            at_y = pair.gap(y);
        }
    }
    return at_x < at_y ? Least{at_x, x} : Least{at_y, y};
}
Least least_gap(const Pair& pair, Long end, int samples, bool refine) {
    std::vector<Long> gaps;
    Least least;
    for (int i = 0; i <= samples; ++i) {
        const Long t = end * i / samples;
        gaps.push_back(pair.gap(t));
        if (gaps.back() < least.gap) least = {gaps.back(), t};
    }
    if (!refine) return least;
    for (int i = 0; i <= samples; ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        const bool is_low =
            (i == 0 || gaps[k] <= gaps[k - 1]) && (i == samples || gaps[k] <= gaps[k + 1]);
        if (!is_low || gaps[k] > 0.05L) continue;
        const Least here = refined(pair, end * std::max(0, i - 1) / samples,
                                   end * std::min(samples, i + 1) / samples);
        if (here.gap < least.gap) least = here;
    }
    return least;
}

// What long double, and doubles as poses, may be wrong by.
constexpr Long kDoubt = 1e-13L;

// --- Motions that just hit or just miss ----------------------------------------------------------

class Random {
public:
    Random(std::uint64_t seed, std::uint64_t index) : engine_(seed * 0x9e3779b97f4a7c15U + index) {
        engine_.discard(8);
    }
    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    Vec3 vector() { return {normal_(engine_), normal_(engine_), normal_(engine_)}; }
    Quaternion rotation() {
        return normalised({normal_(engine_), normal_(engine_), normal_(engine_), normal_(engine_)});
    }

private:
    std::mt19937_64 engine_;
    std::normal_distribution<double> normal_;
};

Pair random_pair(const Shape& a, const Shape& b, const Model& model, Random random) {
    Pair pair{a, b, model, {}, {}};
    const Vec3 towards = random.vector();
    const Vec3 start = (2.6 / norm(towards)) * towards;
    Vec3 aside = cross(towards, random.vector());
    aside = (1.0 / norm(aside)) * aside;
    for (Step* step : {&pair.step_a, &pair.step_b}) {
        step->ends.start = {random.rotation(), random.vector()};
        const Quaternion change = rotation_about(random.vector(), random.uniform(0.0, 2.0));
        step->ends.end = compose(Pose{change, {}}, Pose{step->ends.start.rotation, {}});
        step->vector0 = random.uniform(0.0, 5.0) * random.vector();
        step->vector1 = random.uniform(0.0, 2.0) * random.vector();
    }
    pair.step_a.ends.end.translation = pair.step_a.ends.start.translation + 0.4 * random.vector();
    pair.step_b.ends.start.translation = pair.step_a.ends.start.translation + start;
    const Vec3 through = pair.step_a.ends.end.translation - random.uniform(0.2, 1.0) * start;
    // Between an offset that hits and one that misses, closer and closer.
    double hit = 0.0;
    double miss = 3.0;
    const int halvings = static_cast<int>(random.uniform(0.0, 12.0));
    for (int i = 0; i < halvings; ++i) {
        const double middle = 0.5 * (hit + miss);
        pair.step_b.ends.end.translation = through + middle * aside;
        (least_gap(pair, 1, 48, false).gap < 0 ? hit : miss) = middle;
    }
    pair.step_b.ends.end.translation =
        through + (random.uniform(0.0, 1.0) < 0.5 ? hit : miss) * aside;
    return pair;
}

struct Tally {
    std::uint64_t motions = 0;
    std::uint64_t contacts = 0;
    std::uint64_t separated = 0;
    std::uint64_t unresolved = 0;
    std::uint64_t wide = 0;
    std::uint64_t missed = 0;
    std::uint64_t late = 0;
    std::uint64_t unfounded = 0;
};

void verify(const Pair& pair, Tally& tally, const std::string& name) {
    const rigid::BodyMotion motion_a = pair.model.motion(pair.step_a);
    const rigid::BodyMotion motion_b = pair.model.motion(pair.step_b);
    const rigid::ImpactResult found =
        rigid::first_impact(pair.a.shape, motion_a, pair.b.shape, motion_b);
    ++tally.motions;
    tally.contacts += found.verdict == Verdict::Contact ? 1U : 0U;
    tally.separated += found.verdict == Verdict::Separated ? 1U : 0U;
    tally.unresolved += found.verdict == Verdict::Unresolved ? 1U : 0U;
    const Long free = std::min<Long>(found.toi_lower, 1) * (1 - 1e-15L);
    const Least least = least_gap(pair, free, 160, true);
    const auto note = [&](const char* what, Long by) {
        fmt::print(stderr, "{}: {} by {:.3g}\n", name, what, static_cast<double>(by));
    };
    if (least.gap < -kDoubt) {
        const bool is_missed = found.verdict == Verdict::Separated;
        (is_missed ? tally.missed : tally.late) += 1;
        note(is_missed ? "missed" : "late", -least.gap);
    }
    if (found.verdict != Verdict::Contact) return;
    if (found.toi_upper - found.toi_lower > 1e-6) ++tally.wide;
    const Long then = pair.gap(found.toi_upper);
    if (then > kDoubt) {
        ++tally.unfounded;
        note("unfounded", then);
    }
}

}  // namespace

int run(int count, char** arguments) {
    CLI::App app{"Random motions of convex bodies against an independent reference"};
    std::uint64_t first = 0;
    std::uint64_t motions = 100;
    std::uint64_t seed = 1;
    std::string only_model;
    std::string only_pair;
    app.add_option("--first", first, "Number of the first motion of each model and pair");
    app.add_option("--count", motions, "Motions of each model and pair");
    app.add_option("--seed", seed, "Seed");
    app.add_option("--model", only_model, "screw, slerp, nlerp, spin or vector");
    app.add_option("--pair", only_pair, "Two of box, sphere, capsule, hull: box-capsule");
    try {
        app.parse(count, arguments);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    const std::vector<Shape> all = shapes();
    fmt::print("{:8} {:16} {:>8} {:>8} {:>9} {:>10} {:>5} {:>6} {:>5} {:>9}\n", "model", "pair",
               "motions", "contact", "separated", "unresolved", "wide", "missed", "late",
               "unfounded");
    std::uint64_t wrong = 0;
    for (const Model& model : models()) {
        if (!only_model.empty() && model.name != only_model) continue;
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (std::size_t j = i; j < all.size(); ++j) {
                const std::string pair = all[i].name + "-" + all[j].name;
                if (!only_pair.empty() && pair != only_pair) continue;
                Tally tally;
                for (std::uint64_t k = first; k < first + motions; ++k) {
                    const Random random(seed + 1000 * (4 * i + j), k);
                    verify(random_pair(all[i], all[j], model, random), tally,
                           fmt::format("--seed {} --first {} --count 1 --model {} --pair {}", seed,
                                       k, model.name, pair));
                }
                fmt::print("{:8} {:16} {:8} {:8} {:9} {:10} {:5} {:6} {:5} {:9}\n", model.name,
                           pair, tally.motions, tally.contacts, tally.separated, tally.unresolved,
                           tally.wide, tally.missed, tally.late, tally.unfounded);
                std::fflush(stdout);
                wrong += tally.missed + tally.late + tally.unfounded;
            }
        }
    }
    return wrong == 0 ? 0 : 1;
}

}  // namespace graze::bench

int main(int count, char** arguments) {
    return graze::bench::run(count, arguments);
}
