// The boxes of one level of the bisection.
//
// All boxes of a level have the same widths, so that a box is its lower corner (t, u, v). They are
// sorted by t: splitting u or v keeps the order, and splitting t keeps it where the earlier halves
// of boxes with the same t come before their later halves. No queue has to sort.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "graze/core/assert.hpp"

namespace graze::inclusion {

// Lanes of the widest instruction set: arrays are read and written in whole steps of it.
inline constexpr std::size_t kMaxLanes = 8;

enum class Axis : std::uint8_t { Time, U, V };

struct Widths {
    double t = 1.0;
    double u = 1.0;
    double v = 1.0;
};

// Lower corners in three arrays, each followed by kMaxLanes readable numbers.
struct BoxView {
    const double* t = nullptr;
    const double* u = nullptr;
    const double* v = nullptr;
    std::size_t count = 0;
};

// Where lower corners go, one after the other.
struct Corners {
    double* t = nullptr;
    double* u = nullptr;
    double* v = nullptr;
    std::size_t count = 0;

    // Writes a corner, and moves on if it is to be kept: keep is 0 or 1.
    void push(double at_t, double at_u, double at_v, std::int64_t keep) noexcept {
        t[count] = at_t;
        u[count] = at_u;
        v[count] = at_v;
        count += static_cast<std::size_t>(keep);
    }
};

// How the boxes of a level are halved.
struct Split {
    Axis axis = Axis::Time;
    Widths halves;         // widths of what comes out
    double horizon = 1.0;  // time ends here: halves that begin there are dropped, others are cut
};

// An array that grows, without the zeros that a vector would write first, and with kMaxLanes spare
// places.
template <class T>
class Lane {
public:
    Lane() noexcept = default;
    Lane(Lane&& other) noexcept
        : data_(std::move(other.data_)), capacity_(std::exchange(other.capacity_, 0)) {}
    Lane& operator=(Lane&& other) noexcept {
        data_ = std::move(other.data_);
        capacity_ = std::exchange(other.capacity_, 0);
        return *this;
    }

    [[nodiscard]] T* data() noexcept { return data_.get(); }
    [[nodiscard]] const T* data() const noexcept { return data_.get(); }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    // Keeps the first `used` entries. Throws std::bad_alloc.
    void reserve(std::size_t capacity, std::size_t used) {
        if (capacity <= capacity_) return;
        auto data = std::make_unique_for_overwrite<T[]>(capacity + kMaxLanes);
        std::copy_n(data_.get(), used, data.get());
        data_ = std::move(data);
        capacity_ = capacity;
    }
    void release() noexcept {
        data_.reset();
        capacity_ = 0;
    }

private:
    std::unique_ptr<T[]> data_;
    std::size_t capacity_ = 0;
};

class Level {
public:
    Widths widths;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t capacity() const noexcept { return t_.capacity(); }
    [[nodiscard]] BoxView boxes() const noexcept {
        return {t_.data(), u_.data(), v_.data(), size_};
    }
    // The same, with numbers in the places behind the last box. Requires: some capacity.
    [[nodiscard]] BoxView padded_boxes() noexcept {
        for (Lane<double>* lane : {&t_, &u_, &v_})
            std::fill_n(lane->data() + size_, kMaxLanes, 0.0);
        return boxes();
    }
    [[nodiscard]] double time(std::size_t box) const noexcept { return t_.data()[box]; }

    // Makes room for `count` boxes in all. Throws std::bad_alloc, and is then as before.
    void reserve(std::size_t count) {
        if (count <= capacity()) return;
        // Half as much again, so that growing level by level costs little.
        const std::size_t more = count + count / 2;
        // t last: capacity() is its, and must not promise what the others could not get.
        u_.reserve(more, size_);
        v_.reserve(more, size_);
        t_.reserve(more, size_);
    }
    // Where boxes are written; append() makes those behind the last one part of the level.
    [[nodiscard]] Corners end() noexcept {
        return {t_.data() + size_, u_.data() + size_, v_.data() + size_};
    }
    void append(std::size_t count) noexcept {
        size_ += count;
        GRAZE_ASSERT(size_ <= capacity());
    }
    void truncate(std::size_t count) noexcept { size_ = std::min(size_, count); }
    void clear() noexcept { size_ = 0; }
    void release() noexcept {
        size_ = 0;
        t_.release();
        u_.release();
        v_.release();
    }

private:
    Lane<double> t_;
    Lane<double> u_;
    Lane<double> v_;
    std::size_t size_ = 0;
};

// Moves the later half of the boxes to a level of its own. Throws std::bad_alloc.
[[nodiscard]] inline Level take_later_half(Level& level) {
    const std::size_t kept = level.size() / 2;
    const BoxView boxes = level.boxes();
    Level later;
    later.widths = level.widths;
    later.reserve(level.size() - kept);
    Corners to = later.end();
    for (std::size_t i = kept; i < boxes.count; ++i)
        to.push(boxes.t[i], boxes.u[i], boxes.v[i], 1);
    later.append(to.count);
    level.truncate(kept);
    return later;
}

}  // namespace graze::inclusion
