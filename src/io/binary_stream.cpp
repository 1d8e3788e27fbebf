#include "io/binary_stream.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "graze/io/binary_form.hpp"
#include "graze/io/crc64.hpp"
#include "io/checked_stream.hpp"

namespace graze::io {
namespace {

using namespace binary_form;

constexpr std::size_t kMaxCorners = std::tuple_size_v<decltype(QueryRecord::corners)>;
constexpr std::size_t kPointBytes = 3 * sizeof(double);
constexpr std::size_t kTimeBytes = 2 * sizeof(double);

Vec3 take_point(std::span<const unsigned char> bytes) {
    return {take_double(bytes), take_double(bytes.subspan(8)), take_double(bytes.subspan(16))};
}

// Records until the end tag; memory is one record. What it gave out is known to be whole when the
// footer has been checked, not before.
class BinaryStream final : public CheckedStream {
public:
    BinaryStream(ByteReader reader, QueryKind kind, const Crc64& header_crc)
        : CheckedStream(kind), reader_(std::move(reader)), crc_(header_crc) {}

private:
    Expected<std::optional<QueryRecord>> advance() override {
        const std::span<const unsigned char> tag = take_bytes(1);
        if (tag.empty()) return truncated();
        if (tag[0] == kEndTag) return checked_end();
        if ((tag[0] & ~(kTruthMask | kTimesTag)) != 0 || (tag[0] & kTruthMask) == kTruthMask) {
            return record_error({"unknown tag " + std::to_string(tag[0]), ErrorCode::Malformed});
        }
        return record_after(tag[0]);
    }

    Expected<std::optional<QueryRecord>> record_after(unsigned char tag) {
        const std::size_t corner_total = vertex_count(kind());
        const bool has_times = (tag & kTimesTag) != 0;
        const std::size_t points_size = 2 * corner_total * kPointBytes;
        const auto bytes = take_bytes(points_size + (has_times ? kTimeBytes : 0));
        if (bytes.empty()) return truncated();
        QueryRecord record;
        for (std::size_t i = 0; i < corner_total; ++i) {
            record.corners[i].start = take_point(bytes.subspan(i * kPointBytes));
            record.corners[i].end = take_point(bytes.subspan((corner_total + i) * kPointBytes));
        }
        if ((tag & kTruthMask) != 0) record.truth = (tag & kTruthMask) == kContactTag;
        if (has_times) {
            const auto times = bytes.subspan(points_size);
            record.first_time = TimeBracket{take_double(times), take_double(times.subspan(8))};
        }
        if (const auto wrong = defect(record, kind())) return record_error(*wrong);
        record.truth = stated_truth(record);
        ++records_;
        return std::optional(record);
    }

    Expected<std::optional<QueryRecord>> checked_end() {
        const auto count = take_bytes(8);
        if (count.empty()) return truncated();
        const auto stated_records = take<std::uint64_t>(count);
        // Of every byte before the checksum itself, which take_bytes() would add.
        const std::uint64_t crc = crc_.value();
        const auto checksum = take_bytes(8);
        if (checksum.empty()) return truncated();
        // The checksum first: where it fails, the count is damaged as likely as the records.
        if (take<std::uint64_t>(checksum) != crc) return reader_.error("checksum does not match");
        if (stated_records != records_) {
            return reader_.error("holds " + std::to_string(records_) + " records, states " +
                                 std::to_string(stated_records));
        }
        if (reader_.peek() != ByteReader::kEnd) return reader_.error("bytes after the checksum");
        if (reader_.failure()) return *reader_.failure();
        if (records_ == 0) return reader_.error("holds no query");
        return std::optional<QueryRecord>();
    }

    // All of the next `count` bytes, or none.
    std::span<const unsigned char> take_bytes(std::size_t count) {
        const std::span<unsigned char> buffer = std::span(buffer_).first(count);
        if (reader_.read(buffer) != count) return {};
        crc_.add(buffer);
        return buffer;
    }

    [[nodiscard]] Error truncated() const {
        return record_error({"file is cut short", ErrorCode::Malformed});
    }
    [[nodiscard]] Error record_error(const Error& cause) const {
        return reader_.error("record", records_, cause);
    }

    ByteReader reader_;
    Crc64 crc_;
    std::uint64_t records_ = 0;
    std::array<unsigned char, 2 * kMaxCorners * kPointBytes + kTimeBytes> buffer_{};
};

// The kind that a complete header states.
Expected<QueryKind> parse_header(const ByteReader& reader, std::span<const unsigned char> header) {
    if (header.size() < kHeaderSize) return reader.error("header is cut short");
    if (!std::equal(kMagic.begin(), kMagic.end(), header.begin())) {
        return reader.error("neither a CSV nor a query file in the binary form");
    }
    const auto version = take<std::uint32_t>(header.subspan(kMagic.size()));
    if (version != kVersion) {
        return reader.error("version " + std::to_string(version) +
                                " of the binary form, expected " + std::to_string(kVersion),
                            ErrorCode::Unsupported);
    }
    const auto rest = header.subspan(kMagic.size() + 4);
    if (rest[0] >= kAllQueryKinds.size()) return reader.error("header states an unknown kind");
    if (rest[1] != 0 || rest[2] != 0 || rest[3] != 0) {
        return reader.error("header has bits set that version 1 does not know");
    }
    return static_cast<QueryKind>(rest[0]);
}

}  // namespace

bool is_binary_form(ByteReader& reader) {
    return reader.peek() == kMagic[0];
}

Expected<std::unique_ptr<QueryStream>> binary_stream(ByteReader reader, QueryKind expected_kind) {
    std::array<unsigned char, kHeaderSize> header{};
    const std::size_t got = reader.read(header);
    const auto kind = parse_header(reader, std::span(header).first(got));
    if (!kind) return kind.error();
    if (*kind != expected_kind) {
        return reader.error("holds " + std::string(long_name(*kind)) + " queries, expected " +
                                std::string(long_name(expected_kind)),
                            ErrorCode::InvalidInput);
    }
    Crc64 crc;
    crc.add(header);
    return std::unique_ptr<QueryStream>(
        std::make_unique<BinaryStream>(std::move(reader), *kind, crc));
}

}  // namespace graze::io
