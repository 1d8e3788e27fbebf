#include "graze/generate/models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "generate/models/makers.hpp"

namespace graze::generate {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"cube",  "tetrahedron", "car",   "comb",
                                                    "torus", "sphere",      "screw", "nut"};

std::uint32_t at_least(double x, std::uint32_t least) {
    return std::max(static_cast<std::uint32_t>(x), least);
}

// A comb of n teeth has 4 n + 2 faces.
io::PolygonMesh comb_of(std::uint32_t faces, StopPoll& stop) {
    return make_comb(faces == 0 ? 8 : std::max((faces + 1) / 4, 1U), kUsualPlay, stop);
}

io::PolygonMesh sphere_of(std::uint32_t faces, StopPoll& stop) {
    std::uint32_t levels = faces == 0 ? 3 : 0;
    while (faces != 0 && levels < 10 && (20ULL << (2 * levels)) * 2 < faces)
        ++levels;
    return make_sphere(levels, stop);
}

// 2 * around * along * turns triangles, finer in both directions alike.
ThreadShape thread_of(std::uint32_t faces) {
    ThreadShape shape;
    if (faces == 0) return shape;
    const double usual = 2.0 * shape.around * shape.along * shape.turns;
    const double finer = std::sqrt(faces / usual);
    shape.around = at_least(std::round(finer * shape.around), 8);
    shape.along = at_least(std::round(finer * shape.along), 4);
    return shape;
}

std::optional<io::PolygonMesh> made(std::string_view name, std::uint32_t faces, StopPoll& stop) {
    if (name == "cube") return cube();
    if (name == "tetrahedron") return tetrahedron();
    if (name == "car") return car();
    if (name == "comb") return comb_of(faces, stop);
    if (name == "torus") return faces == 0 ? torus() : make_torus_of(faces, stop);
    if (name == "sphere") return sphere_of(faces, stop);
    if (name == "screw") return make_thread(thread_of(faces), stop);
    if (name == "nut") return make_hole(thread_of(faces), kUsualClearance, stop);
    return std::nullopt;
}

}  // namespace

std::span<const std::string_view> model_names() noexcept {
    return kNames;
}

Expected<io::PolygonMesh> model(std::string_view name, std::uint32_t faces, const StopToken& stop) {
    if (faces > kMaxModelFaces) {
        return Error{"more than " + std::to_string(kMaxModelFaces) + " faces are not made",
                     ErrorCode::WrongSize};
    }
    StopPoll poll(stop);
    std::optional<io::PolygonMesh> mesh = made(name, faces, poll);
    if (poll.is_stopped()) return Error{"cancelled", ErrorCode::Cancelled};
    if (mesh) return std::move(*mesh);
    std::string message = "no model '" + std::string(name) + "'; there are";
    for (const std::string_view known : kNames)
        message += " " + std::string(known);
    return Error{message, ErrorCode::InvalidInput};
}

}  // namespace graze::generate
