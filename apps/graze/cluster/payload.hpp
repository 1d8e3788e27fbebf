// Results of blocks as bytes: the same on every machine, so that ranks and journals can exchange them.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graze/io/binary_form.hpp"
#include "graze/io/crc64.hpp"

namespace graze::app {

using Payload = std::vector<unsigned char>;

// CRC-64/XZ of a text.
[[nodiscard]] inline std::uint64_t checksum_of(std::string_view text) noexcept {
    io::Crc64 crc;
    crc.add(std::span(reinterpret_cast<const unsigned char*>(text.data()), text.size()));
    return crc.value();
}

class PayloadWriter {
public:
    void byte(unsigned char value) { bytes_.push_back(value); }
    void flag(bool value) { byte(value ? 1 : 0); }
    void natural(std::uint64_t value) { io::binary_form::append(bytes_, value); }
    // To the bit, whatever it is.
    void number(double value) { io::binary_form::append(bytes_, value); }
    void number(const std::optional<double>& value) {
        flag(value.has_value());
        number(value.value_or(0.0));
    }
    void text(std::string_view value) {
        natural(value.size());
        bytes_.insert(bytes_.end(), value.begin(), value.end());
    }
    [[nodiscard]] Payload take() { return std::move(bytes_); }

private:
    Payload bytes_;
};

// Reads what a PayloadWriter wrote. Past the end everything is zero, and is_whole() is false from then on.
class PayloadReader {
public:
    explicit PayloadReader(std::span<const unsigned char> bytes) : rest_(bytes) {}

    [[nodiscard]] unsigned char byte() {
        return next(1) ? taken_[0] : static_cast<unsigned char>(0);
    }
    [[nodiscard]] bool flag() { return byte() != 0; }
    [[nodiscard]] std::uint64_t natural() {
        return next(sizeof(std::uint64_t)) ? io::binary_form::take<std::uint64_t>(taken_) : 0;
    }
    [[nodiscard]] double number() { return std::bit_cast<double>(natural()); }
    [[nodiscard]] std::optional<double> optional_number() {
        const bool is_there = flag();
        const double value = number();
        return is_there ? std::optional(value) : std::nullopt;
    }
    [[nodiscard]] std::string text() {
        const std::uint64_t size = natural();
        if (!next(size)) return {};
        return {taken_.begin(), taken_.end()};
    }
    // Nothing was missing so far.
    [[nodiscard]] bool is_whole() const noexcept { return is_whole_; }
    // Nothing was missing, and nothing is left.
    [[nodiscard]] bool is_finished() const noexcept { return is_whole_ && rest_.empty(); }

private:
    bool next(std::uint64_t count) {
        is_whole_ = is_whole_ && count <= rest_.size();
        if (!is_whole_) return false;
        taken_ = rest_.first(static_cast<std::size_t>(count));
        rest_ = rest_.subspan(static_cast<std::size_t>(count));
        return true;
    }

    std::span<const unsigned char> rest_;
    std::span<const unsigned char> taken_;
    bool is_whole_ = true;
};

}  // namespace graze::app
