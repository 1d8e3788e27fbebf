// Appendices B and C of Wang et al. 2021: three examples that published methods fail on.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "graze/baselines/bernstein_sign.hpp"
#include "graze/baselines/floating_point_roots.hpp"
#include "graze/baselines/root_parity.hpp"
#include "graze/baselines/root_parity_exact.hpp"
#include "graze/baselines/root_parity_published.hpp"
#include "graze/generate/families.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/verify/answers.hpp"
#include "graze/verify/methods.hpp"
#include "pictures/scene_svg.hpp"
#include "reproduce/wang2021_floating_point.hpp"

namespace graze::app {
namespace {

using FourPoints = std::array<Vec3, 4>;  // p, v1, v2, v3
VertexFaceMotion example_of(const FourPoints& start, const FourPoints& end) {
    std::array<MovingPoint, 4> corners;
    for (std::size_t i = 0; i < 4; ++i)
        corners[i] = {start[i], end[i]};
    return motion_from_vertices<VertexFaceMotion>(corners);
}

// Contact at 0.9; two corners exchange places.
VertexFaceMotion hourglass_example() {
    return example_of({{{0.1, 0.1, 0.1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}},
                      {{{0.1, 0.1, 0.1}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}}});
}
// No contact; the cubic has an inflection.
VertexFaceMotion inflection_example() {
    return example_of({{{1, 1, 0}, {0, 0, 5}, {2, 0, 2}, {0, 1, 0}}},
                      {{{1, 1, 0}, {0, 0, -1}, {0, 0, -2}, {0, 7, 0}}});
}
// Contact at 7/29; everything is in the plane z = 1.
VertexFaceMotion planar_example() {
    return example_of({{{1, 0.5, 1}, {0, 0.57, 1}, {1, 0.57, 1}, {1, 1.57, 1}}},
                      {{{1, 0.5, 1}, {0, 0.28, 1}, {1, 0.28, 1}, {1, 1.28, 1}}});
}

std::string example_verdict_text(const CcdResult& result) {
    return result.verdict == Verdict::Contact     ? "contact"
           : result.verdict == Verdict::Separated ? "no contact"
                                                  : "unresolved";
}

std::string example_bracket_text(const CcdResult& result) {
    return fmt::format("contact, first in [{:.17g}, {:.17g}]", result.toi_lower, result.toi_upper);
}

// What every method says of an example.
DataTable answers_table(std::string name, std::string caption, const VertexFaceMotion& motion) {
    DataTable table{std::move(name), std::move(caption), {"method", "answer", "right"}, {}};
    // Some refine without end; what is left then is contact.
    constexpr CcdOptions kBounded{.max_checks = 20000};
    const Verdict truth = certify(motion).verdict;
    const MethodRegistry registry = verify::all_methods();
    for (const Method& method : registry.all()) {
        const CcdResult result = run(method, motion, kBounded);
        table.rows.push_back({std::string(method.name), example_verdict_text(result),
                              result.verdict == truth ? "yes" : "no"});
    }
    return table;
}

// --- Appendix B

// y of the picture is z of the example.
Vec3 upright(const Vec3& x) {
    return {x.x, x.z, -x.y};
}

// A triangle, or a bilinear patch, as faces of a picture.
class ImageFaces {
public:
    void triangle(const Vec3& a, const Vec3& b, const Vec3& c, char paint) {
        add_face({a, b, c}, paint);
    }
    // S(a, b) = (1-a)(1-b) q0 + a(1-b) q1 + (1-a)b q2 + ab q3
    void patch(const std::array<Vec3, 4>& q, char paint) {
        constexpr int kCells = 8;
        const auto at = [&](int i, int j) {
            const double a = static_cast<double>(i) / kCells;
            const double b = static_cast<double>(j) / kCells;
            return (1.0 - a) * (1.0 - b) * q[0] + a * (1.0 - b) * q[1] + (1.0 - a) * b * q[2] +
                   a * b * q[3];
        };
        for (int i = 0; i < kCells; ++i) {
            for (int j = 0; j < kCells; ++j)
                add_face({at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)}, paint);
        }
    }
    [[nodiscard]] ScenePart part() const {
        ScenePart part;
        part.shape = &shape_;
        part.positions = positions_;
        part.face_paint = paint_;
        return part;
    }

private:
    SceneShape shape_;
    std::vector<Vec3> positions_;
    std::vector<char> paint_;

    void add_face(const std::vector<Vec3>& corners, char paint) {
        std::vector<std::uint32_t> indices;
        for (const Vec3& corner : corners) {
            indices.push_back(static_cast<std::uint32_t>(positions_.size()));
            positions_.push_back(upright(corner));
        }
        shape_.origin.push_back(shape_.faces.size());
        shape_.faces.add(indices);
        paint_.push_back(paint);
    }
};

// The image of the boundary of the domain under F, and the origin (Figure 14).
std::string appendix_b_prism_svg(const VertexFaceMotion& motion) {
    std::array<Vec3, 6> c;
    for (std::size_t i = 0; i < 3; ++i) {
        c[i] = motion.vertex.start - motion.face[i].start;
        c[i + 3] = motion.vertex.end - motion.face[i].end;
    }
    ImageFaces faces;
    faces.triangle(c[0], c[1], c[2], 'a');
    faces.triangle(c[3], c[4], c[5], 'a');
    faces.patch({c[0], c[1], c[3], c[4]}, 'c');
    faces.patch({c[2], c[0], c[5], c[3]}, 'c');
    faces.patch({c[1], c[2], c[4], c[5]}, 'b');
    ScenePicture picture;
    picture.title = "The prism of appendix B";
    picture.eye = Eye(-15.0, 20.0);  // the hourglass faces (-1, 0, 1)
    picture.legend = {body_item('a', "image of the start and of the end of the step"),
                      body_item('c', "images of two sides of the triangle"),
                      body_item('b', "the hourglass: image of the third side"),
                      mark_item(SceneMark::Kind::First, "the origin, inside: contact")};
    ScenePanel panel;
    panel.title = "F of the boundary of the domain";
    panel.subtitle = "y and z of the picture: z and -y of the example";
    panel.parts.push_back(faces.part());
    panel.marks.push_back({SceneMark::Kind::First, {0, 0, 0}, {0, 0, 0}, "the origin"});
    picture.panels.push_back(std::move(panel));
    return scene_svg(picture);
}

// The plane x + y = -0.8 of the hourglass: s along its horizontal sides, z upwards.
class HourglassPlane {
public:
    [[nodiscard]] static double x(double s) { return 80.0 + 380.0 * s; }
    [[nodiscard]] static double y(double z) { return 80.0 + 300.0 * (0.1 - z); }
    [[nodiscard]] static std::string polygon(std::string_view css_class,
                                             const std::vector<std::array<double, 2>>& corners) {
        std::string path;
        for (const auto& [s, z] : corners)
            path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x(s), y(z));
        return fmt::format("<path class=\"{}\" d=\"{}Z\"/>", css_class, path);
    }
};

// Where a ray of the plane z = 0, as root_parity_published() has them, meets x + y = -0.8.
double crossing_of(double angle) {
    const double length = -0.8 / (std::cos(angle) - std::sin(angle));
    return length * std::cos(angle) + 0.9;
}

std::string appendix_b_plane_svg() {
    using Plane = HourglassPlane;
    SvgFile file;
    file.width = 560.0;
    file.title = "Two triangles that stand for the hourglass";
    file.style =
        ".first{fill:#2f6db3;fill-opacity:.28;stroke:#2f6db3}"
        ".second{fill:#d9822b;fill-opacity:.28;stroke:#d9822b}"
        ".glass{fill:none;stroke:#c23b22;stroke-width:2.5}"
        ".wrong{stroke:#c23b22;stroke-width:6}.ray{fill:#c23b22}";
    file.content = svg_text(12.0, 24.0, "head", "In the plane of the hourglass, x + y = -0.8");
    file.content += Plane::polygon("first", {{0, -0.9}, {1, -0.9}, {0, 0.1}});
    file.content += Plane::polygon("second", {{0, -0.9}, {0, 0.1}, {1, 0.1}});
    file.content += Plane::polygon("glass", {{0, -0.9}, {1, -0.9}, {0, 0.1}, {1, 0.1}});
    file.content += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>",
                                Plane::x(-0.1), Plane::y(0.0), Plane::x(1.12));
    file.content += svg_text(Plane::x(1.03), Plane::y(0.0) + 16.0, "soft", "z = 0");
    file.content += fmt::format("<path class=\"wrong\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>",
                                Plane::x(0.0), Plane::y(0.0), Plane::x(0.1));
    file.content += fmt::format("<circle class=\"ray\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\"/>",
                                Plane::x(crossing_of(kPublishedRayAngle)), Plane::y(0.0));
    for (const double z : {-0.9, 0.1}) {
        file.content +=
            svg_text(Plane::x(-0.03), Plane::y(z) + 4.0, "soft end", fmt::format("z = {:g}", z));
    }
    const double legend_top = Plane::y(-0.9) + 26.0;
    const PlacedSvg legend = legend_svg(
        {{"<path class=\"glass\" d=\"M2 1H22L2 13H22Z\"/>", "the patch: an hourglass"},
         {"<rect class=\"first\" width=\"24\" height=\"14\"/>", "first triangle of the pair"},
         {"<rect class=\"second\" width=\"24\" height=\"14\"/>", "second triangle"},
         {"<path class=\"wrong\" d=\"M0 7H24\"/>",
          "rays that cross both triangles, and not the patch"},
         {"<circle class=\"ray\" cx=\"12\" cy=\"7\" r=\"6\"/>", "the second ray of the method"}},
        file.width - 24.0);
    file.content +=
        fmt::format("<g transform=\"translate(12 {:.1f})\">{}</g>", legend_top, legend.svg);
    file.height = legend_top + legend.height + 12.0;
    return svg_file(file);
}

int missing_directions(const VertexFaceMotion& motion, int directions) {
    int missed = 0;
    for (int i = 0; i < directions; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / directions;
        missed += root_parity_published(motion, {}, angle).verdict == Verdict::Separated ? 1 : 0;
    }
    return missed;
}

struct HourglassCounts {
    int contacts = 0;
    int missed_by_published = 0;
    int missed_by_mended = 0;
};
HourglassCounts count_hourglasses(std::uint64_t seed, std::uint64_t count) {
    HourglassCounts counts;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto motion = io::motion_of<VertexFaceMotion>(
            generate::query(generate::Family::Hourglass, QueryKind::VertexFace, seed * count + i));
        if (certify(motion).verdict != Verdict::Contact) continue;
        ++counts.contacts;
        counts.missed_by_published +=
            root_parity_published(motion).verdict == Verdict::Separated ? 1 : 0;
        counts.missed_by_mended += root_parity(motion).verdict == Verdict::Separated ? 1 : 0;
    }
    return counts;
}

// --- Appendix C

using Cubic = std::array<double, 4>;

// Coefficients of 1, t, t^2, t^3 of (d - a) . ((b - a) x (c - a)), from four times. Exact for small
// integers.
Cubic coplanarity_cubic(const VertexFaceMotion& motion) {
    const auto value = [&](double t) {
        const auto at = [t](const MovingPoint& p) { return p.start + t * (p.end - p.start); };
        const Vec3 a = at(motion.face[0]);
        return dot(at(motion.vertex) - a, cross(at(motion.face[1]) - a, at(motion.face[2]) - a));
    };
    const double before = value(-1.0);
    const double start = value(0.0);
    const double end = value(1.0);
    const double after = value(2.0);
    const double third = (after - 3.0 * end + 3.0 * start - before) / 6.0;
    const double second = (before - 2.0 * start + end) / 2.0;
    return {start, end - start - second - third, second, third};
}

std::array<double, 4> bernstein_of(const Cubic& c) {
    return {c[0], c[0] + c[1] / 3.0, c[0] + 2.0 * c[1] / 3.0 + c[2] / 3.0,
            c[0] + c[1] + c[2] + c[3]};
}

Cubic power_of(const std::array<double, 4>& b) {
    return {b[0], 3.0 * (b[1] - b[0]), 3.0 * (b[0] - 2.0 * b[1] + b[2]),
            b[3] - 3.0 * b[2] + 3.0 * b[1] - b[0]};
}

std::string power_form_text(const Cubic& c) {
    return fmt::format("{:.10g} t^3 {:+.10g} t^2 {:+.10g} t {:+.10g}", c[3], c[2], c[1], c[0]);
}

// A multiple of 1/3.
std::string thirds_of(double value) {
    const double numerator = std::round(3.0 * value);
    if (std::fmod(numerator, 3.0) == 0.0) return fmt::format("{:g}", numerator / 3.0);
    return fmt::format("{:g}/3", numerator);
}
std::string thirds_text(const std::array<double, 4>& b) {
    return fmt::format("({}, {}, {}, {})", thirds_of(b[0]), thirds_of(b[1]), thirds_of(b[2]),
                       thirds_of(b[3]));
}

constexpr std::array<double, 4> kPrintedBernstein = {1.0, -35.0 / 3.0, 82.0 / 3.0, 14.0};

double inflection_of(const std::array<double, 4>& b) {
    return (b[0] - 2.0 * b[1] + b[2]) / (b[0] - 3.0 * b[1] + 3.0 * b[2] - b[3]);
}

std::string appendix_c_svg(const std::array<double, 4>& mended) {
    constexpr double kLow = -14.0;
    constexpr double kHigh = 30.0;
    const auto x_of = [](double t) { return 56.0 + 440.0 * t; };
    const auto y_of = [](double value) { return 50.0 + 300.0 * (kHigh - value) / (kHigh - kLow); };
    const auto path_of = [&](const std::array<double, 4>& b) {
        const Cubic c = power_of(b);
        std::string path;
        for (int i = 0; i <= 100; ++i) {
            const double t = i / 100.0;
            path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", x_of(t),
                                y_of(((c[3] * t + c[2]) * t + c[1]) * t + c[0]));
        }
        return path;
    };
    const auto polygon_of = [&](const std::array<double, 4>& b) {
        std::string path;
        for (std::size_t i = 0; i < 4; ++i)
            path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L",
                                x_of(static_cast<double>(i) / 3.0), y_of(b[i]));
        return path;
    };
    SvgFile file;
    file.width = 530.0;
    file.title = "The cubic of appendix C";
    file.style =
        ".true{fill:none;stroke:#2f6db3;stroke-width:2.5}.hull{fill:none;stroke:#2f6db3;"
        "stroke-dasharray:5 4}.printed{fill:none;stroke:#c23b22;stroke-width:2.5}.printedhull{"
        "fill:none;stroke:#c23b22;stroke-dasharray:5 4}.dot{fill:#2f6db3}";
    file.content = svg_text(12.0, 24.0, "head", "-72 t^3 + 120 t^2 - 44 t + 3");
    for (int tick = -10; tick <= 30; tick += 10) {
        file.content += fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>",
                                    tick == 0 ? "axis" : "grid", x_of(0), y_of(tick), x_of(1));
        file.content +=
            svg_text(x_of(0) - 8.0, y_of(tick) + 4.0, "soft end", fmt::format("{}", tick));
    }
    for (int i = 0; i <= 4; ++i)
        file.content += svg_text(x_of(0.25 * i), y_of(kLow) + 18.0, "soft middle",
                                 fmt::format("{:g}", 0.25 * i));
    file.content += svg_text(x_of(0.5), y_of(kLow) + 34.0, "soft middle", "t");
    file.content += fmt::format(
        "<path class=\"printedhull\" d=\"{}\"/><path class=\"printed\" "
        "d=\"{}\"/><path class=\"hull\" d=\"{}\"/><path class=\"true\" "
        "d=\"{}\"/>",
        polygon_of(kPrintedBernstein), path_of(kPrintedBernstein), polygon_of(mended),
        path_of(mended));
    const Cubic c = power_of(mended);
    const double t = inflection_of(mended);
    file.content += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>",
                                x_of(t), y_of(((c[3] * t + c[2]) * t + c[1]) * t + c[0]));
    const PlacedSvg legend = legend_svg(
        {{"<path class=\"true\" d=\"M0 7H24\"/>", "the cubic of the example"},
         {"<path class=\"hull\" d=\"M0 7H24\"/>", "its Bernstein coefficients"},
         {"<circle class=\"dot\" cx=\"12\" cy=\"7\" r=\"5\"/>", "inflection, t = 5/9"},
         {"<path class=\"printed\" d=\"M0 7H24\"/>", "the cubic of the printed coefficients"},
         {"<path class=\"printedhull\" d=\"M0 7H24\"/>", "the printed coefficients"}},
        file.width - 24.0);
    const double top = y_of(kLow) + 48.0;
    file.content += fmt::format("<g transform=\"translate(12 {:.1f})\">{}</g>", top, legend.svg);
    file.height = top + legend.height + 12.0;
    return svg_file(file);
}

}  // namespace

Expected<Reproduction> reproduce_appendix_b(const ReproduceOptions& options) {
    const VertexFaceMotion motion = hourglass_example();
    Reproduction result;
    const auto add = [&](std::string what, std::string published, std::string ours,
                         std::string verdict) {
        result.rows.push_back(
            {std::move(what), std::move(published), std::move(ours), std::move(verdict)});
    };
    const CcdResult published = root_parity_published(motion);
    add("root parity, published form", "no contact (a miss)", example_verdict_text(published),
        published.verdict == Verdict::Separated ? "agrees, with a ray chosen for it"
                                                : "differs: it finds the contact");
    constexpr int kDirections = 3600;
    const int missed = missing_directions(motion, kDirections);
    add("directions of its second ray that lead to the miss", "-",
        fmt::format("{} of {}", missed, kDirections),
        "differs: other rays find the contact, so the miss is up to a random number");
    options.progress.tell(0.3);
    add("root parity, mended", "-", example_verdict_text(root_parity(motion)), "better");
    add("root parity in integers (RRP)", "contact", example_verdict_text(root_parity_exact(motion)),
        "agrees");
    add("certified", "-", example_bracket_text(certify(motion)), "better");
    const auto early = floating_point_roots(motion, {.thickness = 1e-6});
    add("time by floating-point roots, eta = 1e-6 (exact: 0.9)", "-",
        fmt::format("{:.7f}", early.time_est), "differs: early where the triangle has no area");
    if (options.stop.stop_requested()) return Error{"interrupted", ErrorCode::Cancelled};
    const HourglassCounts counts = count_hourglasses(options.seed, options.quick ? 500 : 4000);
    add("generated hourglasses: contacts missed by the published form", "-",
        fmt::format("{} of {} contacts", counts.missed_by_published, counts.contacts), "agrees");
    add("generated hourglasses: contacts missed by the mended form (pairs of contacts)", "-",
        fmt::format("{} of {} contacts", counts.missed_by_mended, counts.contacts), "better");
    result.conclusion =
        "A flat patch that crosses itself is not the union of two triangles. Counted as such, it "
        "gives the wrong parity for the rays that cross both; the mended form counts each triangle "
        "and is right. Which ray is cast is random in the published code, so that the example is "
        "missed or found by chance; ours takes one that misses it. The rule for flat patches is "
        "reconstructed: the publication states none.";
    result.drawings.push_back(
        {"appendix-b-prism",
         "Figure 14: the image of the boundary of the domain. The orange face "
         "is the hourglass; the origin is inside.",
         appendix_b_prism_svg(motion)});
    result.drawings.push_back(
        {"appendix-b-hourglass",
         "The two triangles that stand for the hourglass overlap. A ray through both is counted "
         "once by the published rule, though it does not cross the patch.",
         appendix_b_plane_svg()});
    result.tables.push_back(answers_table(
        "appendix-b-answers", "What every method says of the example of appendix B", motion));
    options.progress.tell(1.0);
    return result;
}

Expected<Reproduction> reproduce_appendix_c(const ReproduceOptions& options) {
    const VertexFaceMotion inflection = inflection_example();
    const VertexFaceMotion planar = planar_example();
    const Cubic cubic = coplanarity_cubic(inflection);
    const std::array<double, 4> mended = bernstein_of(cubic);
    const double at = inflection_of(mended);
    Reproduction result;
    const auto add = [&](std::string what, std::string published, std::string ours,
                         std::string verdict) {
        result.rows.push_back(
            {std::move(what), std::move(published), std::move(ours), std::move(verdict)});
    };
    add("first example: the cubic", "-72 t^3 + 120 t^2 - 44 t + 3", power_form_text(cubic),
        cubic == Cubic{3, -44, 120, -72} ? "agrees" : "differs: coefficients");
    add("its Bernstein coefficients", thirds_text(kPrintedBernstein), thirds_text(mended),
        "differs: the printed ones belong to " + power_form_text(power_of(kPrintedBernstein)));
    add("inflection", "5/9", fmt::format("{:.16g}", at),
        std::fabs(at - 5.0 / 9.0) < 1e-15 ? "agrees" : "differs: another time");
    add("its formula", "(6 k0 - 4 k1 + k2) / (6 k0 - 6 k1 + 3 k2 - k3)",
        "(k0 - 2 k1 + k2) / (k0 - 3 k1 + 3 k2 - k3)",
        "differs: the printed one fits the printed coefficients, another scaling");
    const CcdResult kept = bernstein_sign(inflection);
    const CcdResult cut = bernstein_sign(inflection, {}, {.at_inflection = AtInflection::Cut});
    add("first example, sign classification (exact answer: no contact)",
        "contact, to be on the safe side", example_verdict_text(kept),
        kept.verdict == Verdict::Contact ? "agrees" : "differs: no contact");
    add("the same, cut at the inflection without a division", "-", example_verdict_text(cut),
        "better");
    add("first example, certified", "-", example_verdict_text(certify(inflection)), "better");
    const Cubic flat = coplanarity_cubic(planar);
    const CcdResult missed = bernstein_sign(planar);
    add("second example, sign classification (exact answer: contact)", "no contact (a miss)",
        example_verdict_text(missed),
        missed.verdict == Verdict::Separated ? "agrees" : "differs: it finds the contact");
    add("reason of the miss", "not known",
        "the cubic is " + power_form_text(flat) + ": no sign at all", "better");
    add("second example, certified (7/29 = 0.24137931034482757)", "-",
        example_bracket_text(certify(planar)), "better");
    result.conclusion =
        "Both failures are there. The printed Bernstein coefficients are not those of the cubic; "
        "with the right ones the inflection is at 5/9 all the same, and the step can be cut there "
        "exactly. The second example, left unexplained in the paper, moves within a plane: its "
        "cubic is identically zero, and signs of its coefficients tell nothing.";
    result.drawings.push_back(
        {"appendix-c-cubic",
         "The cubic of the first example with its Bernstein coefficients, and "
         "what the printed coefficients stand for.",
         appendix_c_svg(mended)});
    result.tables.push_back(answers_table(
        "appendix-c-inflection", "What every method says of the first example", inflection));
    result.tables.push_back(
        answers_table("appendix-c-planar", "What every method says of the second example", planar));
    options.progress.tell(1.0);
    return result;
}

}  // namespace graze::app
