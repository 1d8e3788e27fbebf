#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "graze/core/shown_text.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/sim/shapes.hpp"

namespace graze::sim {
namespace {

using SceneJson = nlohmann::json;

// More cells than this along an edge would be a mistake, or memory that nobody has.
constexpr double kMostCells = 1000.0;

// The first error of a file, so that fields can be read one after the other.
struct FirstError {
    std::optional<Error> error;
    void set(const std::string& place, const std::string& what) {
        if (!error) error = Error{"'" + place + "' " + what, ErrorCode::InvalidInput};
    }
};

// An object of the file: each member is asked for by name, and one that nobody asked for is an error.
class Fields {
public:
    Fields(const SceneJson& json, std::string place, FirstError& errors)
        : json_(json), place_(std::move(place)), errors_(errors) {
        if (!json.is_object())
            errors_.set(place_.empty() ? "the file" : place_, "is not an object");
    }
    Fields(const Fields&) = delete;
    Fields& operator=(const Fields&) = delete;

    [[nodiscard]] const SceneJson* find(const char* key) {
        known_.insert(key);
        if (!json_.is_object()) return nullptr;
        const auto found = json_.find(key);
        return found == json_.end() ? nullptr : &*found;
    }
    [[nodiscard]] std::string path(const std::string& key) const {
        return place_.empty() ? key : place_ + "." + key;
    }
    void read(const char* key, double& value) {
        const SceneJson* json = find(key);
        if (json == nullptr) return;
        if (!json->is_number()) return errors_.set(path(key), "is not a number");
        value = json->get<double>();
        if (!is_finite(value)) errors_.set(path(key), "is not finite");
    }
    void read(const char* key, int& value, int least, int most = 1'000'000'000) {
        const SceneJson* json = find(key);
        if (json == nullptr) return;
        const bool is_good = json->is_number_integer() && json->get<double>() >= least &&
                             json->get<double>() <= most;
        if (!is_good) {
            return errors_.set(path(key), "is not a whole number from " + std::to_string(least) +
                                              " to " + std::to_string(most));
        }
        value = json->get<int>();
    }
    void read(const char* key, bool& value) {
        const SceneJson* json = find(key);
        if (json == nullptr) return;
        if (!json->is_boolean()) return errors_.set(path(key), "is neither true nor false");
        value = json->get<bool>();
    }
    void read(const char* key, std::string& value) {
        const SceneJson* json = find(key);
        if (json == nullptr) return;
        if (!json->is_string()) return errors_.set(path(key), "is not a text");
        value = json->get<std::string>();
    }
    void read(const char* key, Vec3& value) {
        if (const SceneJson* json = find(key)) value = vector(*json, path(key));
    }
    [[nodiscard]] Vec3 vector(const SceneJson& json, const std::string& place) {
        Vec3 value;
        const bool is_good =
            json.is_array() && json.size() == 3 &&
            std::all_of(json.begin(), json.end(), [](const SceneJson& e) { return e.is_number(); });
        if (!is_good) {
            errors_.set(place, "is not a list of 3 numbers");
            return value;
        }
        for (std::size_t k = 0; k < 3; ++k)
            value[k] = json[k].get<double>();
        if (!is_finite(value)) errors_.set(place, "is not finite");
        return value;
    }
    template <class Value, std::size_t N>
    void read(const char* key, Value& value,
              const std::array<std::pair<std::string_view, Value>, N>& names) {
        std::string text;
        if (find(key) == nullptr) return;
        read(key, text);
        std::string all;
        for (const auto& name : names) {
            if (name.first == text) {
                value = name.second;
                return;
            }
            all += (all.empty() ? "" : ", ") + std::string(name.first);
        }
        errors_.set(path(key), "is none of " + all);
    }
    void wrong(const char* key, const std::string& what) { errors_.set(path(key), what); }
    // > 0
    double positive(const char* key, double otherwise) {
        read(key, otherwise);
        if (!(otherwise > 0.0)) errors_.set(path(key), "must be > 0");
        return otherwise;
    }
    void refuse_others() {
        if (!json_.is_object()) return;
        for (const auto& member : json_.items())
            if (!known_.contains(member.key())) {
                errors_.set(path(shown_text(member.key())), "is no member that is known here");
            }
    }
    [[nodiscard]] FirstError& errors() noexcept { return errors_; }

private:
    const SceneJson& json_;
    std::string place_;
    FirstError& errors_;
    std::set<std::string> known_;
};

constexpr std::array<std::pair<std::string_view, ContactResponse>, 3> kResponses = {
    {{"barrier", ContactResponse::Barrier},
     {"sqp", ContactResponse::Sqp},
     {"impulses", ContactResponse::Impulses}}};
constexpr std::array<std::pair<std::string_view, LineSearchKind>, 4> kLineSearches = {
    {{"graze", LineSearchKind::Graze},
     {"algorithm-4", LineSearchKind::Published},
     {"plain", LineSearchKind::Plain},
     {"zero", LineSearchKind::Zero}}};
constexpr std::array<std::pair<std::string_view, Elasticity>, 2> kElasticities = {
    {{"stable-neo-hookean", Elasticity::StableNeoHookean},
     {"st-venant-kirchhoff", Elasticity::StVenantKirchhoff}}};

// An object of the file by `read`; members that this does not ask for are errors.
template <class Read>
void read_members(const SceneJson& json, std::string place, FirstError& errors, const Read& read) {
    Fields fields(json, std::move(place), errors);
    read(fields);
    fields.refuse_others();
}
// The same for a member that may be missing.
template <class Read>
void read_object(Fields& parent, const char* key, const Read& read) {
    if (const SceneJson* json = parent.find(key))
        read_members(*json, parent.path(key), parent.errors(), read);
}

void read_contact(Fields& file, ContactOptions& contact) {
    read_object(file, "contact", [&](Fields& f) {
        f.read("response", contact.response, kResponses);
        f.read("line_search", contact.line_search, kLineSearches);
        f.read("method", contact.method);
        f.read("tolerance", contact.tolerance);
        f.read("distance", contact.distance);
        f.read("stiffness", contact.stiffness);
        f.read("friction", contact.friction);
        f.read("friction_speed", contact.friction_speed);
        f.read("friction_iterations", contact.friction_iterations, 1, 1000);
        f.read("fail_safe", contact.fail_safe);
    });
}

void read_solver(Fields& file, SolverOptions& solver) {
    read_object(file, "solver", [&](Fields& f) {
        f.read("dt", solver.dt);
        f.read("steps_per_frame", solver.steps_per_frame, 1, 1'000'000);
        f.read("max_iterations", solver.max_iterations, 1, 1'000'000);
        f.read("newton_tolerance", solver.newton_tolerance);
    });
}

void read_material(Fields& f, ElasticMaterial& m) {
    f.read("model", m.model, kElasticities);
    f.read("young", m.young);
    f.read("poisson", m.poisson);
    f.read("density", m.density);
}
void read_material(Fields& f, ClothMaterial& m) {
    f.read("young", m.young);
    f.read("poisson", m.poisson);
    f.read("bending", m.bending);
    f.read("damping", m.damping);
    f.read("area_density", m.area_density);
}
void read_material(Fields& f, StrandMaterial& m) {
    f.read("stretch", m.stretch);
    f.read("bending", m.bending);
    f.read("damping", m.damping);
    f.read("length_density", m.length_density);
}
template <class Material>
Material material_of(Fields& body) {
    Material material;
    read_object(body, "material", [&](Fields& f) { read_material(f, material); });
    return material;
}

Vec3 read_half_size(Fields& f) {
    Vec3 half{0.5, 0.5, 0.5};
    f.read("half_size", half);
    if (!(half.x > 0.0 && half.y > 0.0 && half.z > 0.0)) f.wrong("half_size", "must be > 0");
    return half;
}

Vec3 read_axis(Fields& f, const char* key, const Vec3& otherwise) {
    Vec3 axis = otherwise;
    f.read(key, axis);
    const double length = norm(axis);
    if (!(length > 0.0)) f.wrong(key, "has no direction");
    return length > 0.0 ? (1.0 / length) * axis : otherwise;
}

// Bodies of one scene.
class BodyReader {
public:
    BodyReader(ModelBuilder& builder, const SceneSize& size, std::filesystem::path folder)
        : builder_(builder), size_(size), folder_(std::move(folder)) {}

    void read(const SceneJson& json, const std::string& place, FirstError& errors);
    [[nodiscard]] const std::vector<Vec3>& velocities() const noexcept { return velocities_; }

private:
    [[nodiscard]] Placement placement(Fields& f);
    [[nodiscard]] int cells(Fields& f, int count);
    [[nodiscard]] TetrahedralMesh solid(Fields& f, const std::string& shape);
    [[nodiscard]] SurfaceMesh surface(Fields& f, const std::string& shape);
    void add(Fields& f, const std::string& type);
    void prescribe(Fields& f, std::size_t first);
    [[nodiscard]] std::vector<std::uint32_t> inside(Fields& f, const SceneJson& json,
                                                    const std::string& place, std::size_t first);

    ModelBuilder& builder_;
    SceneSize size_;
    std::filesystem::path folder_;
    std::vector<Vec3> velocities_;
};

Placement BodyReader::placement(Fields& f) {
    Placement at;
    f.read("position", at.translation);
    at.axis = read_axis(f, "axis", at.axis);
    f.read("angle", at.angle);
    at.scale = f.positive("scale", 1.0);
    return at;
}

int BodyReader::cells(Fields& f, int count) {
    f.read("cells", count, 1, static_cast<int>(kMostCells));
    if (size_.resolution * count > kMostCells)
        f.wrong("cells", "times the resolution is too large");
    return std::min(static_cast<int>(kMostCells), size_.elements(count));
}

TetrahedralMesh BodyReader::solid(Fields& f, const std::string& shape) {
    if (shape == "ball") return solid_ball(f.positive("radius", 0.5), cells(f, 4));
    if (shape == "figure") return solid_figure(std::max(8, cells(f, 14)));
    if (shape == "torus") {
        const double major = f.positive("radius", 0.5);
        const double minor = f.positive("tube_radius", 0.15);
        const int across = cells(f, 3);
        return solid_torus(major, minor, 6 * across, across);
    }
    if (shape != "block") f.wrong("shape", "is none of ball, block, figure, torus");
    const Vec3 half = read_half_size(f);
    const int n = cells(f, 2);
    return solid_block(half, {n, n, n});
}

SurfaceMesh BodyReader::surface(Fields& f, const std::string& shape) {
    if (shape == "ball") return ball_surface(f.positive("radius", 0.5), cells(f, 4));
    if (shape == "plane") {
        const double half = f.positive("radius", 1.0);
        const int n = cells(f, 4);
        return plane_surface(half, half, n, n);
    }
    if (shape == "cone") {
        const double radius = f.positive("radius", 0.5);
        const double height = f.positive("height", 1.0);
        const int n = cells(f, 4);
        return cone_surface(radius, height, 4 * n, n);
    }
    if (shape == "block") {
        const Vec3 half = read_half_size(f);
        return block_surface(half, cells(f, 2));
    }
    if (shape != "mesh") f.wrong("shape", "is none of ball, block, cone, mesh, plane");
    std::string file;
    f.read("file", file);
    if (!is_file_name(file)) {
        f.wrong("file", "is not the name of a file");
        return {};
    }
    const auto mesh = io::read_mesh(folder_ / file);
    if (!mesh) {
        f.wrong("file", "cannot be used: " + mesh.error().message);
        return {};
    }
    return {mesh->positions, mesh->faces};
}

void BodyReader::add(Fields& f, const std::string& type) {
    const Placement at = placement(f);
    const double thickness = [&] {
        double value = 0.0;
        f.read("thickness", value);
        if (!(value >= 0.0)) f.wrong("thickness", "must be >= 0");
        return value;
    }();
    if (type == "strand") {
        std::vector<Vec3> points;
        const SceneJson* list = f.find("points");
        if (list == nullptr || !list->is_array() || list->size() < 2) {
            return f.wrong("points", "is not a list of at least 2 points");
        }
        for (std::size_t i = 0; i < list->size(); ++i)
            points.push_back(
                placed(f.vector((*list)[i], f.path("points") + "[" + std::to_string(i) + "]"), at));
        const StrandMaterial material = material_of<StrandMaterial>(f);
        builder_.add_strand(points, material, thickness);
        return;
    }
    std::string shape = type == "cloth" ? "plane" : "block";
    f.read("shape", shape);
    if (type == "elastic") {
        const ElasticMaterial material = material_of<ElasticMaterial>(f);
        const TetrahedralMesh mesh = placed(solid(f, shape), at);
        if (!f.errors().error) builder_.add_elastic(mesh, material);
    } else if (type == "obstacle") {
        const SurfaceMesh mesh = placed(surface(f, shape), at);
        if (!f.errors().error) builder_.add_obstacle(mesh);
    } else if (type == "cloth") {
        const ClothMaterial material = material_of<ClothMaterial>(f);
        const SurfaceMesh mesh = placed(surface(f, shape), at);
        if (!f.errors().error) builder_.add_cloth(mesh, material, thickness);
    } else {
        f.wrong("type", "is none of elastic, obstacle, cloth, strand");
    }
}

// The vertices of the body in a box [[x, y, z], [x, y, z]].
std::vector<std::uint32_t> BodyReader::inside(Fields& f, const SceneJson& json,
                                              const std::string& place, std::size_t first) {
    std::vector<std::uint32_t> found;
    if (!json.is_array() || json.size() != 2) {
        f.errors().set(place, "is not a box: [[x, y, z], [x, y, z]]");
        return found;
    }
    const Vec3 low = f.vector(json[0], place + "[0]");
    const Vec3 high = f.vector(json[1], place + "[1]");
    const auto& rest = builder_.model().rest;
    for (std::size_t v = first; v < rest.size(); ++v) {
        const Vec3& p = rest[v];
        const bool is_in = p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x &&
                           p.y <= high.y && p.z <= high.z;
        if (is_in) found.push_back(static_cast<std::uint32_t>(v));
    }
    if (found.empty()) f.errors().set(place, "holds no vertex of the body");
    return found;
}

void BodyReader::prescribe(Fields& f, std::size_t first) {
    Model& model = builder_.model();
    if (const SceneJson* box = f.find("fixed")) {
        for (const std::uint32_t v : inside(f, *box, f.path("fixed"), first))
            model.fixed[v] = 1;
    }
    const SceneJson* json = f.find("script");
    if (json == nullptr) return;
    Fields s(*json, f.path("script"), f.errors());
    Script script;
    const SceneJson* box = s.find("box");
    if (box != nullptr) {
        script.vertices = inside(f, *box, s.path("box"), first);
    } else {
        for (std::size_t v = first; v < model.rest.size(); ++v)
            script.vertices.push_back(static_cast<std::uint32_t>(v));
    }
    s.read("pivot", script.pivot);
    script.axis = read_axis(s, "axis", script.axis);
    if (s.find("release") != nullptr) s.read("release", script.release);
    const SceneJson* keys = s.find("keys");
    if (keys == nullptr || !keys->is_array() || keys->empty()) {
        s.wrong("keys", "is not a list of keys");
    } else {
        for (std::size_t i = 0; i < keys->size(); ++i) {
            ScriptKey key;
            read_members((*keys)[i], s.path("keys") + "[" + std::to_string(i) + "]", f.errors(),
                         [&](Fields& k) {
                             k.read("time", key.time);
                             k.read("translation", key.translation);
                             k.read("angle", key.angle);
                         });
            script.keys.push_back(key);
        }
    }
    s.refuse_others();
    model.scripts.push_back(std::move(script));
}

void BodyReader::read(const SceneJson& json, const std::string& place, FirstError& errors) {
    Fields f(json, place, errors);
    std::string type = "elastic";
    f.read("type", type);
    const std::size_t first = builder_.model().rest.size();
    add(f, type);
    Vec3 velocity{};
    f.read("velocity", velocity);
    if (!errors.error) prescribe(f, first);
    f.refuse_others();
    velocities_.resize(builder_.model().rest.size(), velocity);
}

Expected<Model> model_of(Fields& file, const std::filesystem::path& folder, FirstError& errors) {
    SceneSize size;
    size.resolution = file.positive("resolution", 1.0);
    constexpr double kMostResolution = 100.0;
    if (size.resolution > kMostResolution) file.wrong("resolution", "must be at most 100");
    const SceneJson* bodies = file.find("bodies");
    std::string scene;
    file.read("scene", scene);
    if (errors.error) return *errors.error;
    if (bodies == nullptr) {
        if (scene.empty()) return Error{"the file has neither 'scene' nor 'bodies'"};
        auto model = make_scene(scene, size);
        if (!model) return Error{"'scene': " + model.error().message, ErrorCode::InvalidInput};
        return model;
    }
    if (!scene.empty()) return Error{"the file has both 'scene' and 'bodies'"};
    if (!bodies->is_array() || bodies->empty()) return Error{"'bodies' is not a list of bodies"};
    ModelBuilder builder("scene");
    BodyReader reader(builder, size, folder);
    for (std::size_t i = 0; i < bodies->size() && !errors.error; ++i) {
        const std::string place = "bodies[" + std::to_string(i) + "]";
        try {
            reader.read((*bodies)[i], place, errors);
        } catch (const std::length_error& too_large) {
            // Cells that are wrong have been said.
            if (!errors.error)
                errors.error = Error{"'" + place + "': " + too_large.what(), ErrorCode::WrongSize};
        }
    }
    if (errors.error) return *errors.error;
    Model model = builder.finish();
    model.start_velocity = reader.velocities();
    for (std::size_t v = 0; v < model.rest.size(); ++v)
        if (model.fixed[v] != 0) model.start_velocity[v] = {};
    return model;
}

}  // namespace

Expected<Model> scene_from_json(std::string_view text, const std::filesystem::path& folder) {
    const SceneJson json = SceneJson::parse(text, nullptr, false);
    if (json.is_discarded()) return Error{"not JSON", ErrorCode::Malformed};
    FirstError errors;
    Fields file(json, "", errors);
    auto model = model_of(file, folder, errors);
    if (!model) return model;
    file.read("name", model->name);
    file.read("frames", model->frames, 0);
    file.read("gravity", model->gravity);
    read_solver(file, model->solver);
    read_contact(file, model->contact);
    file.refuse_others();
    if (errors.error) return *errors.error;
    if (auto good = check_model(*model); !good) return good.error();
    return model;
}

}  // namespace graze::sim
