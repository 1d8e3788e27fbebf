#include "screw_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <tuple>

#include "graze/dataset/hex_float.hpp"
#include "graze/screw/screw_motion.hpp"
#include "html_text.hpp"

namespace graze::tools {
namespace {

using screw::Polyhedron;
using screw::Pose;
using Drawn = screw::RasterSearch::DrawnPixel;

constexpr int kShades = 8;
constexpr double kMostWidth = 300.0;  // of what a panel shows
constexpr double kMostHeight = 330.0;
constexpr double kLeastPanel = 220.0;  // leaves room for a title
constexpr double kPictureWidth = 1100.0;
constexpr double kTitleHeight = 34.0;
constexpr double kMargin = 12.0;

struct Rgb {
    double red, green, blue;
};
constexpr Rgb kColourA{68, 119, 170};
constexpr Rgb kColourB{238, 136, 102};

std::string hex(const Rgb& colour, double light) {
    const auto channel = [&](double value) {
        return static_cast<int>(std::lround(std::clamp(value * light, 0.0, 255.0)));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", channel(colour.red), channel(colour.green),
                       channel(colour.blue));
}

// Classes a0 to a7 and b0 to b7, from dark to light.
std::string shade_style() {
    std::string style;
    for (int i = 0; i < kShades; ++i) {
        const double light = 0.45 + 0.6 * i / (kShades - 1);
        style += fmt::format(".a{0}{{fill:{1};stroke:{3}}}.b{0}{{fill:{2};stroke:{4}}}", i,
                             hex(kColourA, light), hex(kColourB, light),
                             hex(kColourA, 0.75 * light), hex(kColourB, 0.75 * light));
    }
    return style;
}

// Right, up and towards the eye, for an orthographic picture.
struct Camera {
    Vec3 right, up, towards;

    explicit Camera(const View& view) {
        const double az = view.azimuth * (std::numbers::pi / 180.0);
        const double el = view.elevation * (std::numbers::pi / 180.0);
        towards = {std::cos(el) * std::sin(az), std::sin(el), std::cos(el) * std::cos(az)};
        right = {std::cos(az), 0.0, -std::sin(az)};
        up = cross(towards, right);
    }
    [[nodiscard]] Vec3 see(const Vec3& x) const {
        return {dot(x, right), dot(x, up), dot(x, towards)};
    }
};

// A face as the camera sees it.
struct SeenFace {
    std::vector<Vec3> corners;
    double depth = 0.0;  // of its middle, towards the eye
    char body = 'a';
    int shade = 0;
};

// Light comes from above the eye's left shoulder.
int shade_of(const Vec3& seen_normal) {
    const Vec3 light{-0.4, 0.55, 0.733};
    const double brightness = 0.5 + 0.5 * dot(seen_normal, light);
    return std::clamp(static_cast<int>(brightness * kShades), 0, kShades - 1);
}

void add_faces(std::vector<SeenFace>& faces, char body, const Polyhedron& surface, const Pose& pose,
               const Camera& camera) {
    std::vector<Vec3> seen;
    for (const Vec3& x : surface.positions())
        seen.push_back(camera.see(apply(pose, x)));
    for (std::size_t f = 0; f < surface.face_count(); ++f) {
        Vec3 normal = camera.see(rotate(pose.rotation, surface.normal(f)));
        // Backs are hidden where the surface is closed, and seen where it is open.
        if (normal.z <= 0.0 && surface.report().is_closed()) continue;
        if (normal.z < 0.0) normal = -normal;
        SeenFace face{{}, 0.0, body, shade_of(normal)};
        for (const std::uint32_t corner : surface.face(f)) {
            face.corners.push_back(seen[corner]);
            face.depth += seen[corner].z;
        }
        face.depth /= static_cast<double>(face.corners.size());
        faces.push_back(std::move(face));
    }
}

struct Extent {
    Vec3 low{std::numeric_limits<double>::max(), std::numeric_limits<double>::max(), 0.0};
    Vec3 high{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest(), 0.0};

    void add(const Vec3& x) {
        low = {std::min(low.x, x.x), std::min(low.y, x.y), 0.0};
        high = {std::max(high.x, x.x), std::max(high.y, x.y), 0.0};
    }
};

// From what the camera sees to the units of the picture, y down.
struct Frame {
    double scale = 1.0;
    double x = 0.0;
    double y = 0.0;
    double width = 0.0;   // of a panel, with margins
    double height = 0.0;  // of a panel, with its title

    [[nodiscard]] Vec3 place(const Vec3& seen) const {
        return {kMargin + (seen.x - x) * scale, kTitleHeight + (y - seen.y) * scale, 0.0};
    }
};

Frame frame_of(const std::vector<std::vector<SeenFace>>& panels) {
    Extent extent;
    for (const auto& faces : panels)
        for (const SeenFace& face : faces)
            std::for_each(face.corners.begin(), face.corners.end(),
                          [&](const Vec3& x) { extent.add(x); });
    const Vec3 size = extent.high - extent.low;
    Frame frame;
    constexpr double kTiny = std::numeric_limits<double>::min();
    frame.scale =
        std::min(kMostWidth / std::max(size.x, kTiny), kMostHeight / std::max(size.y, kTiny));
    frame.width = std::max(kLeastPanel, size.x * frame.scale + 2.0 * kMargin);
    frame.height = kTitleHeight + size.y * frame.scale + kMargin;
    frame.x = extent.low.x - 0.5 * ((frame.width - 2.0 * kMargin) / frame.scale - size.x);
    frame.y = extent.high.y;
    return frame;
}

std::string face_path(const SeenFace& face, const Frame& frame) {
    std::string path = fmt::format("<path class=\"{}{}\" d=\"M", face.body, face.shade);
    for (std::size_t i = 0; i < face.corners.size(); ++i) {
        const Vec3 p = frame.place(face.corners[i]);
        path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "" : " ", p.x, p.y);
    }
    return path + "z\"/>";
}

std::string collision_mark(const screw::Collision& collision, const Camera& camera,
                           const Frame& frame) {
    const Vec3 p = frame.place(camera.see(collision.position));
    const Vec3 n = camera.see(collision.normal);
    constexpr double kLength = 26.0;
    return fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{3:.1f}\"/>"
        "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"4\"/>",
        p.x, p.y, p.x + kLength * n.x, p.y - kLength * n.y);
}

std::string panel_svg(const BodyPanel& panel, std::vector<SeenFace> faces, const Camera& camera,
                      const Frame& frame) {
    std::stable_sort(faces.begin(), faces.end(),
                     [](const SeenFace& a, const SeenFace& b) { return a.depth < b.depth; });
    std::string svg = fmt::format(
        "<text x=\"{}\" y=\"20\">{}</text><g stroke-width=\".5\" "
        "stroke-linejoin=\"round\">",
        kMargin, escaped(panel.title));
    for (const SeenFace& face : faces)
        svg += face_path(face, frame);
    svg += "</g><g class=\"m\">";
    for (const screw::Collision& collision : panel.collisions)
        svg += collision_mark(collision, camera, frame);
    return svg + "</g>\n";
}

std::string title_of(const std::vector<screw::Collision>& group) {
    const screw::Collision& first = group.front();
    std::string title = fmt::format("t = {:.4f}: {}", first.time, short_name(first.type));
    if (group.size() > 1) return title + fmt::format(" and {} more", group.size() - 1);
    return title + fmt::format(", properness {:.3f}", first.properness);
}

std::string svg_frame(double width, double height, const std::string& style,
                      const std::string& content) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\"><style>text{{font:12px sans-serif;fill:#222}}{2}"
        "</style><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{3}</svg>\n",
        width, height, style, content);
}

// One path for all pixels of a class: a square, or a column of them, is a stroke of width 1.
class PixelPath {
public:
    void add(int r, int h_min, int h_max) { columns_.insert({r, h_min, h_max}); }
    [[nodiscard]] std::string svg(const char* css_class, int r_low, int h_high) const {
        std::string path = fmt::format("<path class=\"{}\" d=\"", css_class);
        for (const auto& [r, h_min, h_max] : columns_)
            path += fmt::format("M{}.5 {}v{}", r - r_low, h_high - h_max, h_max - h_min + 1);
        return path + "\"/>\n";
    }

private:
    std::set<std::tuple<int, int, int>> columns_;  // once each, in order
};

void add_body(std::string& obj, const char* name, const Polyhedron& surface, const Pose& pose,
              std::size_t first) {
    obj += fmt::format("o {}\n", name);
    for (const Vec3& x : surface.positions()) {
        const Vec3 p = apply(pose, x);
        obj += fmt::format("v {} {} {}\n", dataset::to_shortest(p.x), dataset::to_shortest(p.y),
                           dataset::to_shortest(p.z));
    }
    for (std::size_t f = 0; f < surface.face_count(); ++f) {
        obj += "f";
        for (const std::uint32_t corner : surface.face(f))
            obj += fmt::format(" {}", first + corner + 1);
        obj += "\n";
    }
}

}  // namespace

std::vector<BodyPanel> panels_of(const std::vector<screw::Collision>& sorted,
                                 const std::vector<std::size_t>& groups, std::size_t most) {
    std::vector<BodyPanel> panels = {{"start", 0.0, {}}};
    for (std::size_t g = 0; g < groups.size() && g < most; ++g) {
        const std::size_t end = g + 1 < groups.size() ? groups[g + 1] : sorted.size();
        BodyPanel panel;
        for (std::size_t i = groups[g]; i < end; ++i)
            panel.collisions.push_back(sorted[i]);
        panel.time = panel.collisions.front().time;
        panel.title = title_of(panel.collisions);
        panels.push_back(std::move(panel));
    }
    panels.push_back({"end", 1.0, {}});
    return panels;
}

std::string bodies_svg(const Polyhedron& a, const Polyhedron& b, const screw::PairStep& step,
                       const std::vector<BodyPanel>& panels, const View& view) {
    const Camera camera(view);
    std::vector<std::vector<SeenFace>> seen;
    for (const BodyPanel& panel : panels) {
        seen.emplace_back();
        add_faces(seen.back(), 'a', a, world_pose_a(step, panel.time), camera);
        add_faces(seen.back(), 'b', b, world_pose_b(step, panel.time), camera);
    }
    const Frame frame = frame_of(seen);
    const auto fitting = static_cast<std::size_t>(kPictureWidth / frame.width);
    const std::size_t columns = std::clamp<std::size_t>(fitting, 1, panels.size());
    std::string content;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        content += fmt::format("<g transform=\"translate({:.0f} {:.0f})\">",
                               frame.width * static_cast<double>(i % columns),
                               frame.height * static_cast<double>(i / columns));
        content += panel_svg(panels[i], std::move(seen[i]), camera, frame) + "</g>\n";
    }
    const auto rows = static_cast<double>((panels.size() + columns - 1) / columns);
    return svg_frame(frame.width * static_cast<double>(columns), frame.height * rows,
                     shade_style() + ".m{fill:none;stroke:#c01;stroke-width:2}", content);
}

std::string screen_svg(const std::vector<Drawn>& drawn, const std::vector<ScreenMark>& marks) {
    std::array<PixelPath, 6> paths;  // virtual, edge, vertex; of A, then of B
    int r_low = 0, r_high = 0, h_low = 0, h_high = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const Drawn& p = drawn[i];
        r_low = i == 0 ? p.r : std::min(r_low, p.r);
        r_high = i == 0 ? p.r : std::max(r_high, p.r);
        h_low = i == 0 ? p.h_min : std::min(h_low, p.h_min);
        h_high = i == 0 ? p.h_max : std::max(h_high, p.h_max);
        const std::size_t kind = p.virtual_edge ? 0 : p.vertex ? 2 : 1;
        paths[kind + (p.of_a ? 0 : 3)].add(p.r, p.h_min, p.h_max);
    }
    const double columns = r_high - r_low + 1.0;
    const double rows = h_high - h_low + 1.0;
    const double pixel = std::clamp(720.0 / std::max(columns, rows), 0.5, 12.0);
    std::string content = fmt::format(
        "<text x=\"{0}\" y=\"20\">collision screen of {1:.0f} x {2:.0f} pixels: r to the right, h "
        "up</text><g transform=\"translate({0} {3}) scale({4:.3f})\">\n",
        kMargin, columns, rows, kTitleHeight, pixel);
    constexpr std::array kClasses = {"va", "ea", "xa", "vb", "eb", "xb"};
    for (const std::size_t kind : {0U, 3U, 1U, 4U, 2U, 5U})
        content += paths[kind].svg(kClasses[kind], r_low, h_high);
    content += "</g>\n";
    for (const ScreenMark& mark : marks) {
        content += fmt::format(
            "<circle class=\"m\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\"><title>{}</title></circle>\n",
            kMargin + pixel * (mark.r - r_low), kTitleHeight + pixel * (h_high + 1 - mark.h),
            escaped(mark.label));
    }
    const std::string style = fmt::format(
        "path{{fill:none;stroke-width:.9;stroke-opacity:.75}}.ea{{stroke:{0}}}.eb{{stroke:{1}}}"
        ".xa{{stroke:{2}}}.xb{{stroke:{3}}}.va{{stroke:{0};stroke-opacity:.25}}"
        ".vb{{stroke:{1};stroke-opacity:.25}}.m{{fill:none;stroke:#c01;stroke-width:2}}",
        hex(kColourA, 1.0), hex(kColourB, 1.0), hex(kColourA, 0.45), hex(kColourB, 0.55));
    const double width = std::max(360.0, columns * pixel + 2.0 * kMargin);
    return svg_frame(width, kTitleHeight + rows * pixel + kMargin, style, content);
}

std::string bodies_obj(const Polyhedron& a, const Polyhedron& b, const screw::PairStep& step,
                       double time) {
    std::string obj = fmt::format("# t = {}\n", dataset::to_shortest(time));
    add_body(obj, "A", a, world_pose_a(step, time), 0);
    add_body(obj, "B", b, world_pose_b(step, time), a.positions().size());
    return obj;
}

}  // namespace graze::tools
