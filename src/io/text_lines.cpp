#include "io/text_lines.hpp"

#include <algorithm>
#include <optional>

#include "graze/core/vec3.hpp"
#include "graze/io/hex_float.hpp"

namespace graze::io {
namespace {

bool is_blank(int c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

bool is_line_end(int c) {
    return c == '\n' || c == '\r';
}

}  // namespace

TextLines::TextLines(ByteReader& reader, TextRules rules) : reader_(reader), rules_(rules) {
    current_ = fetch();
}

// The next character, with every line end as LF and a continued line's end as a blank.
int TextLines::fetch() {
    int c = reader_.get();
    const bool joins = c == '\\' && rules_.continues && is_line_end(reader_.peek());
    if (joins) {
        c = reader_.get();
        ++line_;
    }
    if (c == '\r' && reader_.peek() == '\n') reader_.get();
    if (joins) return ' ';
    return c == '\r' ? '\n' : c;
}

void TextLines::advance() {
    if (current_ == '\n') ++line_;
    current_ = fetch();
}

// A backslash at the end of a comment joins nothing: names of folders end so.
void TextLines::skip_comment() {
    while (reader_.peek() != ByteReader::kEnd && !is_line_end(reader_.peek()))
        reader_.get();
    current_ = fetch();
}

bool TextLines::at_comment() const {
    return current_ != ByteReader::kEnd && current_ == rules_.comment;
}

bool TextLines::at_line_end() const {
    return current_ == '\n' || current_ == ByteReader::kEnd || at_comment();
}

bool TextLines::next_line() {
    if (is_begun_) {
        while (!at_line_end())
            advance();
    }
    is_begun_ = true;
    while (current_ == '\n' || is_blank(current_) || at_comment()) {
        if (at_comment()) {
            skip_comment();
        } else {
            advance();
        }
    }
    word_line_ = line_;
    return current_ != ByteReader::kEnd;
}

Expected<std::string_view> TextLines::word() {
    while (is_blank(current_))
        advance();
    word_line_ = line_;
    word_.clear();
    while (!at_line_end() && !is_blank(current_)) {
        if (word_.size() == kMaxWordLength) return error("word is too long");
        word_.push_back(static_cast<char>(current_));
        advance();
    }
    return std::string_view(word_);
}

Expected<double> TextLines::number(std::string_view what) {
    const auto text = word();
    if (!text) return text.error();
    if (text->empty()) return error(std::string(what) + " is missing");
    std::string_view digits = *text;
    const bool has_plus = digits.starts_with('+') && !digits.substr(1).starts_with('-');
    if (has_plus) digits.remove_prefix(1);
    const std::optional<double> value = parse_double(digits);
    if (!value || !is_finite(*value)) {
        return error(std::string(what) + ": " + quoted(*text) +
                         " is not a finite number that a double can hold",
                     value ? ErrorCode::NotFinite : ErrorCode::Malformed);
    }
    return *value;
}

Error TextLines::error(std::string_view message, ErrorCode code) const {
    return reader_.error("line", word_line_, Error{std::string(message), code});
}

std::string quoted(std::string_view word) {
    constexpr std::size_t kMostShown = 32;
    const bool is_printable =
        std::all_of(word.begin(), word.end(), [](char c) { return c > 0x20 && c < 0x7f; });
    if (word.empty() || word.size() > kMostShown || !is_printable) return "word";
    return "'" + std::string(word) + "'";
}

}  // namespace graze::io
