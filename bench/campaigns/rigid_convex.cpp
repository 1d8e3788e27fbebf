// Random motions of convex bodies under each motion model, verified by a reference of its own
// (rigid_convex_reference.hpp): poses by closed forms, in long double. It shares nothing with src/rigid
// but the input. Of motions with an even number, which just collide or just miss, every time that is
// claimed free is sampled densely and the local minima of the gap are refined. Those with an odd number
// have a contact that was constructed: at a random time two support points coincide, a little deeper, so
// that the bodies overlap then by construction.
//   rigid_convex --count 10000 [--first I] [--seed S] [--model spin] [--pair box-capsule]
// Motion i of a seed is the same in every run, so that a campaign is cut into ranges by --first.
//   0 nothing that must not happen; 1 something did, and is listed on stderr; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "graze/rigid/convex.hpp"
#include "rigid_convex_reference.hpp"

namespace graze::bench {
namespace {

// --- Motions by closed forms ---------------------------------------------------------------------

struct Rotor {
    Long w = 1;
    Point v;
};
Rotor rotor_of(const Quaternion& q) {
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

// What all models take their motions from.
struct Step {
    rigid::BodyStep ends;
    Vec3 vector0;  // angular velocity of a spin; rotation vectors
    Vec3 vector1;
    std::array<Vec3, 3> stretch0;  // rows: what an affine map adds to the rotations
    std::array<Vec3, 3> stretch1;
    std::array<Pose, 2> between;  // of a sequence; translations: offsets from the line
    rigid::Interpolation interpolation = rigid::Interpolation::Slerp;
    static constexpr std::array<double, 4> kTimes = {0.0, 0.3125, 0.625, 1.0};

    void shift(const Vec3& by) {
        ends.start.translation = ends.start.translation + by;
        ends.end.translation = ends.end.translation + by;
    }
    // Rounded to doubles: these are the poses that the reference takes, too.
    [[nodiscard]] std::array<Pose, 4> poses() const {
        std::array<Pose, 4> all = {ends.start, between[0], between[1], ends.end};
        for (std::size_t i = 1; i < 3; ++i)
            all[i].translation = all[i].translation + (1.0 - kTimes[i]) * ends.start.translation +
                                 kTimes[i] * ends.end.translation;
        return all;
    }
    [[nodiscard]] static std::array<double, 12> matrix(const Pose& pose,
                                                       const std::array<Vec3, 3>& stretch) {
        std::array<double, 12> rows{};
        const std::array<double, 16> rotation = matrix_from_pose(pose);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 4; ++j)
                rows[4 * i + j] = rotation[4 * i + j] + (j < 3 ? stretch[i][j] : 0.0);
        }
        return rows;
    }
};

struct Model {
    std::string name;
    bool is_rigid;
    std::function<std::unique_ptr<rigid::Motion>(const Step&)> motion;
    std::function<Axes(const Step&, Long t)> pose;
};

struct Relative {
    Point axis;
    Long angle = 0;
};
Relative relative(const rigid::BodyStep& s) {
    const Rotor q0 = rotor_of(s.start.rotation);
    Rotor q = times(rotor_of(s.end.rotation), {q0.w, -q0.v});
    if (q.w < 0) q = {-q.w, -q.v};
    return {q.v, 2 * std::atan2(length(q.v), q.w)};
}
Point straight(const rigid::BodyStep& s, Long t) {
    return (1 - t) * wide(s.start.translation) + t * wide(s.end.translation);
}
Axes slerp_pose(const rigid::BodyStep& s, Long t) {
    const Relative r = relative(s);
    return axes_of(times(about(r.axis, t * r.angle), rotor_of(s.start.rotation)), straight(s, t));
}
Axes screw_pose(const rigid::BodyStep& s, Long t) {
    Axes axes = slerp_pose(s, t);
    const Relative r = relative(s);
    const Long size = length(r.axis);
    if (!(size > 1e-12L)) return axes;
    const Point u = (1 / size) * r.axis;
    const Point d = wide(s.end.translation) - wide(s.start.translation);
    const Long along = dot(u, d);
    const Point across = d - along * u;
    const Long cotangent = 1 / std::tan(r.angle / 2);
    const Point c = Long{-0.5} * across - (cotangent / 2) * cross(u, across);
    const Axes rotated = axes_of(about(u, t * r.angle), {});
    axes.translation = wide(s.start.translation) + (t * along) * u + rotated.rotate(c) - c;
    return axes;
}
Axes nlerp_pose(const rigid::BodyStep& s, Long t) {
    const Rotor a = rotor_of(s.start.rotation);
    Rotor b = rotor_of(s.end.rotation);
    if (a.w * b.w + dot(a.v, b.v) < 0) b = {-b.w, -b.v};
    return axes_of({(1 - t) * a.w + t * b.w, (1 - t) * a.v + t * b.v}, straight(s, t));
}
Axes spin_pose(const Step& s, Long t) {
    const Point w = wide(s.vector0);
    return axes_of(times(about(w, t * length(w)), rotor_of(s.ends.start.rotation)),
                   straight(s.ends, t));
}
Axes vector_pose(const Step& s, Long t) {
    const Point w = (1 - t) * wide(s.vector0) + t * wide(s.vector1);
    return axes_of(about(w, length(w)), straight(s.ends, t));
}
Axes affine_pose(const Step& s, Long t) {
    const auto first = Step::matrix(s.ends.start, s.stretch0);
    const auto last = Step::matrix(s.ends.end, s.stretch1);
    const auto entry = [&](std::size_t i, std::size_t j) {
        return (1 - t) * Long{first[4 * i + j]} + t * Long{last[4 * i + j]};
    };
    Axes axes;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            axes.columns[j][i] = entry(i, j);
        axes.translation[i] = entry(i, 3);
    }
    return axes;
}
Axes piecewise_pose(const Step& s, Long t) {
    const auto poses = s.poses();
    std::size_t i = 0;
    while (i < 2 && t > Step::kTimes[i + 1])
        ++i;
    const Long first = Step::kTimes[i], last = Step::kTimes[i + 1];
    const rigid::BodyStep piece = {poses[i], poses[i + 1]};
    const Long within = (t - first) / (last - first);
    if (s.interpolation == rigid::Interpolation::Screw) return screw_pose(piece, within);
    if (s.interpolation == rigid::Interpolation::Nlerp) return nlerp_pose(piece, within);
    return slerp_pose(piece, within);
}

std::vector<Model> models() {
    using rigid::BodyMotion;
    const auto owned = [](const BodyMotion& motion) -> std::unique_ptr<rigid::Motion> {
        return std::make_unique<BodyMotion>(motion);
    };
    return {{"screw", true, [=](const Step& s) { return owned(BodyMotion::screw(s.ends)); },
             [](const Step& s, Long t) { return screw_pose(s.ends, t); }},
            {"slerp", true, [=](const Step& s) { return owned(BodyMotion::slerp(s.ends)); },
             [](const Step& s, Long t) { return slerp_pose(s.ends, t); }},
            {"nlerp", true, [=](const Step& s) { return owned(BodyMotion::nlerp(s.ends)); },
             [](const Step& s, Long t) { return nlerp_pose(s.ends, t); }},
            {"spin", true,
             [=](const Step& s) {
                 return owned(BodyMotion::spin(s.ends.start, s.ends.end.translation, s.vector0));
             },
             spin_pose},
            {"vector", true,
             [=](const Step& s) {
                 return owned(BodyMotion::rotation_vector(s.vector0, s.ends.start.translation,
                                                          s.vector1, s.ends.end.translation));
             },
             vector_pose},
            {"affine", false,
             [=](const Step& s) {
                 return owned(BodyMotion::affine(Step::matrix(s.ends.start, s.stretch0),
                                                 Step::matrix(s.ends.end, s.stretch1)));
             },
             affine_pose},
            {"piecewise", true,
             [](const Step& s) -> std::unique_ptr<rigid::Motion> {
                 const auto poses = s.poses();
                 return std::make_unique<rigid::PiecewiseMotion>(
                     rigid::PiecewiseMotion::create(Step::kTimes, poses, s.interpolation).value());
             },
             piecewise_pose}};
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

Shape cylinder(double radius, double half_height, const Vec3& centre) {
    Solid solid;
    solid.vertices = {wide(centre)};
    solid.radius = radius;
    solid.half_height = half_height;
    solid.is_cylinder = true;
    return {"cylinder", rigid::ConvexShape::cylinder(radius, half_height, centre).value(),
            std::move(solid)};
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
            cylinder(0.4, 0.5, {0.1, -0.1, 0.05}),
            polytope("hull", ConvexShape::hull(tetrahedron).value(), tetrahedron)};
}

// --- The reference -------------------------------------------------------------------------------

struct Pair {
    const Shape& a;
    const Shape& b;
    const Model& model;
    Step step_a;
    Step step_b;
    double contact_time = -1.0;  // of a constructed contact

    [[nodiscard]] GapBounds bounds(Long t) const {
        return gap_of({a.solid, model.pose(step_a, t)}, {b.solid, model.pose(step_b, t)},
                      model.is_rigid);
    }
    [[nodiscard]] Long gap(Long t) const { return bounds(t).upper; }
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

// --- Motions -------------------------------------------------------------------------------------

class Random {
public:
    Random(std::uint64_t seed, std::uint64_t index) : engine_(seed * 0x9e3779b97f4a7c15U + index) {
        engine_.discard(8);
    }
    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    Vec3 vector() {
        const double x = normal_(engine_);
        const double y = normal_(engine_);
        return {x, y, normal_(engine_)};
    }
    Quaternion rotation() {
        const double w = normal_(engine_);
        const Vec3 v = vector();
        return normalised({w, v.x, v.y, v.z});
    }

private:
    std::mt19937_64 engine_;
    std::normal_distribution<double> normal_;
};

// Both steps, B towards A from 2.6 away; the direction across that.
struct Approach {
    Vec3 through;  // where B ends if it runs through A
    Vec3 aside;
};
Approach set_steps(Pair& pair, Random& random) {
    constexpr double kHalfRotation = 3.14159265358979;
    const Vec3 towards = random.vector();
    const Vec3 start = (2.6 / norm(towards)) * towards;
    Vec3 aside = cross(towards, random.vector());
    aside = (1.0 / norm(aside)) * aside;
    for (Step* step : {&pair.step_a, &pair.step_b}) {
        step->ends.start.rotation = random.rotation();
        step->ends.start.translation = random.vector();
        const Vec3 axis = random.vector();
        const Quaternion change = rotation_about(axis, random.uniform(0.0, kHalfRotation));
        step->ends.end = compose(Pose{change, {}}, Pose{step->ends.start.rotation, {}});
        const double spin = random.uniform(0.0, 8.0);
        step->vector0 = spin * random.vector();
        const double other = random.uniform(0.0, 2.0);
        step->vector1 = other * random.vector();
        for (std::size_t i = 0; i < 3; ++i) {
            step->stretch0[i] = 0.12 * random.vector();
            step->stretch1[i] = 0.12 * random.vector();
        }
        for (Pose& pose : step->between) {
            pose.rotation = random.rotation();
            pose.translation = 0.2 * random.vector();
        }
        const double kind = random.uniform(0.0, 3.0);
        step->interpolation = kind < 1.0   ? rigid::Interpolation::Slerp
                              : kind < 2.0 ? rigid::Interpolation::Nlerp
                                           : rigid::Interpolation::Screw;
    }
    pair.step_a.ends.end.translation = pair.step_a.ends.start.translation + 0.4 * random.vector();
    pair.step_b.ends.start.translation = pair.step_a.ends.start.translation + start;
    return {pair.step_a.ends.end.translation - random.uniform(0.2, 1.0) * start, aside};
}

// Just hits or just misses: between an offset that hits and one that misses, closer and closer.
void set_near_miss(Pair& pair, Random& random) {
    const Approach approach = set_steps(pair, random);
    double hit = 0.0;
    double miss = 3.0;
    const int halvings = static_cast<int>(random.uniform(0.0, 12.0));
    for (int i = 0; i < halvings; ++i) {
        const double middle = 0.5 * (hit + miss);
        pair.step_b.ends.end.translation = approach.through + middle * approach.aside;
        (least_gap(pair, 1, 48, false).gap < 0 ? hit : miss) = middle;
    }
    pair.step_b.ends.end.translation =
        approach.through + (random.uniform(0.0, 1.0) < 0.5 ? hit : miss) * approach.aside;
}

Vec3 narrow(const Point& p) {
    return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}

// At contact_time the support points of both bodies along a common normal coincide, but for a fraction
// `depth` of the line from there to points inside of both: the difference of the bodies holds the origin
// with a ball around it of `depth` times what the bodies hold about those points, some 0.2, far more
// than the poses are off by.
void set_constructed(Pair& pair, Random& random) {
    const Approach approach = set_steps(pair, random);
    const double offset = random.uniform(-1.0, 1.0);
    pair.step_b.ends.end.translation = approach.through + offset * approach.aside;
    const double depth = std::pow(10.0, -random.uniform(2.0, 11.0));
    pair.contact_time = random.uniform(0.2, 1.0);
    const PlacedSolid a{pair.a.solid, pair.model.pose(pair.step_a, pair.contact_time)};
    const PlacedSolid b{pair.b.solid, pair.model.pose(pair.step_b, pair.contact_time)};
    const Vec3 came = (pair.step_b.ends.start.translation - pair.step_a.ends.start.translation) -
                      (pair.step_b.ends.end.translation - pair.step_a.ends.end.translation);
    const Point n = wide(came + 0.6 * norm(came) * random.vector());
    const Point on_a = a.support(n);
    const Point on_b = b.support(-n);
    const Point inwards =
        (b.pose.apply(b.solid.middle()) - on_b) - (a.pose.apply(a.solid.middle()) - on_a);
    pair.step_b.shift(narrow(on_a - on_b - depth * inwards));
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
    const auto motion_a = pair.model.motion(pair.step_a);
    const auto motion_b = pair.model.motion(pair.step_b);
    const rigid::ImpactResult found =
        rigid::first_impact(pair.a.shape, *motion_a, pair.b.shape, *motion_b);
    ++tally.motions;
    tally.contacts += found.verdict == Verdict::Contact ? 1U : 0U;
    tally.separated += found.verdict == Verdict::Separated ? 1U : 0U;
    tally.unresolved += found.verdict == Verdict::Unresolved ? 1U : 0U;
    const auto note = [&](const char* what, Long by) {
        fmt::print(stderr, "{}: {} by {:.3g}\n", name, what, static_cast<double>(by));
    };
    const auto count_missed = [&](Long by) {
        const bool is_missed = found.verdict == Verdict::Separated;
        (is_missed ? tally.missed : tally.late) += 1;
        note(is_missed ? "missed" : "late", by);
    };
    if (pair.contact_time >= 0.0) {
        if (found.toi_lower > pair.contact_time) count_missed(found.toi_lower - pair.contact_time);
    } else {
        const Long free = std::min<Long>(found.toi_lower, 1) * (1 - 1e-15L);
        const Least least = least_gap(pair, free, 160, true);
        if (least.gap < -kDoubt) count_missed(-least.gap);
    }
    if (found.verdict != Verdict::Contact) return;
    if (found.toi_upper - found.toi_lower > 1e-6) ++tally.wide;
    const Long then = pair.bounds(found.toi_upper).lower;
    if (then > kDoubt) {
        ++tally.unfounded;
        note("false", then);
    }
}

struct Request {
    std::uint64_t first = 0;
    std::uint64_t motions = 100;
    std::uint64_t seed = 1;
    std::string only_model;
    std::string only_pair;
};

Tally search_motions(const Request& request, const Model& model, const Shape& a, const Shape& b,
                     std::uint64_t pair_number) {
    Tally tally;
    for (std::uint64_t k = request.first; k < request.first + request.motions; ++k) {
        Random random(request.seed + 1000 * pair_number, k);
        Pair pair{a, b, model, {}, {}};
        (k % 2 == 0 ? set_near_miss : set_constructed)(pair, random);
        verify(pair, tally,
               fmt::format("--seed {} --first {} --count 1 --model {} --pair {}-{}", request.seed,
                           k, model.name, a.name, b.name));
    }
    return tally;
}

}  // namespace

int run(int count, char** arguments) {
    CLI::App app{"Random motions of convex bodies against an independent reference"};
    Request request;
    app.add_option("--first", request.first, "Number of the first motion of each model and pair");
    app.add_option("--count", request.motions, "Motions of each model and pair");
    app.add_option("--seed", request.seed, "Seed");
    app.add_option("--model", request.only_model,
                   "screw, slerp, nlerp, spin, vector, affine or piecewise");
    app.add_option("--pair", request.only_pair,
                   "Two of box, sphere, capsule, cylinder, hull: box-capsule");
    try {
        app.parse(count, arguments);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    const std::vector<Shape> all = shapes();
    fmt::print("{:9} {:17} {:>7} {:>7} {:>8} {:>9} {:>10} {:>5} {:>6} {:>5} {:>5} {:>10}\n",
               "model", "pair", "first", "motions", "contact", "separated", "unresolved", "wide",
               "missed", "late", "false", "s per 1000");
    std::uint64_t wrong = 0;
    for (const Model& model : models()) {
        if (!request.only_model.empty() && model.name != request.only_model) continue;
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (std::size_t j = i; j < all.size(); ++j) {
                const std::string pair = all[i].name + "-" + all[j].name;
                if (!request.only_pair.empty() && pair != request.only_pair) continue;
                const std::clock_t begin = std::clock();
                const Tally tally = search_motions(request, model, all[i], all[j], 8 * i + j);
                const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
                fmt::print("{:9} {:17} {:7} {:7} {:8} {:9} {:10} {:5} {:6} {:5} {:5} {:10.2f}\n",
                           model.name, pair, request.first, tally.motions, tally.contacts,
                           tally.separated, tally.unresolved, tally.wide, tally.missed, tally.late,
                           tally.unfounded,
                           1000.0 * seconds / static_cast<double>(request.motions));
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
