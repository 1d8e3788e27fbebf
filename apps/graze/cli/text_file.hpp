// Text files that are read at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "graze/io/byte_reader.hpp"

namespace graze::app {

// Errors: those of the stream; `complaint` where there are more than `most` bytes.
[[nodiscard]] inline Expected<std::string> read_whole(io::ByteReader& reader, std::size_t most,
                                                      std::string_view complaint) {
    std::string text;
    std::vector<unsigned char> block(io::ByteReader::kBufferSize);
    while (const std::size_t size = reader.read(block)) {
        text.append(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(size));
        if (text.size() > most) return reader.error(complaint);
    }
    if (reader.failure()) return reader.error("");
    return text;
}

// Without the blanks at both ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace graze::app
