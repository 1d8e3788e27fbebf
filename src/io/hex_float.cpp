#include "graze/io/hex_float.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace graze::io {
namespace {

// Long enough for any double, in hex or shortest: sign, 17 digits, point, exponent of 5 characters.
using Buffer = std::array<char, 32>;

std::string point_initialiser(const Vec3& point) {
    return "{" + to_hex(point.x) + ", " + to_hex(point.y) + ", " + to_hex(point.z) + "}";
}

}  // namespace

std::string to_hex(double value) {
    if (!std::isfinite(value)) return to_shortest(value);
    Buffer buffer;
    const auto [end, failed] = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                             std::fabs(value), std::chars_format::hex);
    return (std::signbit(value) ? "-0x" : "0x") + std::string(buffer.data(), end);
}

std::string to_shortest(double value) {
    if (std::isnan(value)) return "nan";
    Buffer buffer;
    const auto [end, failed] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end};
}

std::optional<double> parse_double(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    if (is_negative) text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    if (is_hex) text.remove_prefix(2);
    // Behind "0x" only a digit or the point may follow: from_chars would take "inf" or "-1" there.
    const bool starts_badly = is_hex && text.find_first_of("0123456789abcdefABCDEF.") != 0;
    if (text.empty() || starts_badly) return std::nullopt;
    double value = 0.0;
    const auto [end, failed] =
        std::from_chars(text.data(), text.data() + text.size(), value,
                        is_hex ? std::chars_format::hex : std::chars_format::general);
    const bool is_whole = end == text.data() + text.size();
    if (failed != std::errc() || !is_whole || std::isnan(value)) return std::nullopt;
    return is_negative ? -value : value;
}

std::string to_hex(const QueryRecord& record, QueryKind kind) {
    std::string text;
    for (std::size_t i = 0; i < vertex_count(kind); ++i) {
        text += "{" + point_initialiser(record.corners[i].start) + ", " +
                point_initialiser(record.corners[i].end) + "},\n";
    }
    return text;
}

}  // namespace graze::io
