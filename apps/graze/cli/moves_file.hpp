// A start and a list of moves, from and to a JSON file; moves alone from a CSV file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"

namespace graze::app {

struct MovesFile {
    Vec3 start;
    std::vector<Vec3> moves;
};

// Some five million moves.
inline constexpr std::size_t kMaxMovesBytes = std::size_t{1} << 28;

// {"start":[x,y,z],"moves":[[dx,dy,dz],...]}; other members are skipped. Numbers are the nearest
// doubles.
// Errors begin with `name` and say the place: no JSON (line and column), a member that is missing,
// is there twice or is of another kind, a number that is not finite.
[[nodiscard]] Expected<MovesFile> parse_moves(std::string_view text, const std::string& name);

// The same from a file, plain or gzip.
[[nodiscard]] Expected<MovesFile> read_moves(const std::filesystem::path& path);

// Moves alone, as CSV: the line x,y,z, then a row per move. Blanks around cells and empty lines are skipped.
// Errors begin with `name` and state the line.
[[nodiscard]] Expected<std::vector<Vec3>> parse_move_rows(std::string_view text,
                                                          const std::string& name);
[[nodiscard]] Expected<std::vector<Vec3>> read_move_rows(const std::filesystem::path& path);

// As parse_moves() reads it, to the same bits.
[[nodiscard]] std::string to_text(const MovesFile& file);

}  // namespace graze::app
