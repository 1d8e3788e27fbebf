// The last error of each thread, and the border that no exception passes.
#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>

#include "graze.h"
#include "graze/core/expected.hpp"

namespace graze::capi {

// Each keeps text and index for graze_last_error(), and returns the status. Long texts are cut.
[[gnu::format(printf, 2, 3)]] graze_status fail(graze_status status, const char* format,
                                                ...) noexcept;
[[gnu::format(printf, 3, 4)]] graze_status fail_at(graze_status status, std::uint64_t index,
                                                   const char* format, ...) noexcept;
// `argument` is what the message of the library is about, or "".
graze_status fail(const char* argument, const Error& error) noexcept;
void forget_error() noexcept;

// body() -> graze_status, and a status for whatever it throws.
template <class Body>
graze_status guarded(Body&& body) noexcept {
    forget_error();
    try {
        const graze_status status = body();
        if (status == GRAZE_OK) forget_error();  // those of calls that a callback made
        return status;
    } catch (const std::bad_alloc&) {
        return fail(GRAZE_OUT_OF_MEMORY, "out of memory");
    } catch (const std::length_error&) {  // a container that no memory would hold
        return fail(GRAZE_OUT_OF_MEMORY, "out of memory");
    } catch (const std::exception& error) {
        return fail(GRAZE_INTERNAL, "exception: %s", error.what());
    } catch (...) {
        return fail(GRAZE_INTERNAL, "exception of an unknown type");
    }
}

// The first failure of a row of checks; those after it are not made.
class Checks {
public:
    [[nodiscard]] bool failed() const noexcept { return status_ != GRAZE_OK; }
    [[nodiscard]] graze_status status() const noexcept { return status_; }

    Checks& not_null(const void* pointer, const char* name) noexcept {
        if (!failed() && pointer == nullptr) status_ = fail(GRAZE_NULL_POINTER, "%s is NULL", name);
        return *this;
    }
    // A list: pointer and length.
    Checks& list(const void* pointer, std::uint64_t count, const char* name) noexcept;
    Checks& same(std::uint64_t found, std::uint64_t wanted, const char* name) noexcept;
    // Every other check: the status that it returns.
    template <class Check>
    Checks& then(Check&& check) noexcept(noexcept(check())) {
        if (!failed()) status_ = check();
        return *this;
    }

private:
    graze_status status_ = GRAZE_OK;
};

// No list of the interface is longer: what is beyond is a length that was worked out wrongly.
inline constexpr std::uint64_t kLongestList = std::uint64_t{1} << 40;

}  // namespace graze::capi
