#include "query_input.hpp"

#include <zlib.h>

#include <algorithm>

#include "interrupt.hpp"

namespace graze::app {
namespace {

using io::QueryRecord;

// About how often a byte occurs in a file (gzip or plain), judged by its head. Nothing if the file
// cannot be read, is no text, or is not regular: what is taken from a pipe is gone.
std::optional<ProgressTotal> estimate_byte(const std::filesystem::path& path, char wanted) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), &gzclose);
    if (error || file == nullptr) return std::nullopt;
    std::vector<char> head(1 << 17);
    const int length = gzread(file.get(), head.data(), static_cast<unsigned>(head.size()));
    const auto end = head.begin() + std::max(length, 0);
    if (length < 0 || std::find(head.begin(), end, '\0') != end) return std::nullopt;
    const auto count = static_cast<std::uint64_t>(std::count(head.begin(), end, wanted));
    if (end != head.end()) return ProgressTotal{count, false};
    const z_off_t used = gzoffset(file.get());
    if (used <= 0) return std::nullopt;
    const double share = static_cast<double>(size) / static_cast<double>(used);
    return ProgressTotal{static_cast<std::uint64_t>(static_cast<double>(count) * share), true};
}

// A CSV has two lines a corner, a list of box pairs one more bracket than pairs.
std::optional<ProgressTotal> estimate_queries(const io::QuerySource& source) {
    if (!source.queries.empty()) {
        auto lines = estimate_byte(source.queries, '\n');
        if (lines) lines->count /= 2 * vertex_count(source.kind);
        return lines;
    }
    auto brackets = source.boxes ? estimate_byte(*source.boxes, '[') : std::nullopt;
    if (!brackets || brackets->count == 0) return std::nullopt;
    --brackets->count;
    return brackets;
}

}  // namespace

QueryInput input_from(const io::QuerySource& source) {
    const std::filesystem::path& named =
        source.queries.empty() && source.boxes ? *source.boxes : source.queries;
    return {.name = named.string(),
            .group = "",
            .kind = source.kind,
            .open = [source] { return io::open_queries(source); },
            .estimate = [source] { return estimate_queries(source); }};
}

QueryInput input_from(const io::QuerySet& set) {
    QueryInput input = input_from(set.source);
    input.name =
        set.group + "/" + set.scene + "/" + std::filesystem::path(input.name).filename().string();
    input.group = set.group;
    return input;
}

QueryInput input_from(const io::EmbeddedSet& set) {
    return {.name = "embedded " + std::string(set.group) + "/" + std::string(short_name(set.kind)),
            .group = std::string(set.group),
            .kind = set.kind,
            .open = [set] { return io::open_embedded(set); },
            .estimate = [] { return std::optional<ProgressTotal>(); }};
}

Expected<std::vector<QueryInput>> inputs_in_folder(const std::string& folder,
                                                   std::optional<QueryKind> kind) {
    const auto sets = io::find_query_sets(folder);
    if (!sets) return sets.error();
    std::vector<QueryInput> inputs;
    for (const io::QuerySet& set : *sets) {
        if (!kind || set.source.kind == *kind) inputs.push_back(input_from(set));
    }
    if (inputs.empty()) {
        return Error{folder + ": no " + std::string(long_name(*kind)) +
                     " query set in this folder"};
    }
    return inputs;
}

std::optional<ProgressTotal> total_for_progress(
    const std::vector<QueryInput>& inputs,
    const std::function<std::uint64_t(const QueryInput&)>& weight) {
    if (!Progress::possible()) return std::nullopt;
    ProgressTotal total;
    for (const QueryInput& input : inputs) {
        const std::optional<ProgressTotal> estimate = input.estimate();
        if (!estimate) return std::nullopt;
        total.count += weight(input) * estimate->count;
        total.is_estimate = total.is_estimate || estimate->is_estimate;
    }
    return total;
}

std::optional<ProgressTotal> total_for_progress(const std::vector<QueryInput>& inputs) {
    return total_for_progress(inputs, [](const QueryInput&) { return std::uint64_t{1}; });
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

Expected<void> add_bounds(const QueryInput& input, BoundsOfQueries& bounds) {
    Expected<BlockReader> reader = BlockReader::open(input);
    if (!reader) return reader.error();
    while (true) {
        const auto block = reader->next();
        if (!block) return block.error();
        if (block->empty()) return {};
        if (stop_requested()) return stopped();
        for (const io::QueryRecord& record : *block) {
            visit(input.kind, [&]<class Motion>(std::type_identity<Motion>) {
                const Motion motion = io::motion_of<Motion>(record);
                if (is_finite_motion(motion)) bounds.add(motion);
            });
        }
    }
}

}  // namespace graze::app
