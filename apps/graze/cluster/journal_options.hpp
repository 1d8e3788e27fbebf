// `--journal` and `--resume` of the commands that work in blocks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cluster/block_run.hpp"

namespace graze::app {

struct JournalOptions {
    std::string path;      // empty: beside the results
    bool resumes = false;  // goes on from what the journal holds

    // Blocks are needed: there are several ranks, or a journal was asked for. Otherwise a command works
    // through its queries as they come.
    [[nodiscard]] bool wants_blocks() const noexcept {
        return session() != nullptr || resumes || !path.empty();
    }
};
void add_journal_options(App& app, JournalOptions& options);

// Where the journal is: as named, or beside the first of the results that is a file. Empty: nowhere.
[[nodiscard]] std::string journal_place(const JournalOptions& options,
                                        const std::vector<std::string>& results);
// Wrong use: --resume without a place for the journal.
void check_journal(const JournalOptions& options, const std::vector<std::string>& results);

// The journal of this command line, on rank 0, where blocks are wanted and there is a place for it. With --resume it holds what
// an earlier run of the same command left; else it is empty.
[[nodiscard]] Expected<std::optional<BlockJournal>> open_journal(
    const JournalOptions& options, const std::vector<std::string>& results);

// run_blocks(); where it fails, a warning says what can be resumed. `journal` is filled or not.
[[nodiscard]] Expected<void> run_journaled(const BlockJob& job,
                                           std::optional<BlockJournal>& journal);

}  // namespace graze::app
