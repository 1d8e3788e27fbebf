#include "query_list.hpp"

#include <fmt/format.h>

#include <utility>

#include "interrupt.hpp"

namespace graze::app {
namespace {

class GeneratedList final : public QueryList {
public:
    GeneratedList(std::vector<generate::Family> families, std::vector<QueryKind> kinds,
                  const ListRange& range)
        : families_(std::move(families)),
          kinds_(std::move(kinds)),
          number_(range.first),
          left_(*range.count) {}

    Expected<std::vector<ListedQuery>> next(std::size_t most) override {
        std::vector<ListedQuery> block;
        for (; left_ > 0 && block.size() < most; --left_)
            block.push_back(listed(number_++, families_, kinds_));
        return block;
    }

private:
    std::vector<generate::Family> families_;
    std::vector<QueryKind> kinds_;
    std::uint64_t number_;
    std::uint64_t left_;
};

Expected<std::uint64_t> count_queries(const QueryInput& input) {
    auto stream = input.open();
    if (!stream) return stream.error();
    for (std::uint64_t count = 0;; ++count) {
        const auto record = (*stream)->next();
        if (!record) return record.error();
        if (!*record) return count;
        if (stop_requested()) return stopped();
    }
}

class StoredList final : public QueryList {
public:
    StoredList(std::vector<QueryInput> inputs, std::optional<std::uint64_t> sample,
               const ListRange& range)
        : inputs_(std::move(inputs)), sample_(sample), to_skip_(range.first), left_(range.count) {}

    Expected<std::vector<ListedQuery>> next(std::size_t most) override {
        std::vector<ListedQuery> block;
        while (block.size() < most && left_ != 0U && !stop_requested()) {
            auto query = next_of_sets();
            if (!query) return query.error();
            if (!*query) break;
            if (to_skip_ > 0) {
                --to_skip_;
                continue;
            }
            if (left_) --*left_;
            block.push_back(std::move(**query));
        }
        return block;
    }

private:
    Expected<void> open_next() {
        const QueryInput& input = inputs_[set_];
        picker_.reset();
        if (sample_) {
            const Expected<std::uint64_t> total = count_queries(input);
            if (!total) return total.error();
            picker_.emplace(*sample_, *total);
        }
        auto stream = input.open();
        if (!stream) return stream.error();
        stream_ = std::move(*stream);
        index_ = 0;
        return {};
    }

    // The next query that is picked, of this set or of those after it; nothing at the end of all.
    Expected<std::optional<ListedQuery>> next_of_sets() {
        while (set_ < inputs_.size() && !stop_requested()) {
            if (!stream_) {
                if (const Expected<void> opened = open_next(); !opened) return opened.error();
            }
            const auto record = stream_->next();
            if (!record) return record.error();
            if (!*record) {
                stream_.reset();
                ++set_;
                continue;
            }
            const std::uint64_t index = index_++;
            if (picker_ && !picker_->picks_next()) continue;
            return std::optional(listed(inputs_[set_], **record, index));
        }
        return std::optional<ListedQuery>();
    }

    std::vector<QueryInput> inputs_;
    std::optional<std::uint64_t> sample_;
    std::uint64_t to_skip_;
    std::optional<std::uint64_t> left_;
    std::size_t set_ = 0;
    // Of the set that is being read.
    std::unique_ptr<io::QueryStream> stream_;
    std::optional<EvenSample> picker_;
    std::uint64_t index_ = 0;
};

}  // namespace

ListedQuery listed(const QueryInput& input, const io::QueryRecord& record, std::uint64_t index) {
    return {input.kind, record, fmt::format("{}, query {}", input.name, index)};
}

ListedQuery listed(std::uint64_t number, std::span<const generate::Family> families,
                   std::span<const QueryKind> kinds) {
    const generate::NumberedQuery n = generate::numbered_query(number, families, kinds);
    return {n.kind, generate::query(n.family, n.kind, n.seed),
            fmt::format("{} {}, seed {}", generate::name(n.family), short_name(n.kind), n.seed)};
}

std::unique_ptr<QueryList> generated_list(std::vector<generate::Family> families,
                                          std::vector<QueryKind> kinds, const ListRange& range) {
    return std::make_unique<GeneratedList>(std::move(families), std::move(kinds), range);
}

std::unique_ptr<QueryList> stored_list(std::vector<QueryInput> inputs,
                                       std::optional<std::uint64_t> sample,
                                       const ListRange& range) {
    return std::make_unique<StoredList>(std::move(inputs), sample, range);
}

}  // namespace graze::app
