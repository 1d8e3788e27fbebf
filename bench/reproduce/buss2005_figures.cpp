#include "reproduce/buss2005_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "graze/rigid/impact.hpp"
#include "graze/rigid/impulse.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "graze/rigid/start_state.hpp"
#include "pictures/rigid_pictures.hpp"
#include "pictures/scene_svg.hpp"
#include "pictures/svg_file.hpp"
#include "reproduce/buss2005_bodies.hpp"

namespace graze::app {
namespace {

using buss::body_of;
using rigid::Contact;
using rigid::ContactType;
using rigid::PairStep;
using rigid::Polyhedron;

constexpr double kFullRotation = 2.0 * std::numbers::pi;

// --- drawing in the plane ------------------------------------------------------------------------

struct PlanePoint {
    double x = 0.0;
    double y = 0.0;
};

// A square of the plane on a square of the picture, y up.
struct PlaneView {
    double left = 0.0;
    double top = 0.0;
    double size = 260.0;  // [units of the picture]
    PlanePoint middle;
    double half = 1.0;  // [length]

    [[nodiscard]] double x(const PlanePoint& p) const {
        return left + 0.5 * size * (1.0 + (p.x - middle.x) / half);
    }
    [[nodiscard]] double y(const PlanePoint& p) const {
        return top + 0.5 * size * (1.0 - (p.y - middle.y) / half);
    }
    [[nodiscard]] std::string path(const std::vector<PlanePoint>& points,
                                   std::string_view css_class, bool closed = true) const {
        std::string d;
        for (const PlanePoint& p : points)
            d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", x(p), y(p));
        return fmt::format("<path class=\"{}\" d=\"{}{}\"/>\n", css_class, d, closed ? "Z" : "");
    }
    [[nodiscard]] std::string dot(const PlanePoint& p, std::string_view css_class, double r) const {
        return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n",
                           css_class, x(p), y(p), r);
    }
    [[nodiscard]] std::string label(const PlanePoint& p, std::string_view text, double dx = 7.0,
                                    double dy = 4.0, std::string_view css = "tiny") const {
        return svg_text(x(p) + dx, y(p) + dy, css, text) + "\n";
    }
};

constexpr std::string_view kPlaneStyle =
    ".pa{fill:#4477aa;fill-opacity:.35;stroke:#4477aa;stroke-width:1.6}"
    ".pb{fill:#ee8866;fill-opacity:.35;stroke:#ba542c;stroke-width:1.6}"
    ".gh{fill:none;stroke:#ba542c;stroke-opacity:.6;stroke-dasharray:4 3}"
    ".fw{fill:none;stroke:#1d2329;stroke-width:2.6}"
    ".bw{fill:none;stroke:#1d2329;stroke-width:2.2;stroke-dasharray:2 4}"
    ".wire{fill:none;stroke:#1d2329;stroke-width:1.4}.back{fill:#8a949e;fill-opacity:.6;stroke:"
    "none}"
    ".flow{fill:none;stroke:#5a646e;stroke-width:1.1}.hit{fill:#c8003c}.near{fill:#8a1fa8}"
    ".cut{fill:none;stroke:#c8003c;stroke-width:1.2;stroke-dasharray:6 3}"
    ".zone{fill:#c8003c;fill-opacity:.08}"
    "@media(prefers-color-scheme:dark){.fw,.bw,.wire{stroke:#e4e8ec}.flow{stroke:#b4bdc6}"
    ".hit{fill:#ff5078}.near{fill:#e29bff}.cut{stroke:#ff5078}}";

Drawing plane_drawing(std::string name, std::string caption, double width, double height,
                      std::string content) {
    SvgFile file{width, height, caption, std::string(kPlaneStyle), std::move(content)};
    std::string svg = svg_file(file);
    return {std::move(name), std::move(caption), std::move(svg)};
}

// --- Figure 2 ------------------------------------------------------------------------------------

constexpr double kFigure2Tilt = 0.05;  // [radians] of Figure 2b

struct Reading2 {
    std::string name;
    std::vector<PlanePoint> outline;  // of B in its own frame
    PairStep step;
    std::vector<Contact> collisions;  // in the world
};

const std::vector<std::pair<double, double>> kRestingRectangle = {
    {-2.0, -2.0}, {0.0, -2.0}, {0.0, 2.0}, {-2.0, 2.0}};

Expected<Reading2> reading(std::string name, const std::vector<std::pair<double, double>>& outline,
                           double tilt) {
    Reading2 r;
    r.name = std::move(name);
    const Quaternion q = rotation_about({0.0, 0.0, 1.0}, -tilt);
    r.step.b = rigid::BodyStep::between({q, {2.0, 0.1, 0.0}}, {q, {0.4, 0.1, 0.0}});
    for (const auto& [x, y] : outline)
        r.outline.push_back({x, y});
    auto found = buss::collisions_in_world(buss::prism(kRestingRectangle, 2.0),
                                           buss::prism(outline, 1.0), r.step);
    if (!found) return found.error();
    for (const Contact& c : *found)
        if (c.type == ContactType::FaceVertex && c.a == 1) r.collisions.push_back(c);
    return r;
}

// Pairs of vertices of a prism as the one vertex of its polygon.
struct Hit2 {
    PlanePoint at;
    double time = 0.0;
    double properness = 0.0;
};
std::vector<Hit2> hits_of(const Reading2& r) {
    std::vector<Hit2> hits;
    for (const Contact& c : r.collisions) {
        const bool seen = std::any_of(hits.begin(), hits.end(), [&](const Hit2& h) {
            return std::hypot(h.at.x - c.point.x, h.at.y - c.point.y) < 1e-6;
        });
        if (!seen) hits.push_back({{c.point.x, c.point.y}, c.time, c.properness});
    }
    return hits;
}

std::vector<PlanePoint> placed_outline(const Reading2& r, double time) {
    const Pose pose = world_pose_b(r.step, time);
    std::vector<PlanePoint> points;
    for (const PlanePoint& p : r.outline) {
        const Vec3 x = apply(pose, Vec3{p.x, p.y, 0.0});
        points.push_back({x.x, x.y});
    }
    return points;
}

std::string reading_panel(const Reading2& r, const PlaneView& view) {
    std::vector<PlanePoint> rest;
    for (const auto& [x, y] : kRestingRectangle)
        rest.push_back({x, y});
    std::string svg = svg_text(view.left, view.top - 8.0, "strong", r.name) + "\n";
    svg += view.path(rest, "pa") + view.path(placed_outline(r, 1.0), "pb");
    svg += view.path(placed_outline(r, 0.0), "gh");
    double line = view.top + view.size + 16.0;
    for (const Hit2& h : hits_of(r)) {
        svg += view.dot(h.at, h.properness >= -1e-9 ? "hit" : "near", 5.0);
        svg += svg_text(view.left, line, "soft",
                        fmt::format("t = {:.4f}: properness {:+.3f}", h.time, h.properness + 0.0)) +
               "\n";
        line += 17.0;
    }
    return svg;
}

rigid::BodyVelocity velocity_after(const Reading2& r, double min_properness) {
    std::vector<Contact> sorted = r.collisions;
    const auto contacts = rigid::first_contacts({0, 1}, r.step, sorted, {min_properness, 0.25});
    // A cube of side 2 and mass 1.
    const std::array<rigid::BodyMass, 2> masses = {rigid::BodyMass{},
                                                   rigid::BodyMass{1.0, {1.5, 1.5, 1.5}}};
    std::array<rigid::BodyVelocity, 2> velocities;
    velocities[1].linear = {-1.6, 0.0, 0.0};
    rigid::ImpulseOptions impulses;
    impulses.restitution = 0.4;
    impulses.friction = 0.3;
    apply_impulses(contacts, masses, velocities, impulses);
    return velocities[1];
}

std::string velocity_text(const rigid::BodyVelocity& v) {
    return fmt::format("({:.6f}, {:.6f}), rotation {:.6f}", v.linear.x + 0.0, v.linear.y + 0.0,
                       v.angular.z + 0.0);
}

std::string hits_text(const std::vector<Hit2>& hits) {
    std::string text = fmt::format("{} collisions:", hits.size());
    for (const Hit2& h : hits)
        text += fmt::format(" t = {:.4f} properness {:+.3f};", h.time, h.properness + 0.0);
    text.pop_back();
    return text;
}

std::string agree_if(bool agrees, std::string otherwise) {
    return agrees ? "agrees" : "differs: " + std::move(otherwise);
}

}  // namespace

Expected<Reproduction> reproduce_buss_figure_2(const ReproduceOptions&) {
    const std::vector<std::pair<double, double>> square = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const std::vector<std::pair<double, double>> notched = {
        {-1, -1}, {1, -1}, {1, 1}, {-0.9, 1}, {-0.4, 0}};
    auto a = reading("(a) Collision #1", square, 0.0);
    auto b = reading("(b) Collision #2", square, kFigure2Tilt);
    auto c = reading("(c) Collision #3", notched, 0.0);
    for (const auto* r : {&a, &b, &c})
        if (!*r) return r->error();
    Reproduction made;
    const auto of_a = hits_of(*a);
    const auto of_b = hits_of(*b);
    const auto of_c = hits_of(*c);
    const auto proper = [](const std::vector<Hit2>& hits, double least) {
        return std::count_if(hits.begin(), hits.end(),
                             [&](const Hit2& h) { return h.properness >= least; });
    };
    made.rows.push_back({"(a) collisions with the right face of A",
                         "2 at once, unproblematic (proper)", hits_text(of_a),
                         agree_if(of_a.size() == 2 && proper(of_a, -1e-9) == 2, "other count")});
    made.rows.push_back(
        {"(b) B tilted slightly", "2: the first proper, the second later and slightly improper",
         hits_text(of_b),
         agree_if(of_b.size() == 2 && proper(of_b, -1e-9) == 1 && of_b[1].properness > -0.1,
                  "other count")});
    made.rows.push_back({"(c) B of another shape", "2 proper at slightly different times",
                         hits_text(of_c),
                         agree_if(of_c.size() == 2 && proper(of_c, -1e-9) == 2, "other count")});
    const rigid::BodyVelocity after_a = velocity_after(*a, -0.1);
    const rigid::BodyVelocity after_b = velocity_after(*b, -0.1);
    const rigid::BodyVelocity first_b = velocity_after(*b, -1e-9);
    const double difference =
        norm(after_a.linear - after_b.linear) + norm(after_a.angular - after_b.angular);
    made.rows.push_back(
        {"velocity of B after (a), all collisions at once", "-", velocity_text(after_a), "agrees"});
    made.rows.push_back({"velocity of B after (b), all collisions at once",
                         "very similar to that after (a)", velocity_text(after_b),
                         agree_if(difference < 1e-6, "the velocities differ")});
    made.rows.push_back({"velocity of B after (b), the first collision alone",
                         "begins to tumble, a very different simulation", velocity_text(first_b),
                         agree_if(norm(first_b.angular) > 0.1, "it does not rotate")});
    made.conclusion =
        "The three readings are as described. With all collisions down to a properness of -0.1 "
        "answered at once (projected Gauss-Seidel, restitution 0.4, friction 0.3) the tilted "
        "rectangle leaves like the one that came flat; answered alone, the first collision makes "
        "it tumble. The rectangles are prisms here, so that each vertex counts twice.";
    std::string content;
    double left = 20.0;
    for (const auto* r : {&a, &b, &c}) {
        PlaneView view{left, 34.0, 250.0, {0.4, 0.0}, 2.9};
        content += reading_panel(**r, view);
        left += 280.0;
    }
    const auto legend =
        legend_svg({{"<rect class=\"pa\" width=\"22\" height=\"12\"/>", "A rests"},
                    {"<rect class=\"pb\" width=\"22\" height=\"12\"/>", "B at the end of the step"},
                    {"<rect class=\"gh\" width=\"22\" height=\"12\"/>", "B at the start"},
                    {"<circle class=\"hit\" cx=\"12\" cy=\"7\" r=\"5\"/>", "proper"},
                    {"<circle class=\"near\" cx=\"12\" cy=\"7\" r=\"5\"/>", "slightly improper"}},
                   830.0);
    content += fmt::format("<g transform=\"translate(20 340)\">{}</g>", legend.svg);
    made.drawings.push_back(plane_drawing(
        "figure-2",
        "Three collisions of rectangles, with the collisions found and their properness", 860.0,
        350.0 + legend.height, std::move(content)));
    DataTable table{"figure-2-collisions",
                    "Collisions of Figure 2, as found on prisms",
                    {"reading", "time", "x", "y", "properness"},
                    {}};
    for (const auto* r : {&a, &b, &c})
        for (const Hit2& h : hits_of(**r))
            table.rows.push_back({(*r)->name, fmt::format("{:.9f}", h.time),
                                  fmt::format("{:.6f}", h.at.x), fmt::format("{:.6f}", h.at.y),
                                  fmt::format("{:.6f}", h.properness + 0.0)});
    made.tables.push_back(std::move(table));
    return made;
}

// --- Figures 4 and 5 -----------------------------------------------------------------------------

namespace {

// The part of a polygon where a linear function is >= 0 (keep > 0) or <= 0.
std::vector<Vec3> clipped_polygon(const std::vector<Vec3>& polygon,
                                  const std::vector<double>& value, double keep) {
    std::vector<Vec3> part;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const std::size_t j = (i + 1) % polygon.size();
        const double a = keep * value[i];
        const double b = keep * value[j];
        if (a >= 0.0) part.push_back(polygon[i]);
        if ((a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0))
            part.push_back(polygon[i] + (a / (a - b)) * (polygon[j] - polygon[i]));
    }
    return part;
}

double polygon_area(const std::vector<Vec3>& polygon) {
    Vec3 sum;
    for (std::size_t i = 2; i < polygon.size(); ++i)
        sum = sum + cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
    return 0.5 * norm(sum);
}

struct FaceParts {
    std::vector<Vec3> forward;
    std::vector<Vec3> backward;
    double backward_fraction = 0.0;  // of the area
};

// n . velocity is linear on a face: >= 0 forward, <= 0 backward.
FaceParts face_parts(const Polyhedron& body, std::size_t face, const rigid::ScrewMotion& screw) {
    std::vector<Vec3> corners;
    std::vector<double> value;
    for (const std::uint32_t v : body.face(face)) {
        corners.push_back(body.positions()[v]);
        value.push_back(dot(body.normal(face), screw.velocity(corners.back())));
    }
    FaceParts parts{clipped_polygon(corners, value, 1.0), clipped_polygon(corners, value, -1.0),
                    0.0};
    parts.backward_fraction = polygon_area(parts.backward) / polygon_area(corners);
    return parts;
}

std::string fraction_text(double fraction) {
    if (fraction <= 0.0) return "forward";
    if (fraction >= 1.0) return "backward";
    return fmt::format("{:.0f} % backward", 100.0 * fraction);
}

}  // namespace

Expected<Reproduction> reproduce_buss_figure_4(const ReproduceOptions&) {
    const Polyhedron square = buss::prism({{1.6, -1.0}, {3.6, -1.0}, {3.6, 1.0}, {1.6, 1.0}}, 0.5);
    const rigid::ScrewMotion screw = rigid::screw_of({rotation_about({0.0, 0.0, 1.0}, 0.6), {}});
    constexpr std::array<const char*, 4> kSides = {"bottom", "right", "top", "left"};
    Reproduction made;
    PlaneView view{20.0, 34.0, 330.0, {2.0, 0.0}, 2.6};
    std::string content = svg_text(20.0, 18.0, "strong", "A square that rotates about the origin");
    int both = 0;
    DataTable table{"figure-4-sides", "Sides of the square", {"side", "facing"}, {}};
    for (const double r : {1.6, 2.6, 3.6}) {
        std::vector<PlanePoint> arc;
        for (int i = -10; i <= 10; ++i)
            arc.push_back({r * std::cos(0.045 * i), r * std::sin(0.045 * i)});
        content += view.path(arc, "flow", false);
    }
    for (std::size_t f = 0; f < 4; ++f) {
        const FaceParts parts = face_parts(square, f, screw);
        both += parts.backward_fraction > 0.0 && parts.backward_fraction < 1.0 ? 1 : 0;
        table.rows.push_back({kSides[f], fraction_text(parts.backward_fraction)});
        for (const auto& [part, css] :
             {std::pair(&parts.forward, "fw"), std::pair(&parts.backward, "bw")}) {
            std::vector<PlanePoint> ends;
            for (const Vec3& x : *part)
                if (x.z < 0.0) ends.push_back({x.x, x.y});
            if (ends.size() >= 2) content += view.path({ends.front(), ends.back()}, css, false);
        }
    }
    content += view.dot({0.0, 0.0}, "hit", 4.0) + view.label({0.0, 0.0}, "origin");
    content += fmt::format("<g transform=\"translate(20 376)\">{}</g>",
                           legend_svg({{"<path class=\"fw\" d=\"M0 7h24\"/>", "forward facing"},
                                       {"<path class=\"bw\" d=\"M0 7h24\"/>", "backward facing"},
                                       {"<path class=\"flow\" d=\"M0 7h24\"/>", "flow"}},
                                      350.0)
                               .svg);
    made.rows.push_back({"sides that are both forward and backward facing", "2",
                         fmt::format("{}", both), agree_if(both == 2, "other count")});
    made.rows.push_back(
        {"top and bottom side", "one solid (forward), one dotted (backward)",
         fmt::format("top {}, bottom {}", table.rows[2][1], table.rows[0][1]),
         agree_if(table.rows[2][1] == "forward" && table.rows[0][1] == "backward", "other sides")});
    made.conclusion =
        "The line n . w(x) = 0 cuts the two sides that the perpendicular from the origin meets, as "
        "in the figure; the size and place of the printed square are not given.";
    made.drawings.push_back(plane_drawing("figure-4",
                                          "Forward and backward facing sides of a square that "
                                          "rotates counterclockwise about the origin",
                                          390.0, 430.0, std::move(content)));
    made.tables.push_back(std::move(table));
    return made;
}

Expected<Reproduction> reproduce_buss_figure_5(const ReproduceOptions&) {
    io::PolygonMesh mesh = generate::cube();
    for (Vec3& x : mesh.positions)
        x = x + Vec3{0.0, 0.0, 1.6};  // the axis is y, behind the cube
    const Polyhedron cube = body_of(mesh);
    const double angle = 0.9;
    const double pitch = 1.0;
    const rigid::ScrewMotion screw =
        rigid::screw_of({rotation_about({0.0, 1.0, 0.0}, angle), {0.0, pitch, 0.0}});
    const Eye eye(-28.0, 24.0);
    PlaneView view{20.0, 30.0, 400.0, {0.35, 0.75}, 1.9};
    const auto seen = [&](const Vec3& x) {
        const Vec3 s = eye.see(x);
        return PlanePoint{s.x, s.y};
    };
    const auto face_name = [&](std::size_t f) {
        const Vec3& n = cube.normal(f);
        if (n.x < -0.5) return "left";
        if (n.x > 0.5) return "right";
        if (n.y < -0.5) return "bottom";
        if (n.y > 0.5) return "top";
        return n.z > 0.5 ? "near" : "far";
    };
    std::string content = svg_text(20.0, 18.0, "strong", "A cube spiralling upward");
    DataTable table{"figure-5-faces", "Faces of the cube", {"face", "facing", "published"}, {}};
    bool agrees = true;
    for (std::size_t f = 0; f < cube.face_count(); ++f) {
        const FaceParts parts = face_parts(cube, f, screw);
        const std::string name = face_name(f);
        const bool whole = name == "left" || name == "bottom";
        const bool half = name == "near" || name == "far";
        const double expected = whole ? 1.0 : half ? 0.5 : 0.0;
        agrees = agrees && std::fabs(parts.backward_fraction - expected) < 1e-9;
        table.rows.push_back({name, fraction_text(parts.backward_fraction),
                              whole  ? "backward"
                              : half ? "half backward"
                                     : "forward"});
        if (parts.backward.size() < 3) continue;
        std::vector<PlanePoint> grey;
        for (const Vec3& x : parts.backward)
            grey.push_back(seen(x));
        content += view.path(grey, "back");
    }
    const auto wire = [&](double time, std::string_view css) {
        std::string lines;
        for (const auto& e : cube.edges())
            lines += view.path({seen(screw.position(cube.positions()[e.from], time)),
                                seen(screw.position(cube.positions()[e.to], time))},
                               css, false);
        return lines;
    };
    content += wire(0.0, "wire") + wire(1.0, "gh");
    for (const std::uint32_t v : {1U, 3U, 5U, 7U}) {
        std::vector<PlanePoint> helix;
        for (int i = 0; i <= 20; ++i)
            helix.push_back(seen(screw.position(cube.positions()[v], 0.05 * i)));
        content += view.path(helix, "flow", false);
    }
    content += view.path({seen({0.0, -0.8, 0.0}), seen({0.0, 2.4, 0.0})}, "cut", false);
    content += view.label(seen({0.0, 2.3, 0.0}), "axis");
    content += fmt::format(
        "<g transform=\"translate(20 466)\">{}</g>",
        legend_svg({{"<rect class=\"back\" width=\"22\" height=\"12\"/>", "backward facing"},
                    {"<rect class=\"gh\" width=\"22\" height=\"12\"/>", "the end of the step"},
                    {"<path class=\"flow\" d=\"M0 7h24\"/>", "flow"}},
                   420.0)
            .svg);
    Reproduction made;
    made.rows.push_back({"backward facing faces",
                         "the left face, the bottom face, and half of the near and far faces",
                         agrees ? "the left face, the bottom face, and half of the near and far "
                                  "faces"
                                : "others: see the table",
                         agree_if(agrees, "other faces")});
    made.conclusion =
        "The cube of the figure again, with a screw of our own about a vertical axis behind it: "
        "the same faces are gray.";
    made.drawings.push_back(
        plane_drawing("figure-5", "A cube in wire frame with its backward facing faces gray", 440.0,
                      505.0, std::move(content)));
    made.tables.push_back(std::move(table));
    return made;
}

// --- Figures 10 and 11 ---------------------------------------------------------------------------

namespace {

constexpr double kDoppelAngle = 0.7;  // [radians] theta

// From above, along the axis: z to the right, x up, so that phi = atan2(x, z) runs as usual.
PlanePoint from_above(double r, double phi) {
    return {r * std::cos(phi), r * std::sin(phi)};
}

// phi and r along the boundary of a polygon, phi without a jump.
std::vector<PlanePoint> unrolled(const std::vector<PlanePoint>& polygon) {
    std::vector<PlanePoint> curve;
    double phi = std::atan2(polygon[0].y, polygon[0].x);
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const PlanePoint& p = polygon[i];
        const PlanePoint& q = polygon[(i + 1) % polygon.size()];
        for (int k = 0; k <= 32; ++k) {
            const double u = k / 32.0;
            const PlanePoint x = {p.x + u * (q.x - p.x), p.y + u * (q.y - p.y)};
            phi += std::remainder(std::atan2(x.y, x.x) - phi, kFullRotation);
            curve.push_back({phi, std::hypot(x.x, x.y)});
        }
    }
    return curve;
}

std::string doppel_panel(const std::string& title, const std::vector<PlanePoint>& polygon,
                         double top) {
    const PlaneView view{20.0, top + 22.0, 220.0, {0.0, 0.0}, 2.2};
    std::string svg = svg_text(20.0, top + 12.0, "strong", title) + "\n";
    svg += view.path(polygon, "pa");
    svg += view.path({{0.0, 0.0}, from_above(2.1, std::numbers::pi)}, "cut", false);
    svg += view.path({{0.0, 0.0}, from_above(2.1, kDoppelAngle - std::numbers::pi)}, "cut", false);
    svg += view.dot({0.0, 0.0}, "hit", 4.0) + view.label({0.0, 0.0}, "axis");
    svg += view.label(from_above(2.1, std::numbers::pi), "\u03c6 = \u00b1\u03c0", 0.0, -6.0);
    svg += view.label(from_above(2.0, kDoppelAngle - std::numbers::pi), "\u03c6 = \u03b8 - \u03c0",
                      8.0, 8.0);
    for (std::size_t i = 0; i < polygon.size(); ++i)
        svg += view.label(polygon[i], std::string(1, static_cast<char>('A' + i)), 4.0, -4.0, "");
    // The strip: phi to the right, r up.
    const double left = 290.0;
    const double width = 540.0;
    const double bottom = top + 232.0;
    const auto x_of = [&](double phi) {
        return left + width * (phi + 2.6 * std::numbers::pi) / (5.8 * std::numbers::pi);
    };
    const auto y_of = [&](double r) { return bottom - 85.0 * r; };
    const double from = -std::numbers::pi;
    const double to = std::numbers::pi + kDoppelAngle;
    svg += fmt::format(
        "<rect class=\"zone\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\"/>\n",
        x_of(from), y_of(2.3), x_of(to) - x_of(from), y_of(0.0) - y_of(2.3));
    svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, bottom,
                       left + width);
    for (const auto& [phi, text] :
         {std::pair(-std::numbers::pi, "-\u03c0"), std::pair(0.0, "0"),
          std::pair(std::numbers::pi, "\u03c0"), std::pair(to, "  \u03c0+\u03b8")})
        svg += svg_text(x_of(phi), bottom + 15.0, "soft tiny middle", text);
    const std::vector<PlanePoint> curve = unrolled(polygon);
    for (int k = -1; k <= 1; ++k) {
        std::string d;
        bool meets = false;
        for (const PlanePoint& p : curve) {
            const double phi = p.x + kFullRotation * k;
            meets = meets || (phi > from && phi < to);
            d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", x_of(phi), y_of(p.y));
        }
        if (!meets) continue;
        svg += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", k == 0 ? "wire" : "gh", d);
        svg += svg_text(x_of(curve[0].x + kFullRotation * k), y_of(curve[0].y) - 6.0, "tiny middle",
                        k == 0 ? "A" : fmt::format("A, k = {}", k));
    }
    return svg;
}

// A pin that comes down on A at the angle phi while it rotates about the axis y. A second one, on the
// other side and higher, belongs to the same body: so the axis runs through both bodies, the screen
// is cut at an angle that has nothing to do with phi, and faces are drawn in copies.
struct PinResult {
    double time = 2.0;
    bool doppeled = false;
};
Expected<PinResult> meet_with_pin(const Polyhedron& a, double r, double phi) {
    io::PolygonMesh mesh = generate::tetrahedron();
    // Its corners are at (1,1,1), (1,-1,-1), (-1,1,-1), (-1,-1,1) in some order: the lowest two are
    // an edge. Tilted, one corner leads.
    const Quaternion tilt = rotation_about({1.0, 0.0, 0.3}, 0.6);
    double lowest = 0.0;
    Vec3 tip;
    for (Vec3& x : mesh.positions) {
        x = 0.1 * rotate(tilt, x);
        if (x.y < lowest) {
            lowest = x.y;
            tip = x;
        }
    }
    const auto corners = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t v = 0; v < corners; ++v)
        mesh.positions.push_back(mesh.positions[v] - tip + Vec3{0.0, 0.5, -r});
    for (std::uint32_t v = 0; v < corners; ++v)
        mesh.positions[v] = mesh.positions[v] - tip + Vec3{0.0, 0.0, r};
    const std::size_t faces = mesh.polygons.size();
    for (std::size_t f = 0; f < faces; ++f) {
        const std::vector<std::uint32_t> face(mesh.polygons[f].begin(), mesh.polygons[f].end());
        for (const std::uint32_t v : face)
            mesh.polygons.add_corner(corners + v);
        mesh.polygons.close();
    }
    const Polyhedron pin = body_of(mesh);
    const Quaternion start = rotation_about({0.0, 1.0, 0.0}, phi);
    const Quaternion end = rotation_about({0.0, 1.0, 0.0}, phi + kDoppelAngle);
    PairStep step;
    step.b = rigid::BodyStep::between({start, {0.0, 0.9, 0.0}}, {end, {0.0, -0.1, 0.0}});
    rigid::RasterSearch search;
    rigid::RasterOptions options;
    options.min_properness = 0.0;
    const auto found = search.collisions(a, pin, step, options);
    if (!found) return found.error();
    PinResult result;
    result.doppeled = found->statistics.doppeled;
    if (!found->collisions.empty()) result.time = found->collisions.front().time;
    return result;
}

struct PinSweep {
    int found = 0;
    int doppeled = 0;
    double earliest = 2.0;
    double latest = -1.0;
};
// At `count` angles all around, which a symmetric body cannot tell from each other.
Expected<PinSweep> sweep_pin(const Polyhedron& a, double r, int count) {
    PinSweep sweep;
    for (int i = 0; i < count; ++i) {
        const auto met = meet_with_pin(a, r, kFullRotation * (i + 0.37) / count);
        if (!met) return met.error();
        sweep.found += met->time <= 1.0 ? 1 : 0;
        sweep.doppeled += met->doppeled ? 1 : 0;
        sweep.earliest = std::min(sweep.earliest, met->time);
        sweep.latest = std::max(sweep.latest, met->time);
    }
    return sweep;
}

ComparedRow pin_row(std::string what, std::string published, const PinSweep& sweep, int count) {
    return {
        std::move(what), std::move(published),
        fmt::format("found at {} of {} angles, times within {:.1e} of each other; {} searches "
                    "with copies",
                    sweep.found, count, sweep.latest - sweep.earliest, sweep.doppeled),
        agree_if(sweep.found == count && sweep.doppeled > 0 && sweep.latest - sweep.earliest < 1e-6,
                 "collisions are lost or shifted")};
}

}  // namespace

Expected<Reproduction> reproduce_buss_doppeling(const ReproduceOptions&) {
    Reproduction made;
    // 20 rings: 20 angles are alike. Faces cross the cut, and none is pierced.
    const auto ring = sweep_pin(body_of(generate::torus()), 1.0, 20);
    if (!ring) return ring.error();
    // A plate: the axis pierces its top. Of four sides, so that four angles are alike; the time is
    // that of the plane, the same for all.
    io::PolygonMesh plate = generate::cube();
    for (Vec3& x : plate.positions)
        x = {3.0 * x.x, 0.4 * x.y, 3.0 * x.z};
    const auto pierced = sweep_pin(body_of(plate), 0.6, 24);
    if (!pierced) return pierced.error();
    made.rows.push_back(pin_row("a face across the cut (Figure 10)",
                                "clipped into two polygons; no collision is missed", *ring, 20));
    made.rows.push_back(pin_row("a face that the axis pierces (Figure 11)",
                                "one polygon from the axis outward; no collision is missed",
                                *pierced, 24));
    made.conclusion =
        "Another construction with the same result: the paper clips a face at phi = pi and "
        "phi = pi + theta and draws the part that is needed twice; here the whole face is drawn "
        "once for each rotation by which it can meet, and a pierced face winds around the axis.";
    const std::vector<PlanePoint> figure_10 = {
        {-0.7, -1.6}, {-0.5, 0.9}, {-1.7, 0.7}, {-1.9, -0.9}};
    const std::vector<PlanePoint> figure_11 = {{1.1, -0.7}, {0.8, 1.3}, {-1.3, 0.9}, {-1.0, -1.2}};
    std::string content = doppel_panel("Figure 10: across the cut", figure_10, 8.0) +
                          doppel_panel("Figure 11: pierced by the axis", figure_11, 300.0);
    content += fmt::format(
        "<g transform=\"translate(20 570)\">{}</g>",
        legend_svg({{"<rect class=\"zone\" width=\"22\" height=\"12\"/>",
                     "angles that the paper's polygons are clipped to"},
                    {"<path class=\"wire\" d=\"M0 7h24\"/>", "as drawn, k = 0"},
                    {"<path class=\"gh\" d=\"M0 7h24\"/>", "copies by whole rotations"}},
                   820.0)
            .svg);
    made.drawings.push_back(plane_drawing("figures-10-11",
                                          "Doppeling: a polygon seen along the axis, and its "
                                          "copies over the angle phi (right) with r upward",
                                          850.0, 600.0, std::move(content)));
    return made;
}

// --- Figures 12 to 14 ----------------------------------------------------------------------------

namespace {

SceneShape drawn_shape(const Polyhedron& body) {
    SceneShape shape;
    for (std::size_t f = 0; f < body.face_count(); ++f)
        shape.faces.add(body.face(f));
    shape.hides_backs = true;
    return shape;
}

}  // namespace

Expected<Reproduction> reproduce_buss_figure_12(const ReproduceOptions&) {
    const Polyhedron car = body_of(generate::car());
    Reproduction made;
    const auto row = [&](const char* what, std::size_t published, std::size_t ours) {
        made.rows.push_back({what, fmt::format("{}", published), fmt::format("{}", ours),
                             agree_if(ours == published, "other count")});
    };
    row("vertices", 16, car.positions().size());
    row("edges", 26, car.edges().size());
    row("faces", 12, car.face_count());
    made.rows.push_back({"shape", "not convex at windshield and rear window, as drawn",
                         "closed, planar faces, not convex at windshield and rear window",
                         "differs: coordinates are not published"});
    made.conclusion =
        "A car of the same counts and kind of shape; its coordinates are our own, because those of "
        "the figure are not published.";
    const SceneShape shape = drawn_shape(car);
    ScenePicture picture;
    picture.title = "A simple polygonal model of a car";
    picture.eye = Eye(40.0, 25.0);
    ScenePanel panel;
    panel.title = "16 vertices, 26 edges, 12 faces";
    panel.parts.push_back(
        {&shape, {car.positions().begin(), car.positions().end()}, 'a', {}, false});
    picture.panels.push_back(std::move(panel));
    made.drawings.push_back({"figure-12", "A simple polygonal model of a car", scene_svg(picture)});
    return made;
}

Expected<Reproduction> reproduce_buss_figure_13(const ReproduceOptions&) {
    const Polyhedron torus = body_of(generate::torus());
    const PairStep step = buss::two_tori_step();
    rigid::RasterOptions options;
    options.min_properness = 0.0;
    const auto found = buss::collisions_in_world(torus, torus, step, options);
    if (!found) return found.error();
    const rigid::RigidBody body(torus);
    const rigid::ImpactResult first = rigid::first_impact(body, body, step);
    const auto separated = [&](const Pose& a, const Pose& b) {
        return rigid::start_state(torus, a, torus, b) == rigid::StartState::Separated;
    };
    const bool free_ends =
        separated(step.a.start, step.b.start) && separated(step.a.end, step.b.end);
    Reproduction made;
    made.rows.push_back(
        {"faces and edges of a torus", "300 rectangular faces, 600 edges",
         fmt::format("{} faces, {} edges", torus.face_count(), torus.edges().size()),
         agree_if(torus.face_count() == 300 && torus.edges().size() == 600, "other count")});
    made.rows.push_back({"proper collisions", "3", fmt::format("{}", found->size()),
                         agree_if(found->size() == 3, "other count")});
    made.rows.push_back({"tori at the start (a) and at the end (e)", "separated: A goes through B",
                         free_ends ? "separated, exactly" : "not separated",
                         agree_if(free_ends, "they overlap")});
    const bool proved = first.verdict == Verdict::Contact && !found->empty();
    made.rows.push_back({"first collision (b)", "not proved",
                         proved ? fmt::format("t = {:.6f}; proved: [{:.9f}, {:.9f}]",
                                              found->front().time, first.toi_lower, first.toi_upper)
                                : "none",
                         proved ? "better" : "differs: no contact"});
    made.conclusion =
        "Three proper collisions, as in the figure, found in one search; the motion is our own, "
        "for that of the figure is not published. The first one is proved beside it.";
    DrawnBodies drawn{torus, torus, "torus", "torus", step, first};
    const auto groups = rigid::simultaneous_groups(*found, 1e-3);
    made.drawings.push_back({"figure-13", "Two tori: start, each proper collision, end",
                             bodies_svg(drawn, panels_of(*found, groups, 3))});
    DataTable table{"figure-13-collisions",
                    "Proper collisions of the two tori",
                    {"time", "type", "feature of A", "feature of B", "properness"},
                    {}};
    for (const Contact& c : *found)
        table.rows.push_back({fmt::format("{:.9f}", c.time), std::string(short_name(c.type)),
                              fmt::format("{}", c.a), fmt::format("{}", c.b),
                              fmt::format("{:.4f}", c.properness)});
    made.tables.push_back(std::move(table));
    return made;
}

namespace {

struct DrawnScreen {
    int columns = 0;  // of r
    int rows = 0;     // of h
    std::size_t marks = 0;
    std::string svg;
};

Expected<DrawnScreen> drawn_screen(double pixel) {
    const Polyhedron torus = body_of(generate::torus());
    rigid::RasterSearch search;
    rigid::RasterOptions options;
    options.min_properness = 0.0;
    options.pixel = pixel;
    const auto found = search.collisions(torus, torus, buss::two_tori_step(), options);
    if (!found) return found.error();
    const auto drawn = search.drawn();
    int r_low = 1 << 30;
    int r_high = -(1 << 30);
    int h_low = r_low;
    int h_high = r_high;
    for (const auto& p : drawn) {
        r_low = std::min(r_low, p.r);
        r_high = std::max(r_high, p.r);
        h_low = std::min(h_low, p.h_min);
        h_high = std::max(h_high, p.h_max);
    }
    std::vector<ScreenMark> marks;
    for (const Contact& c : found->collisions) {
        const auto at = search.screen_place(c.point);
        marks.push_back({at.r, at.h, fmt::format("t = {:.3f}", c.time)});
    }
    return DrawnScreen{r_high - r_low + 1, h_high - h_low + 1, marks.size(),
                       screen_svg(drawn, marks, pixel)};
}

}  // namespace

Expected<Reproduction> reproduce_buss_figure_14(const ReproduceOptions&) {
    constexpr double kPublishedColumns = 0.123;  // [length] of a pixel: 28 columns
    const auto coarse = drawn_screen(kPublishedColumns);
    if (!coarse) return coarse.error();
    const auto fine = drawn_screen(0.25 * kPublishedColumns);
    if (!fine) return fine.error();
    Reproduction made;
    made.rows.push_back(
        {"size of the screen, r x h", "28 x 50 pixels",
         fmt::format("{} x {} pixels of {:g}", coarse->columns, coarse->rows, kPublishedColumns),
         "differs: own motion; the size follows from it and from the pixel"});
    made.rows.push_back(
        {"edges of A and of B", "drawn over each other", "drawn over each other", "agrees"});
    // At so coarse a pixel a touch near a vertex, within a quarter of a pixel, is taken for one of it.
    made.rows.push_back(
        {"proper collisions on the screen", "where the drawings intersect: 3",
         fmt::format("{} at this pixel, {} at a quarter of it", coarse->marks, fine->marks),
         coarse->marks == 3 ? "agrees"
                            : "differs: touches within a quarter of a pixel of a "
                              "vertex count as touches of the vertex"});
    made.conclusion =
        "The screen of the motion of Figure 13, at the published number of columns and four times "
        "as fine. The squares are made from the chords that this search compares, and what cannot "
        "meet is not drawn; the search by pixels of section 9 has items of its own.";
    made.drawings.push_back(
        {"figure-14", "The projections of both tori onto the collision screen", coarse->svg});
    made.drawings.push_back({"figure-14-fine", "The same, four times as fine", fine->svg});
    return made;
}

}  // namespace graze::app
