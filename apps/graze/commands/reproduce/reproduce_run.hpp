// Runs items of the papers and keeps what they gave in a folder; a later run goes on from there.
#pragma once

#include <string>
#include <vector>

#include "stored_result.hpp"

namespace graze::app {

enum class ItemState : std::uint8_t {
    Made,             // by this run
    Kept,             // from an earlier run of the same program with the same options
    Failed,           // `message` says why
    NotRun,           // not chosen, or the run was stopped before
    NotReproducible,  // `item.reason` says why; also those that wait for a simulator
};

struct ItemOutcome {
    ReproduceItem item;
    ItemState state = ItemState::NotRun;
    std::string message;
    StoredResult result;  // of Made and Kept

    [[nodiscard]] bool has_result() const noexcept {
        return state == ItemState::Made || state == ItemState::Kept;
    }
};

struct VerdictCounts {
    std::uint64_t agree = 0;
    std::uint64_t better = 0;
    std::uint64_t differ = 0;
    std::uint64_t other = 0;  // verdicts that begin with none of the three words
};
[[nodiscard]] VerdictCounts count_verdicts(const StoredResult& result);
// "5 agree, 1 better, 2 differ".
[[nodiscard]] std::string verdict_text(const VerdictCounts& counts);
// "reproduced", "waits for a simulator", "not reproducible": what can be said without running it.
[[nodiscard]] std::string_view status_text(ItemStatus status) noexcept;
// The same of an outcome, with "failed" and "not run yet".
[[nodiscard]] std::string_view status_text(const ItemOutcome& outcome) noexcept;

struct ReproduceSettings {
    std::filesystem::path out;
    ReproduceOptions options;
    bool fresh = false;        // run again what is there
    std::string command = {};  // that was typed, for the page
};

// All items in their order, whether chosen or not.
struct ReproduceReport {
    std::vector<ItemOutcome> items;
    MadeWith made;
    bool is_complete = true;  // false: a stop came before the last chosen item

    [[nodiscard]] std::size_t count(ItemState state) const noexcept;
};

// Whether an item is to be run.
using ItemChoice = std::function<bool(const ReproduceItem&)>;

// Runs the chosen items that have no result yet, writes out/<paper>/<id>/ for each of them and then
// out/index.html, which shows every item that has a result, chosen or not. An item that fails is an
// outcome, and the others are still run. After a stop the page is written with what is there.
// Errors: the folder cannot be made or written.
[[nodiscard]] Expected<ReproduceReport> reproduce(const std::vector<ReproduceItem>& items,
                                                  const ItemChoice& is_chosen,
                                                  const ReproduceSettings& settings);

}  // namespace graze::app
