#include "graze/io/query_file.hpp"

#include <string>
#include <utility>

#include "graze/io/binary_form.hpp"
#include "graze/io/byte_reader.hpp"
#include "io/binary_stream.hpp"
#include "io/checked_stream.hpp"
#include "io/csv_stream.hpp"
#include "io/frame_stream.hpp"
#include "io/json_lists.hpp"
#include "io/query_streams.hpp"

namespace graze::io {
namespace {

// Queries and their truths in step; neither may end before the other.
class JoinedStream final : public CheckedStream {
public:
    JoinedStream(std::unique_ptr<QueryStream> queries, TruthReader truths, TruthConflict conflict)
        : CheckedStream(queries->kind()),
          queries_(std::move(queries)),
          truths_(std::move(truths)),
          conflict_(conflict) {}

private:
    Expected<std::optional<QueryRecord>> advance() override {
        Expected<std::optional<QueryRecord>> record = queries_->next();
        if (!record) return record.error();
        const Expected<std::optional<bool>> truth = truths_.next();
        if (!truth) return truth.error();
        if (!*record && *truth)
            return truths_.element_error("there is no such query", ErrorCode::WrongSize);
        if (!*record) return record;
        if (!*truth)
            return truths_.next_element_error("missing, there are more queries",
                                              ErrorCode::WrongSize);
        const bool is_conflict = (*record)->truth.value_or(**truth) != **truth;
        if (is_conflict && conflict_ == TruthConflict::IsError) {
            return truths_.element_error("contradicts the truth in the query file",
                                         ErrorCode::InvalidInput);
        }
        return std::optional(with_truth(**record, **truth));
    }

    static QueryRecord with_truth(QueryRecord record, bool truth) {
        record.truth = truth;
        const auto& time = record.first_time;
        if (time && binary_form::says_contact(*time) != truth) record.first_time.reset();
        return record;
    }

    std::unique_ptr<QueryStream> queries_;
    TruthReader truths_;
    TruthConflict conflict_;
};

Expected<std::unique_ptr<QueryStream>> open_unjoined(const QuerySource& source) {
    if (source.queries.empty()) return frame_stream(source);
    auto reader = ByteReader::open(source.queries);
    if (!reader) return reader.error();
    return query_stream(std::move(*reader), source.kind);
}

}  // namespace

Expected<std::unique_ptr<QueryStream>> query_stream(ByteReader reader, QueryKind kind) {
    if (is_binary_form(reader)) return binary_stream(std::move(reader), kind);
    return csv_stream(std::move(reader), kind);
}

std::unique_ptr<QueryStream> join_truth(std::unique_ptr<QueryStream> queries, ByteReader truths,
                                        TruthConflict conflict) {
    return std::make_unique<JoinedStream>(std::move(queries), TruthReader(std::move(truths)),
                                          conflict);
}

Expected<std::unique_ptr<QueryStream>> open_queries(const QuerySource& source) {
    auto queries = open_unjoined(source);
    if (!queries || !source.truth) return queries;
    auto truths = ByteReader::open(*source.truth);
    if (!truths) return truths.error();
    return join_truth(std::move(*queries), std::move(*truths), source.truth_conflict);
}

Expected<std::vector<QueryRecord>> read_all(const QuerySource& source) {
    const auto stream = open_queries(source);
    if (!stream) return stream.error();
    std::vector<QueryRecord> records;
    while (true) {
        const auto record = (*stream)->next();
        if (!record) return record.error();
        if (!*record) return records;
        records.push_back(**record);
    }
}

}  // namespace graze::io
