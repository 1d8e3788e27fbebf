// Queries and options as they lie in arrays of doubles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "graze/narrow/ccd.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::wasm {

// All vertices at the start, three numbers each and in the order of the query files, then all at
// the end.
template <class Motion>
[[nodiscard]] Motion motion_from(const double* numbers) noexcept {
    std::array<MovingPoint, Motion::kVertices> points;
    for (std::size_t i = 0; i < Motion::kVertices; ++i) {
        const double* start = numbers + 3 * i;
        const double* end = start + 3 * Motion::kVertices;
        points[i] = {{start[0], start[1], start[2]}, {end[0], end[1], end[2]}};
    }
    return motion_from_vertices<Motion>(points);
}

// min_separation, norm (0 Euclidean, 1 max), distance_tolerance, time_width, t_max, max_checks.
[[nodiscard]] inline CcdOptions options_from(const double* numbers) noexcept {
    CcdOptions options;
    options.min_separation = numbers[0];
    options.norm = numbers[1] == 0.0 ? Norm::Euclidean : Norm::Max;
    options.distance_tolerance = numbers[2];
    options.time_width = numbers[3];
    options.t_max = numbers[4];
    // A number that no count is makes the options invalid, and the answer Unresolved.
    options.max_checks = numbers[5] >= 1.0 && numbers[5] < 0x1p+63
                             ? static_cast<std::uint64_t>(numbers[5])
                             : std::uint64_t{0};
    return options;
}

}  // namespace graze::wasm
