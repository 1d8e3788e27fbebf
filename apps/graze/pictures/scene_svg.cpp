#include "scene_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html_text.hpp"

namespace graze::app {
namespace {

constexpr int kShades = 8;
constexpr double kPanelRoom = 320.0;  // the most that bodies take, both ways
constexpr double kSideRoom = 46.0;    // for the numbers of axes
constexpr double kFootRoom = 40.0;
constexpr double kPanelTitle = 42.0;
constexpr double kPageMargin = 16.0;
constexpr double kPictureWidth = 1250.0;
constexpr double kGlassReach = 16.0;  // [pixels] around the first mark

struct Rgb {
    double red, green, blue;
};
struct Paint {
    char name;
    Rgb colour;
};
constexpr std::array<Paint, 9> kPaints = {{{'a', {68, 119, 170}},
                                           {'b', {238, 136, 102}},
                                           {'c', {172, 180, 188}},
                                           {'e', {186, 84, 44}},
                                           {'p', {165, 0, 38}},
                                           {'q', {200, 66, 45}},
                                           {'r', {226, 122, 56}},
                                           {'s', {244, 175, 66}},
                                           {'t', {254, 224, 80}}}};

std::string hex_colour(const Rgb& colour, double light) {
    const auto channel = [&](double value) {
        return static_cast<int>(std::lround(std::clamp(value * light, 0.0, 255.0)));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", channel(colour.red), channel(colour.green),
                       channel(colour.blue));
}

// Classes a0 to a7 and so on, from dark to light; with n a part of a face, without its outline.
std::string paint_style() {
    std::string style;
    for (const auto& [name, colour] : kPaints) {
        for (int i = 0; i < kShades; ++i) {
            const double light = 0.5 + 0.55 * i / (kShades - 1);
            const std::string fill = hex_colour(colour, light);
            style += fmt::format(".{0}{1}{{fill:{2};stroke:{3}}}.{0}{1}.n{{stroke:{2}}}", name, i,
                                 fill, hex_colour(colour, 0.72 * light));
        }
    }
    return style +
           ".l{fill:none!important}.g{fill-opacity:.3;stroke-opacity:.5}"
           ".gh{fill:#8a949e;fill-opacity:.05;stroke:#8a949e;stroke-opacity:.45;stroke-width:.6}"
           ".tr{fill:none;stroke:#5a646e;stroke-opacity:.6;stroke-width:.9}"
           ".halo{fill:none;stroke:#fff;stroke-width:5;stroke-opacity:.85}"
           ".m1{fill:none;stroke:#c8003c;stroke-width:2.6}.m1d{fill:#c8003c}"
           ".m2{fill:none;stroke:#8a1fa8;stroke-width:1.6}"
           ".m3{fill:none;stroke:#c8003c;stroke-width:2.2;stroke-dasharray:3 2.4}"
           ".ha{fill:#0a3f7a;stroke:#0a3f7a}.hb{fill:#9a2f00;stroke:#9a2f00}"
           ".hf{fill:none!important;stroke-width:2.2;stroke-linejoin:round}"
           ".hl{fill:none;stroke-width:4;stroke-linecap:round}.hd{stroke:#fff;stroke-width:1.2}"
           "@media(prefers-color-scheme:dark){.tr{stroke:#b4bdc6}.halo{stroke:#14181c}"
           ".m1{stroke:#ff5078}.m1d{fill:#ff5078}.m2{stroke:#e29bff}.m3{stroke:#ff5078}"
           ".ha{fill:#8cc6ff;stroke:#8cc6ff}.hb{fill:#ffc39b;stroke:#ffc39b}"
           ".hd{stroke:#14181c}}";
}

// Light comes from above the eye's left shoulder.
int shade_of(const Vec3& seen_normal) {
    const Vec3 light{-0.4, 0.55, 0.733};
    const double brightness = 0.5 + 0.5 * dot(seen_normal, light);
    return std::clamp(static_cast<int>(brightness * kShades), 0, kShades - 1);
}

struct Extent {
    Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
    Vec3 high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

    void add(const Vec3& x) {
        for (std::size_t i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], x[i]);
            high[i] = std::max(high[i], x[i]);
        }
    }
    [[nodiscard]] bool is_empty() const { return !(low.x <= high.x); }
    // Corner by the bits of its number: x, y, z high or low.
    [[nodiscard]] Vec3 corner(unsigned bits) const {
        return {(bits & 1U) != 0 ? high.x : low.x, (bits & 2U) != 0 ? high.y : low.y,
                (bits & 4U) != 0 ? high.z : low.z};
    }
};

template <class Use>
void for_each_drawn_vertex(const ScenePart& part, Use use) {
    const SceneShape& shape = *part.shape;
    for (std::size_t f = 0; f < shape.faces.size(); ++f) {
        for (const std::uint32_t corner : shape.faces[f])
            use(part.positions[corner]);
    }
    for (const auto& line : shape.lines) {
        use(part.positions[line[0]]);
        use(part.positions[line[1]]);
    }
    for (const std::uint32_t dot : shape.dots)
        use(part.positions[dot]);
}

Extent extent_of(const std::vector<ScenePanel>& panels) {
    Extent extent;
    for (const ScenePanel& panel : panels) {
        if (panel.close_up) continue;
        for (const ScenePart& part : panel.parts)
            for_each_drawn_vertex(part, [&](const Vec3& x) { extent.add(x); });
    }
    if (extent.is_empty()) extent.add({});
    return extent;
}

// From what the eye sees to the units of a panel, y down.
struct PanelFrame {
    double scale = 1.0;
    double left = 0.0;  // seen x at `at_x`
    double top = 0.0;   // seen y at `at_y`
    double at_x = 0.0;
    double at_y = 0.0;

    [[nodiscard]] double x(const Vec3& seen) const {
        return on_paper(at_x + (seen.x - left) * scale);
    }
    [[nodiscard]] double y(const Vec3& seen) const {
        return on_paper(at_y + (top - seen.y) * scale);
    }
    // Far outside is as good as farther; what overflowed is nowhere.
    [[nodiscard]] static double on_paper(double place) {
        return is_finite(place) ? std::clamp(place, -1e4, 1e4) : 0.0;
    }
};

// What all panels of a picture share.
struct SceneLayout {
    Extent box;
    double size = 1.0;    // [length] of the box
    PanelFrame frame;     // of panels that are no close-up
    double width = 0.0;   // of a panel, with its margins
    double height = 0.0;  // with its title
    double room_x = 0.0;  // for the bodies
    double room_y = 0.0;
};

SceneLayout layout_of(const ScenePicture& picture) {
    SceneLayout layout;
    layout.box = extent_of(picture.panels);
    Extent seen;
    for (unsigned bits = 0; bits < 8; ++bits)
        seen.add(picture.eye.see(layout.box.corner(bits)));
    // A scene too large or too small for a scale that is a number is drawn as a point.
    constexpr double kSmallest = 1e-290;
    Vec3 sides = seen.high - seen.low;
    if (!is_finite(sides)) sides = {};
    layout.size = norm_max(sides) > kSmallest ? norm_max(sides) : 1.0;
    constexpr double kFlattest = 0.05;  // of a panel, so that a flat scene has some room
    const double width = std::max(sides.x, kFlattest * layout.size);
    const double height = std::max(sides.y, kFlattest * layout.size);
    layout.frame.scale = kPanelRoom / std::max(width, height);
    layout.room_x = std::max(width * layout.frame.scale, 230.0 - 2.0 * kSideRoom);
    layout.room_y = std::max(height * layout.frame.scale, 120.0);
    layout.width = layout.room_x + 2.0 * kSideRoom;
    layout.height = kPanelTitle + layout.room_y + kFootRoom;
    layout.frame.left = 0.5 * seen.low.x + 0.5 * seen.high.x;
    layout.frame.top = 0.5 * seen.low.y + 0.5 * seen.high.y;
    layout.frame.at_x = 0.5 * layout.width;
    layout.frame.at_y = kPanelTitle + 0.5 * layout.room_y;
    return layout;
}

std::string point_text(const PanelFrame& frame, const Vec3& seen) {
    return fmt::format("{:.1f} {:.1f}", frame.x(seen), frame.y(seen));
}

// --- axes ---------------------------------------------------------------------------------------

struct AxisEdge {
    Vec3 low;
    Vec3 high;
};

// The side of the box along this axis that has nothing of the box below it (x and z), or to its
// left (y).
AxisEdge outer_edge(const Extent& box, std::size_t axis, const Eye& eye) {
    AxisEdge best;
    double best_place = HUGE_VAL;
    for (unsigned bits = 0; bits < 8; ++bits) {
        if ((bits >> axis & 1U) != 0) continue;
        const AxisEdge edge{box.corner(bits), box.corner(bits | 1U << axis)};
        const Vec3 middle = eye.see(0.5 * (edge.low + edge.high));
        const double place = axis == 1 ? middle.x : middle.y;
        if (place >= best_place) continue;
        best = edge;
        best_place = place;
    }
    return best;
}

std::string axis_svg(const SceneLayout& layout, std::size_t axis, const ScenePicture& picture) {
    const Eye& eye = picture.eye;
    const PanelFrame& frame = layout.frame;
    const AxisEdge edge = outer_edge(layout.box, axis, eye);
    const Vec3 low = eye.see(edge.low);
    const Vec3 high = eye.see(edge.high);
    const double dx = frame.x(high) - frame.x(low);
    const double dy = frame.y(high) - frame.y(low);
    const double length = norm(Vec3{dx, dy, 0.0});
    std::string svg = fmt::format("<path class=\"axis\" d=\"M{}L{}\"/>", point_text(frame, low),
                                  point_text(frame, high));
    if (length < 24.0) return svg;
    // Away from the box: to the left for y, downwards for the others.
    Vec3 out{-dy / length, dx / length, 0.0};
    if (axis == 1 ? out.x > 0.0 : out.y < 0.0) out = -out;
    const std::string anchor = out.x < -0.35 ? "end" : out.x > 0.35 ? "" : "middle";
    const double range = edge.high[axis] - edge.low[axis];
    const auto most = static_cast<std::size_t>(std::clamp(length / 38.0, 2.0, 6.0));
    const RoundTicks ticks = round_ticks(edge.low[axis], edge.high[axis], most);
    for (const double tick : ticks.values) {
        const double share = (tick - edge.low[axis]) / range;
        const double x = frame.x(low) + share * dx;
        const double y = frame.y(low) + share * dy;
        svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}l{:.1f} {:.1f}\"/>", x, y,
                           4.0 * out.x, 4.0 * out.y);
        svg += svg_text(x + 8.0 * out.x, y + 9.0 * out.y + 3.5, "soft tiny " + anchor,
                        tick_text(tick, ticks.step));
    }
    return svg + svg_text(frame.x(low) + 0.5 * dx + 33.0 * out.x,
                          frame.y(low) + 0.5 * dy + 29.0 * out.y + 4.0, "soft strong middle",
                          picture.axis_names[axis]);
}

std::string floor_svg(const SceneLayout& layout, const Eye& eye) {
    std::string path;
    for (const unsigned bits : {0U, 1U, 5U, 4U})
        path +=
            (path.empty() ? "M" : "L") + point_text(layout.frame, eye.see(layout.box.corner(bits)));
    return fmt::format("<path class=\"grid\" d=\"{}z\"/>", path);
}

std::string axes_svg(const SceneLayout& layout, const ScenePicture& picture) {
    std::string svg = floor_svg(layout, picture.eye);
    for (const std::size_t axis : {0U, 1U, 2U})
        svg += axis_svg(layout, axis, picture);
    return svg + "\n";
}

std::string scale_bar(const PanelFrame& frame, double x, double y, double room) {
    const RoundTicks ticks = round_ticks(0.0, 0.45 * room / frame.scale, 1);
    const double length = ticks.values.empty() ? 0.0 : ticks.values.back();
    const RoundTicks finer = round_ticks(0.0, 0.45 * room / frame.scale, 2);
    const double best = length > 0.0 ? length : finer.values.empty() ? 0.0 : finer.values.back();
    if (!(best > 0.0)) return "";
    return fmt::format("<path class=\"axis\" d=\"M{0:.1f} {1:.1f}v5h{2:.1f}v-5\"/>", x, y,
                       best * frame.scale) +
           svg_text(x + best * frame.scale + 6.0, y + 7.0, "soft tiny",
                    fmt::format("length {:g}", best));
}

// --- faces --------------------------------------------------------------------------------------

SeenFace seen_face(const ScenePart& part, std::size_t f, const Eye& eye) {
    SeenFace face;
    for (const std::uint32_t corner : part.shape->faces[f])
        face.corners.push_back(eye.see(part.positions[corner]));
    face.is_side.assign(face.corners.size(), true);
    return face;
}

Vec3 seen_normal(const SeenFace& face) {
    Vec3 normal;
    for (std::size_t i = 0; i < face.corners.size(); ++i)
        normal = normal + cross(face.corners[i] - face.corners[0],
                                face.corners[(i + 1) % face.corners.size()] - face.corners[0]);
    const double length = norm(normal);
    const bool has_normal = length > 0.0 && is_finite(length);
    return has_normal ? (1.0 / length) * normal : Vec3{0.0, 0.0, 1.0};
}

void add_faces(std::vector<SeenFace>& faces, const ScenePart& part, const Eye& eye) {
    for (std::size_t f = 0; f < part.shape->faces.size(); ++f) {
        SeenFace face = seen_face(part, f, eye);
        Vec3 normal = seen_normal(face);
        // Backs are hidden where the surface is closed, and seen where it is open.
        if (normal.z <= 0.0 && part.shape->hides_backs) continue;
        if (normal.z < 0.0) normal = -normal;
        const char paint = part.face_paint.empty() ? part.paint : part.face_paint[f];
        face.css_class = fmt::format("{}{}", paint, shade_of(normal));
        faces.push_back(std::move(face));
    }
    const auto add_line = [&](std::vector<Vec3> corners) {
        const std::vector<bool> sides(corners.size(), true);
        faces.push_back({std::move(corners), sides, fmt::format("{}3", part.paint), false});
    };
    for (const auto& line : part.shape->lines)
        add_line({eye.see(part.positions[line[0]]), eye.see(part.positions[line[1]])});
    for (const std::uint32_t dot : part.shape->dots)
        add_line({eye.see(part.positions[dot])});
}

bool is_small(const SeenFace& face, double scale) {
    constexpr double kSmall = 24.0;  // [pixels]
    Extent extent;
    for (const Vec3& x : face.corners)
        extent.add(x);
    return scale * std::max(extent.high.x - extent.low.x, extent.high.y - extent.low.y) < kSmall;
}

bool is_before(const SeenFace& face, const Vec3& place, double size) {
    return face.corners.size() >= 3 && depth_at(face, place.x, place.y) > place.z + 0.004 * size;
}

// Whether faces are before all that is around a place: at an outline half of it is free.
bool is_covered(const std::vector<SeenFace>& faces, const Vec3& place, double scale, double size) {
    const double off = 3.0 / scale;
    for (const auto& [dx, dy] : {std::pair(off, off), {off, -off}, {-off, off}, {-off, -off}}) {
        const auto covers = [&, x = place.x + dx, y = place.y + dy](const SeenFace& face) {
            return distance_in_picture(face, x, y) <= 0.0 && is_before(face, place, size);
        };
        if (std::none_of(faces.begin(), faces.end(), covers)) return false;
    }
    return true;
}

// Faces that hide the first mark. Of a fine surface a window opens.
void turn_to_glass(std::vector<SeenFace>& faces, const ScenePanel& panel, const Eye& eye,
                   double scale, double size) {
    constexpr double kGlassEdge = 4.0;  // [pixels] the same for large faces
    for (const SceneMark& mark : panel.marks) {
        if (mark.kind == SceneMark::Kind::Other) continue;
        const Vec3 place = eye.see(mark.place);
        if (!is_covered(faces, place, scale, size)) continue;
        for (SeenFace& face : faces) {
            const double reach = is_small(face, scale) ? kGlassReach : kGlassEdge;
            if (distance_in_picture(face, place.x, place.y) * scale > reach) continue;
            if (is_before(face, place, size)) face.is_glass = true;
        }
    }
}

std::string outline(const SeenFace& face, const PanelFrame& frame) {
    std::string path = "M";
    for (std::size_t i = 0; i < face.corners.size(); ++i)
        path += (i == 0 ? "" : " ") + point_text(frame, face.corners[i]);
    return path;
}

// Sides of a cut face, without the cuts.
std::string sides_path(const SeenFace& face, const PanelFrame& frame) {
    std::string path;
    for (std::size_t i = 0; i < face.corners.size(); ++i) {
        if (!face.is_side[i]) continue;
        path += fmt::format("M{}L{}", point_text(frame, face.corners[i]),
                            point_text(frame, face.corners[(i + 1) % face.corners.size()]));
    }
    return path;
}

std::string face_svg(const SeenFace& face, const PanelFrame& frame) {
    const std::string& name = face.css_class;
    if (face.corners.empty()) return "";
    if (face.corners.size() == 1)
        return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.4\"/>", name,
                           frame.x(face.corners[0]), frame.y(face.corners[0]));
    if (face.corners.size() == 2)
        return fmt::format("<path class=\"{} l\" stroke-width=\"1.6\" d=\"{}\"/>", name,
                           outline(face, frame));
    const char* glass = face.is_glass ? " g" : "";
    const bool is_whole =
        std::find(face.is_side.begin(), face.is_side.end(), false) == face.is_side.end();
    if (is_whole)
        return fmt::format("<path class=\"{}{}\" d=\"{}z\"/>", name, glass, outline(face, frame));
    const std::string sides = sides_path(face, frame);
    const std::string part =
        fmt::format("<path class=\"{} n{}\" d=\"{}z\"/>", name, glass, outline(face, frame));
    if (sides.empty()) return part;
    return part + fmt::format("<path class=\"{} l\" d=\"{}\"/>", name, sides);
}

std::string ghost_svg(const ScenePart& part, const Eye& eye, const PanelFrame& frame) {
    std::string path;
    for (std::size_t f = 0; f < part.shape->faces.size(); ++f)
        path += outline(seen_face(part, f, eye), frame) + "z";
    for (const auto& line : part.shape->lines)
        path += fmt::format("M{}L{}", point_text(frame, eye.see(part.positions[line[0]])),
                            point_text(frame, eye.see(part.positions[line[1]])));
    return path.empty() ? "" : fmt::format("<path class=\"gh\" d=\"{}\"/>", path);
}

// --- marks --------------------------------------------------------------------------------------

std::string ring(double x, double y, SceneMark::Kind kind) {
    if (kind == SceneMark::Kind::Other)
        return fmt::format("<circle class=\"m2\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>", x, y);
    return fmt::format(
        "<circle class=\"halo\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"8\"/>"
        "<circle class=\"{2}\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"8\"/>"
        "<circle class=\"m1d\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"2\"/>",
        x, y, kind == SceneMark::Kind::First ? "m1" : "m3");
}

std::string arrow(double x, double y, double dx, double dy, std::string_view css_class) {
    const double length = norm(Vec3{dx, dy, 0.0});
    if (length < 3.0) return "";
    const double hx = dx / length * 5.0;
    const double hy = dy / length * 5.0;
    return fmt::format(
        "<path class=\"{}\" d=\"M{:.1f} {:.1f}l{:.1f} {:.1f}m{:.1f} {:.1f}l{:.1f} {:.1f} "
        "{:.1f} {:.1f}\"/>",
        css_class, x, y, dx, dy, -hx - 0.6 * hy, -hy + 0.6 * hx, hx + 0.6 * hy, hy - 0.6 * hx,
        -hx + 0.6 * hy, -hy - 0.6 * hx);
}

// Where marks are many the normals of all but the first are left out.
std::string mark_svg(const SceneMark& mark, const Eye& eye, const PanelFrame& frame,
                     bool is_crowded) {
    const Vec3 place = eye.see(mark.place);
    const Vec3 normal = eye.see(mark.normal);
    constexpr double kLength = 30.0;
    const double x = frame.x(place);
    const double y = frame.y(place);
    const bool is_first = mark.kind != SceneMark::Kind::Other;
    std::string svg = arrow(x, y, kLength * normal.x, -kLength * normal.y, "halo");
    if (!is_first) svg.clear();
    if (is_first || !is_crowded)
        svg += arrow(x, y, kLength * normal.x, -kLength * normal.y, is_first ? "m1" : "m2");
    svg += ring(x, y, mark.kind);
    const std::string tooltip =
        mark.tooltip.empty() ? "" : element("title", "", escaped(mark.tooltip));
    return "<g>" + tooltip + svg + "</g>";
}

std::string feature_svg(const SceneFeature& feature, const Eye& eye, const PanelFrame& frame,
                        const std::optional<CloseUp>& close_up) {
    SeenFace face;
    for (const Vec3& x : feature.corners)
        face.corners.push_back(eye.see(x));
    face.is_side.assign(face.corners.size(), true);
    if (face.corners.size() == 1)
        return fmt::format("<circle class=\"h{} hd\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>",
                           feature.paint, frame.x(face.corners[0]), frame.y(face.corners[0]));
    if (close_up) {
        const Vec3 middle = eye.see(close_up->place);
        face = clipped(std::move(face), middle.x, middle.y, 1.2 * close_up->half);
    }
    if (face.corners.empty()) return "";
    const char* kind = feature.corners.size() == 2 ? "hl" : "hf";
    return fmt::format("<path class=\"h{} {}\" d=\"{}{}\"/>", feature.paint, kind,
                       outline(face, frame), feature.corners.size() == 2 ? "" : "z");
}

// Others would fill the ring of the first mark.
bool is_within_first(const SceneMark& mark, const ScenePanel& panel, const Eye& eye,
                     const PanelFrame& frame) {
    if (mark.kind != SceneMark::Kind::Other) return false;
    const Vec3 place = eye.see(mark.place);
    return std::any_of(panel.marks.begin(), panel.marks.end(), [&](const SceneMark& other) {
        if (other.kind == SceneMark::Kind::Other) return false;
        const Vec3 first = eye.see(other.place);
        return norm(Vec3{place.x - first.x, place.y - first.y, 0.0}) * frame.scale < 9.0;
    });
}

std::string over_faces(const ScenePanel& panel, const Eye& eye, const PanelFrame& frame) {
    std::string svg;
    for (const SceneFeature& feature : panel.features)
        svg += feature_svg(feature, eye, frame, panel.close_up);
    if (panel.marks.empty()) return svg;
    std::vector<const SceneMark*> marks;
    for (const SceneMark& mark : panel.marks) {
        if (!is_within_first(mark, panel, eye, frame)) marks.push_back(&mark);
    }
    // The first one is drawn last, over the others.
    std::stable_sort(marks.begin(), marks.end(), [](const SceneMark* a, const SceneMark* b) {
        return a->kind == SceneMark::Kind::Other && b->kind != SceneMark::Kind::Other;
    });
    const bool is_crowded = marks.size() > 20;
    const std::size_t step = marks.size() / kMostSceneMarks + 1;
    for (std::size_t i = (marks.size() - 1) % step; i < marks.size(); i += step)
        svg += mark_svg(*marks[i], eye, frame, is_crowded);
    return svg;
}

std::string trails_svg(const ScenePanel& panel, const Eye& eye, const PanelFrame& frame) {
    std::string svg;
    for (const auto& [from, to] : panel.trails) {
        const Vec3 p = eye.see(from);
        const Vec3 q = eye.see(to);
        svg +=
            arrow(frame.x(p), frame.y(p), frame.x(q) - frame.x(p), frame.y(q) - frame.y(p), "tr");
    }
    return svg;
}

// --- panels -------------------------------------------------------------------------------------

std::string titles_svg(const ScenePanel& panel) {
    return svg_text(10.0, 16.0, "strong", panel.title) +
           svg_text(10.0, 32.0, "soft", panel.subtitle) + "\n";
}

std::string faces_svg(const ScenePanel& panel, const ScenePicture& picture, const PanelFrame& frame,
                      double size) {
    std::string svg;
    std::vector<SeenFace> faces;
    for (const ScenePart& part : panel.parts) {
        if (part.is_ghost) {
            svg += ghost_svg(part, picture.eye, frame);
        } else {
            add_faces(faces, part, picture.eye);
        }
    }
    if (panel.close_up) {
        const Vec3 middle = picture.eye.see(panel.close_up->place);
        const double half = panel.close_up->half;
        for (SeenFace& face : faces) {
            face = clipped(std::move(face), middle.x, middle.y, 1.1 * half);
            if (panel.close_up->is_cut_open) face = cut_open(face, middle.z + 0.12 * half);
        }
        std::erase_if(faces, [](const SeenFace& face) { return face.corners.empty(); });
    }
    turn_to_glass(faces, panel, picture.eye, frame.scale, size);
    svg += "<g stroke-width=\".5\" stroke-linejoin=\"round\">";
    for (const SeenFace& face : in_paint_order(std::move(faces), size))
        svg += face_svg(face, frame);
    return svg + "</g>\n";
}

std::string whole_panel(const ScenePanel& panel, const ScenePicture& picture,
                        const SceneLayout& layout) {
    const PanelFrame& frame = layout.frame;
    return titles_svg(panel) + axes_svg(layout, picture) +
           faces_svg(panel, picture, frame, layout.size) + trails_svg(panel, picture.eye, frame) +
           over_faces(panel, picture.eye, frame) + "\n";
}

// A square in the middle of the panel; what leaves it is cut off by the inner <svg>.
std::string close_up_panel(const ScenePanel& panel, const ScenePicture& picture,
                           const SceneLayout& layout) {
    const double side = std::min(layout.width - 2.0 * kPageMargin, layout.room_y + 10.0);
    const Vec3 middle = picture.eye.see(panel.close_up->place);
    PanelFrame frame;
    frame.scale = 0.5 * side / panel.close_up->half;
    frame.left = middle.x;
    frame.top = middle.y;
    frame.at_x = frame.at_y = 0.5 * side;
    const double x = 10.0;
    const std::string content = faces_svg(panel, picture, frame, 2.0 * panel.close_up->half) +
                                over_faces(panel, picture.eye, frame);
    return titles_svg(panel) +
           fmt::format(
               "<svg x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{2:.1f}\">{3}</svg>"
               "<rect class=\"frame\" x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" "
               "height=\"{2:.1f}\"/>",
               x, kPanelTitle, side, content) +
           scale_bar(frame, x, kPanelTitle + side + 8.0, side) + "\n";
}

std::string swatch_rect(char paint, double x, double width) {
    return fmt::format("<rect class=\"{}5\" x=\"{}\" y=\"1\" width=\"{}\" height=\"12\"/>", paint,
                       x, width);
}

std::string panels_svg(const ScenePicture& picture, const SceneLayout& layout, std::size_t columns,
                       double top) {
    std::string svg;
    for (std::size_t i = 0; i < picture.panels.size(); ++i) {
        const ScenePanel& panel = picture.panels[i];
        svg += fmt::format("<g transform=\"translate({:.0f} {:.0f})\">",
                           kPageMargin + layout.width * static_cast<double>(i % columns),
                           top + layout.height * static_cast<double>(i / columns));
        svg += panel.close_up ? close_up_panel(panel, picture, layout)
                              : whole_panel(panel, picture, layout);
        svg += "</g>\n";
    }
    return svg;
}

}  // namespace

std::string scene_svg(const ScenePicture& picture) {
    const SceneLayout layout = layout_of(picture);
    const std::size_t count = std::max<std::size_t>(picture.panels.size(), 1);
    const auto fitting = static_cast<std::size_t>(kPictureWidth / layout.width);
    std::size_t columns = std::clamp<std::size_t>(fitting, 1, count);
    const std::size_t rows = (count + columns - 1) / columns;
    columns = (count + rows - 1) / rows;  // rows of about equal length
    const double inner = std::max(layout.width * static_cast<double>(columns), 640.0);
    const PlacedSvg legend = legend_svg(picture.legend, inner);
    const PlacedSvg notes = notes_svg(picture.notes, inner);
    const double legend_top = 36.0;
    const double panels_top = legend_top + legend.height + 14.0;
    const double notes_top = panels_top + layout.height * static_cast<double>(rows) + 4.0;
    std::string content = svg_text(kPageMargin, 22.0, "head", picture.title) + "\n";
    content += fmt::format("<g transform=\"translate({} {})\">{}</g>\n", kPageMargin, legend_top,
                           legend.svg);
    content += panels_svg(picture, layout, columns, panels_top);
    content += fmt::format("<g transform=\"translate({} {:.0f})\">{}</g>\n", kPageMargin, notes_top,
                           notes.svg);
    return svg_file({.width = inner + 2.0 * kPageMargin,
                     .height = notes_top + notes.height + 10.0,
                     .title = picture.title,
                     .style = paint_style(),
                     .content = content});
}

LegendItem body_item(char paint, std::string text) {
    return {swatch_rect(paint, 4.0, 16.0), std::move(text)};
}

LegendItem mark_item(SceneMark::Kind kind, std::string text) {
    return {ring(12.0, 7.0, kind), std::move(text)};
}

LegendItem normal_item(std::string text) {
    return {arrow(1.0, 7.0, 22.0, 0.0, "m1"), std::move(text)};
}

LegendItem ghost_item(std::string text) {
    return {"<rect class=\"gh\" x=\"4\" y=\"1\" width=\"16\" height=\"12\"/>", std::move(text)};
}

LegendItem trail_item(std::string text) {
    return {arrow(1.0, 7.0, 22.0, 0.0, "tr"), std::move(text)};
}

LegendItem ramp_item(std::string text) {
    std::string mark;
    double x = 0.0;
    for (const char paint : {'p', 'q', 'r', 's', 't'}) {
        mark += swatch_rect(paint, x, 4.8);
        x += 4.8;
    }
    return {mark, std::move(text)};
}

std::string close_up_text(bool is_cut_open) {
    return is_cut_open ? "cut open in front of the contact" : "only what is around the contact";
}

std::string left_out_note(const std::string& name, std::size_t drawn, std::size_t faces) {
    return fmt::format(
        "{} is drawn coarser than it is, by {} of its {} faces, to keep the file small; the "
        "close-up shows faces as they are.",
        name, drawn, faces);
}

}  // namespace graze::app
