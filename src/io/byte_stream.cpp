#include "graze/io/byte_stream.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

namespace graze::io {
namespace {

struct FileCloser {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using FileHandle = std::unique_ptr<std::FILE, FileCloser>;

std::string system_message(int code) {
    return std::generic_category().message(code);
}

class FileBytes final : public ByteStream {
public:
    explicit FileBytes(FileHandle file) : file_(std::move(file)) {}

    Expected<std::size_t> read(std::span<unsigned char> buffer) override {
        // A short read is no error: only 0 bytes with the error flag are.
        errno = 0;
        const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file_.get());
        if (got == 0 && std::ferror(file_.get()) != 0) {
            return Error{"cannot be read: " + system_message(errno), ErrorCode::CannotRead};
        }
        return got;
    }

private:
    FileHandle file_;
};

class MemoryBytes final : public ByteStream {
public:
    explicit MemoryBytes(std::span<const unsigned char> bytes) : rest_(bytes) {}

    Expected<std::size_t> read(std::span<unsigned char> buffer) override {
        const std::size_t count = std::min(buffer.size(), rest_.size());
        std::copy_n(rest_.begin(), count, buffer.begin());
        rest_ = rest_.subspan(count);
        return count;
    }

private:
    std::span<const unsigned char> rest_;
};

constexpr std::size_t kPackedBufferSize = std::size_t{1} << 15;
constexpr std::array<unsigned char, 2> kGzipMagic = {0x1f, 0x8b};
// 15: the largest window; +16: a gzip wrapper with its checksum, nothing else.
constexpr int kGzipWindowBits = 15 + 16;

class GzipAwareBytes final : public ByteStream {
public:
    explicit GzipAwareBytes(std::unique_ptr<ByteStream> raw)
        : raw_(std::move(raw)), packed_(kPackedBufferSize) {}
    ~GzipAwareBytes() override {
        if (mode_ == Mode::Gzip) inflateEnd(&inflater_);
    }
    GzipAwareBytes(const GzipAwareBytes&) = delete;
    GzipAwareBytes& operator=(const GzipAwareBytes&) = delete;

    Expected<std::size_t> read(std::span<unsigned char> buffer) override {
        if (mode_ == Mode::Unknown) {
            if (const Expected<void> known = detect(); !known) return known.error();
        }
        return mode_ == Mode::Gzip ? read_gzip(buffer) : read_plain(buffer);
    }

private:
    enum class Mode : std::uint8_t { Unknown, Plain, Gzip };

    // Tells gzip from plain by its first bytes, however few of them one read of the source gives.
    Expected<void> detect() {
        while (filled_ < kGzipMagic.size()) {
            const auto got = raw_->read(std::span(packed_).subspan(filled_));
            if (!got) return got.error();
            if (*got == 0) break;
            filled_ += *got;
        }
        const bool is_gzip = filled_ >= kGzipMagic.size() &&
                             std::equal(kGzipMagic.begin(), kGzipMagic.end(), packed_.begin());
        if (is_gzip && inflateInit2(&inflater_, kGzipWindowBits) != Z_OK) {
            return Error{"no memory to unpack gzip data", ErrorCode::OutOfMemory};
        }
        mode_ = is_gzip ? Mode::Gzip : Mode::Plain;
        return {};
    }

    Expected<std::size_t> read_plain(std::span<unsigned char> buffer) {
        if (used_ == filled_) return raw_->read(buffer);
        const std::size_t count = std::min(buffer.size(), filled_ - used_);
        std::copy_n(packed_.begin() + static_cast<std::ptrdiff_t>(used_), count, buffer.begin());
        used_ += count;
        return count;
    }

    Expected<std::size_t> read_gzip(std::span<unsigned char> buffer) {
        constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
        buffer = buffer.first(std::min(buffer.size(), kMost));
        // inflate() may consume input without output, at headers and at ends of members: 0 bytes out
        // must not be taken for the end, so read on until there are some or the source ends.
        while (true) {
            if (used_ == filled_) {
                const auto got = raw_->read(packed_);
                if (!got) return got.error();
                consumed_ += filled_;
                used_ = 0;
                filled_ = *got;
                if (filled_ == 0) return end_of_packed();
            }
            auto produced = inflate_into(buffer);
            if (!produced || *produced > 0) return produced;
        }
    }

    [[nodiscard]] Expected<std::size_t> end_of_packed() const {
        // Only behind the checksum of a member may the data end.
        if (between_members_) return std::size_t{0};
        return Error{"gzip data is cut short at byte " + std::to_string(consumed_),
                     ErrorCode::Malformed};
    }

    Expected<std::size_t> inflate_into(std::span<unsigned char> buffer) {
        between_members_ = false;
        inflater_.next_in = packed_.data() + used_;
        inflater_.avail_in = static_cast<uInt>(filled_ - used_);
        inflater_.next_out = buffer.data();
        inflater_.avail_out = static_cast<uInt>(buffer.size());
        const int state = inflate(&inflater_, Z_NO_FLUSH);
        used_ = filled_ - inflater_.avail_in;
        if (state == Z_STREAM_END) {
            // Checksum and length were right; what follows must be another member.
            between_members_ = true;
            inflateReset(&inflater_);
        } else if (state != Z_OK && state != Z_BUF_ERROR) {
            const bool has_reason = inflater_.msg != nullptr;
            return Error{"gzip data is damaged before byte " + std::to_string(consumed_ + used_) +
                             ": " + (has_reason ? inflater_.msg : "out of memory"),
                         has_reason ? ErrorCode::Malformed : ErrorCode::OutOfMemory};
        }
        return buffer.size() - inflater_.avail_out;
    }

    std::unique_ptr<ByteStream> raw_;
    std::vector<unsigned char> packed_;
    std::size_t used_ = 0;
    std::size_t filled_ = 0;
    std::uint64_t consumed_ = 0;  // packed bytes before the buffer
    Mode mode_ = Mode::Unknown;
    bool between_members_ = false;
    z_stream inflater_{};
};

}  // namespace

Expected<std::unique_ptr<ByteStream>> open_bytes(const std::filesystem::path& path) {
    FileHandle file(std::fopen(path.c_str(), "rb"));
    if (!file) return Error{"cannot be opened: " + system_message(errno), ErrorCode::CannotRead};
    return unpack_gzip(std::make_unique<FileBytes>(std::move(file)));
}

std::unique_ptr<ByteStream> bytes_in_memory(std::span<const unsigned char> bytes) {
    return unpack_gzip(std::make_unique<MemoryBytes>(bytes));
}

std::unique_ptr<ByteStream> unpack_gzip(std::unique_ptr<ByteStream> raw) {
    return std::make_unique<GzipAwareBytes>(std::move(raw));
}

}  // namespace graze::io
