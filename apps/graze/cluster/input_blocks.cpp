#include "cluster/input_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/interrupt.hpp"
#include "cluster/block_run.hpp"
#include "cluster/record_payload.hpp"

namespace graze::app {
namespace {

Expected<InputSize> size_of_input(const QueryInput& input) {
    auto stream = input.open();
    if (!stream) return stream.error();
    InputSize size;
    io::Crc64 crc;
    while (true) {
        const auto record = (*stream)->next();
        if (!record) return record.error();
        if (stop_requested()) return stopped();
        if (!*record) break;
        PayloadWriter bytes;
        put_record(bytes, **record, input.kind);
        crc.add(bytes.take());
        ++size.queries;
    }
    size.content = crc.value();
    return size;
}

// How many of the first `count` of `total` queries an EvenSample of `wanted` picks: its sum begins at
// total - 1, grows by wanted each time, and gives one pick for each total in it.
std::uint64_t picked_of(std::uint64_t count, std::uint64_t wanted, std::uint64_t total) {
    return total == 0 ? 0 : (total - 1 + count * wanted) / total;
}

}  // namespace

Expected<std::vector<InputSize>> sizes_of(const std::vector<QueryInput>& inputs) {
    BlockJob job;
    job.count = inputs.size();
    job.name = [&inputs](std::size_t i) { return inputs[i].name; };
    job.run = [&inputs](std::size_t i) -> Expected<Payload> {
        const Expected<InputSize> size = size_of_input(inputs[i]);
        if (!size) return size.error();
        PayloadWriter bytes;
        bytes.natural(size->queries);
        bytes.natural(size->content);
        return bytes.take();
    };
    const auto gathered = gather_blocks(job);
    if (!gathered) return gathered.error();
    std::vector<InputSize> sizes;
    for (const Payload& payload : *gathered) {
        PayloadReader reader(payload);
        InputSize size;
        size.queries = reader.natural();
        size.content = reader.natural();
        sizes.push_back(size);
    }
    return sizes;
}

std::vector<InputRange> ranges_of(const std::vector<InputSize>& sizes, std::uint64_t most) {
    std::vector<InputRange> ranges;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        for (std::uint64_t first = 0; first < sizes[i].queries; first += most)
            ranges.push_back({i, first, std::min(most, sizes[i].queries - first)});
    return ranges;
}

std::string text_of(const QueryInput& input, const InputRange& range) {
    return fmt::format("{}, queries {} to {}", input.name, range.first,
                       range.first + range.count - 1);
}

std::string key_of(const QueryInput& input, const InputSize& size, const InputRange& range) {
    return fmt::format("{}, of {} with content {:016x}", text_of(input, range), size.queries,
                       size.content);
}

Expected<io::QueryRecord> RangeReader::next(const InputRange& range) {
    auto record = stream_->next();
    if (!record) return record.error();
    if (!*record)
        return Error{inputs_[range.input].name + ": has changed since it was counted",
                     ErrorCode::WrongSize};
    ++position_;
    return **record;
}

Expected<std::vector<io::QueryRecord>> RangeReader::read(const InputRange& range) {
    if (!stream_ || input_ != range.input || position_ > range.first) {
        auto opened = inputs_[range.input].open();
        if (!opened) return opened.error();
        stream_ = *std::move(opened);
        input_ = range.input;
        position_ = 0;
    }
    std::vector<io::QueryRecord> records;
    while (records.size() < range.count) {
        if (stop_requested()) return stopped();
        const bool is_before = position_ < range.first;
        auto record = next(range);
        if (!record) {
            stream_.reset();
            return record.error();
        }
        if (!is_before) records.push_back(*record);
    }
    return records;
}

ListBlocks ListBlocks::generated(std::vector<generate::Family> families,
                                 std::vector<QueryKind> kinds, const ListRange& range) {
    ListBlocks list;
    list.families_ = std::move(families);
    list.kinds_ = std::move(kinds);
    // Of a long list larger ones, so that rank 0 does not drown in results: 2^16 of them at most.
    const std::uint64_t size = kListBlock * (1 + *range.count / (kListBlock << 16));
    for (std::uint64_t done = 0; done < *range.count; done += size) {
        const std::uint64_t count = std::min(size, *range.count - done);
        list.blocks_.push_back({{}, range.first + done, count, 0});
    }
    return list;
}

Expected<ListBlocks> ListBlocks::stored(const std::vector<QueryInput>& inputs,
                                        std::optional<std::uint64_t> sample,
                                        const ListRange& range) {
    auto sizes = sizes_of(inputs);
    if (!sizes) return sizes.error();
    ListBlocks list;
    list.inputs_ = &inputs;
    list.sizes_ = *std::move(sizes);
    list.sample_ = sample;
    list.reader_ = std::make_unique<RangeReader>(inputs);
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        list.add_input(i, number, range);
        number += list.wanted(i);
    }
    return list;
}

std::uint64_t ListBlocks::wanted(std::size_t input) const {
    const std::uint64_t total = sizes_[input].queries;
    return std::min(sample_.value_or(total), total);
}

void ListBlocks::add_input(std::size_t input, std::uint64_t first_number, const ListRange& range) {
    const std::uint64_t total = sizes_[input].queries;
    const std::uint64_t picked = wanted(input);
    if (picked == 0) return;
    // So many queries hold about kListBlock of the sample.
    const std::uint64_t step = std::max<std::uint64_t>(kListBlock, kListBlock * (total / picked));
    const std::uint64_t begin = range.first;
    const std::uint64_t end = range.count ? begin + *range.count : ~std::uint64_t{0};
    for (std::uint64_t first = 0; first < total; first += step) {
        const std::uint64_t count = std::min(step, total - first);
        const std::uint64_t from = first_number + picked_of(first, picked, total);
        const std::uint64_t to = first_number + picked_of(first + count, picked, total);
        const std::uint64_t kept_from = std::max(from, begin);
        const std::uint64_t kept_to = std::min(to, end);
        if (kept_from >= kept_to) continue;
        blocks_.push_back(
            {{input, first, count}, kept_from, kept_to - kept_from, kept_from - from});
    }
}

std::string ListBlocks::name(std::size_t block) const {
    const ListBlock& b = blocks_[block];
    if (inputs_ != nullptr) return text_of((*inputs_)[b.range.input], b.range);
    return fmt::format("queries {} to {}", b.number, b.number + b.count - 1);
}

std::string ListBlocks::key(std::size_t block) const {
    const ListBlock& b = blocks_[block];
    if (inputs_ == nullptr) return name(block);
    return fmt::format("{}, numbers {} to {}",
                       key_of((*inputs_)[b.range.input], sizes_[b.range.input], b.range), b.number,
                       b.number + b.count - 1);
}

Expected<std::vector<ListedQuery>> ListBlocks::read(std::size_t block) {
    const ListBlock& b = blocks_[block];
    std::vector<ListedQuery> queries;
    if (inputs_ == nullptr) {
        for (std::uint64_t i = 0; i < b.count; ++i)
            queries.push_back(listed(b.number + i, families_, kinds_));
        return queries;
    }
    const QueryInput& input = (*inputs_)[b.range.input];
    const auto records = reader_->read(b.range);
    if (!records) return records.error();
    EvenSample sample(wanted(b.range.input), sizes_[b.range.input].queries);
    for (std::uint64_t i = 0; i < b.range.first; ++i)
        static_cast<void>(sample.picks_next());
    std::uint64_t seen = 0;
    for (std::uint64_t i = 0; i < b.range.count; ++i) {
        if (!sample.picks_next()) continue;
        if (seen++ < b.skipped || queries.size() == b.count) continue;
        queries.push_back(listed(input, (*records)[i], b.range.first + i));
    }
    return queries;
}

}  // namespace graze::app
