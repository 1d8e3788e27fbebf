// The input is a file of moves, JSON or CSV. What is read is finite, and reads back as it was written.
#include "cli/moves_file.hpp"
#include "fuzz_input.hpp"
#include "graze/core/vec3.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace graze;
    using io::fuzz::require;
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto rows = app::parse_move_rows(text, "in")) {
        for (const Vec3& row : *rows)
            require(is_finite(row), "rows are finite");
    } else {
        io::fuzz::require_clear(rows.error());
    }
    const auto file = app::parse_moves(text, "in");
    if (!file) {
        io::fuzz::require_clear(file.error());
        return 0;
    }
    require(is_finite(file->start), "the start is finite");
    for (const Vec3& move : file->moves)
        require(is_finite(move), "moves are finite");
    const auto again = app::parse_moves(app::to_text(*file), "in");
    require(again && again->start == file->start && again->moves == file->moves,
            "what is written reads back the same");
    return 0;
}
