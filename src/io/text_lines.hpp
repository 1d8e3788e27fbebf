// Words of a text, line by line, of any length: what OBJ and ascii STL are made of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "graze/core/expected.hpp"
#include "graze/io/byte_reader.hpp"

namespace graze::io {

struct TextRules {
    int comment = ByteReader::kEnd;  // starts a comment that ends with its line
    bool continues = false;          // a backslash at the end of a line joins the next one to it
};

// Lines end in LF, CRLF or CR. Words are separated by blanks (space, tab, vertical tab, form feed).
// Memory: one word, which may have kMaxWordLength characters.
class TextLines {
public:
    static constexpr std::size_t kMaxWordLength = 2048;

    TextLines(ByteReader& reader, TextRules rules);

    // Leaves the rest of the line, and goes to the next one that holds a word; false at the end.
    [[nodiscard]] bool next_line();
    // The next word of the line, empty at its end. Holds until the next call.
    [[nodiscard]] Expected<std::string_view> word();
    // A word that is a finite number; `what` names it in the error.
    [[nodiscard]] Expected<double> number(std::string_view what);

    // "name: line 12: message", for the line of the word that was read last; its index is the line.
    [[nodiscard]] Error error(std::string_view message,
                              ErrorCode code = ErrorCode::Malformed) const;

private:
    void advance();
    [[nodiscard]] int fetch();
    void skip_comment();
    [[nodiscard]] bool at_line_end() const;
    [[nodiscard]] bool at_comment() const;

    ByteReader& reader_;
    TextRules rules_;
    int current_ = ByteReader::kEnd;  // the next character; line ends are LF, joined lines a blank
    std::size_t line_ = 1;            // of current_
    std::size_t word_line_ = 1;
    bool is_begun_ = false;
    std::string word_;
};

// The word in quotes if it is short and printable, else "word": for messages.
[[nodiscard]] std::string quoted(std::string_view word);

}  // namespace graze::io
