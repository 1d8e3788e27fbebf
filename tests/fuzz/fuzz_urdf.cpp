// The input is a URDF file, then after a byte 0 a path for the robot; the same text is also an SRDF file.
// A mesh is a tetrahedron, whatever its name.
#include "cli/path_file.hpp"
#include "fuzz_input.hpp"
#include "graze/urdf/urdf.hpp"

namespace {

using namespace graze;

Expected<io::BodyFromFile> tetrahedron(const std::string& /*uri*/, const io::BodyOptions& options) {
    const Vec3& s = options.scale;
    const std::vector<Vec3> corners = {{}, {s.x, 0, 0}, {0, s.y, 0}, {0, 0, s.z}};
    const std::vector<std::array<std::uint32_t, 3>> faces = {
        {0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    auto body = rigid::RigidBody::create(corners, faces);
    if (!body) return body.error();
    return io::BodyFromFile{std::move(*body), {}, {}};
}

void use_robot(const robot::Robot& robot, std::string_view path) {
    const robot::Configuration zero(robot.variables().size(), 0.0);
    const auto poses = robot.link_poses(zero);
    if (poses) io::fuzz::require(poses->size() == robot.links().size(), "a pose for each link");
    const auto read = app::parse_path(path, "in", robot);
    if (!read) return io::fuzz::require_clear(read.error());
    for (const robot::Configuration& q : read->waypoints) {
        io::fuzz::require(q.size() == zero.size(), "a value for each variable");
        for (const double value : q)
            io::fuzz::require(is_finite(value), "values are finite");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t end = input.find('\0');
    const std::string_view text = input.substr(0, end);
    if (const auto pairs = urdf::parse_srdf(text, "in"); !pairs)
        io::fuzz::require_clear(pairs.error());
    const auto read = urdf::parse_urdf(text, "in", tetrahedron);
    if (!read) {
        io::fuzz::require_clear(read.error());
        return 0;
    }
    const auto robot = robot::Robot::create(read->description);
    io::fuzz::require(robot.has_value(), "what is read is a robot");
    use_robot(*robot, end == std::string_view::npos ? std::string_view() : input.substr(end + 1));
    return 0;
}
