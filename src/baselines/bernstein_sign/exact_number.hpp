// Integers of any size, for the polynomials of tight_bernstein/polynomials.hpp.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <new>
#include <utility>

namespace graze::bernstein {

// 1024 bits in place hold what ordinary input needs up to the division; the rest is on the heap.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<1024, 0>,
                                              boost::multiprecision::et_off>;

// The algebra is noexcept, so memory that runs out is remembered instead of thrown: what is
// calculated from a lost number is lost.
class Exact {
public:
    static constexpr bool kExact = true;

    Exact() noexcept = default;
    // significand 2^shift
    Exact(std::uint64_t significand, bool negative, unsigned shift) noexcept {
        attempt([&] {
            value_ = significand;
            value_ <<= shift;
            if (negative) value_ = -value_;
        });
    }
    Exact(const Exact& other) noexcept : lost_(other.lost_) {
        attempt([&] { value_ = other.value_; });
    }
    Exact(Exact&& other) noexcept : value_(std::move(other.value_)), lost_(other.lost_) {}
    Exact& operator=(const Exact& other) noexcept {
        lost_ = other.lost_;
        attempt([&] { value_ = other.value_; });
        return *this;
    }
    Exact& operator=(Exact&& other) noexcept {
        value_.swap(other.value_);
        std::swap(lost_, other.lost_);
        return *this;
    }
    ~Exact() = default;

    [[nodiscard]] bool is_lost() const noexcept { return lost_; }
    // -1, 0 or 1. Requires: not lost.
    [[nodiscard]] int sign() const noexcept { return value_.sign(); }

    [[nodiscard]] friend Exact operator-(const Exact& a) noexcept {
        Exact result(a);
        result.value_.backend().negate();
        return result;
    }
    [[nodiscard]] friend Exact operator+(const Exact& a, const Exact& b) noexcept {
        return calculated(a, b, [](const Integer& x, const Integer& y) { return x + y; });
    }
    [[nodiscard]] friend Exact operator-(const Exact& a, const Exact& b) noexcept {
        return calculated(a, b, [](const Integer& x, const Integer& y) { return x - y; });
    }
    [[nodiscard]] friend Exact operator*(const Exact& a, const Exact& b) noexcept {
        return calculated(a, b, [](const Integer& x, const Integer& y) { return x * y; });
    }
    [[nodiscard]] Exact multiplied(unsigned factor) const noexcept {
        Exact result(*this);
        result.attempt([&] { result.value_ *= factor; });
        return result;
    }
    [[nodiscard]] Exact shifted(unsigned bits) const noexcept {
        Exact result(*this);
        result.attempt([&] { result.value_ <<= bits; });
        return result;
    }

private:
    Integer value_;
    bool lost_ = false;

    template <class Action>
    void attempt(const Action& action) noexcept {
        if (lost_) return;
        try {
            action();
        } catch (const std::bad_alloc&) {
            lost_ = true;
            value_ = Integer();  // the library leaves it without a limb, which is no number
        }
    }
    template <class Operation>
    [[nodiscard]] static Exact calculated(const Exact& a, const Exact& b,
                                          const Operation& operation) noexcept {
        Exact result;
        result.lost_ = a.lost_ || b.lost_;
        result.attempt([&] { result.value_ = operation(a.value_, b.value_); });
        return result;
    }
};

template <int m>
[[nodiscard]] Exact times(const Exact& a) noexcept {
    static_assert(m > 0);
    return a.multiplied(static_cast<unsigned>(m));
}

}  // namespace graze::bernstein
