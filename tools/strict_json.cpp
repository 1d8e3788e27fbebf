#include "strict_json.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace graze::tools {
namespace {

using Json = nlohmann::json;

// Where in the text a byte is, as editors count.
std::string line_and_column(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t feed = before.rfind('\n');
    const std::size_t column = before.size() - (feed == std::string_view::npos ? 0 : feed + 1);
    return "line " + std::to_string(lines + 1) + ", column " + std::to_string(column);
}

// Notes objects that name a member twice, of which the parser would silently keep the last.
class UniqueKeys {
public:
    bool operator()(int, Json::parse_event_t event, const Json& parsed) {
        if (event == Json::parse_event_t::object_start) open_.emplace_back();
        if (event == Json::parse_event_t::object_end) open_.pop_back();
        if (event == Json::parse_event_t::key &&
            !open_.back().insert(parsed.get_ref<const std::string&>()).second)
            is_repeated_ = true;
        return true;
    }
    [[nodiscard]] bool is_repeated() const noexcept { return is_repeated_; }

private:
    std::vector<std::set<std::string>> open_;
    bool is_repeated_ = false;
};

}  // namespace

Expected<Json> parse_strictly(std::string_view text) {
    UniqueKeys keys;
    try {
        Json json = Json::parse(text.begin(), text.end(), std::ref(keys));
        if (keys.is_repeated()) return Error{"an object names a member twice"};
        return json;
    } catch (const Json::parse_error& error) {
        return Error{line_and_column(text, error.byte) + ": not JSON"};
    } catch (const Json::out_of_range&) {
        return Error{"a number is too large for a double"};
    }
}

}  // namespace graze::tools
