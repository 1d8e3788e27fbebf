// Of output.hpp, in a file of its own: readers that are fuzzed need nothing else of it.
#include "output.hpp"

namespace graze::app {

std::string printable(std::string_view text) {
    std::string shown;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
        const bool is_c1 =
            byte(i) == 0xC2 && i + 1 < text.size() && byte(i + 1) >= 0x80 && byte(i + 1) <= 0x9F;
        const bool is_control = byte(i) < 0x20 || byte(i) == 0x7F || is_c1;
        shown += is_control ? '?' : text[i];
        i += is_c1 ? 1 : 0;
    }
    return shown;
}

}  // namespace graze::app
