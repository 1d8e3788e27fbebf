// Objects of the JSON files that a command reads, member by member: what is odd is an error that names its place.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "graze/core/expected.hpp"
#include "graze/core/pose.hpp"
#include "graze/core/shown_text.hpp"
#include "graze/core/vec3.hpp"

namespace graze::app {

using SceneJson = nlohmann::json;

// An object of the file, with the path to it. The first error is kept: callers read all members and ask
// once.
class SceneObject {
public:
    SceneObject(const SceneJson& json, std::string place) : json_(json), place_(std::move(place)) {
        if (!json.is_object()) fail("is not an object");
    }

    [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }
    [[nodiscard]] const std::string& place() const noexcept { return place_; }
    [[nodiscard]] std::string place_of(const char* key) const {
        return place_.empty() ? std::string(key) : place_ + "." + key;
    }
    void fail(const std::string& what) {
        if (!error_) error_ = Error{"'" + (place_.empty() ? "the file" : place_) + "' " + what};
    }
    void fail_at(const char* key, const std::string& what) {
        if (!error_) error_ = Error{"'" + place_of(key) + "' " + what};
    }

    void know(std::initializer_list<const char*> keys) {
        if (error_) return;
        for (const auto& member : json_.items())
            if (std::find(keys.begin(), keys.end(), member.key()) == keys.end())
                fail("has a member '" + shown_text(member.key()) + "' that is not known");
    }
    [[nodiscard]] const SceneJson* find(const char* key) const {
        if (error_) return nullptr;
        const auto found = json_.find(key);
        return found == json_.end() ? nullptr : &*found;
    }
    // Read where there is one.
    bool number(const char* key, double& value, double least, double most) {
        const SceneJson* json = find(key);
        if (json == nullptr) return false;
        if (!json->is_number()) {
            fail_at(key, "is not a number");
            return false;
        }
        const double read = json->get<double>();
        if (!(read >= least && read <= most)) {
            fail_at(key, "is out of its range");
            return false;
        }
        value = read;
        return true;
    }
    bool natural(const char* key, std::uint64_t& value, std::uint64_t most) {
        const SceneJson* json = find(key);
        if (json == nullptr) return false;
        if (!json->is_number_unsigned() || json->get<std::uint64_t>() > most) {
            fail_at(key, "is not a whole number in its range");
            return false;
        }
        value = json->get<std::uint64_t>();
        return true;
    }
    bool flag(const char* key, bool& value) {
        const SceneJson* json = find(key);
        if (json == nullptr) return false;
        if (!json->is_boolean()) {
            fail_at(key, "is neither true nor false");
            return false;
        }
        value = json->get<bool>();
        return true;
    }
    bool text(const char* key, std::string& value) {
        const SceneJson* json = find(key);
        if (json == nullptr) return false;
        if (!json->is_string()) {
            fail_at(key, "is not a text");
            return false;
        }
        value = json->get<std::string>();
        return true;
    }
    bool file_name(const char* key, std::string& value) {
        if (!text(key, value)) return false;
        if (is_file_name(value)) return true;
        fail_at(key, "is not the name of a file");
        return false;
    }
    template <std::size_t N>
    bool numbers(const char* key, std::array<double, N>& values) {
        const SceneJson* json = find(key);
        if (json == nullptr) return false;
        if (!read_numbers(*json, values)) {
            fail_at(key, "is not a list of " + std::to_string(N) + " numbers below 2^300");
            return false;
        }
        return true;
    }
    bool vector(const char* key, Vec3& value) {
        std::array<double, 3> read{};
        if (!numbers(key, read)) return false;
        value = {read[0], read[1], read[2]};
        return true;
    }
    template <std::size_t N>
    [[nodiscard]] static bool read_numbers(const SceneJson& json, std::array<double, N>& values) {
        if (!json.is_array() || json.size() != N) return false;
        for (std::size_t i = 0; i < N; ++i) {
            if (!json[i].is_number()) return false;
            values[i] = json[i].template get<double>();
            if (!(std::fabs(values[i]) <= kMaxTranslation)) return false;
        }
        return true;
    }

private:
    const SceneJson& json_;
    std::string place_;
    std::optional<Error> error_;
};

// One of several words. What is none of them is an error that lists them.
template <class Value>
void choose(SceneObject& object, const char* key, Value& value,
            std::initializer_list<std::pair<const char*, Value>> choices) {
    std::string text;
    if (!object.text(key, text)) return;
    std::string names;
    for (const auto& [name, meant] : choices) {
        if (text == name) {
            value = meant;
            return;
        }
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    object.fail_at(key, "is none of " + names);
}

}  // namespace graze::app
