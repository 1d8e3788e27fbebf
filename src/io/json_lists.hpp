// Pull readers for the two JSON files that stand beside queries: truths and pairs of boxes.
//
// Both are one array of like elements, read element by element in step with the queries, so memory
// does not grow with the file. next() gives nullopt at the end, after checking that only white
// space follows. Errors name the element, counted from 0 like the queries.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "graze/core/expected.hpp"
#include "graze/io/byte_reader.hpp"

namespace graze::io {

// The brackets and commas of an array.
class JsonArrayReader {
public:
    explicit JsonArrayReader(ByteReader reader);

    // True if another element begins at the reader's next byte; false at the checked end.
    [[nodiscard]] Expected<bool> next_element();
    void skip_white_space();
    // Steps over `text` if it comes next, byte by byte.
    [[nodiscard]] bool accept(std::string_view text);
    // Digits as JSON writes a natural number; nullopt if there are none, a leading zero, too many.
    [[nodiscard]] std::optional<std::uint64_t> natural();

    [[nodiscard]] int peek() { return reader_.peek(); }
    // "name: element 12: message", for the element that was begun last.
    [[nodiscard]] Error element_error(std::string_view message,
                                      ErrorCode code = ErrorCode::Malformed) const;
    // The same for the element after it, to report that it should (not) be there.
    [[nodiscard]] Error next_element_error(std::string_view message, ErrorCode code) const;

private:
    ByteReader reader_;
    std::uint64_t begun_ = 0;
    bool is_open_ = false;
    bool is_closed_ = false;
};

// [true, false, ...]; 1 and 0 are taken too.
class TruthReader {
public:
    explicit TruthReader(ByteReader reader);
    [[nodiscard]] Expected<std::optional<bool>> next();
    [[nodiscard]] Error element_error(std::string_view message, ErrorCode code) const {
        return array_.element_error(message, code);
    }
    [[nodiscard]] Error next_element_error(std::string_view message, ErrorCode code) const {
        return array_.next_element_error(message, code);
    }

private:
    JsonArrayReader array_;
};

using BoxPair = std::array<std::uint64_t, 2>;

// [[i, j], ...] with natural numbers.
class BoxPairReader {
public:
    explicit BoxPairReader(ByteReader reader);
    [[nodiscard]] Expected<std::optional<BoxPair>> next();
    [[nodiscard]] Error element_error(std::string_view message, ErrorCode code) const {
        return array_.element_error(message, code);
    }

private:
    [[nodiscard]] std::optional<BoxPair> pair();

    JsonArrayReader array_;
};

}  // namespace graze::io
