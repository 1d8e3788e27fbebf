// A long text that is handed on in pieces while it grows.
#pragma once

#include <cstddef>
#include <string>

#include "graze/io/polygon_mesh.hpp"

namespace graze::io {

class TextPieces {
public:
    // `lines` is how many end_line() there will be: progress is the fraction of them.
    TextPieces(const TextTaker& take, std::size_t lines)
        : take_(take), lines_(static_cast<double>(lines)) {}

    // The piece that grows; ends with end_line().
    std::string text;

    Expected<void> end_line() {
        text += '\n';
        ++done_;
        return text.size() < kPiece ? Expected<void>() : hand_on();
    }
    Expected<void> finish() { return text.empty() ? Expected<void>() : hand_on(); }

private:
    static constexpr std::size_t kPiece = std::size_t{1} << 20;
    Expected<void> hand_on() {
        Expected<void> taken = take_(text, static_cast<double>(done_) / lines_);
        text.clear();
        return taken;
    }

    const TextTaker& take_;
    double lines_;
    std::size_t done_ = 0;
};

}  // namespace graze::io
