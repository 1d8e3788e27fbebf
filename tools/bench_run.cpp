#include "bench_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interrupt.hpp"

namespace graze::tools {
namespace {

namespace fs = std::filesystem;
using dataset::QueryRecord;

SampledBlock sample_of(const std::vector<QueryRecord>& block, std::uint64_t first_index,
                       bool quick) {
    SampledBlock sample;
    for (std::size_t i = 0; i < block.size(); ++i) {
        if (!is_sampled(first_index + i, quick)) continue;
        sample.records.push_back(block[i]);
        sample.indices.push_back(first_index + i);
    }
    return sample;
}

std::string raw_file_name(const QueryInput& input) {
    std::string name = fmt::format("{}.{}.csv", input.name, short_name(input.kind));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '/' || c == ' '; }, '_');
    return name;
}

Expected<void> write_raw(OutputFile& file, const SampledBlock& sample,
                         const std::vector<Answer>& answers) {
    std::string lines;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        lines += fmt::format("{},{},{}\n", result_columns(sample.indices[i], answers[i].result),
                             answers[i].result.checks, answers[i].ns);
    }
    return file.write(lines);
}

Expected<OutputFile> create_raw_file(const fs::path& folder, const QueryInput& input) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return Error{fmt::format("{}: {}", folder.string(), error.message())};
    Expected<OutputFile> file = OutputFile::create(folder / raw_file_name(input));
    if (!file) return file;
    const auto header = file->write(fmt::format("{},checks,ns\n", kResultColumns));
    if (!header) return header.error();
    return file;
}

}  // namespace

bool is_sampled(std::uint64_t index_in_set, bool quick) noexcept {
    return !quick || index_in_set < kQuickHead || index_in_set % kQuickStride == 0;
}

BenchRun::BenchRun(const std::vector<Method>& methods, BenchOptions options)
    : options_(std::move(options)) {
    for (const Method& method : methods)
        hashes_.push_back({.method = method, .hash = {}});
}

Expected<void> BenchRun::check_raw_names(const std::vector<QueryInput>& inputs) const {
    std::map<std::string, std::string> owners;
    for (const QueryInput& input : inputs) {
        const auto [owner, is_new] = owners.emplace(raw_file_name(input), input.name);
        if (is_new || options_.raw.empty()) continue;
        return Error{fmt::format("--raw: the answers to '{}' and to '{}' would both be '{}'",
                                 owner->second, input.name, owner->first)};
    }
    return {};
}

std::uint64_t BenchRun::answers_a_query(QueryKind kind) const {
    const auto methods = std::count_if(hashes_.begin(), hashes_.end(), [&](const MethodHash& m) {
        return supports(m.method, kind);
    });
    return options_.repeat * static_cast<std::uint64_t>(methods);
}

std::uint64_t BenchRun::queries() const {
    std::uint64_t sum = 0;
    for (const BenchRow& row : rows_)
        sum += row.tally.counts().queries;
    return sum;
}

BenchRow& BenchRun::row_of(const Method& method, const QueryInput& input) {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const BenchRow& row) {
        return row.method.name == method.name && row.group == input.group && row.kind == input.kind;
    });
    if (found != rows_.end()) return *found;
    return rows_.emplace_back(BenchRow{method, input.group, input.kind, {}});
}

std::vector<Answer> BenchRun::best_answers(MethodHash& method, const Run& run,
                                           std::span<const QueryRecord> records) {
    std::vector<Answer> best = answers_of(run, records);
    std::vector<bool> steady(best.size(), true);
    for (unsigned i = 1; i < options_.repeat && !stop_requested(); ++i) {
        const std::vector<Answer> again = answers_of(run, records);
        for (std::size_t k = 0; k < best.size(); ++k) {
            best[k].ns = std::min(best[k].ns, again[k].ns);
            steady[k] = steady[k] && best[k].result == again[k].result;
        }
    }
    method.unsteady += static_cast<std::uint64_t>(std::count(steady.begin(), steady.end(), false));
    return best;
}

Expected<BenchRun::RawFiles> BenchRun::create_raw(const QueryInput& input) const {
    RawFiles files(hashes_.size());
    for (std::size_t m = 0; m < hashes_.size() && !options_.raw.empty(); ++m) {
        if (!supports(hashes_[m].method, input.kind)) continue;
        auto file = create_raw_file(fs::path(options_.raw) / hashes_[m].method.name, input);
        if (!file) return file.error();
        files[m].emplace(std::move(*file));
    }
    return files;
}

Expected<void> BenchRun::answer_block(const QueryInput& input, const SampledBlock& block,
                                      RawFiles& raw, Progress& progress) {
    const Workers workers{options_.threads, &progress};
    const TruthUse use{.stored_applies = options_.query.min_separation == 0.0};
    for (std::size_t m = 0; m < hashes_.size(); ++m) {
        if (!supports(hashes_[m].method, input.kind)) continue;
        const Run run{hashes_[m].method, input.kind, options_.query, workers};
        const std::vector<Answer> answers = best_answers(hashes_[m], run, block.records);
        if (stop_requested()) return stopped();
        BenchRow& row = row_of(hashes_[m].method, input);
        for (std::size_t i = 0; i < answers.size(); ++i) {
            row.tally.add(with_applicable_truth(block.records[i], use), answers[i]);
            hashes_[m].hash.add(answers[i].result);
        }
        if (!raw[m]) continue;
        if (Expected<void> kept = write_raw(*raw[m], block, answers); !kept) return kept;
    }
    return {};
}

Expected<void> BenchRun::add_set(const QueryInput& input, Progress& progress) {
    Expected<BlockReader> reader = BlockReader::open(input);
    if (!reader) return reader.error();
    Expected<RawFiles> raw = create_raw(input);
    if (!raw) return raw.error();
    for (std::uint64_t first_index = 0;;) {
        const auto block = reader->next();
        if (!block) return block.error();
        if (block->empty()) break;
        const SampledBlock sample = sample_of(*block, first_index, options_.quick);
        if (auto done = answer_block(input, sample, *raw, progress); !done) return done;
        first_index += block->size();
    }
    for (std::optional<OutputFile>& file : *raw) {
        if (!file) continue;
        if (Expected<void> finished = file->finish(); !finished) return finished;
    }
    return {};
}

}  // namespace graze::tools
