// Memory of the caller as the library's values, and back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "errors.hpp"
#include "graze.h"
#include "graze/core/pose.hpp"
#include "graze/core/vec3.hpp"
#include "graze/narrow/ccd.hpp"
#include "graze/narrow/contact_point.hpp"

namespace graze::capi {

// A graze_view whose numbers were checked, with every stride filled in.
class CheckedView {
public:
    // Sets it, or fails: NULL, a scalar that does not exist, strides whose products overflow.
    // `points`: of one element of the view.
    [[nodiscard]] graze_status set(const graze_view* view, std::uint64_t points,
                                   const char* name) noexcept;
    [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
    // Floats become doubles, which is exact.
    [[nodiscard]] Vec3 point(std::uint64_t element, std::uint64_t point = 0) const noexcept {
        const std::int64_t offset = static_cast<std::int64_t>(element) * stride_ +
                                    static_cast<std::int64_t>(point) * point_stride_;
        return {coordinate(offset), coordinate(offset + coordinate_stride_),
                coordinate(offset + 2 * coordinate_stride_)};
    }
    // All points of a list.
    void copy_to(std::vector<Vec3>& points) const;

private:
    [[nodiscard]] double coordinate(std::int64_t offset) const noexcept {
        if (is_float_) {
            float x = 0.0F;
            std::memcpy(&x, data_ + offset, sizeof x);
            return double{x};
        }
        double x = 0.0;
        std::memcpy(&x, data_ + offset, sizeof x);
        return x;
    }

    const std::byte* data_ = nullptr;
    std::uint64_t count_ = 0;
    std::int64_t stride_ = 0;
    std::int64_t point_stride_ = 0;
    std::int64_t coordinate_stride_ = 0;
    bool is_float_ = false;
};

// The sizes that a struct of options had in earlier versions of the interface.
struct EarlierSizes {
    std::uint64_t first = 0;
    std::uint64_t second = 0;  // 0: there was none

    constexpr EarlierSizes(std::uint64_t oldest, std::uint64_t next = 0) noexcept  // NOLINT
        : first(oldest), second(next) {}
    [[nodiscard]] constexpr bool has(std::uint64_t size) const noexcept {
        return size != 0 && (size == first || size == second);
    }
};

// Options of the caller over the defaults, as many bytes as the caller's version has.
template <class Options>
[[nodiscard]] graze_status read_options(const Options* given, const EarlierSizes& earlier,
                                        const char* name, Options& options) noexcept {
    if (given == nullptr) return GRAZE_OK;
    std::uint64_t size = 0;
    std::memcpy(&size, given, sizeof size);
    if (!earlier.has(size) && size != sizeof(Options))
        return fail(GRAZE_WRONG_SIZE, "%s: no version of the struct has a size of %llu", name,
                    static_cast<unsigned long long>(size));
    std::memcpy(&options, given, size);
    if (options.reserved != 0) return fail(GRAZE_INVALID_OPTION, "%s: reserved is not 0", name);
    return GRAZE_OK;
}

// What a *_init() function does.
template <class Options>
[[nodiscard]] graze_status init_options(Options* options, const EarlierSizes& earlier,
                                        std::uint64_t size, const Options& defaults) noexcept {
    forget_error();
    if (options == nullptr) return fail(GRAZE_NULL_POINTER, "options is NULL");
    if (!earlier.has(size) && size != sizeof(Options))
        return fail(GRAZE_WRONG_SIZE, "size: no version of the struct has a size of %llu",
                    static_cast<unsigned long long>(size));
    Options copy = defaults;
    copy.size = size;
    std::memcpy(options, &copy, size);
    return GRAZE_OK;
}

// Writes `value` unless the caller does not want it.
template <class T>
void write(T* output, const T& value) noexcept {
    if (output != nullptr) *output = value;
}

// The first of them that fit, and GRAZE_BUFFER_TOO_SMALL where these are not all.
template <class From, class To, class Convert>
[[nodiscard]] graze_status write_list(std::span<const From> values, To* output,
                                      std::uint64_t capacity, std::uint64_t* count,
                                      const char* name, Convert convert) noexcept {
    const std::size_t fitting = std::min<std::uint64_t>(values.size(), capacity);
    for (std::size_t i = 0; i < fitting; ++i)
        output[i] = convert(values[i]);
    *count = values.size();
    if (fitting == values.size()) return GRAZE_OK;
    return fail(GRAZE_BUFFER_TOO_SMALL, "%s: a capacity of %llu, but there are %llu", name,
                static_cast<unsigned long long>(capacity),
                static_cast<unsigned long long>(values.size()));
}

// memcpy of numbers that the caller counted; from NULL where there are none.
template <class T>
[[nodiscard]] std::span<const T> list_of(const T* data, std::uint64_t count) noexcept {
    return {data, count == 0 ? std::size_t{0} : static_cast<std::size_t>(count)};
}

inline void write_vector(const Vec3& v, double (&output)[3]) noexcept {
    output[0] = v.x;
    output[1] = v.y;
    output[2] = v.z;
}
[[nodiscard]] inline Vec3 read_vector(const double* v) noexcept {
    return {v[0], v[1], v[2]};
}
// Fails where it is NULL, and where check() does. `name` is that of the argument.
[[nodiscard]] graze_status read_pose(const graze_pose* given, const char* name, Pose& pose);
void write_positions(std::span<const Vec3> positions, double* output) noexcept;

[[nodiscard]] graze_result to_c(const CcdResult& result) noexcept;
[[nodiscard]] graze_contact to_c(const ContactPoint& contact) noexcept;
// Nothing is known: of a contact that there is not.
[[nodiscard]] graze_contact no_contact() noexcept;

// The options that queries and steps have in common, checked.
template <class Options>
[[nodiscard]] graze_status read_query(const Options& given, CcdOptions& options) {
    if (given.norm != GRAZE_EUCLIDEAN && given.norm != GRAZE_MAX_NORM)
        return fail(GRAZE_INVALID_OPTION, "options: there is no norm %d", given.norm);
    options.norm = given.norm == GRAZE_MAX_NORM ? Norm::Max : Norm::Euclidean;
    options.min_separation = given.min_separation;
    options.distance_tolerance = given.distance_tolerance;
    options.time_width = given.time_width;
    options.t_max = given.t_max;
    options.max_checks = given.max_checks;
    const Expected<void> valid = check(options);
    return valid ? GRAZE_OK : fail("options", valid.error());
}

template <class Options>
void write_query(const CcdOptions& defaults, Options& options) noexcept {
    options.min_separation = defaults.min_separation;
    options.distance_tolerance = defaults.distance_tolerance;
    options.time_width = defaults.time_width;
    options.t_max = defaults.t_max;
    options.max_checks = defaults.max_checks;
    options.norm = defaults.norm == Norm::Max ? GRAZE_MAX_NORM : GRAZE_EUCLIDEAN;
}

// Asks the caller's function; a StopToken keeps it by address.
struct StopQuestion {
    graze_stop stop = nullptr;
    void* user = nullptr;
    static bool ask(const void* context) noexcept {
        const auto* question = static_cast<const StopQuestion*>(context);
        return question->stop != nullptr && question->stop(question->user) != 0;
    }
};

}  // namespace graze::capi
