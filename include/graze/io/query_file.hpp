// Query files: streams of queries with, where known, their exact truth.
//
// Formats (docs/FORMATS.md): the rational CSV of the CCD benchmark (plain or gzip), optionally with
// a JSON array of truths beside it; our own binary form; pairs of two mesh frames.
// Reading is streamed: memory does not grow with the length of the file.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::io {

// Proved bracket of the exact first time of contact: neighbouring doubles, or equal where the time
// is itself a double; in [0, 1]. Separated: both infinite. The readers and writers refuse others.
struct TimeBracket {
    double lower = 0.0;
    double upper = 0.0;
    friend constexpr bool operator==(const TimeBracket&, const TimeBracket&) noexcept = default;
};

// One query as stored: the first vertex_count(kind) vertices count, the others stay zero.
struct QueryRecord {
    std::array<MovingPoint, 4> corners{};
    std::optional<bool> truth;  // does it touch in [0, 1], if the file states it
    // Only the binary form carries times. What is read has a truth wherever it has times, and the
    // two agree.
    std::optional<TimeBracket> first_time;
    friend bool operator==(const QueryRecord&, const QueryRecord&) noexcept = default;
};

template <class Motion>
[[nodiscard]] Motion motion_of(const QueryRecord& record) noexcept {
    std::array<MovingPoint, Motion::kVertices> c;
    for (std::size_t i = 0; i < Motion::kVertices; ++i)
        c[i] = record.corners[i];
    return motion_from_vertices<Motion>(c);
}

template <class Motion>
[[nodiscard]] QueryRecord record_of(const Motion& motion) noexcept {
    QueryRecord record;
    std::size_t i = 0;
    for (const MovingPoint& corner : vertices(motion))
        record.corners[i++] = corner;
    return record;
}

// A stream of queries of one kind. next() gives a record, nullopt at the (checked) end, or an error
// that names file and location; after an error every further call gives the same error.
// Checksums (gzip, the binary form) are known at the end: who must not act on damaged data waits
// for nullopt.
class QueryStream {
public:
    virtual ~QueryStream() = default;
    [[nodiscard]] virtual QueryKind kind() const noexcept = 0;
    [[nodiscard]] virtual Expected<std::optional<QueryRecord>> next() = 0;
};

// What it means that a truth list says otherwise than the query file does.
enum class TruthConflict : std::uint8_t {
    ListWins,  // the list answers the question asked, the file perhaps another one
    IsError,   // both answer the same question, so one of them is damaged
};

// Where one set of queries comes from.
struct QuerySource {
    QueryKind kind = QueryKind::VertexFace;
    std::filesystem::path queries;  // CSV, CSV.gz or binary; empty: rebuilt from frames
    std::optional<std::filesystem::path> truth;  // JSON array of booleans, one per query
    std::vector<std::filesystem::path> frames;   // mesh at the start and at the end of the step
    std::optional<std::filesystem::path> boxes;  // JSON array of pairs of box numbers
    TruthConflict truth_conflict = TruthConflict::ListWins;
};

// Opens a source; the format is detected by its content, not by its name.
// Errors: unreadable file; binary file of another kind; a truth or pair list that ends before or
// after the queries do is reported at the first element without partner, when next() gets there.
// A truth list that is named wins over the truth in the query file, unless truth_conflict says that
// they must agree: a file states whether the primitives touch, and a list may have been made for a
// minimum separation. Where it wins, a time bracket that contradicts it is dropped.
[[nodiscard]] Expected<std::unique_ptr<QueryStream>> open_queries(const QuerySource& source);

// Reads a whole source; for sets that are known to fit in memory.
[[nodiscard]] Expected<std::vector<QueryRecord>> read_all(const QuerySource& source);

enum class QueryFormat : std::uint8_t { Csv, Binary };

// Writes a query file record by record. The file appears under its name only when finish() has
// succeeded: before that, and after any failure, there is no (partial) output.
class QueryWriter {
public:
    virtual ~QueryWriter() = default;
    [[nodiscard]] virtual Expected<void> add(const QueryRecord& record) = 0;
    [[nodiscard]] virtual Expected<void> finish() = 0;
};

// Csv: a truth column iff the first record has a truth (then all must); the sign of zero is lost.
// Binary: truth and times are kept per record. A name that ends in ".gz" is compressed.
// Both: a record that has times and no truth gets the truth that follows from them; times that are
// no TimeBracket or contradict the truth are refused; coordinates must be finite; finish() wants at
// least one record, as the readers do.
[[nodiscard]] Expected<std::unique_ptr<QueryWriter>> create_query_file(
    const std::filesystem::path& path, QueryKind kind, QueryFormat format);

}  // namespace graze::io
