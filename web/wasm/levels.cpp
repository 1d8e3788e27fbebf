// Levels, and what moves and slides in them.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "exports.hpp"
#include "graze/slide/controller.hpp"
#include "graze/slide/mover.hpp"
#include "graze/slide/sweep.hpp"

namespace graze::wasm {

void set_last_error(const std::string& message);  // bodies.cpp

namespace {

using slide::Shape;
using Level = slide::Level<double>;

// Numbers of one contact: face, feature, time, point, normal.
constexpr std::size_t kTouchNumbers = 9;

Vec3 vector_from(const double* n) noexcept {
    return {n[0], n[1], n[2]};
}
// Radii, half axis, both side axes.
Shape<double> shape_from(const double* n) noexcept {
    return {vector_from(n), vector_from(n + 3), {vector_from(n + 6), vector_from(n + 9)}};
}

double* write(const Vec3& v, double* to) noexcept {
    *to++ = v.x;
    *to++ = v.y;
    *to++ = v.z;
    return to;
}
double* write(const slide::SweepContact<double>& c, double* to) noexcept {
    *to++ = c.face;
    *to++ = static_cast<double>(c.feature);
    *to++ = c.time;
    return write(c.normal, write(c.point, to));
}

// Position, stopped, skin, gap proved, iterations, number of contacts, contacts.
void write(const slide::MoveResult<double>& moved, double* to) noexcept {
    to = write(moved.position, to);
    *to++ = static_cast<double>(moved.stopped);
    *to++ = moved.skin;
    *to++ = moved.gap_proved ? 1.0 : 0.0;
    *to++ = moved.iterations;
    *to++ = moved.contact_count;
    for (const slide::SweepContact<double>& contact : moved.touched())
        to = write(contact, to);
}

}  // namespace

// Null: graze_last_error().
GRAZE_WASM_EXPORT(graze_level_create)
Level* graze_level_create(std::size_t vertex_count, const double* vertices, std::size_t face_count,
                          const std::uint32_t* faces) {
    std::vector<Vec3> positions(vertex_count);
    for (std::size_t i = 0; i < vertex_count; ++i)
        positions[i] = vector_from(vertices + 3 * i);
    std::vector<Level::Face> triangles(face_count);
    for (std::size_t f = 0; f < face_count; ++f)
        triangles[f] = {faces[3 * f], faces[3 * f + 1], faces[3 * f + 2]};
    auto level = std::make_unique<Level>();
    const Expected<std::uint32_t> part = level->add_part(positions, triangles);
    if (!part) {
        set_last_error(part.error().message);
        return nullptr;
    }
    return level.release();
}
GRAZE_WASM_EXPORT(graze_level_destroy) void graze_level_destroy(Level* level) {
    delete level;
}

// 8 + kMaxMoveContacts * kTouchNumbers numbers.
GRAZE_WASM_EXPORT(graze_move)
void graze_move(const Level* level, const double* shape, const double* start,
                const double* displacement, double skin, double* to) {
    slide::MoveOptions<double> options;
    options.skin = skin;
    write(move_and_slide(*level, shape_from(shape), vector_from(start), vector_from(displacement),
                         options),
          to);
}

// The same over steps up to `height` along `up`; the number of the StairAction follows.
GRAZE_WASM_EXPORT(graze_climb)
void graze_climb(const Level* level, const double* shape, const double* start,
                 const double* displacement, double skin, const double* up, double height,
                 double* to) {
    slide::StairOptions<double> options;
    options.height = height;
    options.footing.up = vector_from(up);
    options.move.skin = skin;
    const slide::StairResult<double> climbed = move_and_climb(
        *level, shape_from(shape), vector_from(start), vector_from(displacement), options);
    write(climbed.moved, to);
    to[8 + slide::kMaxMoveContacts * kTouchNumbers] = static_cast<double>(climbed.action);
}

// Found (0 or 1), gap from below, contact.
GRAZE_WASM_EXPORT(graze_gap)
void graze_gap(const Level* level, const double* shape, const double* centre, double reach,
               double* to) {
    const slide::GapResult<double> gap =
        smallest_gap(*level, shape_from(shape), vector_from(centre), reach);
    to[0] = gap.found ? 1.0 : 0.0;
    to[1] = gap.gap_lower;
    write(gap.contact, to + 2);
}

}  // namespace graze::wasm
