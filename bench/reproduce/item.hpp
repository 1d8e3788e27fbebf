// Tables and figures of the papers, each made again from scratch: what `graze reproduce` runs.
//
// One item is one table, figure or claim of a paper. Its function measures it and returns our
// numbers beside the published ones; the command writes the page, the pictures and the CSV files.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/stop.hpp"

namespace graze::app {

enum class Paper : std::uint8_t {
    Wang2014,  // Huamin Wang: Defending continuous collision detection against errors
    Buss2005,  // Samuel Buss: Collision detection with relative screw motion
    Linahan,   // Jeff Linahan: Improving the numerical robustness of sphere swept detection
    Wang2021,  // Bolun Wang et al.: A large-scale benchmark and an inclusion-based algorithm
};
// "wang2014", "buss2005", "linahan", "wang2021": as on the command line.
[[nodiscard]] std::string_view name(Paper paper) noexcept;
// Author, title and year.
[[nodiscard]] std::string_view citation(Paper paper) noexcept;
inline constexpr std::array<Paper, 4> kAllPapers = {Paper::Wang2014, Paper::Buss2005,
                                                    Paper::Linahan, Paper::Wang2021};

// One number or statement of the paper beside ours. All are plain text.
struct ComparedRow {
    std::string what;       // "false negatives, vertex-face, eta = 0"
    std::string published;  // "5.2 K of 18 M"; "-" where the paper prints none
    std::string ours;       // "388 of 1,021 hits"
    // "agrees", "better", or "differs: " and why, in a few words; "-" where nothing is published.
    std::string verdict;
};

// Rows of text with one heading per column; a CSV file, and a table of the page where it is short.
struct DataTable {
    std::string name;  // of the file, without ".csv": lower case, words joined by '-'
    std::string caption;
    std::vector<std::string> headings;
    std::vector<std::vector<std::string>> rows;
};

// An SVG element that is complete in itself (pictures/ makes them).
struct Drawing {
    std::string name;  // of the file, without ".svg"
    std::string caption;
    std::string svg;
};

struct Reproduction {
    std::vector<ComparedRow> rows;
    std::string conclusion;  // one to three sentences: what agrees, what differs, and why
    std::vector<Drawing> drawings;
    std::vector<DataTable> tables;
};

struct ReproduceOptions {
    bool quick = false;      // small samples: seconds per item instead of minutes
    std::string data;        // folder of the published query sets; empty: the project's own data
    unsigned threads = 1;    // 0: all
    std::uint64_t seed = 1;  // of random inputs
    StopToken stop = {};     // asked between pieces of work of at most a second
    ProgressSink progress = {};  // told the fraction of this item that is done
};

enum class ItemStatus : std::uint8_t {
    Reproduced,         // `run` makes it
    WaitsForSimulator,  // needs the simulators, which this program was built without
    NotReproducible,    // diagram, prior work or data that nobody has: `reason` says which
};

struct ReproduceItem {
    Paper paper = Paper::Wang2014;
    std::string_view id;     // "table-1", "figure-8", "section-4.3": unique within the paper
    std::string_view title;  // one line
    ItemStatus status = ItemStatus::Reproduced;
    std::string_view reason;                                           // where it is not reproduced
    Expected<Reproduction> (*run)(const ReproduceOptions&) = nullptr;  // null: not reproduced
};

// Makes the items of one paper.
struct ItemsOf {
    Paper paper;

    using Run = Expected<Reproduction> (*)(const ReproduceOptions&);
    [[nodiscard]] ReproduceItem reproduced(std::string_view id, std::string_view title,
                                           Run run) const noexcept {
        return {paper, id, title, ItemStatus::Reproduced, "", run};
    }
    [[nodiscard]] ReproduceItem simulated(std::string_view id,
                                          std::string_view title) const noexcept {
        return {paper,
                id,
                title,
                ItemStatus::WaitsForSimulator,
                "a simulation: this program is built without the simulators (GRAZE_BUILD_SIM)",
                nullptr};
    }
    [[nodiscard]] ReproduceItem left_out(std::string_view id, std::string_view title,
                                         std::string_view reason) const noexcept {
        return {paper, id, title, ItemStatus::NotReproducible, reason, nullptr};
    }
    [[nodiscard]] ReproduceItem diagram(std::string_view id,
                                        std::string_view title) const noexcept {
        return left_out(id, title, "a diagram that explains; nothing is measured in it");
    }
};

// The items of one paper in its own order.
[[nodiscard]] std::vector<ReproduceItem> wang2014_items();
[[nodiscard]] std::vector<ReproduceItem> buss2005_items();
[[nodiscard]] std::vector<ReproduceItem> linahan_items();
[[nodiscard]] std::vector<ReproduceItem> wang2021_items();
// Items of a program, which the library does not have: each takes the place of the one with its paper
// and id, or comes after the others of its paper. To be called before the program runs.
void add_item_of_program(const ReproduceItem& item);
// Those of the four papers, one paper after the other, with those of the program.
[[nodiscard]] std::vector<ReproduceItem> all_items();

}  // namespace graze::app
