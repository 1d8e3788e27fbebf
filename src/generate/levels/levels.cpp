#include "graze/generate/levels.hpp"

#include <algorithm>

#include "generate/levels/makers.hpp"
#include "graze/core/assert.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/io/text_pieces.hpp"

namespace graze::generate {
namespace {

constexpr std::array<std::string_view, kAllLevels.size()> kNames = {"obtuse-corner",
                                                                    "acute-wedge",
                                                                    "three-planes",
                                                                    "flat-grid",
                                                                    "flat-random",
                                                                    "flat-t-junctions",
                                                                    "flat-two-meshes",
                                                                    "terrain",
                                                                    "stairs",
                                                                    "thin-wall",
                                                                    "soup",
                                                                    "saw-tooth",
                                                                    "cave",
                                                                    "voxels",
                                                                    "box-seams",
                                                                    "scanned",
                                                                    "town"};

LevelScene made(LevelId id, const LevelOptions& options) {
    switch (id) {
        case LevelId::ObtuseCorner:
            return obtuse_corner();
        case LevelId::AcuteWedge:
            return acute_wedge();
        case LevelId::ThreePlanes:
            return three_planes();
        case LevelId::Terrain:
            return terrain_level(options.seed, options.terrain_faces, options.stop);
        case LevelId::Stairs:
            return stairs();
        case LevelId::ThinWall:
            return thin_wall(options.seed);
        case LevelId::Soup:
            return soup(options.seed);
        case LevelId::SawTooth:
            return saw_tooth();
        case LevelId::Cave:
            return cave(options.seed);
        case LevelId::Voxels:
            return voxels(options.seed);
        case LevelId::BoxSeams:
            return box_seams(options.seed);
        case LevelId::Scanned:
            return scanned(options.seed);
        case LevelId::Town:
            return town(options.seed);
        default:
            return flat_ground(id, options.seed);
    }
}

}  // namespace

std::string_view name(LevelId id) noexcept {
    return kNames[static_cast<std::size_t>(id)];
}

std::optional<LevelId> level_from_name(std::string_view name) noexcept {
    const auto found = std::find(kNames.begin(), kNames.end(), name);
    if (found == kNames.end()) return std::nullopt;
    return kAllLevels[static_cast<std::size_t>(found - kNames.begin())];
}

bool is_flat(LevelId id) noexcept {
    return id == LevelId::FlatGrid || id == LevelId::FlatRandom || id == LevelId::FlatTJunctions ||
           id == LevelId::FlatTwoMeshes;
}

std::size_t LevelScene::face_count() const noexcept {
    std::size_t count = 0;
    for (const LevelPart& part : parts)
        count += part.faces.size();
    return count;
}

LevelScene make_level(LevelId id, const LevelOptions& options) {
    LevelScene scene = made(id, options);
    scene.id = id;
    if (scene.moves.size() > options.max_moves) scene.moves.resize(options.max_moves);
    return scene;
}

LevelScene placed(LevelScene scene, double scale, const Vec3& shift) {
    for (LevelPart& part : scene.parts) {
        for (Vec3& p : part.positions)
            p = scale * p + shift;
    }
    scene.start = scale * scene.start + shift;
    for (LevelMove& move : scene.moves)
        move.displacement = scale * move.displacement;
    return scene;
}

Vec3 random_wish(std::uint64_t seed, std::uint64_t index) noexcept {
    Random random(seed ^ (index * 0x9e3779b97f4a7c15U));
    Vec3 direction;
    double square = 0.0;
    do {
        direction = {random.uniform(), random.uniform(), random.uniform()};
        square = norm_sq(direction);
    } while (square > 1.0 || square < 0x1p-10);
    if (random.chance(4)) direction = {0.125 * direction.x, -1.0, 0.125 * direction.z};
    // 2^-6 to 2^3, about evenly spread over the exponents.
    const double size = static_cast<double>(std::int64_t{1} << random.integer(0, 8)) *
                        (0.75 + 0.25 * random.uniform()) * 0x1p-5;
    return (size / length(direction)) * direction;
}

std::string to_obj(const LevelScene& scene) {
    std::string text;
    const Expected<void> taken = to_obj(scene, [&](std::string_view piece, double) {
        text += piece;
        return Expected<void>();
    });
    // Only who takes the pieces can refuse them.
    GRAZE_ASSERT(taken.has_value());
    return taken ? text : std::string();
}

Expected<void> to_obj(const LevelScene& scene, const io::TextTaker& take) {
    std::size_t lines = 1;
    for (const LevelPart& part : scene.parts)
        lines += 1 + part.positions.size() + part.faces.size();
    io::TextPieces pieces(take, lines);
    pieces.text = "# " + std::string(name(scene.id));
    if (auto taken = pieces.end_line(); !taken) return taken;
    std::uint32_t first = 1;
    for (std::size_t i = 0; i < scene.parts.size(); ++i) {
        pieces.text += "o part" + std::to_string(i);
        if (auto taken = pieces.end_line(); !taken) return taken;
        for (const Vec3& p : scene.parts[i].positions) {
            pieces.text += "v " + io::to_shortest(p.x) + " " + io::to_shortest(p.y) + " " +
                           io::to_shortest(p.z);
            if (auto taken = pieces.end_line(); !taken) return taken;
        }
        for (const auto& [a, b, c] : scene.parts[i].faces) {
            pieces.text += "f " + std::to_string(a + first) + " " + std::to_string(b + first) +
                           " " + std::to_string(c + first);
            if (auto taken = pieces.end_line(); !taken) return taken;
        }
        first += static_cast<std::uint32_t>(scene.parts[i].positions.size());
    }
    return pieces.finish();
}

io::PolygonMesh polygon_mesh_of(const LevelScene& scene) {
    io::PolygonMesh mesh;
    for (const LevelPart& part : scene.parts) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.insert(mesh.positions.end(), part.positions.begin(), part.positions.end());
        for (const auto& face : part.faces) {
            for (const std::uint32_t corner : face)
                mesh.polygons.add_corner(first + corner);
            mesh.polygons.close();
        }
    }
    return mesh;
}

}  // namespace graze::generate
