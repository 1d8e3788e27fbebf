// Records by pixel: rows of r, in each row slabs of time, in each slab blocks of h, brought into
// order by counting. The records of neighbouring blocks lie one after the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "rigid/raster/frame.hpp"

namespace graze::rigid::raster {

struct Axis {
    double origin = 0.0;
    double width = 0.0;    // of a cell; 0 where there is only one
    double inverse = 0.0;  // 1 / width
    int count = 1;

    [[nodiscard]] static Axis make(const Range& range, double width, int most) noexcept {
        Axis a;
        a.origin = range.lower;
        const double extent = range.upper - range.lower;
        if (!(extent > 0.0) || !(width > 0.0)) return a;
        const double cells = std::floor(extent / width) + 1.0;
        a.count = static_cast<int>(std::clamp(cells, 1.0, static_cast<double>(most)));
        // A hair wider than even, so that the upper end falls into the last cell.
        a.width = cells <= most ? width : extent * (1.0 + 1e-9) / most;
        a.inverse = 1.0 / a.width;
        return a;
    }
    // Cells below and above the ends count as the first and the last; an axis of one cell may be
    // asked for infinity, and gets 0 for it.
    [[nodiscard]] int cell(double x) const noexcept {
        const double c = (x - origin) * inverse;
        return !(c > 0.0) ? 0 : c >= count ? count - 1 : static_cast<int>(c);
    }
    [[nodiscard]] double lower(int cell) const noexcept {
        return width > 0.0 ? origin + cell * width : -kFar;
    }
};

struct GridShape {
    Axis rows;
    Axis slabs;
    Axis blocks;
    [[nodiscard]] std::size_t cell(int row, int slab, int block) const noexcept {
        return (static_cast<std::size_t>(row) * static_cast<std::size_t>(slabs.count) +
                static_cast<std::size_t>(slab)) *
                   static_cast<std::size_t>(blocks.count) +
               static_cast<std::size_t>(block);
    }
    [[nodiscard]] std::size_t cells() const noexcept {
        return cell(rows.count - 1, slabs.count - 1, blocks.count - 1) + 1;
    }
};

template <class Record>
class Grid {
public:
    GridShape shape;

    void clear() noexcept {
        loose_.clear();
        cell_of_.clear();
        sorted_.clear();
    }
    void add(std::size_t cell, const Record& record) {
        cell_of_.push_back(static_cast<std::uint32_t>(cell));
        loose_.push_back(record);
    }
    [[nodiscard]] std::size_t size() const noexcept { return loose_.size(); }

    // A counting sort: O(records + cells).
    void sort() {
        start_.assign(shape.cells() + 1, 0);
        for (const std::uint32_t c : cell_of_)
            ++start_[c];
        std::uint32_t sum = 0;
        for (std::uint32_t& s : start_) {
            sum += s;
            s = sum;
        }
        sorted_.resize(loose_.size());
        for (std::size_t i = loose_.size(); i-- > 0;)
            sorted_[--start_[cell_of_[i]]] = loose_[i];
    }
    // Records of the blocks first..last of a slab of a row.
    [[nodiscard]] std::span<const Record> records(int row, int slab, int first,
                                                  int last) const noexcept {
        const std::uint32_t from = start_[shape.cell(row, slab, first)];
        const std::uint32_t to = start_[shape.cell(row, slab, last) + 1];
        return std::span(sorted_).subspan(from, to - from);
    }

private:
    std::vector<Record> loose_;
    std::vector<std::uint32_t> cell_of_;
    std::vector<Record> sorted_;
    std::vector<std::uint32_t> start_;
};

}  // namespace graze::rigid::raster
