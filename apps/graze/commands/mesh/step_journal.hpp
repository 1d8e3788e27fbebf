// Steps that are done, kept in a file so that a sequence can go on after it was interrupted.
//
// One line for each: a hash of the rest of the line, and JSON. A line is written in one piece and is on
// the disk before the next step begins. Whatever cuts the file short, or changes a byte of it, costs
// the lines from there on, and nothing else: what is read is a beginning of what was written.
#pragma once

#include <string>
#include <vector>

#include "cli/json.hpp"
#include "graze/core/expected.hpp"

namespace graze::app {

// A line of a journal, with its end; and what it holds, or null where the line is not whole.
[[nodiscard]] std::string journal_line(const Json& value);
[[nodiscard]] Json journal_value(std::string_view line);

class StepJournal {
public:
    // Takes what the file holds where it begins with `settings`; otherwise begins anew.
    // Error: the file cannot be read or written.
    [[nodiscard]] static Expected<StepJournal> open(const std::string& path, const Json& settings);

    StepJournal(StepJournal&& other) noexcept;
    StepJournal& operator=(StepJournal&&) = delete;
    ~StepJournal();

    // What was kept, in its order.
    [[nodiscard]] const std::vector<Json>& kept() const noexcept { return kept_; }
    // Forgets what was kept from this number on. Before the first add().
    Expected<void> keep(std::size_t count);
    // On the disk when it returns.
    Expected<void> add(const Json& value);
    // The sequence is complete: the file goes.
    void remove();

private:
    StepJournal() = default;
    Expected<void> rewrite();

    std::string path_;
    std::string head_;
    std::vector<Json> kept_;
    int file_ = -1;
};

}  // namespace graze::app
