// Robots as URDF with their meshes, paths as CSV.
#include <cmath>
#include <utility>

#include "graze/core/elementary.hpp"
#include "graze/generate/robots.hpp"
#include "graze/io/hex_float.hpp"

namespace graze::generate {
namespace {

using io::to_shortest;
using rigid::ConvexShape;

// Names go into attributes and file names as they are: ours, and those a reader has checked.
std::string attribute_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                escaped += c;
        }
    }
    return escaped;
}

std::string triple(const Vec3& v) {
    return to_shortest(v.x) + " " + to_shortest(v.y) + " " + to_shortest(v.z);
}

// Rotations about the fixed axes x, y, z, in this order.
Vec3 roll_pitch_yaw(const Quaternion& rotation) {
    const Quaternion q = normalised(rotation);
    const double sine = std::min(1.0, std::max(-1.0, 2.0 * (q.w * q.y - q.z * q.x)));
    return {arc_tangent(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y)),
            arc_sine(sine),
            arc_tangent(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))};
}

std::string origin_element(const Pose& pose) {
    return "<origin xyz=\"" + triple(pose.translation) + "\" rpy=\"" +
           triple(roll_pitch_yaw(pose.rotation)) + "\"/>";
}

io::PolygonMesh mesh_of(const rigid::Polyhedron& surface) {
    io::PolygonMesh mesh;
    mesh.positions.assign(surface.positions().begin(), surface.positions().end());
    for (std::size_t f = 0; f < surface.face_count(); ++f) {
        for (const std::uint32_t corner : surface.face(f))
            mesh.polygons.add_corner(corner);
        mesh.polygons.close();
    }
    return mesh;
}

// The element of a shape, and the pose with the centre of the shape in it.
struct ShapeElement {
    std::string text;
    Pose pose;
};
Expected<ShapeElement> element_of(const ConvexShape& shape, const Pose& pose) {
    const Pose centred = compose(pose, {{}, shape.centre()});
    const double rounding = shape.rounding();
    if (shape.core() == ConvexShape::Core::Point)
        return ShapeElement{"<sphere radius=\"" + to_shortest(rounding) + "\"/>", centred};
    if (shape.core() == ConvexShape::Core::Box && rounding == 0.0)
        return ShapeElement{"<box size=\"" + triple(2.0 * shape.size()) + "\"/>", centred};
    if (shape.core() == ConvexShape::Core::Cylinder && rounding == 0.0)
        return ShapeElement{"<cylinder radius=\"" + to_shortest(shape.size().x) + "\" length=\"" +
                                to_shortest(2.0 * shape.size().z) + "\"/>",
                            centred};
    return Error{"URDF has no hulls, capsules and rounded shapes", ErrorCode::Unsupported};
}

class UrdfText {
public:
    explicit UrdfText(const robot::RobotDescription& description) : description_(description) {}

    [[nodiscard]] Expected<std::vector<NamedFile>> files() {
        text_ =
            "<?xml version=\"1.0\"?>\n<robot name=\"" + attribute_text(description_.name) + "\">\n";
        for (const robot::Link& link : description_.links)
            if (auto added = add_link(link); !added) return located(link.name, added.error());
        for (const robot::Joint& joint : description_.joints)
            add_joint(joint);
        text_ += "</robot>\n";
        files_.insert(files_.begin(), {description_.name + ".urdf", std::move(text_)});
        return std::move(files_);
    }

private:
    Expected<void> add_link(const robot::Link& link) {
        text_ += "  <link name=\"" + attribute_text(link.name) + "\">\n";
        for (std::size_t i = 0; i < link.geometry.size(); ++i) {
            auto element = geometry_element(link, i);
            if (!element) return element.error();
            for (const char* kind : {"visual", "collision"}) {
                text_ += std::string("    <") + kind + ">" + origin_element(element->pose) +
                         "<geometry>" + element->text + "</geometry></" + kind + ">\n";
            }
        }
        text_ += "  </link>\n";
        return {};
    }

    Expected<ShapeElement> geometry_element(const robot::Link& link, std::size_t i) {
        const robot::Geometry& geometry = link.geometry[i];
        if (const auto* shape = std::get_if<ConvexShape>(&geometry.shape))
            return element_of(*shape, geometry.pose);
        const auto& body = std::get<std::shared_ptr<const rigid::RigidBody>>(geometry.shape);
        const std::string path = "meshes/" + link.name + "_" + std::to_string(i) + ".obj";
        files_.push_back({path, to_obj(mesh_of(body->surface()), description_.name)});
        return ShapeElement{"<mesh filename=\"" + attribute_text(path) + "\"/>", geometry.pose};
    }

    void add_joint(const robot::Joint& joint) {
        text_ += "  <joint name=\"" + attribute_text(joint.name) + "\" type=\"" +
                 type_of(joint.kind) + "\">\n    <parent link=\"" +
                 attribute_text(description_.links[joint.parent].name) + "\"/><child link=\"" +
                 attribute_text(description_.links[joint.child].name) + "\"/>\n    " +
                 origin_element(joint.origin) + "\n";
        if (joint.kind != robot::JointKind::Fixed)
            text_ += "    <axis xyz=\"" + triple(joint.axis) + "\"/>\n";
        if (joint.kind == robot::JointKind::Revolute || joint.kind == robot::JointKind::Prismatic) {
            text_ += "    <limit lower=\"" + to_shortest(joint.lower) + "\" upper=\"" +
                     to_shortest(joint.upper) + "\" effort=\"100\" velocity=\"1\"/>\n";
        }
        if (joint.mimic) {
            text_ += "    <mimic joint=\"" +
                     attribute_text(description_.joints[joint.mimic->joint].name) +
                     "\" multiplier=\"" + to_shortest(joint.mimic->multiplier) + "\" offset=\"" +
                     to_shortest(joint.mimic->offset) + "\"/>\n";
        }
        text_ += "  </joint>\n";
    }

    static const char* type_of(robot::JointKind kind) {
        switch (kind) {
            case robot::JointKind::Revolute:
                return "revolute";
            case robot::JointKind::Continuous:
                return "continuous";
            case robot::JointKind::Prismatic:
                return "prismatic";
            case robot::JointKind::Fixed:
                break;
        }
        return "fixed";
    }

    const robot::RobotDescription& description_;
    std::string text_;
    std::vector<NamedFile> files_;
};

}  // namespace

Expected<std::vector<NamedFile>> urdf_files(const robot::RobotDescription& description) {
    return UrdfText(description).files();
}

std::string path_csv(const robot::Robot& robot,
                     const std::vector<robot::Configuration>& waypoints) {
    std::string text;
    for (const robot::JointId joint : robot.variables())
        text += (text.empty() ? "" : ",") + robot.joints()[joint].name;
    text += '\n';
    for (const robot::Configuration& q : waypoints) {
        for (std::size_t i = 0; i < q.size(); ++i)
            text += (i == 0 ? "" : ",") + to_shortest(q[i]);
        text += '\n';
    }
    return text;
}

}  // namespace graze::generate
