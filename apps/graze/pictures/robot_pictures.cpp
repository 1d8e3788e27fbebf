#include "robot_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>

#include "graze/core/elementary.hpp"
#include "graze/generate/models.hpp"
#include "scene_svg.hpp"

namespace graze::app {
namespace {

using rigid::ConvexShape;

// Of a circle, and of a ball: 20 * 4^levels.
constexpr std::uint32_t kCircleSides = 24;
constexpr std::uint32_t kBallLevels = 2;

struct DrawnSurface {
    SceneShape shape;
    std::vector<Vec3> positions;  // in the frame of the geometry
};

// Pictures have their second coordinate upwards, robots their third: a rotation.
Vec3 upright(const Vec3& x) {
    return {x.y, x.z, x.x};
}

void add_mesh_faces(DrawnSurface& drawn, const io::PolygonMesh& mesh, double scale,
                    const Vec3& shift) {
    const auto first = static_cast<std::uint32_t>(drawn.positions.size());
    for (const Vec3& x : mesh.positions)
        drawn.positions.push_back(scale * x + shift);
    std::vector<std::uint32_t> corners;
    for (std::size_t i = 0; i < mesh.polygons.size(); ++i) {
        corners.clear();
        for (const std::uint32_t corner : mesh.polygons[i])
            corners.push_back(first + corner);
        drawn.shape.faces.add(corners);
    }
}

DrawnSurface drawn_box(const Vec3& half, const Vec3& centre) {
    DrawnSurface drawn;
    add_mesh_faces(drawn, generate::cube(), 1.0, {});
    for (Vec3& x : drawn.positions)
        x = Vec3{2.0 * half.x * x.x, 2.0 * half.y * x.y, 2.0 * half.z * x.z} + centre;
    return drawn;
}

DrawnSurface drawn_cylinder(double radius, double half_height, const Vec3& centre) {
    DrawnSurface drawn;
    std::vector<std::uint32_t> bottom;
    std::vector<std::uint32_t> top;
    for (std::uint32_t i = 0; i < kCircleSides; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / kCircleSides;
        const Vec3 p{radius * cosine(angle), radius * sine(angle), 0.0};
        drawn.positions.push_back(centre + p - Vec3{0.0, 0.0, half_height});
        drawn.positions.push_back(centre + p + Vec3{0.0, 0.0, half_height});
        const std::uint32_t next = (i + 1) % kCircleSides;
        drawn.shape.faces.add(std::array{2 * i, 2 * next, 2 * next + 1, 2 * i + 1});
        bottom.insert(bottom.begin(), 2 * i);
        top.push_back(2 * i + 1);
    }
    drawn.shape.faces.add(bottom);
    drawn.shape.faces.add(top);
    return drawn;
}

// Roundings of boxes, cylinders and hulls are left out; hulls are their points.
DrawnSurface drawn_shape(const ConvexShape& shape) {
    DrawnSurface drawn;
    const io::PolygonMesh ball = generate::sphere(kBallLevels);
    switch (shape.core()) {
        case ConvexShape::Core::Segment:
            add_mesh_faces(drawn, ball, shape.rounding(), shape.size());
            [[fallthrough]];
        case ConvexShape::Core::Point:
            add_mesh_faces(drawn, ball, shape.rounding(), shape.centre());
            drawn.shape.hides_backs = true;
            break;
        case ConvexShape::Core::Box:
            drawn = drawn_box(shape.size(), shape.centre());
            drawn.shape.hides_backs = true;
            break;
        case ConvexShape::Core::Cylinder:
            drawn = drawn_cylinder(shape.size().x, shape.size().z, shape.centre());
            drawn.shape.hides_backs = true;
            break;
        case ConvexShape::Core::Hull:
            for (std::size_t i = 0; i < shape.points().size(); ++i) {
                drawn.positions.push_back(shape.points()[i]);
                drawn.shape.dots.push_back(static_cast<std::uint32_t>(i));
            }
            break;
    }
    return drawn;
}

DrawnSurface drawn_surface(const rigid::Polyhedron& surface) {
    DrawnSurface drawn;
    drawn.positions.assign(surface.positions().begin(), surface.positions().end());
    for (std::size_t f = 0; f < surface.face_count(); ++f)
        drawn.shape.faces.add(surface.face(f));
    drawn.shape.hides_backs =
        surface.report().is_closed() && !is_inside_out(drawn.positions, drawn.shape.faces);
    return drawn;
}

DrawnSurface drawn_geometry(const robot::Geometry& geometry, const Pose& frame) {
    DrawnSurface drawn;
    if (const auto* shape = std::get_if<ConvexShape>(&geometry.shape)) {
        drawn = drawn_shape(*shape);
    } else {
        drawn = drawn_surface(
            std::get<std::shared_ptr<const rigid::RigidBody>>(geometry.shape)->surface());
    }
    for (Vec3& x : drawn.positions)
        x = upright(apply(frame, apply(geometry.pose, x)));
    return drawn;
}

class ContactPicture {
public:
    explicit ContactPicture(const DrawnContact& contact) : contact_(contact) {}

    [[nodiscard]] std::string svg() {
        add_bodies();
        size_up();
        choose_sight();
        add_whole();
        add_near();
        add_words();
        return scene_svg(picture_);
    }

private:
    struct Body {
        DrawnSurface full;
        SceneShape coarse;
        SceneShape near;
        char paint = 'c';
    };

    [[nodiscard]] const robot::RobotContact& found() const { return *contact_.result.contact; }

    [[nodiscard]] char paint_of(const robot::ContactParty& party) const {
        if (is_same(party, found().a)) return 'a';
        if (is_same(party, found().b)) return 'b';
        return 'c';
    }
    static bool is_same(const robot::ContactParty& p, const robot::ContactParty& q) {
        return p.link == q.link && p.obstacle == q.obstacle;
    }

    void add_body(const robot::Geometry& geometry, const Pose& frame, char paint) {
        bodies_.push_back({drawn_geometry(geometry, frame), {}, {}, paint});
    }

    void add_bodies() {
        const auto poses = contact_.scene.robot().link_poses(contact_.q);
        if (!poses) return;
        const auto links = contact_.scene.robot().links();
        for (std::size_t i = 0; i < links.size(); ++i)
            for (const robot::Geometry& geometry : links[i].geometry)
                add_body(geometry, (*poses)[i],
                         paint_of({.link = static_cast<robot::LinkId>(i), .obstacle = {}}));
        const auto obstacles = contact_.scene.obstacles();
        for (std::size_t i = 0; i < obstacles.size(); ++i)
            add_body(obstacles[i].geometry, {}, paint_of({.link = {}, .obstacle = i}));
        const std::size_t most =
            kMostSceneFaces / 2 / std::max<std::size_t>(bodies_.size(), 1) + 12;
        for (Body& body : bodies_)
            body.coarse = coarsened(body.full.shape, body.full.positions, most);
    }

    void size_up() {
        Vec3 low = upright(found().point);
        Vec3 high = low;
        for (const Body& body : bodies_) {
            for (const Vec3& x : body.full.positions) {
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    low[axis] = std::min(low[axis], x[axis]);
                    high[axis] = std::max(high[axis], x[axis]);
                }
            }
        }
        size_ = std::max(norm(high - low), 1e-9);
    }

    void choose_sight() {
        Sight sight;
        sight.place = upright(found().point);
        sight.has_place = true;
        sight.across = {upright(found().normal)};
        sight.size = size_;
        std::vector<SightBody> seen;
        for (const Body& body : bodies_)
            seen.push_back({body.full.positions, &body.coarse.faces});
        picture_.eye = best_eye(sight, seen);
        is_hidden_ = is_hidden(sight, picture_.eye, seen);
    }

    [[nodiscard]] SceneMark mark() const {
        const bool is_proved = contact_.result.verdict == Verdict::Contact;
        return {is_proved ? SceneMark::Kind::First : SceneMark::Kind::Doubtful,
                upright(found().point), upright(found().normal), contact_.title};
    }

    void add_whole() {
        ScenePanel panel;
        panel.title = contact_.title;
        panel.subtitle = fmt::format("{} and {}", name_of(contact_.scene, found().a),
                                     name_of(contact_.scene, found().b));
        for (const Body& body : bodies_)
            panel.parts.push_back({&body.coarse, body.full.positions, body.paint, {}, false});
        panel.marks = {mark()};
        picture_.panels.push_back(std::move(panel));
    }

    void add_near() {
        const double half = size_ / 12.0;
        ScenePanel panel;
        panel.title = "the same, from near";
        panel.subtitle = close_up_text(is_hidden_);
        for (Body& body : bodies_) {
            body.near = near_part(body.full.shape, body.full.positions, upright(found().point),
                                  1.6 * half, kMostCloseUpFaces / 4);
            body.near.hides_backs = false;
            panel.parts.push_back({&body.near, body.full.positions, body.paint, {}, false});
        }
        panel.marks = {mark()};
        panel.close_up = CloseUp{upright(found().point), half, is_hidden_};
        picture_.panels.push_back(std::move(panel));
    }

    void add_words() {
        picture_.title = contact_.title;
        picture_.axis_names = {"y", "z", "x"};
        picture_.legend = {
            body_item('a', name_of(contact_.scene, found().a)),
            body_item('b', name_of(contact_.scene, found().b)), body_item('c', "everything else"),
            mark().kind == SceneMark::Kind::First
                ? mark_item(SceneMark::Kind::First, "first contact, proved")
                : mark_item(SceneMark::Kind::Doubtful, "first approach that is not decided"),
            normal_item("normal of the contact")};
        picture_.notes.push_back(
            fmt::format("Proved: nothing touches before t = {} (t from 0 to 1 is the segment).",
                        contact_.result.toi_lower));
        if (std::isfinite(contact_.result.toi_upper)) {
            picture_.notes.push_back(
                fmt::format("Proved: they meet at or before t = {}.", contact_.result.toi_upper));
        }
    }

    const DrawnContact& contact_;
    std::deque<Body> bodies_;
    double size_ = 1.0;
    bool is_hidden_ = false;
    ScenePicture picture_;
};

}  // namespace

const std::string& name_of(const robot::Scene& scene, const robot::ContactParty& party) {
    return party.link ? scene.robot().links()[*party.link].name
                      : scene.obstacles()[party.obstacle.value_or(0)].name;
}

robot::Configuration configuration_at(const robot::Configuration& start,
                                      const robot::Configuration& end, double t) {
    robot::Configuration q(start.size());
    for (std::size_t i = 0; i < q.size(); ++i)
        q[i] = start[i] + t * (end[i] - start[i]);
    return q;
}

std::string contact_svg(const DrawnContact& contact) {
    return ContactPicture(contact).svg();
}

}  // namespace graze::app
