#include "slide_world_file.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

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
    if (!id) return Error{"there is no level '" + name + "'"};
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
    if (!object.text("mesh", source)) object.fail("has no 'mesh'");
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

// What a part is: another shape of obstacle is another branch here.
Expected<std::size_t> obstacle_of(SceneObject& object, WorldReader& reader) {
    std::string shape = "mesh";
    object.text("shape", shape);
    if (shape != "mesh") object.fail_at("shape", "is none of mesh");
    if (object.error()) return *object.error();
    return mesh_of_part(object, reader);
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
    object.know({"name", "shape", "mesh", "seed", "faces", "scale", "one_sided", "position",
                 "rotation", "layers", "motion"});
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
