// JSON values for results: an ordered tree that is cheap to include. Text is made and read by
// nlohmann-json, in json.cpp alone.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "graze/core/vec3.hpp"

namespace graze::app {

class Json {
public:
    using Members = std::vector<std::pair<std::string, Json>>;

    Json(std::nullptr_t = nullptr) noexcept;
    Json(double value);
    Json(std::string text);
    Json(std::string_view text);
    Json(const char* text);
    // A template, so that neither pointers nor numbers become a truth value.
    template <std::same_as<bool> Bool>
    Json(Bool value) : value_(value) {}
    template <std::signed_integral Integer>
    Json(Integer value) : value_(static_cast<std::int64_t>(value)) {}
    template <std::unsigned_integral Natural>
    requires(!std::same_as<Natural, bool>) Json(Natural value)
        : value_(static_cast<std::uint64_t>(value)) {}
    template <class T>
    Json(const std::vector<T>& elements) : Json(std::span<const T>(elements)) {}
    template <class T, std::size_t N>
    Json(const std::array<T, N>& elements) : Json(std::span<const T>(elements)) {}
    template <class T>
    Json(std::span<const T> elements) : Json(array()) {
        for (const T& element : elements)
            push_back(Json(element));
    }
    // An object where every element is a pair of a text and a value: {{"a", 1}, {"b", 2}}. Else an
    // array.
    Json(std::initializer_list<Json> elements);

    Json(const Json& other);
    Json(Json&& other) noexcept;
    Json& operator=(const Json& other);
    Json& operator=(Json&& other) noexcept;
    ~Json();

    [[nodiscard]] static Json array();
    [[nodiscard]] static Json array(std::initializer_list<Json> elements);
    [[nodiscard]] static Json object();

    // Requires: an array.
    void push_back(Json element);
    // The member of this name, added as null after the others where there is none.
    // Requires: an object, or null, which becomes one.
    Json& operator[](std::string_view key);
    // Takes over the members of the other object; those of the same name are replaced.
    // Requires: two objects.
    void update(Json other);
    // Puts the member before all others. Requires: an object without it.
    void push_front(std::string key, Json value);

    // What is there, or nothing where the value is of another type.
    [[nodiscard]] const Json* find(std::string_view key) const noexcept;
    [[nodiscard]] const std::string* as_text() const noexcept;
    [[nodiscard]] std::optional<std::uint64_t> as_natural() const noexcept;
    [[nodiscard]] std::optional<double> as_number() const noexcept;
    [[nodiscard]] std::optional<bool> as_boolean() const noexcept;
    [[nodiscard]] bool is_object() const noexcept;
    [[nodiscard]] bool is_array() const noexcept;
    // The elements of an array and the members of an object; none of any other value.
    [[nodiscard]] std::span<const Json> elements() const noexcept;
    [[nodiscard]] std::span<const std::pair<std::string, Json>> members() const noexcept;

    // Text with this indentation; -1: in one line. Bytes that are not UTF-8 are replaced.
    [[nodiscard]] std::string dump(int indent = -1) const;
    // Nothing where the text is not JSON, or such that strict_json.hpp refuses it.
    [[nodiscard]] static std::optional<Json> parse(std::string_view text);

private:
    using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double,
                               std::string, std::vector<Json>, Members>;
    friend class JsonText;
    explicit Json(Value value);

    Value value_;
};

// The number, or null where JSON has none (infinities and NaN).
[[nodiscard]] Json json_number(double value);
// [x, y, z]
[[nodiscard]] Json json_vector(const Vec3& vector);
// The value, or null where there is none.
template <class T>
[[nodiscard]] Json json_optional(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

}  // namespace graze::app
