#include "bench_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/interrupt.hpp"
#include "cli/workers.hpp"

namespace graze::app {
namespace {

namespace fs = std::filesystem;
using io::QueryRecord;

std::string raw_file_name(const QueryInput& input) {
    std::string name = fmt::format("{}.{}.csv", input.name, short_name(input.kind));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '/' || c == ' '; }, '_');
    return name;
}

std::string raw_line(std::uint64_t index, const Answer& answer) {
    return fmt::format("{},{},{},{}\n", result_columns(index, answer.result), answer.result.checks,
                       answer.ns, answer.heap_bytes);
}

Expected<OutputFile> create_raw_file(const fs::path& folder, const QueryInput& input) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return Error{fmt::format("{}: {}", folder.string(), error.message())};
    Expected<OutputFile> file = OutputFile::create(folder / raw_file_name(input));
    if (!file) return file;
    const auto header = file->write(fmt::format("{},checks,ns,heap_bytes\n", kResultColumns));
    if (!header) return header.error();
    return file;
}

}  // namespace

PortionOptions portions_for(const BenchOptions& options) {
    PortionOptions portions;
    portions.thin_out = options.ask.budget_s > 0.0;
    portions.stride = std::max<std::uint64_t>(options.stride, 1);
    if (options.quick) portions.is_wanted = [](std::uint64_t i) { return is_sampled(i, true); };
    return portions;
}

bool is_sampled(std::uint64_t index_in_set, bool quick) noexcept {
    return !quick || index_in_set < kQuickHead || index_in_set % kQuickStride == 0;
}

Expected<void> RawAnswers::turn_to(const QueryInput& input) {
    if (file_ && open_name_ == input.name) return {};
    if (Expected<void> finished = finish(); !finished) return finished;
    Expected<OutputFile> file = create_raw_file(folder_, input);
    if (!file) return file.error();
    file_.emplace(std::move(*file));
    open_name_ = input.name;
    return {};
}

Expected<void> RawAnswers::add(const QueryGroup& group, const Portion& portion,
                               const Asked& asked) {
    for (std::size_t i = 0; i < asked.places.size(); ++i) {
        const Portion::Place& place = portion.places[asked.places[i]];
        if (auto turned = turn_to(group.inputs[place.input]); !turned) return turned;
        if (auto kept = file_->write(raw_line(place.index, asked.answers[i])); !kept) return kept;
    }
    return {};
}

Expected<void> RawAnswers::finish() {
    if (!file_) return {};
    Expected<void> added = files_.add(std::move(*file_));
    file_.reset();
    return added;
}

BenchRun::BenchRun(const std::vector<Method>& methods, BenchOptions options)
    : options_(std::move(options)) {
    if (options_.stride > 0) options_.ask.budget_s = 0.0;
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

std::uint64_t BenchRun::methods_for(QueryKind kind) const {
    const auto methods = std::count_if(hashes_.begin(), hashes_.end(), [&](const MethodHash& m) {
        return supports(m.method, kind);
    });
    return static_cast<std::uint64_t>(methods);
}

std::uint64_t BenchRun::answers_a_query(QueryKind kind) const {
    return options_.ask.repeat * methods_for(kind);
}

std::uint64_t BenchRun::queries() const {
    std::uint64_t sum = 0;
    for (const BenchRow& row : rows_)
        sum += row.tally.counts().queries;
    return sum;
}

BenchRow& BenchRun::row_of(const Method& method, const QueryGroup& group) {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const BenchRow& row) {
        return row.method.name == method.name && row.group == group.name && row.kind == group.kind;
    });
    if (found != rows_.end()) return *found;
    return rows_.emplace_back(
        BenchRow{.method = method, .group = group.name, .kind = group.kind, .tally = {}});
}

void BenchRun::count(MethodHash& method, const QueryGroup& group, const Portion& portion,
                     const Asked& asked) {
    const TruthUse use{.stored_applies = options_.query.min_separation == 0.0};
    BenchRow& row = row_of(method.method, group);
    for (std::size_t i = 0; i < asked.answers.size(); ++i) {
        const QueryRecord& record = portion.records[asked.places[i]];
        row.tally.add(with_applicable_truth(record, use), asked.answers[i]);
        method.hash.add(asked.answers[i].result);
    }
    method.unsteady += asked.unsteady;
    method.is_sample = method.is_sample || asked.stride > 1 || !asked.complete;
    row.group_queries += portion.read;
    row.stride = portion.stride * asked.stride;
    row.complete = row.complete && asked.complete;
}

Asked BenchRun::answers_of_method(std::size_t method, const QueryGroup& group,
                                  const Portion& portion, const Workers& crew) const {
    const Method& plain = hashes_[method].method;
    const Method bounded = options_.bound.is_given() ? with_bounds(plain, bounds_) : plain;
    return ask({bounded, group.kind, options_.query, crew}, portion.records, options_.ask);
}

Expected<void> BenchRun::add_portion(const QueryGroup& group, const Portion& portion,
                                     std::vector<RawAnswers>& raw, Progress& progress) {
    const bool by_cell = options_.ask.budget_s > 0.0;
    const Workers crew = workers(options_.threads, by_cell ? nullptr : &progress);
    for (std::size_t m = 0; m < hashes_.size() && !stop_requested(); ++m) {
        if (!supports(hashes_[m].method, group.kind)) continue;
        const Asked asked = answers_of_method(m, group, portion, crew);
        if (!asked.answers.empty()) count(hashes_[m], group, portion, asked);
        if (by_cell) progress.advance(1);
        if (raw.empty()) continue;
        if (Expected<void> kept = raw[m].add(group, portion, asked); !kept) return kept;
    }
    return {};
}

Expected<void> BenchRun::set_bounds(const QueryGroup& group) {
    if (!options_.bound.is_given()) return {};
    if (options_.bound.length) {
        bounds_ = *options_.bound.declared();
        return {};
    }
    BoundsOfQueries all;
    for (const QueryInput& input : group.inputs) {
        if (Expected<void> added = add_bounds(input, all); !added) return added;
    }
    bounds_ = all.bounds(options_.bound.source);
    return {};
}

Expected<void> BenchRun::add_group(const QueryGroup& group, Progress& progress,
                                   OutputBatch& files) {
    if (Expected<void> set = set_bounds(group); !set) return set;
    PortionReader reader(group, portions_for(options_));
    std::vector<RawAnswers> raw;
    for (const MethodHash& method : hashes_) {
        if (!options_.raw.empty())
            raw.emplace_back((fs::path(options_.raw) / method.method.name).string(), files);
    }
    while (!stop_requested()) {
        const Expected<Portion> portion = reader.next();
        if (stop_requested()) break;
        if (!portion) return portion.error();
        if (portion->records.empty()) break;
        if (auto done = add_portion(group, *portion, raw, progress); !done) return done;
    }
    complete_ = complete_ && !stop_requested();
    for (RawAnswers& answers : raw) {
        if (Expected<void> finished = answers.finish(); !finished) return finished;
    }
    return {};
}

}  // namespace graze::app
