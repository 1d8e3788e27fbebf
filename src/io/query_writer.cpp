// create_query_file() of graze/io/query_file.hpp: both formats over one atomic file.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graze/io/atomic_file.hpp"
#include "graze/io/binary_form.hpp"
#include "graze/io/crc64.hpp"
#include "graze/io/query_file.hpp"
#include "io/rational.hpp"

namespace graze::io {
namespace {

// Common to the formats: the first failure is final and leaves no file behind.
class AtomicWriter : public QueryWriter {
public:
    AtomicWriter(std::unique_ptr<AtomicFile> file, std::string name, QueryKind kind)
        : file_(std::move(file)), name_(std::move(name)), kind_(kind) {}

    Expected<void> add(const QueryRecord& record) final {
        if (failure_) return *failure_;
        if (const auto wrong = binary_form::defect(record, kind_)) {
            return failed(record_error(wrong->message, wrong->code));
        }
        QueryRecord stated = record;
        stated.truth = binary_form::stated_truth(record);
        const auto bytes = encode(stated);
        if (!bytes) return failed(bytes.error());
        if (const auto written = file_->write(*bytes); !written) return failed(written.error());
        ++records_;
        return {};
    }

    Expected<void> finish() final {
        if (failure_) return *failure_;
        if (records_ == 0)
            return failed(Error{name_ + ": there is no query to write", ErrorCode::WrongSize});
        if (const auto written = file_->write(tail()); !written) return failed(written.error());
        if (const auto done = file_->commit(); !done) return failed(done.error());
        // From here on add() and finish() are errors.
        fail(Error{name_ + ": is finished already", ErrorCode::InvalidInput});
        return {};
    }

protected:
    [[nodiscard]] QueryKind kind() const noexcept { return kind_; }
    [[nodiscard]] std::uint64_t records() const noexcept { return records_; }
    [[nodiscard]] Error record_error(const std::string& message,
                                     ErrorCode code = ErrorCode::InvalidInput) const {
        return Error{name_ + ": query " + std::to_string(records_) + ": " + message, code,
                     records_};
    }

private:
    [[nodiscard]] virtual Expected<std::vector<unsigned char>> encode(const QueryRecord&) = 0;
    [[nodiscard]] virtual std::vector<unsigned char> tail() = 0;

    void fail(const Error& error) {
        failure_ = error;
        file_.reset();
    }
    [[nodiscard]] Error failed(Error error) {
        fail(error);
        return error;
    }

    std::unique_ptr<AtomicFile> file_;
    std::string name_;
    QueryKind kind_;
    std::uint64_t records_ = 0;
    std::optional<Error> failure_;
};

// The corners in file order: all at the start of the step, then all at its end.
std::vector<Vec3> points_of(const QueryRecord& record, QueryKind kind) {
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < vertex_count(kind); ++i)
        points.push_back(record.corners[i].start);
    for (std::size_t i = 0; i < vertex_count(kind); ++i)
        points.push_back(record.corners[i].end);
    return points;
}

std::string csv_row(const Vec3& point) {
    std::string row;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Fraction fraction = exact_fraction(point[axis]);
        row += (axis == 0 ? "" : ",") + fraction.numerator + "," + fraction.denominator;
    }
    return row;
}

class CsvWriter final : public AtomicWriter {
public:
    using AtomicWriter::AtomicWriter;

private:
    Expected<std::vector<unsigned char>> encode(const QueryRecord& record) override {
        if (records() == 0) has_truth_ = record.truth.has_value();
        if (record.truth.has_value() != has_truth_) {
            return record_error(has_truth_ ? "has no truth, the first query has"
                                           : "has a truth, the first query has none");
        }
        const std::string line_end = !has_truth_ ? "\n" : *record.truth ? ",1\n" : ",0\n";
        std::vector<unsigned char> bytes;
        for (const Vec3& point : points_of(record, kind())) {
            const std::string row = csv_row(point) + line_end;
            bytes.insert(bytes.end(), row.begin(), row.end());
        }
        return bytes;
    }
    std::vector<unsigned char> tail() override { return {}; }

    bool has_truth_ = false;
};

class BinaryWriter final : public AtomicWriter {
public:
    using AtomicWriter::AtomicWriter;

private:
    Expected<std::vector<unsigned char>> encode(const QueryRecord& record) override {
        std::vector<unsigned char> bytes;
        if (records() == 0) bytes = header();
        const unsigned truth = !record.truth   ? 0u
                               : *record.truth ? binary_form::kContactTag
                                               : binary_form::kSeparatedTag;
        const unsigned times = record.first_time ? binary_form::kTimesTag : 0u;
        bytes.push_back(static_cast<unsigned char>(truth | times));
        for (const Vec3& point : points_of(record, kind())) {
            for (std::size_t axis = 0; axis < 3; ++axis)
                binary_form::append(bytes, point[axis]);
        }
        if (record.first_time) {
            binary_form::append(bytes, record.first_time->lower);
            binary_form::append(bytes, record.first_time->upper);
        }
        crc_.add(bytes);
        return bytes;
    }

    [[nodiscard]] std::vector<unsigned char> header() const {
        std::vector<unsigned char> bytes(binary_form::kMagic.begin(), binary_form::kMagic.end());
        binary_form::append(bytes, binary_form::kVersion);
        binary_form::append(bytes, static_cast<std::uint32_t>(kind()));
        return bytes;
    }

    std::vector<unsigned char> tail() override {
        std::vector<unsigned char> bytes = {binary_form::kEndTag};
        binary_form::append(bytes, records());
        crc_.add(bytes);
        binary_form::append(bytes, crc_.value());
        return bytes;
    }

    Crc64 crc_;
};

}  // namespace

Expected<std::unique_ptr<QueryWriter>> create_query_file(const std::filesystem::path& path,
                                                         QueryKind kind, QueryFormat format) {
    const Packing packing = path.extension() == ".gz" ? Packing::Gzip : Packing::Plain;
    auto file = AtomicFile::create(path, packing);
    if (!file) return file.error();
    std::unique_ptr<QueryWriter> writer;
    if (format == QueryFormat::Csv) {
        writer = std::make_unique<CsvWriter>(std::move(*file), path.string(), kind);
    } else {
        writer = std::make_unique<BinaryWriter>(std::move(*file), path.string(), kind);
    }
    return writer;
}

}  // namespace graze::io
