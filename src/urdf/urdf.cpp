#include "graze/urdf/urdf.hpp"

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <array>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "urdf/mesh_files.hpp"
#include "urdf/xml_text.hpp"

namespace graze::urdf {
namespace {

using robot::JointKind;

// --- What is handed to urdfdom ------------------------------------------------------------------
// It passes some texts on as formats of printf, and tinyxml writes what follows "&#x" in a value as it is,
// quotes and tags too: so it gets no '%' and no '&', but characters that no file has a reason to hold
// (U+E025 and U+E026, for private use), and what comes back gets its own again.
constexpr std::string_view kInsteadOfPercent = "\xEE\x80\xA5";
constexpr std::string_view kInsteadOfAnd = "\xEE\x80\xA6";

std::string replaced(const std::string& text, std::string_view from, std::string_view to) {
    std::string made;
    std::size_t begin = 0;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
        made.append(text, begin, at - begin).append(to);
        begin = at + from.size();
    }
    return made.append(text, begin);
}
std::string hidden(const std::string& text) {
    return replaced(replaced(text, "%", kInsteadOfPercent), "&", kInsteadOfAnd);
}
std::string shown(const std::string& text) {
    return replaced(replaced(text, kInsteadOfPercent, "%"), kInsteadOfAnd, "&");
}

// Names and attributes, and those children that say where things are.
template <std::size_t N>
TiXmlElement copied(const TiXmlElement& element, const std::array<const char*, N>& children) {
    TiXmlElement copy(element.Value());
    for (const TiXmlAttribute* a = element.FirstAttribute(); a != nullptr; a = a->Next())
        copy.SetAttribute(hidden(a->Name()), hidden(a->Value()));
    for (const char* kind : children) {
        for (const TiXmlElement* child = element.FirstChildElement(kind); child != nullptr;
             child = child->NextSiblingElement(kind)) {
            constexpr std::array<const char*, 6> kWithin = {"origin",   "geometry", "box",
                                                            "cylinder", "sphere",   "mesh"};
            copy.InsertEndChild(copied(*child, kWithin));
        }
    }
    return copy;
}

struct Outline {
    std::string text;  // for urdfdom: links with their collisions, joints
    std::vector<std::string> links;
    std::vector<std::string> joints;
    std::vector<std::string> seen_only;  // links with `visual` and no `collision`
};

// Short enough for two names in one line.
std::string in_quotes(const std::string& text) {
    constexpr std::size_t kLongest = 60;
    return "'" + one_line(text, kLongest) + "'";
}

// urdfdom never frees links that go round in a cycle, and takes the last of several parents of a link.
Expected<void> check_parents(const TiXmlElement& root) {
    const auto link_of = [](const TiXmlElement& joint, const char* role) {
        const TiXmlElement* end = joint.FirstChildElement(role);
        return end == nullptr ? std::string() : attribute_of(*end, "link");
    };
    std::map<std::string, std::string> parents;  // by child
    for (const TiXmlElement* joint = root.FirstChildElement("joint"); joint != nullptr;
         joint = joint->NextSiblingElement("joint")) {
        const std::string child = link_of(*joint, "child");
        if (!parents.emplace(child, link_of(*joint, "parent")).second)
            return Error{"link " + in_quotes(child) + " has two parents", ErrorCode::Malformed};
    }
    std::set<std::string> rooted;  // their chains of parents end
    for (const auto& entry : parents) {
        std::set<std::string> chain;
        std::string link = entry.first;
        while (!rooted.contains(link)) {
            if (!chain.insert(link).second)
                return Error{"link " + in_quotes(link) + " is in a cycle", ErrorCode::Malformed};
            const auto parent = parents.find(link);
            if (parent == parents.end()) break;
            link = parent->second;
        }
        rooted.merge(chain);
    }
    return {};
}

// urdfdom takes the first of several shapes, and so would check less than the file has.
Expected<void> check_collisions(const TiXmlElement& link) {
    for (const TiXmlElement* collision = link.FirstChildElement("collision"); collision != nullptr;
         collision = collision->NextSiblingElement("collision")) {
        const TiXmlElement* geometry = collision->FirstChildElement("geometry");
        const bool is_one = geometry != nullptr && geometry->FirstChildElement() != nullptr &&
                            geometry->FirstChildElement()->NextSiblingElement() == nullptr &&
                            geometry->NextSiblingElement("geometry") == nullptr;
        if (!is_one) {
            return Error{"line " + std::to_string(collision->Row()) +
                             ": a 'collision' needs one 'geometry' with one shape",
                         ErrorCode::Malformed};
        }
    }
    return {};
}

Expected<Outline> outline_of(std::string_view text) {
    const auto document = parse_xml(text);
    if (!document) return document.error();
    const TiXmlElement* root = (*document)->FirstChildElement("robot");
    if (root == nullptr) return Error{"there is no element 'robot'", ErrorCode::Malformed};
    if (auto passed = check_parents(*root); !passed) return passed.error();
    Outline outline;
    TiXmlElement kept = copied(*root, std::array<const char*, 0>{});
    for (const TiXmlElement* link = root->FirstChildElement("link"); link != nullptr;
         link = link->NextSiblingElement("link")) {
        outline.links.push_back(attribute_of(*link, "name"));
        if (auto passed = check_collisions(*link); !passed) return passed.error();
        if (link->FirstChildElement("collision") == nullptr &&
            link->FirstChildElement("visual") != nullptr)
            outline.seen_only.push_back(outline.links.back());
        kept.InsertEndChild(copied(*link, std::array<const char*, 1>{"collision"}));
    }
    for (const TiXmlElement* joint = root->FirstChildElement("joint"); joint != nullptr;
         joint = joint->NextSiblingElement("joint")) {
        outline.joints.push_back(attribute_of(*joint, "name"));
        kept.InsertEndChild(copied(*joint, std::array<const char*, 6>{"origin", "parent", "child",
                                                                      "axis", "limit", "mimic"}));
    }
    TiXmlPrinter printer;
    printer.SetStreamPrinting();
    kept.Accept(&printer);
    outline.text = printer.Str();
    return outline;
}

// --- urdfdom ------------------------------------------------------------------------------------

// Keeps the first two errors instead of printing them (the second one often names whose the first is);
// what there was before is put back.
class KeptMessages : public console_bridge::OutputHandler {
public:
    KeptMessages() : before_(console_bridge::getOutputHandler()) {
        console_bridge::useOutputHandler(this);
    }
    KeptMessages(const KeptMessages&) = delete;
    KeptMessages& operator=(const KeptMessages&) = delete;
    ~KeptMessages() override { console_bridge::useOutputHandler(before_); }

    void log(const std::string& text, console_bridge::LogLevel level, const char* /*file*/,
             int /*line*/) override {
        if (level < console_bridge::CONSOLE_BRIDGE_LOG_ERROR || count_ == 2) return;
        constexpr std::size_t kLongest = 80;
        text_ += (text_.empty() ? "" : "; ") + one_line(shown(text), kLongest);
        ++count_;
    }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    console_bridge::OutputHandler* before_;
    std::string text_;
    int count_ = 0;
};

Error refused_by_urdfdom(const std::string& message) {
    return {message.empty() ? "urdfdom refuses it" : message, ErrorCode::Malformed};
}

// Messages have one handler for the whole process.
std::mutex& urdfdom_mutex() {
    static std::mutex mutex;
    return mutex;
}

Expected<::urdf::ModelInterfaceSharedPtr> model_of(const Outline& outline) {
    const std::lock_guard lock(urdfdom_mutex());
    const KeptMessages messages;
    try {
        ::urdf::ModelInterfaceSharedPtr model = ::urdf::parseURDF(outline.text);
        // It goes on after some of its errors.
        if (!model || !messages.text().empty()) return refused_by_urdfdom(messages.text());
        return model;
    } catch (const std::exception& thrown) {
        return refused_by_urdfdom(messages.text().empty() ? one_line(shown(thrown.what()))
                                                          : messages.text());
    }
}

// --- Values -------------------------------------------------------------------------------------

Vec3 vector_of(const ::urdf::Vector3& v) {
    return {v.x, v.y, v.z};
}

Pose pose_of(const ::urdf::Pose& pose) {
    Pose made;
    pose.rotation.getQuaternion(made.rotation.x, made.rotation.y, made.rotation.z, made.rotation.w);
    made.translation = vector_of(pose.position);
    return made;
}

// A mesh that several links have is read once.
class MeshCache {
public:
    MeshCache(const MeshReader& read, std::vector<std::string>& warnings)
        : read_(read), warnings_(warnings) {}

    Expected<std::shared_ptr<const rigid::RigidBody>> body(const ::urdf::Mesh& mesh) {
        const std::string uri = shown(mesh.filename);
        const Vec3 scale = vector_of(mesh.scale);
        if (!is_finite(scale) || scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0)
            return Error{"mesh " + in_quotes(uri) + ": the scale must be finite and not 0",
                         ErrorCode::InvalidInput};
        const Key key{uri, {scale.x, scale.y, scale.z}};
        if (const auto known = bodies_.find(key); known != bodies_.end()) return known->second;
        auto read = read_(uri, io::BodyOptions{.orient = false, .scale = scale});
        if (!read) return read.error();
        warnings_.insert(warnings_.end(), read->warnings.begin(), read->warnings.end());
        auto body = std::make_shared<const rigid::RigidBody>(std::move(read->body));
        bodies_.emplace(key, body);
        return body;
    }

private:
    using Key = std::pair<std::string, std::array<double, 3>>;
    const MeshReader& read_;
    std::vector<std::string>& warnings_;
    std::map<Key, std::shared_ptr<const rigid::RigidBody>> bodies_;
};

Expected<robot::Geometry> geometry_of(const ::urdf::Collision& collision, MeshCache& meshes) {
    const Pose pose = pose_of(collision.origin);
    if (auto passed = check(pose, "the origin of a collision"); !passed) return passed.error();
    const ::urdf::Geometry& geometry = *collision.geometry;
    const auto shaped = [&](Expected<rigid::ConvexShape> shape) -> Expected<robot::Geometry> {
        if (!shape) return shape.error();
        return robot::Geometry{std::move(*shape), pose};
    };
    if (const auto* sphere = dynamic_cast<const ::urdf::Sphere*>(&geometry))
        return shaped(rigid::ConvexShape::sphere(sphere->radius));
    if (const auto* box = dynamic_cast<const ::urdf::Box*>(&geometry))
        return shaped(rigid::ConvexShape::box(0.5 * vector_of(box->dim)));
    if (const auto* cylinder = dynamic_cast<const ::urdf::Cylinder*>(&geometry))
        return shaped(rigid::ConvexShape::cylinder(cylinder->radius, 0.5 * cylinder->length));
    const auto* mesh = dynamic_cast<const ::urdf::Mesh*>(&geometry);
    if (mesh == nullptr) return Error{"a geometry of an unknown kind", ErrorCode::Unsupported};
    auto body = meshes.body(*mesh);
    if (!body) return body.error();
    return robot::Geometry{std::move(*body), pose};
}

Expected<JointKind> kind_of(const ::urdf::Joint& joint) {
    switch (joint.type) {
        case ::urdf::Joint::FIXED:
            return JointKind::Fixed;
        case ::urdf::Joint::REVOLUTE:
            return JointKind::Revolute;
        case ::urdf::Joint::CONTINUOUS:
            return JointKind::Continuous;
        case ::urdf::Joint::PRISMATIC:
            return JointKind::Prismatic;
        default:
            return Error{
                "joints are fixed, revolute, continuous or prismatic; floating and planar "
                "ones are not supported",
                ErrorCode::Unsupported};
    }
}

using Ids = std::map<std::string, std::uint32_t, std::less<>>;

// Error: a name that is there twice, or empty.
Expected<Ids> ids_of(const std::vector<std::string>& names, const char* what) {
    Ids ids;
    for (const std::string& name : names) {
        if (name.empty())
            return Error{std::string("a ") + what + " has no name", ErrorCode::Malformed};
        if (!ids.emplace(name, static_cast<std::uint32_t>(ids.size())).second)
            return Error{std::string(what) + " " + in_quotes(name) + " is there twice",
                         ErrorCode::Malformed};
    }
    return ids;
}

Expected<std::uint32_t> find_id(const Ids& ids, const std::string& name, const char* what) {
    const auto found = ids.find(name);
    if (found == ids.end())
        return Error{std::string("there is no ") + what + " " + in_quotes(name),
                     ErrorCode::IndexOutOfRange};
    return found->second;
}

class RobotReader {
public:
    RobotReader(const Outline& outline, const ::urdf::ModelInterface& model,
                const MeshReader& read_mesh)
        : outline_(outline), model_(model), meshes_(read_mesh, robot_.warnings) {}

    [[nodiscard]] Expected<UrdfRobot> read() {
        auto links = ids_of(outline_.links, "link");
        if (!links) return links.error();
        auto joints = ids_of(outline_.joints, "joint");
        if (!joints) return joints.error();
        links_ = std::move(*links);
        joints_ = std::move(*joints);
        robot_.description.name = shown(model_.getName());
        for (const std::string& name : outline_.links)
            if (auto added = add_link(name); !added)
                return located("link " + in_quotes(name), added.error());
        for (const std::string& name : outline_.joints)
            if (auto added = add_joint(name); !added)
                return located("joint " + in_quotes(name), added.error());
        for (const std::string& name : outline_.seen_only)
            robot_.warnings.push_back("link " + in_quotes(name) +
                                      " has no 'collision': it is not checked");
        return std::move(robot_);
    }

private:
    Expected<void> add_link(const std::string& name) {
        const auto found = model_.links_.find(hidden(name));
        if (found == model_.links_.end()) return Error{"urdfdom has lost it", ErrorCode::Malformed};
        robot::Link link{name, {}};
        for (const ::urdf::CollisionSharedPtr& collision : found->second->collision_array) {
            if (!collision || !collision->geometry)
                return Error{"a collision has no geometry", ErrorCode::Malformed};
            auto geometry = geometry_of(*collision, meshes_);
            if (!geometry) return geometry.error();
            link.geometry.push_back(std::move(*geometry));
        }
        robot_.description.links.push_back(std::move(link));
        return {};
    }

    Expected<void> add_joint(const std::string& name) {
        const auto found = model_.joints_.find(hidden(name));
        if (found == model_.joints_.end())
            return Error{"urdfdom has lost it", ErrorCode::Malformed};
        const ::urdf::Joint& read = *found->second;
        robot::Joint joint;
        joint.name = name;
        const auto kind = kind_of(read);
        if (!kind) return kind.error();
        joint.kind = *kind;
        const auto parent = find_id(links_, shown(read.parent_link_name), "link");
        if (!parent) return parent.error();
        const auto child = find_id(links_, shown(read.child_link_name), "link");
        if (!child) return child.error();
        joint.parent = *parent;
        joint.child = *child;
        joint.origin = pose_of(read.parent_to_joint_origin_transform);
        if (auto passed = check(joint.origin, "its origin"); !passed) return passed.error();
        if (*kind != JointKind::Fixed) {
            joint.axis = vector_of(read.axis);
            if (!is_finite(joint.axis) || joint.axis == Vec3{})
                return Error{"its axis must be finite and not 0", ErrorCode::InvalidInput};
        }
        if (*kind == JointKind::Revolute || *kind == JointKind::Prismatic) {
            if (!read.limits) return Error{"it has no limits", ErrorCode::Malformed};
            joint.lower = read.limits->lower;
            joint.upper = read.limits->upper;
        }
        if (read.mimic) {
            const auto leader = find_id(joints_, shown(read.mimic->joint_name), "joint");
            if (!leader) return leader.error();
            joint.mimic = robot::Mimic{*leader, read.mimic->multiplier, read.mimic->offset};
        }
        robot_.description.joints.push_back(std::move(joint));
        return {};
    }

    const Outline& outline_;
    const ::urdf::ModelInterface& model_;
    UrdfRobot robot_;
    MeshCache meshes_;
    Ids links_;
    Ids joints_;
};

Expected<UrdfRobot> robot_of(std::string_view text, const MeshReader& mesh) {
    const auto outline = outline_of(text);
    if (!outline) return outline.error();
    const auto model = model_of(*outline);
    if (!model) return model.error();
    auto read = RobotReader(*outline, **model, mesh).read();
    if (!read) return read.error();
    // Cycles, roots, limits: what a robot is, is known there.
    if (const auto made = robot::Robot::create(read->description); !made)
        return Error{one_line(made.error().message), made.error().code, made.error().index};
    return read;
}

}  // namespace

Expected<UrdfRobot> parse_urdf(std::string_view text, const std::string& name,
                               const MeshReader& mesh) {
    auto read = robot_of(text, mesh);
    if (!read) return located(name, read.error());
    return read;
}

Expected<UrdfRobot> read_urdf(const std::filesystem::path& path, const UrdfOptions& options) {
    const auto text = read_text(path);
    if (!text) return text.error();
    return parse_urdf(*text, path.string(),
                      [&](const std::string& uri, const io::BodyOptions& body) {
                          return read_mesh_file(uri, path.parent_path(), options, body);
                      });
}

}  // namespace graze::urdf
