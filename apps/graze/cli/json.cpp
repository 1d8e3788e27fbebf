#include "json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "strict_json.hpp"

namespace graze::app {
namespace {

using Text = nlohmann::ordered_json;

bool is_member(const Json& element) {
    const std::span<const Json> pair = element.elements();
    return pair.size() == 2 && pair.front().as_text() != nullptr;
}

Json from_text(const Text& text) {
    switch (text.type()) {
        case Text::value_t::boolean:
            return text.get<bool>();
        case Text::value_t::number_integer:
            return text.get<std::int64_t>();
        case Text::value_t::number_unsigned:
            return text.get<std::uint64_t>();
        case Text::value_t::number_float:
            return text.get<double>();
        case Text::value_t::string:
            return text.get<std::string>();
        case Text::value_t::array: {
            Json array = Json::array();
            for (const Text& element : text)
                array.push_back(from_text(element));
            return array;
        }
        case Text::value_t::object: {
            Json object = Json::object();
            for (const auto& [key, value] : text.items())
                object[key] = from_text(value);
            return object;
        }
        default:
            return nullptr;
    }
}

}  // namespace

Json::Json(std::nullptr_t) noexcept : value_(nullptr) {}
Json::Json(double value) : value_(value) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(Value value) : value_(std::move(value)) {}

Json::Json(std::initializer_list<Json> elements) : Json(array(elements)) {
    if (!std::all_of(elements.begin(), elements.end(), is_member)) return;
    Members members;
    for (Json& element : std::get<std::vector<Json>>(value_)) {
        auto& pair = std::get<std::vector<Json>>(element.value_);
        members.emplace_back(std::get<std::string>(std::move(pair[0].value_)), std::move(pair[1]));
    }
    value_ = std::move(members);
}

Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json Json::array() {
    return Json(Value(std::vector<Json>()));
}
Json Json::array(std::initializer_list<Json> elements) {
    return Json(Value(std::vector<Json>(elements)));
}
Json Json::object() {
    return Json(Value(Members()));
}

void Json::push_back(Json element) {
    std::get<std::vector<Json>>(value_).push_back(std::move(element));
}

Json& Json::operator[](std::string_view key) {
    if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Members();
    auto& members = std::get<Members>(value_);
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const auto& member) { return member.first == key; });
    if (found != members.end()) return found->second;
    return members.emplace_back(std::string(key), Json()).second;
}

void Json::update(Json other) {
    for (auto& [key, value] : std::get<Members>(other.value_))
        (*this)[key] = std::move(value);
}

void Json::push_front(std::string key, Json value) {
    auto& members = std::get<Members>(value_);
    members.emplace(members.begin(), std::move(key), std::move(value));
}

const Json* Json::find(std::string_view key) const noexcept {
    for (const auto& [name, value] : members()) {
        if (name == key) return &value;
    }
    return nullptr;
}

const std::string* Json::as_text() const noexcept {
    return std::get_if<std::string>(&value_);
}

std::optional<std::uint64_t> Json::as_natural() const noexcept {
    if (const auto* natural = std::get_if<std::uint64_t>(&value_)) return *natural;
    const auto* integer = std::get_if<std::int64_t>(&value_);
    if (integer == nullptr || *integer < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*integer);
}

std::optional<double> Json::as_number() const noexcept {
    if (const auto* number = std::get_if<double>(&value_)) return *number;
    if (const auto* integer = std::get_if<std::int64_t>(&value_))
        return static_cast<double>(*integer);
    const auto* natural = std::get_if<std::uint64_t>(&value_);
    return natural == nullptr ? std::nullopt : std::optional(static_cast<double>(*natural));
}

std::optional<bool> Json::as_boolean() const noexcept {
    const auto* boolean = std::get_if<bool>(&value_);
    return boolean == nullptr ? std::nullopt : std::optional(*boolean);
}

bool Json::is_object() const noexcept {
    return std::holds_alternative<Members>(value_);
}

bool Json::is_array() const noexcept {
    return std::holds_alternative<std::vector<Json>>(value_);
}

std::span<const Json> Json::elements() const noexcept {
    const auto* elements = std::get_if<std::vector<Json>>(&value_);
    return elements == nullptr ? std::span<const Json>() : std::span<const Json>(*elements);
}

std::span<const std::pair<std::string, Json>> Json::members() const noexcept {
    const auto* members = std::get_if<Members>(&value_);
    if (members == nullptr) return {};
    return *members;
}

// The values of nlohmann-json, one for one.
class JsonText {
public:
    Text operator()(const std::vector<Json>& elements) const {
        Text text = Text::array();
        for (const Json& element : elements)
            text.push_back(of(element));
        return text;
    }
    Text operator()(const Json::Members& members) const {
        Text text = Text::object();
        for (const auto& [key, value] : members)
            text.push_back({key, of(value)});
        return text;
    }
    template <class Scalar>
    Text operator()(const Scalar& scalar) const {
        return scalar;
    }
    [[nodiscard]] static Text of(const Json& json) { return std::visit(JsonText(), json.value_); }
};

std::string Json::dump(int indent) const {
    return JsonText::of(*this).dump(indent, ' ', false, Text::error_handler_t::replace);
}

std::optional<Json> Json::parse(std::string_view text) {
    if (!check_json(text)) return std::nullopt;
    return from_text(Text::parse(text));
}

Json json_number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_vector(const Vec3& vector) {
    return Json::array({json_number(vector.x), json_number(vector.y), json_number(vector.z)});
}

}  // namespace graze::app
