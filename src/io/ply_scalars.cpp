#include "io/ply_scalars.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace graze::io {
namespace {

constexpr std::size_t kMaxWordLength = 2048;

bool is_blank(int c) {
    return c == ' ' || c == '\t' || c == '\r';
}

template <class Number>
std::optional<double> parse_as(std::string_view text) {
    Number number{};
    const char* end = text.data() + text.size();
    const auto [stop, failed] = std::from_chars(text.data(), end, number);
    if (failed != std::errc() || stop != end) return std::nullopt;
    return static_cast<double>(number);
}

// The nearest float. from_chars calls a text out of range also where it rounds to zero; reading it
// as a double first distinguishes the two, and rounds such a tiny one to a float again.
std::optional<double> parse_float(std::string_view text) {
    if (const auto value = parse_as<float>(text)) return value;
    const auto wide = parse_as<double>(text);
    if (!wide || std::fabs(*wide) >= std::numeric_limits<float>::min()) return std::nullopt;
    // Through memory: g++ 12 may drop the rounding of a float that is widened at once.
    const volatile float rounded = static_cast<float>(*wide);
    return double{rounded};
}

std::optional<double> parse_scalar(std::string_view text, PlyType type) {
    switch (type) {
        case PlyType::Int8:
            return parse_as<std::int8_t>(text);
        case PlyType::UInt8:
            return parse_as<std::uint8_t>(text);
        case PlyType::Int16:
            return parse_as<std::int16_t>(text);
        case PlyType::UInt16:
            return parse_as<std::uint16_t>(text);
        case PlyType::Int32:
            return parse_as<std::int32_t>(text);
        case PlyType::UInt32:
            return parse_as<std::uint32_t>(text);
        case PlyType::Float32:
            return parse_float(text);
        case PlyType::Float64:
            return parse_as<double>(text);
    }
    return std::nullopt;
}

// The lowest byte_size(type) bytes of `bits` as a number of that type.
double value_of(std::uint64_t bits, PlyType type) {
    switch (type) {
        case PlyType::Int8:
            return static_cast<std::int8_t>(bits);
        case PlyType::UInt8:
            return static_cast<std::uint8_t>(bits);
        case PlyType::Int16:
            return static_cast<std::int16_t>(bits);
        case PlyType::UInt16:
            return static_cast<std::uint16_t>(bits);
        case PlyType::Int32:
            return static_cast<std::int32_t>(bits);
        case PlyType::UInt32:
            return static_cast<std::uint32_t>(bits);
        case PlyType::Float32:
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        case PlyType::Float64:
            break;
    }
    return std::bit_cast<double>(bits);
}

}  // namespace

Expected<double> PlyScalars::next(PlyType type) {
    return encoding_ == PlyEncoding::Ascii ? next_ascii(type) : next_binary(type);
}

Expected<std::size_t> PlyScalars::next_length(PlyType type) {
    const Expected<double> length = next(type);
    if (!length) return length.error();
    if (*length < 0.0) return malformed("list has a negative length");
    return static_cast<std::size_t>(*length);
}

Expected<void> PlyScalars::skip(PlyType type, std::size_t count) {
    if (encoding_ == PlyEncoding::Ascii) {
        for (std::size_t i = 0; i < count; ++i) {
            if (const auto skipped = word(); !skipped) return skipped.error();
        }
        return {};
    }
    const std::size_t bytes = count * byte_size(type);
    if (reader_.skip(bytes) != bytes) return malformed("file is cut short");
    return {};
}

void PlyScalars::begin_line() {
    if (encoding_ != PlyEncoding::Ascii) return;
    while (is_blank(reader_.peek()) || reader_.peek() == '\n')
        reader_.get();
}

Expected<void> PlyScalars::end_line() {
    if (encoding_ != PlyEncoding::Ascii) return {};
    skip_blanks();
    if (reader_.peek() != '\n' && reader_.peek() != ByteReader::kEnd) {
        return malformed("line goes on after the last property");
    }
    return {};
}

Expected<void> PlyScalars::end_body() {
    begin_line();
    if (reader_.peek() != ByteReader::kEnd) return malformed("data after the last element");
    return {};
}

void PlyScalars::skip_blanks() {
    while (is_blank(reader_.peek()))
        reader_.get();
}

Expected<std::string_view> PlyScalars::word() {
    skip_blanks();
    word_.clear();
    for (int c = reader_.peek(); c != ByteReader::kEnd && c != '\n' && !is_blank(c);
         c = reader_.peek()) {
        if (word_.size() == kMaxWordLength) return malformed("word is too long");
        word_.push_back(static_cast<char>(reader_.get()));
    }
    if (!word_.empty()) return std::string_view(word_);
    return reader_.peek() == ByteReader::kEnd ? malformed("file is cut short")
                                              : malformed("line ends before the last property");
}

Expected<double> PlyScalars::next_ascii(PlyType type) {
    const auto text = word();
    if (!text) return text.error();
    const std::optional<double> value = parse_scalar(*text, type);
    if (!value) return malformed("not a number of the declared type");
    return *value;
}

Expected<double> PlyScalars::next_binary(PlyType type) {
    std::array<unsigned char, 8> bytes{};
    const std::span<unsigned char> used = std::span(bytes).first(byte_size(type));
    if (reader_.read(used) != used.size()) return malformed("file is cut short");
    if (encoding_ == PlyEncoding::LittleEndian) std::reverse(used.begin(), used.end());
    std::uint64_t bits = 0;
    for (const unsigned char byte : used)
        bits = bits << 8 | byte;
    return value_of(bits, type);
}

}  // namespace graze::io
