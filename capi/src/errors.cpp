#include "errors.hpp"

#include <cstdarg>
#include <cstdio>

namespace graze::capi {
namespace {

struct LastError {
    char text[512] = "";
    std::int64_t index = -1;
};
thread_local LastError last_error;

graze_status status_of(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::NotFinite:
            return GRAZE_NOT_FINITE;
        case ErrorCode::IndexOutOfRange:
            return GRAZE_OUT_OF_RANGE;
        case ErrorCode::WrongSize:
            return GRAZE_WRONG_SIZE;
        case ErrorCode::InvalidOption:
            return GRAZE_INVALID_OPTION;
        case ErrorCode::OutOfMemory:
            return GRAZE_OUT_OF_MEMORY;
        case ErrorCode::Cancelled:
            return GRAZE_CANCELLED;
        case ErrorCode::Unsupported:
            return GRAZE_UNSUPPORTED;
        case ErrorCode::Internal:
            return GRAZE_INTERNAL;
        default:  // files play no part here
            return GRAZE_INVALID_INPUT;
    }
}

}  // namespace

void forget_error() noexcept {
    last_error.text[0] = '\0';
    last_error.index = -1;
}

graze_status fail(graze_status status, const char* format, ...) noexcept {
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(last_error.text, sizeof last_error.text, format, arguments);
    va_end(arguments);
    last_error.index = -1;
    return status;
}

graze_status fail_at(graze_status status, std::uint64_t index, const char* format, ...) noexcept {
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(last_error.text, sizeof last_error.text, format, arguments);
    va_end(arguments);
    last_error.index = static_cast<std::int64_t>(index);
    return status;
}

graze_status fail(const char* argument, const Error& error) noexcept {
    const graze_status status = status_of(error.code);
    const char* colon = argument[0] == '\0' ? "" : ": ";
    if (error.index)
        return fail_at(status, *error.index, "%s%s%s", argument, colon, error.message.c_str());
    return fail(status, "%s%s%s", argument, colon, error.message.c_str());
}

Checks& Checks::list(const void* pointer, std::uint64_t count, const char* name) noexcept {
    if (failed()) return *this;
    if (count > kLongestList)
        status_ = fail(GRAZE_WRONG_SIZE, "%s: a length of %llu is too large", name,
                       static_cast<unsigned long long>(count));
    else if (pointer == nullptr && count != 0)
        status_ = fail(GRAZE_NULL_POINTER, "%s is NULL", name);
    return *this;
}

Checks& Checks::same(std::uint64_t found, std::uint64_t wanted, const char* name) noexcept {
    if (!failed() && found != wanted)
        status_ =
            fail(GRAZE_WRONG_SIZE, "%s has a length of %llu, not %llu", name,
                 static_cast<unsigned long long>(found), static_cast<unsigned long long>(wanted));
    return *this;
}

}  // namespace graze::capi

using graze::capi::last_error;

int32_t graze_abi_version() noexcept {
    return GRAZE_ABI_VERSION;
}

const char* graze_version() noexcept {
    return GRAZE_C_VERSION;
}

const char* graze_last_error() noexcept {
    return last_error.text;
}

int64_t graze_last_error_index() noexcept {
    return last_error.index;
}

const char* graze_status_text(graze_status status) noexcept {
    switch (status) {
        case GRAZE_OK:
            return "ok";
        case GRAZE_NULL_POINTER:
            return "null pointer";
        case GRAZE_INVALID_INPUT:
            return "invalid input";
        case GRAZE_NOT_FINITE:
            return "not finite";
        case GRAZE_OUT_OF_RANGE:
            return "out of range";
        case GRAZE_WRONG_SIZE:
            return "wrong size";
        case GRAZE_INVALID_OPTION:
            return "invalid option";
        case GRAZE_BAD_HANDLE:
            return "bad handle";
        case GRAZE_BUSY:
            return "busy";
        case GRAZE_BUFFER_TOO_SMALL:
            return "buffer too small";
        case GRAZE_OUT_OF_MEMORY:
            return "out of memory";
        case GRAZE_CANCELLED:
            return "cancelled";
        case GRAZE_UNSUPPORTED:
            return "unsupported";
        case GRAZE_INTERNAL:
            return "internal error";
        default:
            return "unknown status";
    }
}
