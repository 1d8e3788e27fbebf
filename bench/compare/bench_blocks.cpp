// `graze bench` in blocks, for several ranks and for journals.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bench_run.hpp"
#include "cli/interrupt.hpp"
#include "cli/workers.hpp"
#include "cluster/input_blocks.hpp"
#include "cluster/record_payload.hpp"

namespace graze::app {
namespace {

// Queries that a method is asked in one block.
constexpr std::uint64_t kBenchRange = 2048;

void put_answer(PayloadWriter& bytes, const Answer& answer) {
    bytes.byte(static_cast<unsigned char>(answer.result.verdict));
    bytes.number(answer.result.toi_lower);
    bytes.number(answer.result.toi_upper);
    bytes.natural(answer.result.checks);
    bytes.number(answer.result.tolerance);
    bytes.natural(answer.ns);
    bytes.flag(answer.over_budget);
    bytes.natural(answer.heap_bytes);
}

Answer take_answer(PayloadReader& bytes) {
    Answer answer;
    answer.result.verdict = static_cast<Verdict>(bytes.byte());
    answer.result.toi_lower = bytes.number();
    answer.result.toi_upper = bytes.number();
    answer.result.checks = bytes.natural();
    answer.result.tolerance = bytes.number();
    answer.ns = bytes.natural();
    answer.over_budget = bytes.flag();
    answer.heap_bytes = bytes.natural();
    return answer;
}

// What counting needs of a portion: of the queries that were asked, where they are and what is known.
Payload asked_payload(const Portion& portion, const Asked& asked) {
    PayloadWriter bytes;
    bytes.natural(portion.read);
    bytes.natural(portion.stride);
    bytes.natural(asked.stride);
    bytes.natural(asked.unsteady);
    bytes.natural(asked.answers.size());
    for (std::size_t i = 0; i < asked.answers.size(); ++i) {
        const std::size_t at = static_cast<std::size_t>(asked.places[i]);
        bytes.natural(portion.places[at].input);
        bytes.natural(portion.places[at].index);
        put_truth(bytes, portion.records[at]);
        put_answer(bytes, asked.answers[i]);
    }
    return bytes.take();
}

struct AskedPortion {
    Portion portion;
    Asked asked;
};

Expected<AskedPortion> asked_from(const Payload& payload) {
    PayloadReader bytes(payload);
    AskedPortion got;
    got.portion.read = bytes.natural();
    got.portion.stride = bytes.natural();
    got.asked.stride = bytes.natural();
    got.asked.unsteady = bytes.natural();
    const std::uint64_t count = bytes.natural();
    for (std::uint64_t i = 0; i < count && bytes.is_whole(); ++i) {
        Portion::Place place;
        place.input = static_cast<std::size_t>(bytes.natural());
        place.index = bytes.natural();
        io::QueryRecord record;
        take_truth(bytes, record);
        got.portion.places.push_back(place);
        got.portion.records.push_back(record);
        got.asked.places.push_back(i);
        got.asked.answers.push_back(take_answer(bytes));
    }
    if (!bytes.is_finished()) return Error{"the answers of a block are not whole"};
    return got;
}

// Queries of a set, before this index, that a quick sample or all of them holds.
std::uint64_t wanted_before(std::uint64_t index, bool quick) {
    if (!quick || index <= kQuickHead) return index;
    // Beyond the head, multiples of kQuickStride; of them ceil(n / stride) are below n.
    const auto multiples = [](std::uint64_t n) { return (n + kQuickStride - 1) / kQuickStride; };
    return kQuickHead + multiples(index) - multiples(kQuickHead);
}

}  // namespace

class BenchBlocks {
public:
    BenchBlocks(BenchRun& run, const std::vector<QueryGroup>& groups, OutputBatch& files)
        : run_(run), groups_(groups), raw_(groups.size()) {
        for (std::vector<RawAnswers>& of_group : raw_) {
            for (const MethodHash& method : run.hashes_) {
                const std::filesystem::path folder(run.options_.raw);
                if (!run.options_.raw.empty())
                    of_group.emplace_back((folder / method.method.name).string(), files);
            }
        }
    }

    Expected<void> run(Progress& progress, std::optional<BlockJournal>& journal) {
        if (auto planned = plan(); !planned) return planned;
        BlockJob job;
        job.count = blocks_.size();
        job.name = [this](std::size_t i) { return name(blocks_[i]); };
        job.key = [this](std::size_t i) { return key(blocks_[i]); };
        job.run = [this](std::size_t i) { return asked(blocks_[i]); };
        job.reduce = [&](std::size_t i, const Payload& payload) -> Expected<void> {
            const auto got = asked_from(payload);
            if (!got) return got.error();
            progress.advance(by_cell() ? 1 : got->asked.answers.size() * run_.options_.ask.repeat);
            return take(blocks_[i], *got);
        };
        if (auto done = run_journaled(job, journal); !done) return done;
        for (std::vector<RawAnswers>& of_group : raw_)
            for (RawAnswers& answers : of_group)
                if (auto finished = answers.finish(); !finished) return finished;
        return {};
    }

private:
    struct Block {
        std::size_t group = 0;
        std::size_t method = 0;
        InputRange range;        // without a budget; its input is one of the group
        std::uint64_t seen = 0;  // wanted queries of the group before it
    };

    // A budget is for a method on a whole group.
    [[nodiscard]] bool by_cell() const { return run_.options_.ask.budget_s > 0.0; }

    Expected<void> plan() {
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            auto sizes = sizes_of(groups_[g].inputs);
            if (!sizes) return sizes.error();
            sizes_.push_back(*std::move(sizes));
            if (by_cell()) {
                add_methods({g, 0, {}, 0});
                continue;
            }
            const std::uint64_t stride = std::max<std::uint64_t>(run_.options_.stride, 1);
            std::vector<std::uint64_t> before = {0};  // wanted queries, by input
            for (const InputSize& size : sizes_[g])
                before.push_back(before.back() + wanted_before(size.queries, run_.options_.quick));
            for (const InputRange& range : ranges_of(sizes_[g], kBenchRange * stride))
                add_methods(
                    {g, 0, range,
                     before[range.input] + wanted_before(range.first, run_.options_.quick)});
        }
        return {};
    }

    void add_methods(Block block) {
        for (std::size_t m = 0; m < run_.hashes_.size(); ++m) {
            if (!supports(run_.hashes_[m].method, groups_[block.group].kind)) continue;
            block.method = m;
            blocks_.push_back(block);
        }
    }

    [[nodiscard]] std::string name(const Block& block) const {
        const QueryGroup& group = groups_[block.group];
        const std::string queries = by_cell()
                                        ? fmt::format("{} {}", group.name, short_name(group.kind))
                                        : text_of(group.inputs[block.range.input], block.range);
        return fmt::format("{}, {}", run_.hashes_[block.method].method.name, queries);
    }

    [[nodiscard]] std::string key(const Block& block) const {
        std::string key = fmt::format("{}, {}", name(block), block.seen);
        for (std::size_t i = 0; i < sizes_[block.group].size(); ++i)
            if (by_cell() || i == block.range.input)
                key += fmt::format(" {:016x}", sizes_[block.group][i].content);
        return key;
    }

    Expected<Payload> asked(const Block& block) {
        const QueryGroup& group = groups_[block.group];
        if (group_ != block.group) {
            if (auto set = run_.set_bounds(group); !set) return set.error();
            reader_ = std::make_unique<RangeReader>(group.inputs);
            group_ = block.group;
            read_.reset();
        }
        if (!read_ || !is_read(block)) {
            auto read = by_cell() ? whole_group(group) : portion_of(block);
            if (!read) return read.error();
            portion_ = *std::move(read);
            read_ = block;
        }
        const Asked asked =
            run_.answers_of_method(block.method, group, portion_, workers(run_.options_.threads));
        if (stop_requested()) return stopped();
        return asked_payload(portion_, asked);
    }

    // The last portion serves the next method too.
    [[nodiscard]] bool is_read(const Block& block) const {
        return read_->range.input == block.range.input && read_->range.first == block.range.first;
    }

    Expected<Portion> whole_group(const QueryGroup& group) const {
        return PortionReader(group, portions_for(run_.options_)).next();
    }

    Expected<Portion> portion_of(const Block& block) {
        const auto records = reader_->read(block.range);
        if (!records) return records.error();
        const PortionOptions options = portions_for(run_.options_);
        Portion portion;
        portion.stride = options.stride;
        for (std::uint64_t i = 0; i < block.range.count; ++i) {
            const std::uint64_t index = block.range.first + i;
            if (options.is_wanted && !options.is_wanted(index)) continue;
            if ((block.seen + portion.read++) % options.stride != 0) continue;
            portion.records.push_back((*records)[i]);
            portion.places.push_back({block.range.input, index});
        }
        return portion;
    }

    Expected<void> take(const Block& block, const AskedPortion& got) {
        const QueryGroup& group = groups_[block.group];
        if (got.portion.read > 0)
            run_.count(run_.hashes_[block.method], group, got.portion, got.asked);
        std::vector<RawAnswers>& raw = raw_[block.group];
        return raw.empty() ? Expected<void>()
                           : raw[block.method].add(group, got.portion, got.asked);
    }

    BenchRun& run_;
    const std::vector<QueryGroup>& groups_;
    std::vector<std::vector<RawAnswers>> raw_;   // by group and method
    std::vector<std::vector<InputSize>> sizes_;  // by group and input
    std::vector<Block> blocks_;
    // What the last block left, for the next one on this rank.
    std::optional<std::size_t> group_;
    std::optional<Block> read_;
    Portion portion_;
    std::unique_ptr<RangeReader> reader_;
};

Expected<void> BenchRun::add_in_blocks(const std::vector<QueryGroup>& groups, Progress& progress,
                                       OutputBatch& files, std::optional<BlockJournal>& journal) {
    return BenchBlocks(*this, groups, files).run(progress, journal);
}

}  // namespace graze::app
