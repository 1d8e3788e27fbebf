// What an item of a paper gave, as it lies in a folder: result.json, CSV tables and SVG drawings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/json.hpp"
#include "graze/core/expected.hpp"
#include "reproduce/item.hpp"

namespace graze::app {

// A table of up to so many rows is shown on the page; a longer one is a link to its file.
inline constexpr std::size_t kMostInlineRows = 24;

struct StoredTable {
    std::string name;
    std::string caption;
    std::vector<std::string> headings;
    std::uint64_t row_count = 0;
    std::vector<std::vector<std::string>> rows;  // where there are at most kMostInlineRows
};

struct StoredResult {
    std::vector<ComparedRow> rows;
    std::string conclusion;
    std::vector<Drawing> drawings;
    std::vector<StoredTable> tables;
    std::uint64_t milliseconds = 0;  // that the item took
};

// What a result depends on: the program and what it was asked. A stored result that was made with
// anything else is not used again.
struct MadeWith {
    std::string version;
    std::string program;  // SHA-256 of the executable: another build, other results
    bool quick = false;
    std::uint64_t seed = 1;
    std::string data;  // as an absolute path; empty: the project's own

    friend bool operator==(const MadeWith&, const MadeWith&) = default;
};
[[nodiscard]] MadeWith made_with(const ReproduceOptions& options);
[[nodiscard]] Json to_json(const MadeWith& made);

// Writes every file of the result, result.json as the last one, each whole or not at all; makes the
// folder. Errors: a name of a table or drawing that is no file name or is there twice.
[[nodiscard]] Expected<StoredResult> write_result(const std::filesystem::path& folder,
                                                  const ReproduceItem& item, const MadeWith& made,
                                                  Reproduction reproduction,
                                                  std::uint64_t milliseconds);

// The result that lies in the folder. Nothing where there is none, it cannot be understood, it was
// made otherwise, or a file of it is missing or changed: then the item has to be run again.
[[nodiscard]] std::optional<StoredResult> read_result(const std::filesystem::path& folder,
                                                      const MadeWith& made);

// A drawing that brings its own style is shown as a picture of its own, since that style would
// change the page; one without takes the style of the page.
[[nodiscard]] bool has_own_style(const Drawing& drawing);

}  // namespace graze::app
