// Included before every source that emscripten compiles: what its C++ library lacks of C++20.
//
// Debian's emscripten 3.1.6 has libc++ 13, which came before these. A newer one defines the macros.
#pragma once

#include <bit>
#include <charconv>
#include <compare>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>

#if defined(_LIBCPP_VERSION) && !defined(__cpp_lib_bit_cast)
namespace std {

template <class To, class From>
requires(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>)
    [[nodiscard]] constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}

}  // namespace std
#endif

#if defined(_LIBCPP_VERSION) && !defined(__cpp_lib_smart_ptr_for_overwrite)
namespace std {

template <class T>
requires(!is_array_v<T>) [[nodiscard]] unique_ptr<T> make_unique_for_overwrite() {
    return unique_ptr<T>(new T);
}
template <class T>
requires(is_array_v<T>&& extent_v<T> == 0)
    [[nodiscard]] unique_ptr<T> make_unique_for_overwrite(size_t count) {
    return unique_ptr<T>(new remove_extent_t<T>[count]);
}

}  // namespace std
#endif

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000
namespace std {

constexpr bool is_eq(partial_ordering order) noexcept {
    return order == 0;
}
constexpr bool is_neq(partial_ordering order) noexcept {
    return order != 0;
}

}  // namespace std
#endif

// Numbers in the messages of errors; no result is made of them.
#if defined(_LIBCPP_VERSION) && !defined(__cpp_lib_to_chars)
namespace std {

inline to_chars_result to_chars(char* first, char* last, double value, chars_format,
                                int precision) {
    const auto size = static_cast<size_t>(last - first);
    const int written = snprintf(first, size, "%.*g", precision, value);
    if (written < 0 || static_cast<size_t>(written) >= size) return {last, errc::value_too_large};
    return {first + written, errc{}};
}
inline to_chars_result to_chars(char* first, char* last, double value) {
    return to_chars(first, last, value, chars_format::general, 17);
}

}  // namespace std
#endif

#if defined(_LIBCPP_VERSION) && !defined(__cpp_lib_jthread)
namespace std {

// Joins at its end; without a stop token.
class jthread {
public:
    template <class F>
    explicit jthread(F&& f) : thread_(forward<F>(f)) {}
    jthread(jthread&&) noexcept = default;
    jthread& operator=(jthread&&) noexcept = default;
    ~jthread() {
        if (thread_.joinable()) thread_.join();
    }

private:
    thread thread_;
};

}  // namespace std
#endif
