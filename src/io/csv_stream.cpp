#include "io/csv_stream.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "io/checked_stream.hpp"
#include "io/rational.hpp"

namespace graze::io {
namespace {

constexpr std::size_t kCoordinateColumns = 6;
constexpr std::size_t kTruthColumn = kCoordinateColumns + 1;  // counted from 1
// Six integers with sign and comma, and the truth.
constexpr std::size_t kMaxLineLength = kCoordinateColumns * (kMaxDigits + 2) + 1;
static_assert(kMaxLineLength + 2 <= ByteReader::kBufferSize);

struct CsvRow {
    Vec3 point;
    std::optional<bool> truth;
};

// The comma-separated fields of a line: the first seven, and how many there are in all.
struct Fields {
    std::array<std::string_view, kTruthColumn> text;
    std::size_t count = 0;
};

Fields split(std::string_view line) {
    Fields fields;
    while (true) {
        const std::size_t comma = line.find(',');
        if (fields.count < fields.text.size()) fields.text[fields.count] = line.substr(0, comma);
        ++fields.count;
        if (comma == std::string_view::npos) return fields;
        line.remove_prefix(comma + 1);
    }
}

class CsvStream final : public CheckedStream {
public:
    CsvStream(ByteReader reader, QueryKind kind)
        : CheckedStream(kind), reader_(std::move(reader)) {}

private:
    Expected<std::optional<QueryRecord>> advance() override {
        const std::size_t corner_total = vertex_count(kind());
        QueryRecord record;
        for (std::size_t i = 0; i < 2 * corner_total; ++i) {
            const Expected<std::optional<CsvRow>> row = next_row();
            if (!row) return row.error();
            if (!*row) return i == 0 ? checked_end() : truncated();
            if (i == 0) record.truth = (*row)->truth;
            if (record.truth != (*row)->truth) {
                return error_at(kTruthColumn, "truth differs from the query's first row");
            }
            MovingPoint& corner = record.corners[i % corner_total];
            (i < corner_total ? corner.start : corner.end) = (*row)->point;
        }
        ++queries_;
        return std::optional(record);
    }

    Expected<std::optional<QueryRecord>> checked_end() const {
        if (queries_ == 0) return reader_.error("holds no query");
        return std::optional<QueryRecord>();
    }

    Expected<std::optional<QueryRecord>> truncated() const {
        return row_error("file ends within query " + std::to_string(queries_) + " (" +
                         std::to_string(2 * vertex_count(kind())) + " rows make one)");
    }

    Expected<std::optional<CsvRow>> next_row() {
        const auto line = reader_.line(kMaxLineLength);
        if (line && !*line) return std::optional<CsvRow>();
        ++row_;
        if (!line) return row_error(line.error().message);
        if ((*line)->empty()) {
            if (const auto rest = only_blank_lines(); !rest) return rest.error();
            return std::optional<CsvRow>();
        }
        // The first row decides between 6 and 7 columns; all others must agree.
        const Fields fields = split(**line);
        if (columns_ == 0) columns_ = fields.count;
        if (fields.count != columns_) {
            return row_error(std::to_string(fields.count) + " columns where the first row has " +
                             std::to_string(columns_));
        }
        if (columns_ != kCoordinateColumns && columns_ != kTruthColumn) {
            return row_error(std::to_string(columns_) + " columns, expected 6 or 7");
        }
        return parse_row(fields);
    }

    // A blank line may stand at the end of the file, and only there.
    Expected<void> only_blank_lines() {
        const std::uint64_t first_blank = row_;
        while (true) {
            const auto line = reader_.line(kMaxLineLength);
            if (!line) return row_error(line.error().message);
            if (!*line) break;
            if (!(*line)->empty()) {
                row_ = first_blank;
                return row_error("blank line between rows");
            }
        }
        row_ = first_blank - 1;
        return {};
    }

    Expected<std::optional<CsvRow>> parse_row(const Fields& fields) const {
        CsvRow row;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Expected<double> value = parse_coordinate(fields, 2 * axis + 1);
            if (!value) return value.error();
            row.point[axis] = *value;
        }
        if (columns_ == kTruthColumn) {
            const std::string_view truth = fields.text[kTruthColumn - 1];
            if (truth != "0" && truth != "1") {
                return error_at(kTruthColumn, "truth is neither 0 nor 1");
            }
            row.truth = truth == "1";
        }
        return std::optional(row);
    }

    // The fraction in `column` and the next one.
    Expected<double> parse_coordinate(const Fields& fields, std::size_t column) const {
        const auto numerator = parse_integer(fields.text[column - 1]);
        if (!numerator) return error_at(column, numerator.error().message);
        const auto denominator = parse_integer(fields.text[column]);
        if (!denominator) return error_at(column + 1, denominator.error().message);
        if (denominator->is_zero()) return error_at(column + 1, "denominator is zero");
        // A file that states another number than a double is refused: rounding it would change the
        // query, and with it the ground truth.
        const std::optional<double> value = exact_quotient(*numerator, *denominator);
        if (!value) return error_at(column, "fraction is not exactly a double");
        return *value;
    }

    [[nodiscard]] Error row_error(std::string_view message) const {
        return reader_.error("row", row_, Error{std::string(message), ErrorCode::Malformed});
    }

    [[nodiscard]] Error error_at(std::size_t column, std::string_view message) const {
        return reader_.error("row " + std::to_string(row_) + ", column " + std::to_string(column) +
                                 ": " + std::string(message),
                             ErrorCode::Malformed, row_);
    }

    ByteReader reader_;
    std::uint64_t row_ = 0;  // rows begun
    std::uint64_t queries_ = 0;
    std::size_t columns_ = 0;  // of the first row; 0 before it
};

}  // namespace

std::unique_ptr<QueryStream> csv_stream(ByteReader reader, QueryKind kind) {
    return std::make_unique<CsvStream>(std::move(reader), kind);
}

}  // namespace graze::io
