// Text of a file as a part of an error message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace graze {

// One short line whatever the text holds: no more than `most` bytes of it, not the half of a letter of
// UTF-8, and what a terminal would not print is a question mark.
[[nodiscard]] inline std::string shown_text(std::string_view text, std::size_t most = 32) {
    std::size_t size = text.size() <= most ? text.size() : most;
    while (size < text.size() && size > 0 &&
           (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U)
        --size;
    std::string shown(text.substr(0, size));
    for (char& c : shown) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) c = '?';
    }
    if (size < text.size()) shown += "...";
    return shown;
}

// Whether a file may name another one by this text: an error can show it as it is, on one line, and the
// system takes it (4095 bytes on Linux).
[[nodiscard]] inline bool is_file_name(std::string_view text) {
    return shown_text(text, 4095) == text;
}

}  // namespace graze
