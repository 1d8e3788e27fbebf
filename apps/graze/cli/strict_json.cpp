#include "strict_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graze/core/shown_text.hpp"

namespace graze::app {
namespace {

using ParsedJson = nlohmann::json;

// Where in the text a byte is, as editors count.
std::string line_and_column(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t feed = before.rfind('\n');
    const std::size_t column = before.size() - (feed == std::string_view::npos ? 0 : feed + 1);
    return "line " + std::to_string(lines + 1) + ", column " + std::to_string(column);
}

// Looks through the text for what a parser would not tell, or without its place: members that are
// named twice, of which it would silently keep the last, numbers beyond the doubles, and levels
// without end, on which whatever follows them by recursion would run out of stack.
class StrictReader final : public nlohmann::json_sax<ParsedJson> {
public:
    explicit StrictReader(std::string_view text) : text_(text) {}

    [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t&) override { return value(); }
    bool string(string_t&) override { return value(); }
    bool binary(binary_t&) override { return value(); }
    bool start_object(std::size_t) override { return open(false); }
    bool start_array(std::size_t) override { return open(true); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        Level& level = levels_.back();
        level.member = name;
        if (level.members.insert(name).second) return true;
        error_ = Error{"an object names a member twice: '" + shown_text(path(), kMostOfPath) + "'"};
        return false;
    }
    bool parse_error(std::size_t byte, const std::string& token,
                     const nlohmann::detail::exception& failure) override {
        const std::string place = line_and_column(text_, byte) + ": ";
        if (dynamic_cast<const ParsedJson::out_of_range*>(&failure) != nullptr) {
            error_ = Error{place + "a number is too large for a double: " + shown_text(token)};
        } else {
            error_ =
                Error{place + "not JSON: " + shown_text(reason_of(failure.what()), kMostOfReason)};
        }
        return false;
    }

private:
    struct Level {
        bool is_list = false;
        std::size_t index = 0;          // of the element of a list
        std::string member;             // of an object
        std::set<std::string> members;  // that were there already
    };

    // [bytes]
    static constexpr std::size_t kMostOfReason = 120;
    static constexpr std::size_t kMostOfPath = 80;

    // "[...] parse error at line 1, column 2: syntax error while parsing object - expected '}'":
    // what stands behind the dash says what was expected and what was found.
    static std::string reason_of(const std::string& what) {
        const std::size_t dash = what.find(" - ");
        if (dash != std::string::npos) return what.substr(dash + 3);
        const std::size_t colon = what.find(": ");
        return colon == std::string::npos ? what : what.substr(colon + 2);
    }

    bool value() {
        if (!levels_.empty()) ++levels_.back().index;
        return true;
    }
    bool open(bool is_list) {
        if (levels_.size() == kMaxJsonDepth) {
            error_ = Error{"JSON is nested more than " + std::to_string(kMaxJsonDepth) +
                           " deep, at '" + shown_text(path(), kMostOfPath) + "'"};
            return false;
        }
        levels_.push_back({is_list, 0, {}, {}});
        return true;
    }
    bool close() {
        levels_.pop_back();
        return value();
    }
    // As in "moves[3].a".
    [[nodiscard]] std::string path() const {
        std::string text;
        for (const Level& level : levels_) {
            if (level.is_list) {
                text += "[" + std::to_string(level.index) + "]";
            } else {
                text += (text.empty() ? "" : ".") + level.member;
            }
        }
        return text;
    }

    std::string_view text_;
    std::vector<Level> levels_;
    std::optional<Error> error_;
};

}  // namespace

Expected<void> check_json(std::string_view text) {
    StrictReader reader(text);
    ParsedJson::sax_parse(text.begin(), text.end(), &reader);
    if (reader.error()) return *reader.error();
    return {};
}

Expected<ParsedJson> parse_strictly(std::string_view text) {
    if (auto good = check_json(text); !good) return good.error();
    return ParsedJson::parse(text.begin(), text.end());
}

}  // namespace graze::app
