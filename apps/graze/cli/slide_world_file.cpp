#include "slide_world_file.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <tuple>

#include "graze/core/elementary.hpp"
#include "graze/generate/levels.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/slide/world.hpp"
#include "scene_object.hpp"
#include "strict_json.hpp"
#include "text_file.hpp"

namespace graze::app {
namespace {

constexpr double kLargestWorldNumber = 1e30;
constexpr double kPi = 3.141592653589793;
constexpr std::string_view kLevelPrefix = "level:";

// Meshes by what they are made of: parts that agree in it share one.
using WorldMeshKey =
    std::tuple<std::string, std::uint64_t, std::uint64_t, std::array<double, 3>, bool>;

struct WorldReader {
    std::filesystem::path folder;
    SlideWorldFile world;
    std::map<WorldMeshKey, std::size_t> meshes;
    std::map<std::tuple<SlideObstacle, double, double, double>, std::size_t> solids;
};

std::string place_in(const char* list, std::size_t index) {
    return std::string(list) + "[" + std::to_string(index) + "]";
}

Error at_place(const std::string& place, const Error& error) {
    return Error{"'" + place + "': " + error.message, error.code};
}

Expected<SlideWorldMesh> level_mesh(const std::string& name, std::uint64_t seed,
                                    std::uint64_t faces) {
    const auto id = generate::level_from_name(name);
    if (!id) return Error{"there is no level '" + shown_text(name) + "'"};
    SlideWorldMesh mesh;
    const generate::LevelScene scene = generate::make_level(
        *id, {.seed = seed, .terrain_faces = static_cast<std::uint32_t>(faces), .max_moves = 1});
    for (const generate::LevelPart& part : scene.parts) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.insert(mesh.positions.end(), part.positions.begin(), part.positions.end());
        for (const auto& [a, b, c] : part.faces)
            mesh.faces.push_back({a + first, b + first, c + first});
    }
    return mesh;
}

Expected<SlideWorldMesh> file_mesh(const std::filesystem::path& path) {
    auto read = io::read_mesh(path);
    if (!read) return read.error();
    if (read->faces.empty()) return Error{path.string() + ": there is no face"};
    return SlideWorldMesh{std::move(read->positions), std::move(read->faces)};
}

// One number for all axes, or one for each.
void read_scale(SceneObject& object, std::array<double, 3>& scale) {
    const SceneJson* json = object.find("scale");
    if (json == nullptr) return;
    bool is_good = true;
    if (json->is_number()) {
        scale.fill(json->get<double>());
    } else {
        is_good = SceneObject::read_numbers(*json, scale);
    }
    for (const double s : scale)
        is_good = is_good && s > 0.0 && s <= kLargestWorldNumber;
    if (!is_good) object.fail_at("scale", "is neither a number > 0 nor a list of 3 such");
}

// "shape": "mesh".
Expected<std::size_t> mesh_of_part(SceneObject& object, WorldReader& reader) {
    std::string source;
    std::uint64_t seed = 0;
    std::uint64_t faces = 100'000;
    std::array<double, 3> scale = {1.0, 1.0, 1.0};
    bool one_sided = false;
    if (!object.file_name("mesh", source)) object.fail("has no 'mesh'");
    object.natural("seed", seed, ~std::uint64_t{0});
    object.natural("faces", faces, 10'000'000);
    read_scale(object, scale);
    object.flag("one_sided", one_sided);
    const bool is_level = source.starts_with(kLevelPrefix);
    if (!is_level && (object.find("seed") != nullptr || object.find("faces") != nullptr))
        object.fail("has 'seed' or 'faces', which are for a mesh 'level:NAME'");
    if (object.error()) return *object.error();
    const auto [known, is_new] = reader.meshes.try_emplace(
        WorldMeshKey{source, seed, faces, scale, one_sided}, reader.world.meshes.size());
    if (!is_new) return known->second;
    auto mesh = is_level ? level_mesh(source.substr(kLevelPrefix.size()), seed, faces)
                         : file_mesh(reader.folder / source);
    if (!mesh) return at_place(object.place_of("mesh"), mesh.error());
    mesh->one_sided = one_sided;
    for (Vec3& p : mesh->positions)
        p = {scale[0] * p.x, scale[1] * p.y, scale[2] * p.z};
    reader.world.meshes.push_back(std::move(*mesh));
    return known->second;
}

// --- What is no mesh -----------------------------------------------------------------------------

// A length that has to be there.
void read_length(SceneObject& object, const char* member, double& length) {
    if (!object.number(member, length, 0.0, kLargestWorldNumber) && !object.error())
        object.fail(std::string("has no '") + member + "'");
    if (!(length > 0.0)) object.fail_at(member, "is not > 0");
}

// Of the members that belong to one shape or another only these.
void forbid_others(SceneObject& object, std::initializer_list<std::string_view> own) {
    for (const char* member : {"mesh", "seed", "faces", "scale", "one_sided", "radius",
                               "half_height", "half_extents", "heights", "spacing"})
        if (object.find(member) != nullptr &&
            std::find(own.begin(), own.end(), member) == own.end())
            object.fail_at(member, "is not for this shape");
}

// Two triangles for each cell of columns x rows points that `point` makes of column and row.
template <class Point>
void draw_grid(std::uint32_t columns, std::uint32_t rows, Point point, SlideWorldMesh& mesh) {
    for (std::uint32_t r = 0; r < rows; ++r)
        for (std::uint32_t c = 0; c < columns; ++c)
            mesh.positions.push_back(point(c, r));
    for (std::uint32_t r = 0; r + 1 < rows; ++r)
        for (std::uint32_t c = 0; c + 1 < columns; ++c) {
            const std::uint32_t a = r * columns + c;
            const std::uint32_t b = a + columns;
            mesh.faces.push_back({a, b, a + 1});
            mesh.faces.push_back({a + 1, b, b + 1});
        }
}

// A sphere that is drawn out along y: circles of latitude, those of the lower half moved down.
void draw_round(SlideWorldMesh& mesh) {
    constexpr std::uint32_t kAround = 24;
    constexpr std::uint32_t kRings = 14;
    const auto point = [&](std::uint32_t c, std::uint32_t r) {
        const double half = r < kRings / 2 ? -mesh.size.y : mesh.size.y;
        const std::uint32_t ring = r < kRings / 2 ? r : r - 1;
        const double up = kPi * (ring / (kRings - 2.0) - 0.5);
        const double around = 2.0 * kPi * c / kAround;
        const double across = mesh.size.x * cosine(up);
        return Vec3{across * cosine(around), half + mesh.size.x * sine(up), across * sine(around)};
    };
    draw_grid(kAround + 1, kRings, point, mesh);
}

void draw_box(SlideWorldMesh& mesh) {
    const Vec3& h = mesh.size;
    for (unsigned i = 0; i < 8; ++i)
        mesh.positions.push_back(
            {(i & 1U) != 0 ? h.x : -h.x, (i & 2U) != 0 ? h.y : -h.y, (i & 4U) != 0 ? h.z : -h.z});
    mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
}

void draw_field(SlideWorldMesh& mesh) {
    const auto rows = static_cast<std::uint32_t>(mesh.heights.size() / mesh.columns);
    const auto point = [&](std::uint32_t c, std::uint32_t r) {
        const double height = mesh.heights[std::size_t{r} * mesh.columns + c];
        return Vec3{c * mesh.size.x, std::isnan(height) ? 0.0 : height, r * mesh.size.z};
    };
    draw_grid(mesh.columns, rows, point, mesh);
    const auto is_hole = [&](const std::array<std::uint32_t, 3>& face) {
        return std::any_of(face.begin(), face.end(),
                           [&](std::uint32_t v) { return std::isnan(mesh.heights[v]); });
    };
    std::erase_if(mesh.faces, is_hole);
}

// Rows of numbers, null for a hole.
bool read_heights(const SceneJson& json, SlideWorldMesh& mesh) {
    if (!json.is_array() || json.size() < 2 || !json[0].is_array() || json[0].size() < 2)
        return false;
    mesh.columns = static_cast<std::uint32_t>(json[0].size());
    for (const SceneJson& row : json) {
        if (!row.is_array() || row.size() != mesh.columns) return false;
        for (const SceneJson& height : row) {
            if (!height.is_number() && !height.is_null()) return false;
            mesh.heights.push_back(height.is_null() ? std::nan("") : height.get<double>());
            if (std::fabs(mesh.heights.back()) > kLargestWorldNumber) return false;
        }
    }
    return std::any_of(mesh.heights.begin(), mesh.heights.end(),
                       [](double h) { return !std::isnan(h); });
}

void read_field(SceneObject& object, SlideWorldMesh& mesh) {
    forbid_others(object, {"heights", "spacing", "one_sided"});
    std::array<double, 2> spacing = {1.0, 1.0};
    object.numbers("spacing", spacing);
    for (const double s : spacing)
        if (!(s > 0.0 && s <= kLargestWorldNumber)) object.fail_at("spacing", "is not > 0");
    mesh.size = {spacing[0], 0.0, spacing[1]};
    object.flag("one_sided", mesh.one_sided);
    const SceneJson* heights = object.find("heights");
    if (heights == nullptr || !read_heights(*heights, mesh))
        object.fail_at("heights", "is not a list of 2 rows or more of 2 numbers or more each");
    if (!object.error()) draw_field(mesh);
}

void read_solid(SceneObject& object, SlideWorldMesh& mesh) {
    if (mesh.kind == SlideObstacle::Box) {
        forbid_others(object, {"half_extents"});
        if (!object.vector("half_extents", mesh.size)) object.fail("has no 'half_extents'");
        if (!(std::min({mesh.size.x, mesh.size.y, mesh.size.z}) > 0.0))
            object.fail_at("half_extents", "are not > 0");
        return;
    }
    const bool is_capsule = mesh.kind == SlideObstacle::Capsule;
    if (is_capsule) {
        forbid_others(object, {"radius", "half_height"});
        read_length(object, "half_height", mesh.size.y);
    } else {
        forbid_others(object, {"radius"});
    }
    read_length(object, "radius", mesh.size.x);
}

// What a part is.
Expected<std::size_t> obstacle_of(SceneObject& object, WorldReader& reader) {
    static const std::map<std::string, SlideObstacle> kKinds = {
        {"mesh", SlideObstacle::Mesh},
        {"sphere", SlideObstacle::Sphere},
        {"capsule", SlideObstacle::Capsule},
        {"box", SlideObstacle::Box},
        {"height_field", SlideObstacle::HeightField}};
    std::string shape = "mesh";
    object.text("shape", shape);
    const auto kind = kKinds.find(shape);
    if (kind == kKinds.end())
        object.fail_at("shape", "is none of mesh, sphere, capsule, box, height_field");
    if (object.error()) return *object.error();
    if (kind->second == SlideObstacle::Mesh) {
        forbid_others(object, {"mesh", "seed", "faces", "scale", "one_sided"});
        return mesh_of_part(object, reader);
    }
    SlideWorldMesh mesh;
    mesh.kind = kind->second;
    if (mesh.kind == SlideObstacle::HeightField) {
        read_field(object, mesh);
    } else {
        read_solid(object, mesh);
    }
    if (object.error()) return *object.error();
    if (mesh.kind == SlideObstacle::HeightField) {
        reader.world.meshes.push_back(std::move(mesh));
        return reader.world.meshes.size() - 1;
    }
    // Solids of one size are drawn once.
    const auto [known, is_new] = reader.solids.try_emplace(
        {mesh.kind, mesh.size.x, mesh.size.y, mesh.size.z}, reader.world.meshes.size());
    if (!is_new) return known->second;
    mesh.kind == SlideObstacle::Box ? draw_box(mesh) : draw_round(mesh);
    reader.world.meshes.push_back(std::move(mesh));
    return known->second;
}

void read_pose(SceneObject& object, Pose& pose) {
    object.vector("position", pose.translation);
    std::array<double, 4> q = {1.0, 0.0, 0.0, 0.0};
    object.numbers("rotation", q);
    pose.rotation = {q[0], q[1], q[2], q[3]};
    if (object.error()) return;
    if (!check(pose, "a part")) object.fail_at("rotation", "is not a quaternion of unit length");
}

Expected<std::vector<SlideKeyframe>> keyframes_of(const SceneJson& list, const std::string& place,
                                                  const Pose& of_part) {
    if (!list.is_array() || list.empty() || list.size() > kMaxKeyframes)
        return Error{"'" + place + "' is not a list of 1 to " + std::to_string(kMaxKeyframes) +
                     " keyframes"};
    std::vector<SlideKeyframe> keyframes;
    for (std::size_t i = 0; i < list.size(); ++i) {
        SceneObject object(list[i], place + "[" + std::to_string(i) + "]");
        object.know({"time", "position", "rotation"});
        SlideKeyframe key{0.0, of_part};
        const bool has_rotation = object.find("rotation") != nullptr;
        if (!object.number("time", key.time, 0.0, kLargestWorldNumber))
            object.fail("has no 'time'");
        read_pose(object, key.pose);
        if (!has_rotation) key.pose.rotation = of_part.rotation;
        if (object.find("position") == nullptr) key.pose.translation = of_part.translation;
        if (i > 0 && !(key.time > keyframes.back().time))
            object.fail_at("time", "is not later than the one before");
        if (object.error()) return *object.error();
        keyframes.push_back(key);
    }
    return keyframes;
}

Expected<SlidePartMotion> motion_of(const SceneJson& json, const std::string& place,
                                    const Pose& pose, double time_step) {
    SceneObject object(json, place);
    object.know({"velocity", "angular_velocity", "pivot", "keyframes", "repeat"});
    SlidePartMotion motion;
    const bool has_velocity = object.vector("velocity", motion.velocity);
    const bool has_rotation = object.vector("angular_velocity", motion.angular_velocity);
    object.vector("pivot", motion.pivot);
    object.flag("repeat", motion.repeats);
    // In one frame a part rotates by at most half a rotation.
    if (!(norm(motion.angular_velocity) * time_step <= kPi))
        object.fail_at("angular_velocity", "is more than half a rotation in a frame");
    const SceneJson* keyframes = object.find("keyframes");
    if (keyframes != nullptr && (has_velocity || has_rotation))
        object.fail("has velocities and keyframes: one of them moves a part");
    if (keyframes == nullptr && motion.repeats) object.fail_at("repeat", "is for keyframes");
    if (object.error()) return *object.error();
    if (keyframes == nullptr) return motion;
    auto read = keyframes_of(*keyframes, object.place_of("keyframes"), pose);
    if (!read) return read.error();
    motion.keyframes = std::move(*read);
    if (motion.repeats && (motion.keyframes.size() < 2 ||
                           motion.keyframes.front().pose != motion.keyframes.back().pose))
        return Error{"'" + object.place_of("keyframes") +
                     "' do not end with the pose that they begin with, as repeating ones do"};
    return motion;
}

Expected<SlideWorldPart> part_of_world(const SceneJson& json, std::size_t index,
                                       WorldReader& reader) {
    SceneObject object(json, place_in("parts", index));
    object.know({"name", "shape", "mesh", "seed", "faces", "scale", "one_sided", "radius",
                 "half_height", "half_extents", "heights", "spacing", "position", "rotation",
                 "layers", "motion"});
    SlideWorldPart part;
    part.name = "part " + std::to_string(index);
    object.text("name", part.name);
    read_pose(object, part.pose);
    std::uint64_t layers = part.layers;
    object.natural("layers", layers, 0xffff'ffffU);
    part.layers = static_cast<std::uint32_t>(layers);
    if (object.error()) return *object.error();
    const auto mesh = obstacle_of(object, reader);
    if (!mesh) return mesh.error();
    part.mesh = *mesh;
    if (const SceneJson* motion = object.find("motion")) {
        auto read =
            motion_of(*motion, object.place_of("motion"), part.pose, reader.world.time_step);
        if (!read) return read.error();
        part.motion = std::move(*read);
    }
    return part;
}

// --- What moves ----------------------------------------------------------------------------------

// The first of these members decides.
void read_mover_shape(SceneObject& object, const Vec3& up, SlideMoverSettings& mover) {
    int count = 0;
    for (const char* kind : {"ball", "ellipsoid", "capsule", "box"})
        count += object.find(kind) != nullptr ? 1 : 0;
    mover.has_shape = count > 0;
    if (count > 1) object.fail("has more than one of ball, ellipsoid, capsule, box");
    double radius = 1.0;
    Vec3 sizes{1, 1, 1};
    std::array<double, 2> capsule = {1.0, 1.0};
    Vec3 axis = up;
    double rounding = 0.0;
    bool is_good = true;
    if (object.number("ball", radius, 0.0, kLargestWorldNumber)) {
        mover.shape.radii = {radius, radius, radius};
        is_good = radius > 0.0;
    } else if (object.vector("ellipsoid", sizes)) {
        mover.shape.radii = sizes;
        is_good = sizes.x > 0.0 && sizes.y > 0.0 && sizes.z > 0.0;
    } else if (object.numbers("capsule", capsule)) {
        object.vector("axis", axis);
        is_good = capsule[0] > 0.0 && capsule[1] >= 0.0 && axis != Vec3{};
        if (is_good) mover.shape = slide::capsule(capsule[0], capsule[1], axis);
    } else if (object.vector("box", sizes)) {
        if (!object.number("rounding", rounding, 0.0, kLargestWorldNumber))
            object.fail("has a box without 'rounding'");
        is_good =
            rounding > 0.0 && sizes.x >= rounding && sizes.y >= rounding && sizes.z >= rounding;
        if (is_good) mover.shape = slide::rounded_box<double>(sizes, rounding);
    }
    if (object.find("axis") != nullptr && object.find("capsule") == nullptr)
        object.fail_at("axis", "is for a capsule");
    if (object.find("rounding") != nullptr && object.find("box") == nullptr)
        object.fail_at("rounding", "is for a box");
    if (!is_good) object.fail("has no shape of a positive size");
}

Expected<SlideMoverSettings> mover_of(const SceneJson& json, const Vec3& up) {
    SceneObject object(json, "mover");
    object.know(
        {"ball", "ellipsoid", "capsule", "axis", "box", "rounding", "start", "skin", "layers"});
    SlideMoverSettings mover;
    read_mover_shape(object, up, mover);
    Vec3 start;
    if (object.vector("start", start)) mover.start = start;
    object.number("skin", mover.skin, 0.0, kLargestWorldNumber);
    std::uint64_t layers = mover.layers;
    object.natural("layers", layers, 0xffff'ffffU);
    mover.layers = static_cast<std::uint32_t>(layers);
    if (object.error()) return *object.error();
    return mover;
}

Expected<SlideCharacterSettings> character_of(const SceneJson& json) {
    SceneObject object(json, "character");
    object.know({"slope", "step_height", "snap_distance", "stops_at_ledges"});
    SlideCharacterSettings settings;
    object.number("slope", settings.slope_degrees, 0.0, 89.0);
    object.number("step_height", settings.step_height, 0.0, kLargestWorldNumber);
    object.number("snap_distance", settings.snap_distance, 0.0, kLargestWorldNumber);
    object.flag("stops_at_ledges", settings.stops_at_ledges);
    if (object.error()) return *object.error();
    return settings;
}

// --- What it is asked to do ----------------------------------------------------------------------

Error too_many_frames(const std::string& place) {
    return Error{"'" + place + "' has more than " + std::to_string(kMaxWorldFrames) + " frames"};
}

// Displacements (scale 1) or velocities (scale: the time step).
Expected<void> read_vectors(const SceneJson& list, const char* key, double scale,
                            std::vector<SlideStep>& steps) {
    if (!list.is_array()) return Error{"'" + std::string(key) + "' is not a list"};
    if (list.size() > kMaxWorldFrames) return too_many_frames(key);
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::array<double, 3> v{};
        if (!SceneObject::read_numbers(list[i], v))
            return Error{"'" + place_in(key, i) + "' is not a list of 3 numbers below 2^300"};
        steps.push_back({scale * Vec3{v[0], v[1], v[2]}, 0.0, std::nullopt});
    }
    return {};
}

// A velocity for so many frames; a jump in the first of them; another height from there on.
Expected<void> read_script(const SceneJson& list, double time_step, std::vector<SlideStep>& steps) {
    if (!list.is_array()) return Error{"'script' is not a list"};
    for (std::size_t i = 0; i < list.size(); ++i) {
        SceneObject object(list[i], place_in("script", i));
        object.know({"frames", "velocity", "jump", "height"});
        std::uint64_t frames = 0;
        Vec3 velocity;
        SlideStep first;
        if (!object.natural("frames", frames, kMaxWorldFrames)) object.fail("has no 'frames'");
        object.vector("velocity", velocity);
        object.number("jump", first.jump, 0.0, kLargestWorldNumber);
        double height = 0.0;
        if (object.number("height", height, 0.0, kLargestWorldNumber)) {
            if (!(height > 0.0)) object.fail_at("height", "is out of its range");
            first.height = height;
        }
        if (object.error()) return *object.error();
        if (steps.size() + frames > kMaxWorldFrames) return too_many_frames("script");
        first.displacement = time_step * velocity;
        for (std::uint64_t k = 0; k < frames; ++k)
            steps.push_back(k == 0 ? first : SlideStep{first.displacement, 0.0, std::nullopt});
    }
    return {};
}

Expected<void> read_steps(const SceneObject& file, SlideWorldFile& world) {
    for (const char* key : {"displacements", "velocities", "script"}) {
        const SceneJson* list = file.find(key);
        if (list == nullptr) continue;
        if (world.has_steps)
            return Error{"'the file' has more than one of displacements, velocities, script"};
        world.has_steps = true;
        const std::string_view name = key;
        const auto read =
            name == "script"
                ? read_script(*list, world.time_step, world.steps)
                : read_vectors(*list, key, name == "velocities" ? world.time_step : 1.0,
                               world.steps);
        if (!read) return read;
    }
    return {};
}

void read_frame_of_world(SceneObject& file, SlideWorldFile& world) {
    file.text("name", world.name);
    if (file.number("time_step", world.time_step, 0.0, kLargestWorldNumber) &&
        !(world.time_step > 0.0))
        file.fail_at("time_step", "is out of its range");
    file.vector("up", world.up);
    const double largest = norm_max(world.up);
    if (!(largest > 0.0)) {
        file.fail_at("up", "has no direction");
        return;
    }
    const Vec3 up = (1.0 / largest) * world.up;
    world.up = (1.0 / norm(up)) * up;
    world.gravity = -9.81 * world.up;
    file.vector("gravity", world.gravity);
}

Expected<SlideWorldFile> world_of(std::string_view text, const std::filesystem::path& folder) {
    const auto json = parse_strictly(text);
    if (!json) return json.error();
    SceneObject file(*json, "");
    file.know({"name", "time_step", "up", "gravity", "parts", "mover", "character", "displacements",
               "velocities", "script"});
    WorldReader reader;
    reader.folder = folder;
    SlideWorldFile& world = reader.world;
    read_frame_of_world(file, world);
    const SceneJson* parts = file.find("parts");
    if (parts == nullptr || !parts->is_array()) file.fail("has no list 'parts'");
    if (file.error()) return *file.error();
    if (parts->size() > kMaxWorldParts)
        return Error{"'parts' has more than " + std::to_string(kMaxWorldParts) + " entries"};
    if (const SceneJson* mover = file.find("mover")) {
        auto read = mover_of(*mover, world.up);
        if (!read) return read.error();
        world.mover = *read;
    }
    if (const SceneJson* character = file.find("character")) {
        auto read = character_of(*character);
        if (!read) return read.error();
        world.character = *read;
    }
    if (auto read = read_steps(file, world); !read) return read.error();
    for (std::size_t i = 0; i < parts->size(); ++i) {
        auto part = part_of_world((*parts)[i], i, reader);
        if (!part) return part.error();
        world.parts.push_back(std::move(*part));
    }
    return std::move(world);
}

// --- Motions -------------------------------------------------------------------------------------

Pose keyframe_pose(const SlidePartMotion& motion, double seconds) {
    const std::vector<SlideKeyframe>& keys = motion.keyframes;
    const double begin = keys.front().time;
    if (motion.repeats && seconds > begin)
        seconds = begin + std::fmod(seconds - begin, keys.back().time - begin);
    const auto after =
        std::upper_bound(keys.begin(), keys.end(), seconds,
                         [](double time, const SlideKeyframe& key) { return time < key.time; });
    if (after == keys.begin()) return keys.front().pose;
    if (after == keys.end()) return keys.back().pose;
    const SlideKeyframe& from = *(after - 1);
    const double part = (seconds - from.time) / (after->time - from.time);
    return slide::pose_at({from.pose, after->pose, motion.pivot}, part);
}

}  // namespace

std::size_t SlideWorldMesh::face_count() const noexcept {
    switch (kind) {
        case SlideObstacle::Sphere:
        case SlideObstacle::Capsule:
            return 1;
        case SlideObstacle::HeightField:
            return 2 * std::size_t{columns - 1} * (heights.size() / columns - 1);
        default:
            return faces.size();
    }
}

bool SlidePartMotion::is_moving() const noexcept {
    return !keyframes.empty() || velocity != Vec3{} || angular_velocity != Vec3{};
}

Pose pose_after(const SlideWorldPart& part, double seconds) {
    const SlidePartMotion& motion = part.motion;
    if (!motion.keyframes.empty()) return keyframe_pose(motion, seconds);
    const Quaternion spin =
        rotation_about(motion.angular_velocity, seconds * norm(motion.angular_velocity));
    Pose pose;
    pose.rotation = normalised(compose({spin, {}}, {part.pose.rotation, {}}).rotation);
    const Vec3 pivot = apply(part.pose, motion.pivot) + seconds * motion.velocity;
    pose.translation = pivot - rotate(pose.rotation, motion.pivot);
    return pose;
}

Expected<SlideWorldFile> parse_slide_world(std::string_view text, const std::string& name,
                                           const std::filesystem::path& folder) {
    auto world = world_of(text, folder);
    if (!world) return Error{name + ": " + world.error().message, world.error().code};
    if (world->name.empty()) world->name = name;
    return world;
}

Expected<SlideWorldFile> read_slide_world(const std::filesystem::path& path) {
    auto reader = io::ByteReader::open(path);
    if (!reader) return reader.error();
    const auto text = read_whole(*reader, kMaxWorldBytes, "larger than a world can be (64 MiB)");
    if (!text) return text.error();
    return parse_slide_world(*text, reader->name(), path.parent_path());
}

}  // namespace graze::app
