#include "query_input.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "progress.hpp"

namespace graze::tools {
namespace {

using dataset::QueryRecord;

// How often a byte occurs in a file (gzip or plain); nothing if it cannot be read or is no text.
std::optional<std::uint64_t> count_byte(const std::filesystem::path& path, char wanted) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), &gzclose);
    if (file == nullptr) return std::nullopt;
    std::array<char, 1 << 16> buffer;
    std::uint64_t count = 0;
    while (true) {
        const int size = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        if (size < 0) return std::nullopt;
        if (size == 0) return count;
        const auto end = buffer.begin() + size;
        if (std::find(buffer.begin(), end, '\0') != end) return std::nullopt;
        count += static_cast<std::uint64_t>(std::count(buffer.begin(), end, wanted));
    }
}

// A CSV has two lines a corner, a list of box pairs one more bracket than pairs.
std::optional<std::uint64_t> count_queries(const dataset::QuerySource& source) {
    if (!source.queries.empty()) {
        const auto lines = count_byte(source.queries, '\n');
        return lines ? std::optional(*lines / (2 * corner_count(source.kind))) : std::nullopt;
    }
    const auto brackets = source.boxes ? count_byte(*source.boxes, '[') : std::nullopt;
    return brackets && *brackets > 0 ? std::optional(*brackets - 1) : std::nullopt;
}

}  // namespace

QueryInput input_from(const dataset::QuerySource& source) {
    const std::filesystem::path& named =
        source.queries.empty() && source.boxes ? *source.boxes : source.queries;
    return {.name = named.string(),
            .group = "",
            .kind = source.kind,
            .open = [source] { return dataset::open_queries(source); },
            .count = [source] { return count_queries(source); }};
}

QueryInput input_from(const dataset::QuerySet& set) {
    QueryInput input = input_from(set.source);
    input.name =
        set.group + "/" + set.scene + "/" + std::filesystem::path(input.name).filename().string();
    input.group = set.group;
    return input;
}

QueryInput input_from(const dataset::EmbeddedSet& set) {
    return {.name = "embedded " + std::string(set.group) + "/" + std::string(short_name(set.kind)),
            .group = std::string(set.group),
            .kind = set.kind,
            .open = [set] { return dataset::open_embedded(set); },
            .count = [] { return std::optional<std::uint64_t>(); }};
}

Expected<std::vector<QueryInput>> inputs_in_folder(const std::string& folder,
                                                   std::optional<QueryKind> kind) {
    const auto sets = dataset::find_query_sets(folder);
    if (!sets) return sets.error();
    std::vector<QueryInput> inputs;
    for (const dataset::QuerySet& set : *sets) {
        if (!kind || set.source.kind == *kind) inputs.push_back(input_from(set));
    }
    if (inputs.empty()) {
        return Error{folder + ": no " + std::string(long_name(*kind)) +
                     " query set in this folder"};
    }
    return inputs;
}

std::optional<std::uint64_t> total_for_progress(const std::vector<QueryInput>& inputs) {
    if (!Progress::possible()) return std::nullopt;
    std::uint64_t total = 0;
    for (const QueryInput& input : inputs) {
        const std::optional<std::uint64_t> count = input.count();
        if (!count) return std::nullopt;
        total += *count;
    }
    return total;
}

Expected<BlockReader> BlockReader::open(const QueryInput& input) {
    auto stream = input.open();
    if (!stream) return stream.error();
    return BlockReader(std::move(*stream));
}

Expected<std::vector<QueryRecord>> BlockReader::next() {
    std::vector<QueryRecord> block;
    while (block.size() < kBlockSize) {
        Expected<std::optional<QueryRecord>> record = stream_->next();
        if (!record) return record.error();
        if (!*record) break;
        block.push_back(**record);
    }
    return block;
}

QueryRecord with_applicable_truth(QueryRecord record, TruthUse use) noexcept {
    if (!use.stored_applies) record.first_time.reset();
    if (!use.stored_applies && !use.named_by_user) record.truth.reset();
    return record;
}

}  // namespace graze::tools
