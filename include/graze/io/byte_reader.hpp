// Reads bytes, exact blocks and lines through one buffer of fixed size.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/io/byte_stream.hpp"

namespace graze::io {

// Guarantee: memory stays at kBufferSize whatever the length of the stream.
// A failure of the stream looks like its end, and failure() then returns what happened: parsers ask
// it (or make their message with error(), which puts it first) before they call anything truncated.
class ByteReader {
public:
    static constexpr std::size_t kBufferSize = std::size_t{1} << 16;
    static constexpr int kEnd = -1;

    // `name` stands at the start of every message.
    ByteReader(std::unique_ptr<ByteStream> stream, std::string name);
    [[nodiscard]] static Expected<ByteReader> open(const std::filesystem::path& path);

    // The next byte, or kEnd; get() also steps over it.
    [[nodiscard]] int peek() { return used_ < filled_ || fill() ? buffer_[used_] : kEnd; }
    int get() { return used_ < filled_ || fill() ? buffer_[used_++] : kEnd; }
    // As many bytes as there are, at most buffer.size().
    [[nodiscard]] std::size_t read(std::span<unsigned char> buffer);
    // Skips up to `count` bytes; returns how many there were.
    std::size_t skip(std::size_t count);
    // The next line without its LF or CRLF (the last line may lack both), or nullopt at the end.
    // The view holds until the next call. An error, without location, if the line is longer than
    // `max_length`; failure() if the stream failed.
    // Requires: max_length + 2 <= kBufferSize.
    [[nodiscard]] Expected<std::optional<std::string_view>> line(std::size_t max_length);

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const std::optional<Error>& failure() const noexcept { return failure_; }
    // "name: message"; the stream's own failure instead if there was one.
    [[nodiscard]] Error error(std::string_view message, ErrorCode code = ErrorCode::Malformed,
                              std::optional<std::size_t> index = std::nullopt) const;
    // "name: element index: message of the cause", with the code of the cause and this index.
    [[nodiscard]] Error error(std::string_view element, std::size_t index,
                              const Error& cause) const;

private:
    bool fill();
    bool fill_behind(std::size_t kept);
    [[nodiscard]] std::optional<std::size_t> find_line_feed(std::size_t max_length);

    std::unique_ptr<ByteStream> stream_;
    std::string name_;
    std::vector<unsigned char> buffer_;
    std::size_t used_ = 0;
    std::size_t filled_ = 0;
    bool at_end_ = false;
    std::optional<Error> failure_;
};

}  // namespace graze::io
