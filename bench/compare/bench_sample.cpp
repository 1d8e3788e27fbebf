#include "bench_sample.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <numeric>

#include "cli/interrupt.hpp"

namespace graze::app {
namespace {

using io::QueryRecord;

// Queries between two looks at the clock.
constexpr std::size_t kChunk = 64;

std::vector<std::uint64_t> progression(std::uint64_t first, std::uint64_t step,
                                       std::uint64_t count) {
    std::vector<std::uint64_t> places;
    for (std::uint64_t i = first; i < count; i += step)
        places.push_back(i);
    return places;
}

// The answers with the smallest time of all repetitions.
std::vector<Answer> best_answers(const Run& run, std::span<const QueryRecord> records,
                                 unsigned repeat, std::uint64_t& unsteady) {
    std::vector<Answer> best = answers_of(run, records);
    std::vector<bool> steady(best.size(), true);
    for (unsigned i = 1; i < repeat && !stop_requested(); ++i) {
        const std::vector<Answer> again = answers_of(run, records);
        for (std::size_t k = 0; k < best.size(); ++k) {
            best[k].ns = std::min(best[k].ns, again[k].ns);
            steady[k] = steady[k] && best[k].result == again[k].result;
        }
    }
    unsteady += static_cast<std::uint64_t>(std::count(steady.begin(), steady.end(), false));
    return best;
}

// The answers at some places, as far as signals and the clock let it get.
struct LevelAsker {
    const Run& run;
    std::span<const QueryRecord> records;
    const AskOptions& options;
    double start;

    [[nodiscard]] double spent() const { return options.now() - start; }

    [[nodiscard]] Asked ask(const std::vector<std::uint64_t>& places,
                            const StrideLevels& levels) const {
        Asked asked;
        for (std::size_t first = 0; first < places.size(); first += kChunk) {
            const std::size_t end = std::min(first + kChunk, places.size());
            std::vector<QueryRecord> chunk;
            for (std::size_t i = first; i < end; ++i)
                chunk.push_back(records[places[i]]);
            std::uint64_t unsteady = 0;
            const auto answers = best_answers(run, chunk, options.repeat, unsteady);
            asked.complete = !stop_requested();
            if (!asked.complete) break;
            asked.unsteady += unsteady;
            asked.answers.insert(asked.answers.end(), answers.begin(), answers.end());
            for (std::size_t i = first; i < end; ++i)
                asked.places.push_back(places[i]);
            if (end < places.size() && levels.is_overdrawn(spent())) break;
        }
        return asked;
    }
};

void append(Asked& asked, Asked level) {
    asked.places.insert(asked.places.end(), level.places.begin(), level.places.end());
    asked.answers.insert(asked.answers.end(), level.answers.begin(), level.answers.end());
    asked.unsteady += level.unsteady;
}

void sort_by_place(Asked& asked) {
    std::vector<std::size_t> order(asked.places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return asked.places[a] < asked.places[b]; });
    std::vector<std::uint64_t> places;
    std::vector<Answer> answers;
    for (const std::size_t i : order) {
        places.push_back(asked.places[i]);
        answers.push_back(asked.answers[i]);
    }
    asked.places = std::move(places);
    asked.answers = std::move(answers);
}

// Every other query; the stride doubles.
void halve(Portion& portion) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < portion.records.size(); i += 2, ++kept) {
        portion.records[kept] = portion.records[i];
        portion.places[kept] = portion.places[i];
    }
    portion.records.resize(kept);
    portion.places.resize(kept);
    portion.stride *= 2;
}

}  // namespace

StrideLevels::StrideLevels(std::uint64_t count, double budget_s) noexcept
    : count_(count), budget_s_(budget_s) {
    if (budget_s > 0.0) stride_ = std::bit_ceil(std::max<std::uint64_t>(count, 1));
}

std::vector<std::uint64_t> StrideLevels::first() const {
    return progression(0, stride_, count_);
}

std::vector<std::uint64_t> StrideLevels::finer(double spent_s) {
    if (stride_ == 1 || 2.0 * spent_s > budget_s_) return {};
    is_first_ = false;
    std::vector<std::uint64_t> places;
    // The stride begins as the power of two at or above the count: a level or two may be empty.
    while (places.empty() && stride_ > 1) {
        stride_ /= 2;
        places = progression(stride_, 2 * stride_, count_);
    }
    return places;
}

bool StrideLevels::is_overdrawn(double spent_s) const noexcept {
    return !is_first_ && spent_s > budget_s_;
}

Seconds steady_seconds() {
    return [] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    };
}

Asked ask(const Run& run, std::span<const QueryRecord> records, const AskOptions& options) {
    StrideLevels levels(records.size(), options.budget_s);
    const LevelAsker asker{run, records, options, options.now()};
    Asked asked = asker.ask(levels.first(), levels);
    while (asked.complete) {
        const std::vector<std::uint64_t> places = levels.finer(asker.spent());
        if (places.empty()) break;
        Asked level = asker.ask(places, levels);
        asked.complete = level.complete;
        if (level.places.size() < places.size()) {
            levels.give_up();
            break;
        }
        append(asked, std::move(level));
    }
    sort_by_place(asked);
    asked.stride = levels.stride();
    asked.spent_s = asker.spent();
    return asked;
}

std::vector<QueryGroup> groups_of(const std::vector<QueryInput>& inputs) {
    std::vector<QueryGroup> groups;
    for (const QueryInput& input : inputs) {
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const QueryGroup& group) {
            return group.name == input.group && group.kind == input.kind;
        });
        QueryGroup& group = found != groups.end()
                                ? *found
                                : groups.emplace_back(QueryGroup{input.group, input.kind, {}});
        group.inputs.push_back(input);
    }
    return groups;
}

Expected<std::vector<QueryRecord>> PortionReader::next_block() {
    for (; input_ < group_.inputs.size(); ++input_) {
        if (!reader_) {
            Expected<BlockReader> opened = BlockReader::open(group_.inputs[input_]);
            if (!opened) return opened.error();
            reader_.emplace(std::move(*opened));
            index_ = 0;
        }
        auto block = reader_->next();
        if (!block || !block->empty()) return block;
        reader_.reset();
    }
    return std::vector<QueryRecord>{};
}

void PortionReader::add(Portion& portion, const std::vector<QueryRecord>& block) {
    for (const QueryRecord& record : block) {
        const std::uint64_t index = index_++;
        if (options_.is_wanted && !options_.is_wanted(index)) continue;
        ++portion.read;
        if (seen_++ % portion.stride != 0) continue;
        portion.records.push_back(record);
        portion.places.push_back({input_, index});
        if (options_.thin_out && portion.records.size() > options_.limit) halve(portion);
    }
}

Expected<Portion> PortionReader::next() {
    Portion portion;
    portion.stride = options_.stride;
    while (options_.thin_out || portion.records.size() < options_.limit) {
        if (stop_requested()) return stopped();
        const auto block = next_block();
        if (!block) return block.error();
        if (block->empty()) break;
        add(portion, *block);
    }
    return portion;
}

}  // namespace graze::app
