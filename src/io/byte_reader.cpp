#include "graze/io/byte_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "graze/core/assert.hpp"

namespace graze::io {

ByteReader::ByteReader(std::unique_ptr<ByteStream> stream, std::string name)
    : stream_(std::move(stream)), name_(std::move(name)), buffer_(kBufferSize) {}

Expected<ByteReader> ByteReader::open(const std::filesystem::path& path) {
    auto stream = open_bytes(path);
    if (!stream) return located(path.string(), stream.error());
    return ByteReader(std::move(*stream), path.string());
}

bool ByteReader::fill() {
    used_ = 0;
    filled_ = 0;
    return fill_behind(0);
}

// Adds bytes behind the `kept` ones at the start of the buffer.
bool ByteReader::fill_behind(std::size_t kept) {
    if (at_end_) return false;
    const auto got = stream_->read(std::span(buffer_).subspan(kept));
    if (!got) failure_ = located(name_, got.error());
    at_end_ = !got || *got == 0;
    if (at_end_) return false;
    filled_ = kept + *got;
    return true;
}

std::size_t ByteReader::read(std::span<unsigned char> buffer) {
    std::size_t done = 0;
    while (done < buffer.size() && (used_ < filled_ || fill())) {
        const std::size_t count = std::min(buffer.size() - done, filled_ - used_);
        std::memcpy(buffer.data() + done, buffer_.data() + used_, count);
        used_ += count;
        done += count;
    }
    return done;
}

std::size_t ByteReader::skip(std::size_t count) {
    std::size_t done = 0;
    while (done < count && (used_ < filled_ || fill())) {
        const std::size_t step = std::min(count - done, filled_ - used_);
        used_ += step;
        done += step;
    }
    return done;
}

// Distance from used_ to the next LF; nullopt at the end of the stream, and where the line is
// longer than any that line() gives out.
std::optional<std::size_t> ByteReader::find_line_feed(std::size_t max_length) {
    std::size_t searched = 0;
    while (true) {
        const unsigned char* first = buffer_.data() + used_;
        const std::size_t available = filled_ - used_;
        if (available > searched) {
            const void* found = std::memchr(first + searched, '\n', available - searched);
            if (found != nullptr) {
                return static_cast<std::size_t>(static_cast<const unsigned char*>(found) - first);
            }
        }
        // The line and a CR fit into max_length + 1: more without LF is too long already, and the
        // buffer need not hold all of it.
        if (available > max_length + 1) return std::nullopt;
        searched = available;
        std::memmove(buffer_.data(), first, available);
        used_ = 0;
        filled_ = available;
        if (!fill_behind(available)) return std::nullopt;
    }
}

Expected<std::optional<std::string_view>> ByteReader::line(std::size_t max_length) {
    GRAZE_ASSERT(max_length + 2 <= kBufferSize);
    // No LF: the rest of the stream is the last line, or the line is too long; the length tells.
    const std::optional<std::size_t> line_feed = find_line_feed(max_length);
    if (failure_) return *failure_;
    if (!line_feed && used_ == filled_) return std::optional<std::string_view>();
    const auto* first = reinterpret_cast<const char*>(buffer_.data() + used_);
    std::size_t length = line_feed.value_or(filled_ - used_);
    used_ += line_feed ? length + 1 : length;
    if (length > 0 && first[length - 1] == '\r') --length;
    if (length > max_length) {
        return Error{"line is longer than " + std::to_string(max_length) + " characters",
                     ErrorCode::Malformed};
    }
    return std::optional(std::string_view(first, length));
}

Error ByteReader::error(std::string_view message, ErrorCode code,
                        std::optional<std::size_t> index) const {
    if (failure_) return *failure_;
    return Error{name_ + ": " + std::string(message), code, index};
}

Error ByteReader::error(std::string_view element, std::size_t index, const Error& cause) const {
    return error(std::string(element) + " " + std::to_string(index) + ": " + cause.message,
                 cause.code, index);
}

}  // namespace graze::io
