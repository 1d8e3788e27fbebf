#include "rigid_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "cli/text_layout.hpp"
#include "graze/narrow/contact_point.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "html_text.hpp"
#include "scene_svg.hpp"

namespace graze::app {
namespace {

using rigid::Polyhedron;
using Drawn = rigid::RasterSearch::DrawnPixel;

// --- the bodies ---------------------------------------------------------------------------------

SceneShape shape_of(const Polyhedron& surface) {
    SceneShape shape;
    for (std::size_t f = 0; f < surface.face_count(); ++f)
        shape.faces.add(surface.face(f));
    shape.hides_backs =
        surface.report().is_closed() && !is_inside_out(surface.positions(), shape.faces);
    return shape;
}

std::vector<Vec3> placed_at(const Polyhedron& surface, const Pose& pose) {
    std::vector<Vec3> positions;
    positions.reserve(surface.positions().size());
    for (const Vec3& x : surface.positions())
        positions.push_back(apply(pose, x));
    return positions;
}

// Where the two faces that meet first are nearest, when they do: an estimate, for the mark.
struct FirstPlace {
    double time = 0.0;
    Vec3 place;
    Vec3 normal;         // from A to B
    Vec3 velocity;       // of B relative to A
    double reach = 0.0;  // [length] the longest side of both faces
};

using MovingTriangle = std::array<MovingPoint, 3>;

// The triangles of a face, from shortly before the contact to the contact.
std::vector<MovingTriangle> triangles_of(const Polyhedron& surface, std::uint32_t face,
                                         const Pose& before, const Pose& then) {
    std::vector<MovingTriangle> triangles;
    for (std::size_t i = 0; i < surface.triangles().size(); ++i) {
        if (surface.face_of_triangle(i) != face) continue;
        MovingTriangle triangle;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3& x = surface.positions()[surface.triangles()[i][k]];
            triangle[k] = {apply(before, x), apply(then, x)};
        }
        triangles.push_back(triangle);
    }
    return triangles;
}

// The nearest pair of features of two triangles at the end of their motion. The normal of a contact
// point leads to the first primitive, here from A to B.
ContactPoint nearest_points(const MovingTriangle& a, const MovingTriangle& b) {
    ContactPoint best;
    best.distance_upper = kInfinity;
    const auto take = [&](const ContactPoint& found) {
        if (found.distance_upper < best.distance_upper) best = found;
    };
    for (std::size_t i = 0; i < 3; ++i) {
        take(contact_point(VertexFaceMotion{b[i], a}, 1.0));
        ContactPoint other = contact_point(VertexFaceMotion{a[i], b}, 1.0);
        other.normal = -other.normal;
        take(other);
        for (std::size_t k = 0; k < 3; ++k)
            take(
                contact_point(EdgeEdgeMotion{{b[i], b[(i + 1) % 3]}, {a[k], a[(k + 1) % 3]}}, 1.0));
    }
    return best;
}

double longest_side(const std::vector<MovingTriangle>& triangles) {
    double longest = 0.0;
    for (const MovingTriangle& triangle : triangles) {
        for (std::size_t i = 0; i < 3; ++i)
            longest = std::max(longest, norm(triangle[i].end - triangle[(i + 1) % 3].end));
    }
    return longest;
}

std::optional<FirstPlace> first_place(const DrawnBodies& bodies) {
    const rigid::ImpactResult& first = bodies.first;
    if (first.verdict == Verdict::Separated || first.contact.a >= bodies.a.face_count() ||
        first.contact.b >= bodies.b.face_count())
        return std::nullopt;
    const double time = std::clamp(first.toi_lower, 0.0, 1.0);
    // Some way back, so that the direction of motion is more than rounding; at the start, ahead.
    const double before = time > 0.0 ? time - std::min(time, 1.0 / 64.0) : -1.0 / 64.0;
    const auto at = [&](const Polyhedron& body, std::uint32_t face, auto pose) {
        return triangles_of(body, face, pose(bodies.step, before), pose(bodies.step, time));
    };
    const auto of_a = at(bodies.a, first.contact.a, rigid::world_pose_a);
    const auto of_b = at(bodies.b, first.contact.b, rigid::world_pose_b);
    ContactPoint best;
    best.distance_upper = kInfinity;
    for (const MovingTriangle& a : of_a) {
        for (const MovingTriangle& b : of_b) {
            const ContactPoint found = nearest_points(a, b);
            if (found.distance_upper < best.distance_upper) best = found;
        }
    }
    if (!(best.distance_upper < kInfinity)) return std::nullopt;
    return FirstPlace{
        .time = time,
        .place = best.on_a,
        .normal = best.normal,
        .velocity = (of_b[0][0].end - of_b[0][0].start) - (of_a[0][0].end - of_a[0][0].start),
        .reach = std::max(longest_side(of_a), longest_side(of_b))};
}

// "vertex 3 of A, face 7 of B".
std::string features_text(const rigid::Contact& collision) {
    using rigid::ContactType;
    const char* a = collision.type == ContactType::VertexFace   ? "vertex"
                    : collision.type == ContactType::FaceVertex ? "face"
                                                                : "edge";
    const char* b = collision.type == ContactType::VertexFace   ? "face"
                    : collision.type == ContactType::FaceVertex ? "vertex"
                                                                : "edge";
    return fmt::format("{} {} of A, {} {} of B", a, collision.a, b, collision.b);
}

std::string time_text(double time) {
    return fmt::format("t = {:.4g}", time);
}

std::string subtitle_of(const BodyPanel& panel) {
    if (panel.collisions.empty()) return time_text(panel.time);
    return features_text(panel.collisions.front());
}

std::string title_of(const std::vector<rigid::Contact>& group) {
    const std::string time = time_text(group.front().time);
    return group.size() == 1 ? "collision, " + time
                             : fmt::format("{} collisions from {} on", group.size(), time);
}

// How near the time of a collision that was found must be to that of the first contact to be it.
constexpr double kSameTime = 1e-4;

class BodiesPicture {
public:
    BodiesPicture(const DrawnBodies& bodies, const std::vector<BodyPanel>& panels)
        : bodies_(bodies),
          first_(first_place(bodies)),
          full_a_(shape_of(bodies.a)),
          full_b_(shape_of(bodies.b)) {
        const auto budget = [&](const SceneShape& shape) {
            const std::size_t seen = shape.hides_backs ? 2 : 1;  // half of them is hidden
            return seen * kMostSceneFaces / (2 * (panels.size() + 1));
        };
        a_ = coarsened(full_a_, bodies.a.positions(), budget(full_a_));
        b_ = coarsened(full_b_, bodies.b.positions(), budget(full_b_));
    }

    [[nodiscard]] std::string svg(const std::vector<BodyPanel>& panels) {
        choose_eye();
        for (const BodyPanel& panel : panels) {
            if (first_ && !is_first_drawn_ && comes_after_first(panel))
                add_first_panel({"", first_->time, {}});
            if (is_first(panel)) {
                add_first_panel(panel);
            } else {
                add_panel(panel);
            }
        }
        if (first_ && !is_first_drawn_) add_first_panel({"", first_->time, {}});
        picture_.title =
            fmt::format("Two bodies in a step: {} (A) and {} (B)", bodies_.name_a, bodies_.name_b);
        add_legend(panels);
        add_notes();
        return scene_svg(picture_);
    }

private:
    [[nodiscard]] bool is_first(const BodyPanel& panel) const {
        return first_ && !is_first_drawn_ && !panel.collisions.empty() &&
               std::abs(panel.time - first_->time) <= kSameTime;
    }
    [[nodiscard]] bool comes_after_first(const BodyPanel& panel) const {
        return !is_first(panel) && panel.time > first_->time;
    }
    [[nodiscard]] ScenePanel bodies_at(double time, const SceneShape& a,
                                       const SceneShape& b) const {
        ScenePanel panel;
        panel.parts.push_back(
            {&a, placed_at(bodies_.a, world_pose_a(bodies_.step, time)), 'a', {}, false});
        panel.parts.push_back(
            {&b, placed_at(bodies_.b, world_pose_b(bodies_.step, time)), 'b', {}, false});
        return panel;
    }
    void add_panel(const BodyPanel& from);
    void add_first_panel(const BodyPanel& from);
    void add_close_up();
    void choose_eye();
    void add_legend(const std::vector<BodyPanel>& panels);
    void add_notes();
    [[nodiscard]] SceneMark first_mark() const;
    [[nodiscard]] std::string first_title() const;

    const DrawnBodies& bodies_;
    std::optional<FirstPlace> first_;
    SceneShape full_a_;
    SceneShape full_b_;
    SceneShape a_;
    SceneShape b_;
    SceneShape near_a_;
    SceneShape near_b_;
    double size_ = 1.0;
    bool is_first_drawn_ = false;
    bool has_others_ = false;
    bool is_hidden_ = false;  // the first contact
    ScenePicture picture_;
};

void BodiesPicture::choose_eye() {
    Sight sight;
    const double time = first_ ? first_->time : 0.0;
    const ScenePanel at = bodies_at(time, a_, b_);
    size_ = bodies_.a.radius() + bodies_.b.radius();
    sight.size = size_;
    sight.has_place = first_.has_value();
    if (first_) {
        sight.place = first_->place;
        sight.across = {first_->normal, first_->velocity};
    } else {
        const auto way = [&](double t) {
            return apply(world_pose_b(bodies_.step, t), bodies_.b.centre()) -
                   apply(world_pose_a(bodies_.step, t), bodies_.a.centre());
        };
        sight.across = {way(1.0) - way(0.0), way(0.5)};
    }
    const std::array<SightBody, 2> seen = {SightBody{at.parts[0].positions, &a_.faces},
                                           SightBody{at.parts[1].positions, &b_.faces}};
    picture_.eye = best_eye(sight, seen);
    is_hidden_ = first_ && is_hidden(sight, picture_.eye, seen);
}

std::vector<SceneMark> collision_marks(const BodyPanel& panel) {
    std::vector<SceneMark> marks;
    for (const rigid::Contact& collision : panel.collisions)
        marks.push_back({SceneMark::Kind::Other, collision.point, collision.normal,
                         fmt::format("{}: {}, properness {:.3f}", time_text(collision.time),
                                     features_text(collision), collision.properness)});
    return marks;
}

void BodiesPicture::add_panel(const BodyPanel& from) {
    ScenePanel panel = bodies_at(from.time, a_, b_);
    panel.title = from.title;
    panel.subtitle = subtitle_of(from);
    panel.marks = collision_marks(from);
    has_others_ = has_others_ || !panel.marks.empty();
    picture_.panels.push_back(std::move(panel));
}

std::string BodiesPicture::first_title() const {
    if (bodies_.first.verdict == Verdict::Contact)
        return fmt::format("first contact, proved: t = {:.6g}", first_->time);
    return fmt::format("unresolved from t = {:.6g} on", first_->time);
}

SceneMark BodiesPicture::first_mark() const {
    const bool is_proved = bodies_.first.verdict == Verdict::Contact;
    return {is_proved ? SceneMark::Kind::First : SceneMark::Kind::Doubtful, first_->place,
            first_->normal, first_title()};
}

void BodiesPicture::add_first_panel(const BodyPanel& from) {
    is_first_drawn_ = true;
    ScenePanel panel = bodies_at(first_->time, a_, b_);
    panel.title = first_title();
    panel.subtitle = from.collisions.empty()
                         ? fmt::format("face {} of A, face {} of B", bodies_.first.contact.a,
                                       bodies_.first.contact.b)
                         : subtitle_of(from);
    BodyPanel others = from;
    if (!others.collisions.empty()) others.collisions.erase(others.collisions.begin());
    panel.marks = collision_marks(others);
    has_others_ = has_others_ || !panel.marks.empty();
    panel.marks.push_back(first_mark());
    picture_.panels.push_back(std::move(panel));
    add_close_up();
}

void BodiesPicture::add_close_up() {
    const double half = std::clamp(0.8 * first_->reach, size_ / 200.0, size_ / 6.0);
    ScenePanel panel = bodies_at(first_->time, near_a_, near_b_);
    const auto near = [&](const SceneShape& shape, const ScenePart& part) {
        return near_part(shape, part.positions, first_->place, 1.6 * half, kMostCloseUpFaces / 2);
    };
    near_a_ = near(full_a_, panel.parts[0]);
    near_b_ = near(full_b_, panel.parts[1]);
    // From near the outline of a body may be before the contact: then its back is what touches.
    near_a_.hides_backs = near_b_.hides_backs = false;
    panel.title = "the same, from near";
    panel.subtitle = close_up_text(is_hidden_);
    panel.marks = {first_mark()};
    panel.close_up = CloseUp{first_->place, half, is_hidden_};
    picture_.panels.push_back(std::move(panel));
}

void BodiesPicture::add_legend(const std::vector<BodyPanel>& panels) {
    const auto name = [](char body, const std::string& file, const Polyhedron& surface) {
        return fmt::format("{}: {}, {}", body, file, counted(surface.face_count(), "face"));
    };
    picture_.legend.push_back(body_item('a', name('A', bodies_.name_a, bodies_.a)));
    picture_.legend.push_back(body_item('b', name('B', bodies_.name_b, bodies_.b)));
    if (first_ && bodies_.first.verdict == Verdict::Contact)
        picture_.legend.push_back(mark_item(SceneMark::Kind::First, "first contact, proved"));
    else if (first_)
        picture_.legend.push_back(
            mark_item(SceneMark::Kind::Doubtful, "first approach that is not decided"));
    if (has_others_)
        picture_.legend.push_back(mark_item(SceneMark::Kind::Other, "other collision"));
    if (first_ || panels.size() > 2)
        picture_.legend.push_back(normal_item("normal of the contact, from A to B"));
}

void BodiesPicture::add_notes() {
    const rigid::ImpactResult& first = bodies_.first;
    if (first.verdict == Verdict::Separated)
        picture_.notes.push_back("Proved: the surfaces do not touch in the whole step.");
    if (first.verdict == Verdict::Contact)
        picture_.notes.push_back(fmt::format(
            "Proved: nothing touches before t = {}, and the bodies meet at or before t = {} (t "
            "from 0 to 1 is the step). Faces that would hide the first contact are drawn as glass.",
            first.toi_lower, first.toi_upper));
    if (first.verdict == Verdict::Unresolved)
        picture_.notes.push_back(
            fmt::format("Proved: nothing touches before t = {}. What comes then is not decided.",
                        first.toi_lower));
    picture_.notes.push_back(fmt::format(
        "The eye is {:g}\u00b0 around the y-axis, from z towards x, and {:g}\u00b0 up; all panels "
        "but the close-up have one scale, with coordinates of the world along the axes.",
        picture_.eye.azimuth(), picture_.eye.elevation()));
    for (const auto& [shape, full, name] :
         {std::tuple(&a_, &full_a_, "A"), std::tuple(&b_, &full_b_, "B")}) {
        if (shape->faces.size() < full->faces.size())
            picture_.notes.push_back(left_out_note(name, shape->faces.size(), full->faces.size()));
    }
}

// --- the screen ---------------------------------------------------------------------------------

// One path for all pixels of a class: a square, or a column of them, is a stroke of width 1.
class PixelPath {
public:
    void add(int r, int h_min, int h_max) { columns_.insert({r, h_min, h_max}); }
    // The same with squares of several pixels each as one, and columns that touch as one.
    [[nodiscard]] PixelPath coarser(int squares) const {
        PixelPath path;
        const auto down = [&](int x) {
            return static_cast<int>(std::floor(static_cast<double>(x) / squares));
        };
        std::optional<std::tuple<int, int, int>> last;
        std::set<std::tuple<int, int, int>> cells;
        for (const auto& [r, h_min, h_max] : columns_)
            cells.insert({down(r), down(h_min), down(h_max)});
        for (const auto& [r, h_min, h_max] : cells) {
            if (last && std::get<0>(*last) == r && h_min <= std::get<2>(*last) + 1) {
                std::get<2>(*last) = std::max(std::get<2>(*last), h_max);
                continue;
            }
            if (last) path.columns_.insert(*last);
            last = {r, h_min, h_max};
        }
        if (last) path.columns_.insert(*last);
        return path;
    }
    [[nodiscard]] std::size_t size() const { return columns_.size(); }
    [[nodiscard]] std::string svg(const char* css_class, int r_low, int h_high) const {
        std::string path = fmt::format("<path class=\"{}\" d=\"", css_class);
        for (const auto& [r, h_min, h_max] : columns_)
            path += fmt::format("M{}.5 {}v{}", r - r_low, h_high - h_max, h_max - h_min + 1);
        return path + "\"/>\n";
    }

private:
    std::set<std::tuple<int, int, int>> columns_;  // once each, in order
};

struct PixelBox {
    int r_low = 0, r_high = 0, h_low = 0, h_high = 0;
};

using PixelPaths = std::array<PixelPath, 6>;  // virtual, edge, vertex; of A, then of B

struct ScreenPixels {
    PixelPaths paths;
    PixelBox box;
    int squares = 1;  // pixels a side that are drawn as one
};

ScreenPixels sorted_pixels(const std::vector<Drawn>& drawn) {
    ScreenPixels pixels;
    PixelBox& box = pixels.box;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const Drawn& p = drawn[i];
        box.r_low = i == 0 ? p.r : std::min(box.r_low, p.r);
        box.r_high = i == 0 ? p.r : std::max(box.r_high, p.r);
        box.h_low = i == 0 ? p.h_min : std::min(box.h_low, p.h_min);
        box.h_high = i == 0 ? p.h_max : std::max(box.h_high, p.h_max);
        const std::size_t kind = p.virtual_edge ? 0 : p.vertex ? 2 : 1;
        pixels.paths[kind + (p.of_a ? 0 : 3)].add(p.r, p.h_min, p.h_max);
    }
    return pixels;
}

// A column takes some 14 bytes.
ScreenPixels bounded_pixels(const std::vector<Drawn>& drawn) {
    constexpr std::size_t kMostColumns = 100'000;
    const ScreenPixels all = sorted_pixels(drawn);
    ScreenPixels shown = all;
    const auto count = [](const PixelPaths& paths) {
        std::size_t sum = 0;
        for (const PixelPath& path : paths)
            sum += path.size();
        return sum;
    };
    while (count(shown.paths) > kMostColumns) {
        shown.squares *= 2;
        for (std::size_t i = 0; i < all.paths.size(); ++i)
            shown.paths[i] = all.paths[i].coarser(shown.squares);
    }
    const auto down = [&](int x) {
        return static_cast<int>(std::floor(static_cast<double>(x) / shown.squares));
    };
    shown.box = {down(all.box.r_low), down(all.box.r_high), down(all.box.h_low),
                 down(all.box.h_high)};
    return shown;
}

// Where the screen lies in the picture.
struct ScreenFrame {
    double left = 70.0;
    double top = 0.0;
    double square = 1.0;  // [units of the picture]
    PixelBox box;
    int squares = 1;
    double pixel = 1.0;  // [length]

    [[nodiscard]] double x(double r) const { return left + square * (r / squares - box.r_low); }
    [[nodiscard]] double y(double h) const { return top + square * (box.h_high + 1 - h / squares); }
    [[nodiscard]] double width() const { return square * (box.r_high - box.r_low + 1); }
    [[nodiscard]] double height() const { return square * (box.h_high - box.h_low + 1); }
};

// Numbers are lengths.
std::string screen_axes(const ScreenFrame& frame) {
    const double length = frame.pixel * frame.squares;
    const double bottom = frame.top + frame.height();
    std::string svg = fmt::format(
        "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
        frame.left, frame.top, frame.width(), frame.height());
    const auto most = [](double room) {
        return static_cast<std::size_t>(std::clamp(room / 60.0, 2.0, 10.0));
    };
    const RoundTicks across =
        round_ticks(frame.box.r_low * length, (frame.box.r_high + 1) * length, most(frame.width()));
    for (const double tick : across.values) {
        const double x = frame.x(tick / frame.pixel);
        svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", x, frame.top,
                           bottom) +
               svg_text(x, bottom + 15.0, "soft tiny middle", tick_text(tick, across.step));
    }
    const RoundTicks up = round_ticks(frame.box.h_low * length, (frame.box.h_high + 1) * length,
                                      most(frame.height()));
    for (const double tick : up.values) {
        const double y = frame.y(tick / frame.pixel);
        svg += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", frame.left, y,
                           frame.left + frame.width()) +
               svg_text(frame.left - 6.0, y + 3.5, "soft tiny end", tick_text(tick, up.step));
    }
    svg += svg_text(frame.left + 0.5 * frame.width(), bottom + 32.0, "soft middle",
                    "r, the distance from the axis");
    return svg + fmt::format("<g transform=\"translate(16 {:.1f}) rotate(-90)\">{}</g>\n",
                             frame.top + 0.5 * frame.height(),
                             svg_text(0.0, 0.0, "soft middle", "h, across the flow"));
}

constexpr std::string_view kScreenStyle =
    ".px{fill:none;stroke-width:.92;stroke-opacity:.8}.ea{stroke:#4477aa}.eb{stroke:#ee8866}"
    ".xa{stroke:#1f354d}.xb{stroke:#834b38}.va{stroke:#4477aa;stroke-opacity:.25}"
    ".vb{stroke:#ee8866;stroke-opacity:.25}.m{fill:none;stroke:#c8003c;stroke-width:2}"
    "@media(prefers-color-scheme:dark){.ea{stroke:#5b93c9}.xa{stroke:#b9d8f5}.xb{stroke:#ffd9c9}"
    ".m{stroke:#ff5078}}";

LegendItem pixel_item(const char* css_class, std::string text) {
    return {
        fmt::format("<path class=\"px {}\" style=\"stroke-width:12\" d=\"M4 7h16\"/>", css_class),
        std::move(text)};
}

std::vector<LegendItem> screen_legend(bool has_marks) {
    std::vector<LegendItem> legend = {
        pixel_item("ea", "edges of A"),         pixel_item("eb", "edges of B"),
        pixel_item("xa", "vertices of A"),      pixel_item("xb", "vertices of B"),
        pixel_item("va", "virtual edges of A"), pixel_item("vb", "virtual edges of B")};
    if (has_marks)
        legend.push_back({"<circle class=\"m\" cx=\"12\" cy=\"7\" r=\"6\"/>", "collision"});
    return legend;
}

std::string screen_marks(const std::vector<ScreenMark>& marks, const ScreenFrame& frame) {
    constexpr std::size_t kMostMarks = 2000;
    const std::size_t step = marks.size() / kMostMarks + 1;
    std::string svg;
    for (std::size_t i = 0; i < marks.size(); i += step)
        svg += fmt::format(
            "<circle class=\"m\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"6\"><title>{}</title></circle>\n",
            frame.x(marks[i].r), frame.y(marks[i].h), escaped(marks[i].label));
    return svg;
}

// --- files --------------------------------------------------------------------------------------

void add_body(std::string& obj, const char* name, const Polyhedron& surface, const Pose& pose,
              std::size_t first) {
    obj += fmt::format("o {}\n", name);
    for (const Vec3& x : surface.positions()) {
        const Vec3 p = apply(pose, x);
        obj += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
    }
    for (std::size_t f = 0; f < surface.face_count(); ++f) {
        obj += "f";
        for (const std::uint32_t corner : surface.face(f))
            obj += fmt::format(" {}", first + corner + 1);
        obj += "\n";
    }
}

}  // namespace

std::vector<BodyPanel> panels_of(const std::vector<rigid::Contact>& sorted,
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

std::string bodies_svg(const DrawnBodies& bodies, const std::vector<BodyPanel>& panels) {
    return BodiesPicture(bodies, panels).svg(panels);
}

std::string screen_svg(const std::vector<Drawn>& drawn, const std::vector<ScreenMark>& marks,
                       double pixel) {
    const ScreenPixels pixels = bounded_pixels(drawn);
    const double columns = pixels.box.r_high - pixels.box.r_low + 1.0;
    const double rows = pixels.box.h_high - pixels.box.h_low + 1.0;
    ScreenFrame frame;
    frame.box = pixels.box;
    frame.squares = pixels.squares;
    frame.pixel = pixel;
    frame.square = std::min(720.0 / std::max(columns, rows), 12.0);
    const double width = std::max(640.0, frame.left + frame.width() + 24.0);
    const PlacedSvg legend = legend_svg(screen_legend(!marks.empty()), width - 32.0);
    frame.top = 40.0 + legend.height + 8.0;
    std::vector<std::string> notes = {
        fmt::format("Both surfaces, projected along the motion: where A and B share a pixel they "
                    "may meet. A pixel is {:.4g} long.",
                    pixel)};
    if (pixels.squares > 1)
        notes.push_back(
            fmt::format("Drawn coarser than it is, {0} x {0} pixels as one, to keep "
                        "the file small.",
                        pixels.squares));
    const PlacedSvg words = notes_svg(notes, width - 32.0);
    const double notes_top = frame.top + frame.height() + 44.0;
    std::string content = svg_text(16.0, 22.0, "head", "Collision screen") +
                          fmt::format("<g transform=\"translate(16 34)\">{}</g>\n", legend.svg) +
                          screen_axes(frame) +
                          fmt::format("<g transform=\"translate({:.1f} {:.1f}) scale({:.4f})\">\n",
                                      frame.left, frame.top, frame.square);
    constexpr std::array kClasses = {"px va", "px ea", "px xa", "px vb", "px eb", "px xb"};
    for (const std::size_t kind : {0U, 3U, 1U, 4U, 2U, 5U})
        content += pixels.paths[kind].svg(kClasses[kind], pixels.box.r_low, pixels.box.h_high);
    content += "</g>\n" + screen_marks(marks, frame);
    content += fmt::format("<g transform=\"translate(16 {:.0f})\">{}</g>\n", notes_top, words.svg);
    return svg_file({.width = width,
                     .height = notes_top + words.height + 10.0,
                     .title = "Collision screen",
                     .style = std::string(kScreenStyle),
                     .content = content});
}

std::string bodies_obj(const Polyhedron& a, const Polyhedron& b, const rigid::PairStep& step,
                       double time) {
    std::string obj = fmt::format("# t = {}\n", time);
    add_body(obj, "A", a, world_pose_a(step, time), 0);
    add_body(obj, "B", b, world_pose_b(step, time), a.positions().size());
    return obj;
}

}  // namespace graze::app
