// The parts of graze_platform_hash, and what they have in common: numbers made by integers alone, and
// a hash of results. The standard library only, so that it compiles for every platform.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/executor.hpp"
#include "graze/core/vec3.hpp"

namespace graze::platforms {

// FNV-1a, 64 bits. All NaN are one: which bits an operation gives them is up to the processor.
class Hash {
public:
    void add(std::uint64_t value) noexcept {
        for (int i = 0; i < 8; ++i)
            state_ = (state_ ^ ((value >> (8 * i)) & 0xffU)) * 0x100000001b3U;
    }
    void add(double x) noexcept {
        add(x != x ? std::uint64_t{0x7ff8} << 48 : std::bit_cast<std::uint64_t>(x));
    }
    void add(float x) noexcept { add(double{x}); }
    void add(bool x) noexcept { add(std::uint64_t{x}); }
    void add(int x) noexcept { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(x))); }
    void add(std::uint32_t x) noexcept { add(std::uint64_t{x}); }
    template <class T>
    requires std::is_enum_v<T>
    void add(T x) noexcept { add(static_cast<std::uint64_t>(x)); }
    template <class T>
    void add(const Vec<T>& v) noexcept {
        add(v.x);
        add(v.y);
        add(v.z);
    }
    template <class T>
    void add(const std::vector<T>& values) noexcept {
        add(static_cast<std::uint64_t>(values.size()));
        for (const T& value : values)
            add(value);
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return state_; }

private:
    std::uint64_t state_ = 0xcbf29ce484222325U;
};

// SplitMix64; doubles are exact multiples of a power of two, so that no library function takes part.
class Numbers {
public:
    explicit Numbers(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t bits() noexcept {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    // In [0, count).
    std::uint32_t below(std::uint32_t count) noexcept {
        return static_cast<std::uint32_t>((bits() >> 32) * count >> 32);
    }
    // In [-1, 1), 53 bits.
    double number() noexcept {
        return static_cast<double>(static_cast<std::int64_t>(bits()) >> 10) * 0x1p-53;
    }
    // Each component in turn: arguments of a call have no order.
    Vec3 vector() noexcept {
        Vec3 v;
        for (std::size_t axis = 0; axis < 3; ++axis)
            v[axis] = number();
        return v;
    }
    // Whole numbers in [-size, size].
    Vec3 grid_vector(int size) noexcept {
        Vec3 v;
        for (std::size_t axis = 0; axis < 3; ++axis)
            v[axis] = static_cast<int>(below(static_cast<std::uint32_t>(2 * size + 1))) - size;
        return v;
    }

private:
    std::uint64_t state_;
};

struct Part {
    std::string name;
    std::function<std::uint64_t()> hash;
};
// Whether the same work on 1 to `most` threads has the bits of one thread; prints what has not.
struct ThreadTest {
    std::string name;
    std::function<std::uint64_t(std::size_t threads)> hash;
};

void add_query_parts(std::vector<Part>& parts);
void add_mesh_parts(std::vector<Part>& parts, std::vector<ThreadTest>& tests);
void add_rigid_parts(std::vector<Part>& parts, std::vector<ThreadTest>& tests);
void add_slide_parts(std::vector<Part>& parts);

// Threads of its own for each call; one after the other where the platform has none.
[[nodiscard]] Executor new_threads();

}  // namespace graze::platforms
