// A value or the reason why there is none: errors at the library's edges are values.
// Stands in for std::expected until C++23, with the same member names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace graze {

// What kind of error it is, for programs that react to it. The message is for people.
enum class ErrorCode : std::uint8_t {
    Unspecified,      // the message alone says what
    InvalidInput,     // what was passed or read, for another reason than the next three
    NotFinite,        // a number of it is NaN or infinite
    IndexOutOfRange,  // it names a vertex, a face, a body that does not exist
    WrongSize,        // too many, too few, or not as many as something else
    InvalidOption,    // an option is out of its range, or does not go with another
    CannotRead,       // a file or folder: missing, not permitted, a device that fails
    CannotWrite,
    DiskFull,   // no space, or a quota or size limit is used up
    Malformed,  // the contents of a file or a text are not of its format, or cut short
    OutOfMemory,
    Cancelled,    // by a stop token or a progress callback: nothing is claimed
    Unsupported,  // the method, the format, the platform or the build cannot do it
    Internal,     // a defect of the library
};

struct Error {
    // One clear line that names the location: "frames.ply:12: property 'x' is a list".
    std::string message;
    ErrorCode code = ErrorCode::Unspecified;
    // Of the element that is at fault (a vertex, a face, a body, a line: the message says which, and
    // counts from the same number), if one is.
    std::optional<std::size_t> index = std::nullopt;
};

// "location: message"; code and index stay.
[[nodiscard]] inline Error located(const std::string& location, Error error) {
    error.message.insert(0, location + ": ");
    return error;
}

template <class T>
class [[nodiscard]] Expected {
public:
    Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Expected(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return has_value(); }

    // Requires: has_value() for value(), operator*, operator->; !has_value() for error().
    [[nodiscard]] T& value() & { return std::get<0>(state_); }
    [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
    [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
    [[nodiscard]] T& operator*() & { return value(); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
    [[nodiscard]] T* operator->() { return &value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }
    [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

private:
    std::variant<T, Error> state_;
};

// Success without a value, or an error.
template <>
class [[nodiscard]] Expected<void> {
public:
    Expected() = default;
    Expected(Error error) : error_(std::move(error)) {}

    [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
    explicit operator bool() const noexcept { return has_value(); }
    [[nodiscard]] const Error& error() const { return error_.value(); }

private:
    std::optional<Error> error_;
};

}  // namespace graze
