#include "io/json_lists.hpp"

#include <limits>
#include <string>
#include <utility>

namespace graze::io {
namespace {

bool is_digit(int c) {
    return c >= '0' && c <= '9';
}

}  // namespace

JsonArrayReader::JsonArrayReader(ByteReader reader) : reader_(std::move(reader)) {}

Expected<bool> JsonArrayReader::next_element() {
    // [ e , e , e ]: before the first element stands '[', before every other ',', and ']' ends both.
    if (is_closed_) return false;
    skip_white_space();
    if (!is_open_) {
        if (!accept("[")) return reader_.error("expected a JSON array");
        is_open_ = true;
        skip_white_space();
        is_closed_ = accept("]");
    } else {
        is_closed_ = accept("]");
        if (!is_closed_ && !accept(",")) return element_error("expected ',' or ']' after it");
        skip_white_space();
    }
    if (!is_closed_) {
        ++begun_;
        return true;
    }
    skip_white_space();
    if (reader_.peek() != ByteReader::kEnd) return reader_.error("text after the JSON array");
    if (reader_.failure()) return *reader_.failure();
    return false;
}

void JsonArrayReader::skip_white_space() {
    for (int c = reader_.peek(); c == ' ' || c == '\t' || c == '\n' || c == '\r';
         c = reader_.peek()) {
        reader_.get();
    }
}

bool JsonArrayReader::accept(std::string_view text) {
    for (const char c : text) {
        if (reader_.peek() != static_cast<unsigned char>(c)) return false;
        reader_.get();
    }
    return true;
}

std::optional<std::uint64_t> JsonArrayReader::natural() {
    if (!is_digit(reader_.peek())) return std::nullopt;
    const bool zero_first = reader_.peek() == '0';
    std::uint64_t value = 0;
    int digits = 0;
    for (; is_digit(reader_.peek()); ++digits) {
        const auto digit = static_cast<std::uint64_t>(reader_.get() - '0');
        if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return std::nullopt;
        value = 10 * value + digit;
    }
    if (zero_first && digits > 1) return std::nullopt;
    return value;
}

Error JsonArrayReader::element_error(std::string_view message, ErrorCode code) const {
    return reader_.error("element", begun_ == 0 ? 0 : begun_ - 1, {std::string(message), code});
}

Error JsonArrayReader::next_element_error(std::string_view message, ErrorCode code) const {
    return reader_.error("element", begun_, {std::string(message), code});
}

TruthReader::TruthReader(ByteReader reader) : array_(std::move(reader)) {}

Expected<std::optional<bool>> TruthReader::next() {
    const Expected<bool> more = array_.next_element();
    if (!more) return more.error();
    if (!*more) return std::optional<bool>();
    const int first = array_.peek();
    if (first == 't' ? array_.accept("true") : array_.accept("1")) return std::optional(true);
    if (first == 'f' ? array_.accept("false") : array_.accept("0")) return std::optional(false);
    return array_.element_error("expected true, false, 1 or 0");
}

BoxPairReader::BoxPairReader(ByteReader reader) : array_(std::move(reader)) {}

Expected<std::optional<BoxPair>> BoxPairReader::next() {
    const Expected<bool> more = array_.next_element();
    if (!more) return more.error();
    if (!*more) return std::optional<BoxPair>();
    const std::optional<BoxPair> found = pair();
    if (!found) return array_.element_error("expected a pair of box numbers [i, j]");
    return found;
}

std::optional<BoxPair> BoxPairReader::pair() {
    if (!array_.accept("[")) return std::nullopt;
    array_.skip_white_space();
    const std::optional<std::uint64_t> a = array_.natural();
    array_.skip_white_space();
    if (!a || !array_.accept(",")) return std::nullopt;
    array_.skip_white_space();
    const std::optional<std::uint64_t> b = array_.natural();
    array_.skip_white_space();
    if (!b || !array_.accept("]")) return std::nullopt;
    return BoxPair{*a, *b};
}

}  // namespace graze::io
