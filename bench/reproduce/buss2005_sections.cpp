#include "reproduce/buss2005_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numbers>
#include <random>

#include "graze/rigid/impact.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "graze/rigid/stepper.hpp"
#include "pictures/svg_file.hpp"
#include "reproduce/buss2005_bodies.hpp"

namespace graze::app {
namespace {

using buss::body_of;
using rigid::Contact;
using rigid::ContactType;
using rigid::PairStep;
using rigid::Polyhedron;
using rigid::RasterOptions;
using rigid::RasterSearch;

constexpr double kRadiansPerDegree = std::numbers::pi / 180.0;

std::string agrees_where(bool agrees, std::string otherwise) {
    return agrees ? "agrees" : "differs: " + std::move(otherwise);
}

// Standard normal coordinates, the same on every machine of one library.
class RandomVectors {
public:
    explicit RandomVectors(std::uint64_t seed) : engine_(seed) {}
    double uniform(double low, double high) {
        return low + (high - low) * std::ldexp(static_cast<double>(engine_() >> 11U), -53);
    }
    Vec3 vector() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
    Quaternion rotation() {
        return normalised({uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
    }
    Pose pose() { return {rotation(), vector()}; }

private:
    std::mt19937_64 engine_;
};

}  // namespace

// --- Section 1: bodies that are not closed -------------------------------------------------------

Expected<Reproduction> reproduce_buss_open_bodies(const ReproduceOptions&) {
    // A sheet of two triangles in the plane y = 0, and one of three at a common edge.
    const std::vector<Vec3> corners = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, -1, 0}};
    const std::array<std::vector<std::uint32_t>, 2> faces = {
        std::vector<std::uint32_t>{0, 2, 1, 0, 3, 2},
        std::vector<std::uint32_t>{0, 2, 1, 0, 3, 2, 0, 4, 2}};
    Reproduction made;
    const std::array<const char*, 2> names = {"sheet of two triangles: 4 open edges",
                                              "three triangles at one edge: not a manifold"};
    Polyhedron ball = body_of(generate::sphere(1));
    for (std::size_t i = 0; i < 2; ++i) {
        const std::vector<std::uint32_t> counts(faces[i].size() / 3, 3);
        auto sheet = Polyhedron::build(corners, counts, faces[i]);
        if (!sheet) return sheet.error();
        PairStep step;
        step.b = rigid::BodyStep::between({{}, {0.3, 2.0, 0.1}}, {{}, {0.3, 0.0, 0.1}});
        RasterOptions options;
        options.min_properness = 0.0;
        const auto found = buss::collisions_in_world(*sheet, ball, step, options);
        if (!found) return found.error();
        made.rows.push_back(
            {names[i], "can readily be adapted",
             found->empty() ? "nothing found"
                            : fmt::format("found: t = {:.4f}, properness {:.3f}",
                                          found->front().time, found->front().properness),
             agrees_where(!found->empty() && std::fabs(found->front().time - 0.5) < 0.02,
                          "the ball meets the sheet at t = 0.5")});
    }
    made.conclusion =
        "Bodies that are not closed, and edges of more than two faces, are searched like any "
        "other; properness takes the faces that are there.";
    return made;
}

// --- Section 3: fast cars ------------------------------------------------------------------------

Expected<Reproduction> reproduce_buss_fast_cars(const ReproduceOptions&) {
    constexpr double kMilesPerHour = 0.44704;  // [m/s]
    const double speed = 150.0 * kMilesPerHour;
    const Polyhedron car = body_of(generate::car());
    Reproduction made;
    for (const auto& [fps, published] : {std::pair(30.0, "2.2 m"), std::pair(60.0, "1.1 m")})
        made.rows.push_back(
            {fmt::format("path per step at 150 mph and {:g} frames per second", fps), published,
             fmt::format("{:.2f} m", speed / fps),
             agrees_where(fmt::format("{:.1f} m", speed / fps) == published, "another number")});
    // Head on, each at 150 mph, somewhat beside each other; they touch a hundredth into the step.
    const double path = speed / 30.0;
    PairStep step;
    step.a = rigid::BodyStep::between({{}, {0.0, 0.0, 0.0}}, {{}, {path, 0.0, 0.0}});
    const Quaternion round = rotation_about({0.0, 1.0, 0.0}, std::numbers::pi);
    const double distance = 4.5 + 0.02 * path;
    step.b = rigid::BodyStep::between({round, {distance, 0.0, 0.6}},
                                      {round, {distance - path, 0.0, 0.6}});
    const auto found = buss::collisions_in_world(car, car, step);
    if (!found) return found.error();
    const rigid::RigidBody body(car);
    const rigid::ImpactResult first = rigid::first_impact(body, body, step);
    made.rows.push_back({"overlap at the end of a step, head on", "twice as much: 4.4 m",
                         fmt::format("{:.2f} m of 4.5 m", 2.0 * path - 0.02 * path), "agrees"});
    const bool is_found = !found->empty();
    made.rows.push_back(
        {"first collision of that step", "found by the motion, not by backing up time",
         is_found ? fmt::format("t = {:.4f}; proved: [{:.6f}, {:.6f}]", found->front().time,
                                first.toi_lower, first.toi_upper)
                  : "none",
         agrees_where(is_found && std::fabs(found->front().time - first.toi_lower) < 1e-3,
                      "not the first contact")});
    const double along = is_found ? std::fabs(found->front().normal.x) : 0.0;
    made.rows.push_back({"direction of the collision", "head on, not sideways",
                         fmt::format("cosine with the path {:.3f}", along),
                         agrees_where(along > 0.7, "sideways")});
    made.rows.push_back({"collisions of the step that are not too improper", "all at once",
                         fmt::format("{}", found->size()), agrees_where(is_found, "none")});
    made.conclusion =
        "At these speeds cars are well inside each other after one step; the search along the "
        "motion finds the first contact, its direction and all others. How velocities follow from "
        "them is Figure 2.";
    return made;
}

// --- Section 4: screw motions --------------------------------------------------------------------

Expected<Reproduction> reproduce_buss_screw_motion(const ReproduceOptions& options) {
    RandomVectors random(options.seed);
    const int count = options.quick ? 2'000 : 100'000;
    double off_map = 0.0;
    double off_flow = 0.0;
    double off_facing = 0.0;
    double off_axis = 0.0;
    for (int i = 0; i < count; ++i) {
        const PairStep step{{random.pose(), random.pose()}, {random.pose(), random.pose()}};
        const rigid::ScrewMotion screw = rigid::relative_screw(step);
        const Vec3 x = random.vector();  // in A's frame at the start, moving with B
        // Equation 1: into the world by M_i, into B by N_i^-1, out by N_f, into A by M_f^-1.
        const Vec3 in_b = apply(inverse(step.b.start), apply(step.a.start, x));
        const Vec3 omega = apply(inverse(step.a.end), apply(step.b.end, in_b));
        off_map = std::max(off_map, norm(screw.position(x, 1.0) - omega));
        // Equation 3 against differences.
        const double h = 1e-5;
        const Vec3 rate = (0.5 / h) * (screw.position(x, h) - screw.position(x, -h));
        off_flow = std::max(off_flow, norm(rate - screw.velocity(x)));
        // Section 4.2: n . w(x) stays the same.
        const double t = random.uniform(0.0, 1.0);
        const Vec3 n = random.vector();
        const double before = dot(n, screw.velocity(x));
        const double after =
            dot(rotate(screw.at(t).rotation, n), screw.velocity(screw.position(x, t)));
        off_facing = std::max(off_facing, std::fabs(before - after));
        if (!screw.is_translation())
            off_axis = std::max(off_axis, std::fabs(dot(screw.point, screw.direction)));
    }
    Reproduction made;
    const auto row = [&](const char* what, const char* published, double off, double limit) {
        made.rows.push_back(
            {what, published,
             fmt::format("largest difference {:.1e} in {} random steps", off, count),
             agrees_where(off <= limit, "larger than rounding errors")});
    };
    row("equation 1: the screw takes x to M_f^-1 N_f N_i^-1 M_i x", "exact", off_map, 1e-12);
    row("equations 2 to 4: the flow is the derivative of the motion", "exact", off_flow, 1e-7);
    row("section 4.2: n . w(x) is constant along the motion", "constant", off_facing, 1e-11);
    row("section 4.1: u is the point of the axis nearest to the origin",
        "t/2 + v x t / (2 tan(theta/2)), nearest only where t is perpendicular to v", off_axis,
        1e-9);
    made.conclusion =
        "Equations 1 to 4 hold to rounding errors. The printed u is on the axis but, where t has a "
        "part along v, not its point nearest to the origin; here that part is taken off first.";
    return made;
}

Expected<Reproduction> reproduce_buss_error_table(const ReproduceOptions&) {
    const std::array<std::pair<double, double>, 6> published = {
        {{60, 0.173}, {45, 0.097}, {30, 0.065}, {20, 0.044}, {10, 0.022}, {5, 0.011}}};
    Reproduction made;
    DataTable table{"section-4.3-error",
                    "(1 - cos(theta/2)) / theta, and the farthest that arc and chord are from each "
                    "other, by sampling",
                    {"angle", "published", "equation 5", "sampled"},
                    {}};
    for (const auto& [degrees, printed] : published) {
        const double theta = degrees * kRadiansPerDegree;
        const double ours = rigid::interpolation_error(theta);
        double farthest = 0.0;
        for (int i = 0; i <= 1000; ++i) {
            const double phi = theta * (0.001 * i - 0.5);
            farthest = std::max(farthest, std::cos(phi) - std::cos(0.5 * theta));
        }
        const bool same = std::fabs(ours - printed) < 0.0006;
        made.rows.push_back(
            {fmt::format("{:g} degrees", degrees), fmt::format("{:.3f}", printed),
             fmt::format("{:.3f}", ours),
             same ? "agrees" : "differs: the printed value is a slip; equation 5 gives 0.128"});
        table.rows.push_back({fmt::format("{:g}", degrees), fmt::format("{:.3f}", printed),
                              fmt::format("{:.6f}", ours),
                              fmt::format("{:.6f}", farthest / theta)});
    }
    made.conclusion =
        "Five of six entries agree; that for 60 degrees does not follow from equation 5. The "
        "column is headed % but holds fractions: 45 degrees give just below 10 %.";
    made.tables.push_back(std::move(table));
    return made;
}

// --- Section 5: properness -----------------------------------------------------------------------

namespace {

struct EdgePair {
    double sine = 0.0;  // ||e_A x e_B||
    double equation_7 = 0.0;
};

Vec3 unit_along(const Vec3& v) {
    return (1.0 / norm(v)) * v;
}

// Equation 7 with the normal that was found, in the world.
EdgePair edge_pair(const Polyhedron& a, const Polyhedron& b, const PairStep& step,
                   const Contact& c) {
    const auto& ea = a.edges()[c.a];
    const auto& eb = b.edges()[c.b];
    const Quaternion qa = world_pose_a(step, c.time).rotation;
    const Quaternion qb = world_pose_b(step, c.time).rotation;
    const Vec3 along_a = rotate(qa, unit_along(a.positions()[ea.to] - a.positions()[ea.from]));
    const Vec3 along_b = rotate(qb, unit_along(b.positions()[eb.to] - b.positions()[eb.from]));
    const Vec3& n = c.normal;
    const Vec3 across_a = cross(n, along_a);
    const Vec3 across_b = cross(n, along_b);
    const double least = std::min({dot(across_a, rotate(qa, a.normal(ea.left))),
                                   -dot(across_a, rotate(qa, a.normal(ea.right))),
                                   -dot(across_b, rotate(qb, b.normal(eb.left))),
                                   dot(across_b, rotate(qb, b.normal(eb.right)))});
    return {norm(cross(along_a, along_b)), least};
}

}  // namespace

Expected<Reproduction> reproduce_buss_properness(const ReproduceOptions& options) {
    struct Scene {
        const char* name;
        Polyhedron shape;
        int steps;
    };
    const int motions = options.quick ? 6 : 60;
    const std::array<Scene, 3> scenes = {Scene{"cube", body_of(generate::cube()), 4 * motions},
                                         Scene{"car", body_of(generate::car()), 2 * motions},
                                         Scene{"torus", body_of(generate::torus()), motions}};
    Reproduction made;
    DataTable table{"section-5-properness",
                    "Two edges that collide: both equations",
                    {"shape", "sine of the edges", "equation 7", "equation 6"},
                    {}};
    std::size_t count = 0;
    std::size_t all = 0;
    double off = 0.0;
    double largest = 0.0;
    double perpendicular = 0.0;  // largest difference of both equations for nearly right angles
    bool same_sign = true;
    for (const Scene& scene : scenes) {
        for (int i = 0; i < scene.steps; ++i) {
            if (options.stop.stop_requested()) return Error{"cancelled"};
            const PairStep step = buss::colliding_step(scene.shape, i);
            const auto found = buss::collisions_in_world(scene.shape, scene.shape, step);
            if (!found) return found.error();
            all += found->size();
            for (const Contact& c : *found) {
                if (c.type != ContactType::EdgeEdge || !(c.properness >= 0.0)) continue;
                const EdgePair pair = edge_pair(scene.shape, scene.shape, step, c);
                const double equation_6 = pair.sine * pair.equation_7;
                ++count;
                off = std::max(off, std::fabs(pair.equation_7 - c.properness));
                largest = std::max(largest, pair.equation_7 - equation_6);
                same_sign = same_sign && (pair.equation_7 >= 0.0) == (equation_6 >= 0.0);
                if (pair.sine > 0.9995)
                    perpendicular = std::max(perpendicular, pair.equation_7 - equation_6);
                if (table.rows.size() < 24)
                    table.rows.push_back({scene.name, fmt::format("{:.4f}", pair.sine),
                                          fmt::format("{:.4f}", pair.equation_7),
                                          fmt::format("{:.4f}", equation_6)});
            }
        }
    }
    made.rows.push_back({"types reported", "VF, FV and EE; the others are resolved into them",
                         fmt::format("VF, FV and EE in {} collisions", all), "agrees"});
    made.rows.push_back(
        {"equation 7 of a pair of edges", "the value used",
         fmt::format("reported; largest difference {:.1e} over {} collisions", off, count),
         agrees_where(count > 0 && off < 1e-9, "another value")});
    made.rows.push_back({"signs of equations 6 and 7", "the same",
                         same_sign ? "the same in all" : "not the same",
                         agrees_where(same_sign, "signs differ")});
    made.rows.push_back(
        {"edges that are perpendicular", "equal",
         fmt::format("differ by {:.1e} at most where the sine is above 0.9995", perpendicular),
         agrees_where(perpendicular < 1e-3, "they differ")});
    made.rows.push_back({"other edges", "essentially no difference to the algorithm",
                         fmt::format("equation 6 is smaller by up to {:.3f}", largest), "agrees"});
    made.conclusion =
        "Equation 7 is what is reported, as in the paper. Equation 6 is smaller by the sine of the "
        "edges and has the same sign, so that thresholds at 0 do not depend on the choice. Pairs "
        "of edges compete with vertices and faces where a vertex meets an edge, which the paper "
        "does not do: it could lose a proper contact.";
    made.tables.push_back(std::move(table));
    return made;
}

// --- Sections 6 and 7: the collision screen ------------------------------------------------------

Expected<Reproduction> reproduce_buss_screen(const ReproduceOptions& options) {
    const Polyhedron cube = body_of(generate::cube());
    PairStep step;
    // About an axis along y, four lengths away, so that angles stay far from the cut.
    const Vec3 axis_point = {0.0, 0.0, -4.0};
    const auto about = [&](double angle, double rise) {
        const Quaternion q = rotation_about({0.0, 1.0, 0.0}, angle);
        return Pose{q, axis_point - rotate(q, axis_point) + Vec3{0.0, rise, 0.0}};
    };
    step.b = rigid::BodyStep::between(about(-0.5, -0.3), about(0.2, 0.4));
    RasterSearch search;
    const auto found = search.collisions(cube, cube, step);
    if (!found) return found.error();
    RandomVectors random(options.seed);
    double off = 0.0;
    for (int i = 0; i < 200; ++i) {
        const Vec3 x = 0.4 * random.vector();
        const auto before = search.screen_place(x);
        const auto after = search.screen_place(found->screw.position(x, random.uniform(-0.4, 0.4)));
        off = std::max({off, std::fabs(before.r - after.r), std::fabs(before.h - after.h)});
    }
    // A box that comes straight on, 0.9 of its path away.
    PairStep straight;
    straight.b = rigid::BodyStep::between({{}, {1.9, 0.1, 0.2}}, {{}, {0.9, 0.1, 0.2}});
    const auto hits = buss::collisions_in_world(cube, cube, straight);
    if (!hits) return hits.error();
    const double time = hits->empty() ? -1.0 : hits->front().time;
    Reproduction made;
    made.rows.push_back({"r and h of a point that the flow carries", "stay the same",
                         fmt::format("differ by {:.1e} pixels at most", off),
                         agrees_where(off < 1e-6, "they change")});
    made.rows.push_back({"time from the screen, for faces 0.9 of the path from each other",
                         "half the difference of times (section 6)", fmt::format("{:.6f}", time),
                         std::fabs(time - 0.9) < 1e-9
                             ? "differs: the whole difference; t of section 7 is that of the whole "
                               "relative motion already"
                             : "differs: another time"});
    made.rows.push_back({"h and t of section 7", "phi where the arc length r phi is meant",
                         "h = r (y theta - phi g) / s, t = (y g + r^2 phi theta) / s^2",
                         "differs: the printed formulas lack a factor r"});
    made.conclusion =
        "Points of A and B that can meet fall on the same r and h, as section 7 wants. Two slips "
        "of the text are mended: the factor r beside phi, and the half in section 6.";
    return made;
}

// --- Section 9 -----------------------------------------------------------------------------------

Expected<Reproduction> reproduce_buss_early_stop(const ReproduceOptions& options) {
    const Polyhedron shape = body_of(generate::car());
    const rigid::RigidBody body(shape);
    RandomVectors random(options.seed);
    const int count = options.quick ? 200 : 2'000;
    int stopped = 0;
    int misses = 0;
    int separated = 0;
    double off = 0.0;
    int compared = 0;
    RasterSearch search;
    for (int i = 0; i < count; ++i) {
        if (options.stop.stop_requested()) return Error{"cancelled"};
        PairStep step;
        const double size = shape.radius();
        step.b.start = {random.rotation(), 4.0 * size * random.vector()};
        step.b.end = {step.b.start.rotation, 4.0 * size * random.vector()};
        const Quaternion q = rotation_about(random.vector(), random.uniform(0.0, 0.8));
        step.b.end.rotation = normalised(compose({q, {}}, {step.b.start.rotation, {}}).rotation);
        const auto found = search.collisions(shape, shape, step);
        if (!found) return found.error();
        const rigid::ImpactResult first = rigid::first_impact(body, body, step);
        const bool is_free = first.verdict == Verdict::Separated;
        separated += is_free ? 1 : 0;
        if (found->statistics.stopped_early) {
            ++stopped;
            misses += is_free || first.toi_lower <= 0.0 ? 0 : 1;
        } else if (first.verdict == Verdict::Contact && first.toi_lower > 0.0 &&
                   !found->collisions.empty()) {
            const auto& c = found->collisions;
            const auto proper = std::find_if(c.begin(), c.end(),
                                             [](const Contact& x) { return x.properness >= 0.0; });
            if (proper == c.end()) continue;
            ++compared;
            off = std::max(off, std::fabs(proper->time - first.toi_lower));
        }
    }
    Reproduction made;
    made.rows.push_back({"step 1: halts early by bounding spheres in r, h, t", "yes, no count",
                         fmt::format("{} of {} random steps of two cars, {} of them free", stopped,
                                     count, separated),
                         "agrees"});
    made.rows.push_back({"contacts among those halted early", "none",
                         fmt::format("{} by proof", misses),
                         agrees_where(misses == 0, "the bounds are wrong")});
    made.rows.push_back({"step 2: edges clipped to facing parts", "clipped, with virtual edges",
                         "clipped, with virtual edges (Figures 4 and 5)", "agrees"});
    made.rows.push_back({"steps 3 to 6: pixel records, sorted and scanned", "pixels",
                         "chords in this search; the search by pixels has its own items",
                         "differs: chords are compared as real numbers"});
    made.rows.push_back({"last step: time of the first proper collision",
                         "to the resolution; Newton for vertices in faces",
                         fmt::format("within {:.1e} of the proved time in {} steps", off, compared),
                         agrees_where(compared == 0 || off < 1e-3, "worse than a pixel")});
    made.rows.push_back({"Newton's convergence", "guaranteed by convexity",
                         "bounded: 8 iterations, 32 with a bracket",
                         "differs: bounded instead of proved"});
    made.conclusion =
        "The steps of the algorithm one by one. The search by chords fleshes out the variant "
        "without pixels that section 6 suggests; its times do not depend on the resolution.";
    return made;
}

namespace {

struct GrowthRow {
    double faces = 0.0;
    double culled_us = 0.0;
    double all_us = 0.0;
    double culled_pairs = 0.0;
    double all_pairs = 0.0;
};

double median_growth_time(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Expected<GrowthRow> growth_row(std::uint32_t faces, int motions, bool& same) {
    using Clock = std::chrono::steady_clock;
    const Polyhedron shape = body_of(generate::torus_of(faces));
    RasterSearch search;
    GrowthRow row;
    row.faces = static_cast<double>(shape.face_count());
    std::vector<double> culled;
    std::vector<double> all;
    for (int i = 0; i < motions; ++i) {
        const PairStep step = buss::colliding_step(shape, i);
        std::size_t count = 0;
        for (const bool cull : {true, false}) {
            RasterOptions options;
            options.cull = cull;
            double least = 1e300;
            for (int k = 0; k < 3; ++k) {
                const auto begin = Clock::now();
                const auto found = search.collisions(shape, shape, step, options);
                const std::chrono::duration<double, std::micro> us = Clock::now() - begin;
                if (!found) return found.error();
                least = std::min(least, us.count());
                if (k > 0) continue;
                (cull ? row.culled_pairs : row.all_pairs) +=
                    static_cast<double>(found->statistics.pairs) / motions;
                if (cull) count = found->collisions.size();
                same = same && count == found->collisions.size();
            }
            (cull ? culled : all).push_back(least);
        }
    }
    row.culled_us = median_growth_time(std::move(culled));
    row.all_us = median_growth_time(std::move(all));
    return row;
}

// Both axes by powers of ten.
std::string growth_svg(const std::vector<GrowthRow>& rows) {
    const double left = 70.0;
    const double top = 30.0;
    const double width = 420.0;
    const double height = 260.0;
    const double x_low = 2.0;
    const double x_high = std::ceil(std::log10(rows.back().faces) - 1e-3);
    double y_low = 9.0;
    double y_high = 0.0;
    for (const GrowthRow& r : rows) {
        y_low = std::min(y_low, std::floor(std::log10(std::min(r.culled_us, r.all_us))));
        y_high = std::max(y_high, std::ceil(std::log10(std::max(r.culled_us, r.all_us))));
    }
    const auto x = [&](double faces) {
        return left + width * (std::log10(faces) - x_low) / (x_high - x_low);
    };
    const auto y = [&](double us) {
        return top + height * (y_high - std::log10(us)) / (y_high - y_low);
    };
    std::string content = svg_text(left, 18.0, "strong", "Two tori: time of a search");
    for (double d = x_low; d <= x_high + 0.1; d += 1.0)
        content += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}v{:.1f}\"/>",
                               x(std::pow(10.0, d)), top, height) +
                   svg_text(x(std::pow(10.0, d)), top + height + 16.0, "soft middle tiny",
                            fmt::format("{:g}", std::pow(10.0, d)));
    for (double d = y_low; d <= y_high + 0.1; d += 1.0)
        content += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>", left,
                               y(std::pow(10.0, d)), width) +
                   svg_text(left - 6.0, y(std::pow(10.0, d)) + 4.0, "soft end tiny",
                            d < 3.0 ? fmt::format("{:g} us", std::pow(10.0, d))
                                    : fmt::format("{:g} ms", std::pow(10.0, d - 3.0)));
    content += svg_text(left + 0.5 * width, top + height + 34.0, "soft middle", "faces of a torus");
    for (const bool cull : {true, false}) {
        std::string d;
        for (const GrowthRow& r : rows) {
            const double us = cull ? r.culled_us : r.all_us;
            d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", x(r.faces), y(us));
            content += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>",
                                   cull ? "dc" : "da", x(r.faces), y(us));
        }
        content += fmt::format("<path class=\"{}\" d=\"{}\"/>", cull ? "lc" : "la", d);
    }
    content +=
        fmt::format("<g transform=\"translate({:.0f} {:.0f})\">{}</g>", left, top + height + 46.0,
                    legend_svg({{"<path class=\"lc\" d=\"M0 7h24\"/>", "groups of faces culled"},
                                {"<path class=\"la\" d=\"M0 7h24\"/>", "every face drawn"}},
                               width)
                        .svg);
    return svg_file({left + width + 20.0, top + height + 74.0, "Growth of the search with faces",
                     ".lc{fill:none;stroke:#4477aa;stroke-width:2}.la{fill:none;stroke:#ee8866;"
                     "stroke-width:2;stroke-dasharray:6 3}.dc{fill:#4477aa}.da{fill:#ee8866}",
                     content});
}

}  // namespace

Expected<Reproduction> reproduce_buss_growth(const ReproduceOptions& options) {
    std::vector<std::uint32_t> sizes = {300, 1'000, 3'000, 10'000};
    if (!options.quick) sizes.insert(sizes.end(), {30'000, 100'000});
    const int motions = options.quick ? 3 : 11;
    std::vector<GrowthRow> rows;
    bool same = true;
    for (const std::uint32_t faces : sizes) {
        if (options.stop.stop_requested()) return Error{"cancelled"};
        const auto row = growth_row(faces, motions, same);
        if (!row) return row.error();
        rows.push_back(*row);
        options.progress.tell(static_cast<double>(rows.size()) / static_cast<double>(sizes.size()));
    }
    const auto exponent = [&](double first, double last) {
        return std::log(last / first) / std::log(rows.back().faces / rows.front().faces);
    };
    const double of_all = exponent(rows.front().all_us, rows.back().all_us);
    const double of_pairs = exponent(rows.front().all_pairs, rows.back().all_pairs);
    Reproduction made;
    made.rows.push_back({"growth of the time, every face drawn",
                         "O(n log n) + O(m), m pairs on the same pixel",
                         fmt::format("time ~ n^{:.2f}, pairs ~ n^{:.2f} from {:g} to {:g} faces",
                                     of_all, of_pairs, rows.front().faces, rows.back().faces),
                         agrees_where(of_pairs < 1.2 && of_all < 1.8, "steeper")});
    made.rows.push_back({"tori of 300 faces, low resolution", "2,040 us on a 2.4 GHz Pentium 4",
                         fmt::format("{:.0f} us by chords on this machine", rows.front().culled_us),
                         "differs: another algorithm, motion and processor"});
    made.rows.push_back(
        {"hierarchy for complex bodies", "should be added; may be too slow for thousands of faces",
         fmt::format(
             "{:.1f} ms instead of {:.1f} ms at {:g} faces, {:.0f} pairs instead of {:.0f}; "
             "{} collisions",
             1e-3 * rows.back().culled_us, 1e-3 * rows.back().all_us, rows.back().faces,
             rows.back().culled_pairs, rows.back().all_pairs, same ? "the same" : "not the same"),
         same ? "better" : "differs: collisions are lost"});
    made.conclusion =
        "Time and pairs grow about linearly with the faces. Groups of faces whose boxes in r, h "
        "and t meet nothing, or whose normals cannot face each other properly, are left out before "
        "they are drawn, and the collisions are the same.";
    made.drawings.push_back(
        {"section-9.1-growth", "Median time of a search by the number of faces", growth_svg(rows)});
    DataTable table{"section-9.1-growth",
                    "Two tori that go into each other",
                    {"faces", "us, culled", "us, all", "pairs, culled", "pairs, all"},
                    {}};
    for (const GrowthRow& r : rows)
        table.rows.push_back({fmt::format("{:g}", r.faces), fmt::format("{:.1f}", r.culled_us),
                              fmt::format("{:.1f}", r.all_us),
                              fmt::format("{:.0f}", r.culled_pairs),
                              fmt::format("{:.0f}", r.all_pairs)});
    made.tables.push_back(std::move(table));
    return made;
}

Expected<Reproduction> reproduce_buss_time_order(const ReproduceOptions& options) {
    // The sides of a comb of 1,024 teeth are too far from convex to be cut into triangles.
    const std::uint32_t most = options.quick ? 256 : 512;
    Reproduction made;
    DataTable table{"section-9.1-combs",
                    "A comb pushed along another, its teeth between the other's",
                    {"teeth", "faces", "pairs compared"},
                    {}};
    std::vector<double> pairs;
    for (std::uint32_t teeth = 32; teeth <= most; teeth *= 2) {
        if (options.stop.stop_requested()) return Error{"cancelled"};
        const Polyhedron comb = body_of(generate::comb(teeth));
        const Quaternion over = rotation_about({1.0, 0.0, 0.0}, std::numbers::pi);
        const double height = 2.0 * comb.centre().y + 0.2;
        PairStep step;
        step.b = rigid::BodyStep::between({over, {0.5, height, 0.0}}, {over, {1.0, height, 0.0}});
        RasterOptions raster;
        raster.pixel = 0.05;
        RasterSearch search;
        const auto found = search.collisions(comb, comb, step, raster);
        if (!found) return found.error();
        pairs.push_back(static_cast<double>(found->statistics.pairs));
        table.rows.push_back({fmt::format("{}", teeth), fmt::format("{}", comb.face_count()),
                              fmt::format("{}", found->statistics.pairs)});
    }
    const double growth =
        std::log2(pairs.back() / pairs.front()) / static_cast<double>(pairs.size() - 1);
    made.rows.push_back(
        {"highly nonconvex bodies, as threads in a hole",
         "sorting by t as well would avoid m ~ n^2",
         fmt::format("pairs ~ n^{:.2f} for combs of {} to {} teeth", growth, 32, most),
         growth < 1.5 ? "better" : "differs: quadratic"});
    made.conclusion =
        "Slabs of time keep teeth that lie behind each other on the screen from being compared, so "
        "that pairs grow with the teeth and not with their square.";
    made.tables.push_back(std::move(table));
    return made;
}

// --- Section 10 ----------------------------------------------------------------------------------

Expected<Reproduction> reproduce_buss_robustness(const ReproduceOptions& options) {
    const Polyhedron cube = body_of(generate::cube());
    Reproduction made;
    const double pixel = 0.05;
    std::array<std::size_t, 4> counts{};
    const std::array<double, 2> gaps = {0.5, 3.0};  // [pixels]
    for (std::size_t i = 0; i < 2; ++i) {
        PairStep step;
        // Past each other, with that gap in between.
        const double y = 1.0 + gaps[i] * pixel;
        step.b = rigid::BodyStep::between({{}, {1.7, y, 0.1}}, {{}, {-1.7, y, 0.1}});
        for (const bool robust : {false, true}) {
            RasterOptions raster;
            raster.pixel = pixel;
            raster.robust = robust;
            const auto found = buss::collisions_in_world(cube, cube, step, raster);
            if (!found) return found.error();
            counts[2 * i + (robust ? 1 : 0)] = found->size();
        }
    }
    made.rows.push_back({"cubes that pass at half a pixel",
                         "reported if all approaches within a pixel are searched for",
                         fmt::format("plain: {}, robust: {} reported", counts[0], counts[1]),
                         agrees_where(counts[0] == 0 && counts[1] > 0, "other counts")});
    made.rows.push_back({"cubes that pass at three pixels", "-",
                         fmt::format("plain: {}, robust: {} reported", counts[2], counts[3]),
                         agrees_where(counts[2] == 0 && counts[3] == 0, "false alarms")});
    // Last known good positions: a car that is pushed against another for many steps.
    const rigid::RigidBody car(body_of(generate::car()));
    rigid::StepperOptions stepping;
    stepping.target_separation = 1e-3;
    auto stepper =
        rigid::SafeStepper::create({&car, &car}, {{}, {{}, {5.0, 0.2, 0.4}}}, {{0, 1}}, stepping);
    if (!stepper) return stepper.error();
    const int steps = options.quick ? 40 : 400;
    RandomVectors random(options.seed);
    int bad = 0;
    for (int i = 0; i < steps; ++i) {
        if (options.stop.stop_requested()) return Error{"cancelled"};
        std::array<Pose, 2> targets = {stepper->poses()[0], stepper->poses()[1]};
        const Quaternion q = rotation_about(random.vector(), 0.1);
        targets[1].rotation = normalised(compose({q, {}}, {targets[1].rotation, {}}).rotation);
        targets[1].translation =
            targets[1].translation + Vec3{-0.5, 0.0, 0.0} + 0.1 * random.vector();
        if (const auto done = stepper->step(targets); !done) return done.error();
        bad += rigid::start_state(car.surface(), stepper->poses()[0], car.surface(),
                                  stepper->poses()[1]) == rigid::StartState::Separated
                   ? 0
                   : 1;
    }
    made.rows.push_back({"bodies pressed against each other, searched from the last good positions",
                         "reliably avoids unreported overlaps",
                         fmt::format("{} of {} states overlap, exactly", bad, steps),
                         agrees_where(bad == 0, "overlaps")});
    made.conclusion =
        "The robust mode reports what passes within a pixel, and nothing three pixels away. Steps "
        "that begin at the last good positions never leave bodies in each other, whatever they are "
        "asked for.";
    return made;
}

}  // namespace graze::app
