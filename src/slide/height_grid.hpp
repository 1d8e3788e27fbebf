// The triangles of a grid of heights, which are not stored: a height for each sample, and the range
// of heights of blocks of cells, blocks of blocks, and so on (SW-3).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "graze/broad/box.hpp"
#include "graze/core/expected.hpp"
#include "graze/slide/precision.hpp"
#include "graze/slide/world.hpp"

namespace graze::slide {

template <class Real>
class HeightGrid {
public:
    // On a side. An index times the spacing is then off by less than a sixteenth of a cell in floats,
    // which the search allows for.
    static constexpr std::uint32_t kMaxSamples = (1U << 20) + 1;

    // Errors: see World::add_height_field().
    [[nodiscard]] static Expected<HeightGrid> make(const HeightField<Real>& field);

    [[nodiscard]] std::size_t face_count() const noexcept {
        return 2 * std::size_t{cells_x_} * cells_z_;
    }
    // Of the triangles that are there.
    [[nodiscard]] const Box& bounds() const noexcept { return bounds_; }
    // Two for each cell, split from (x, z + 1) to (x + 1, z), counterclockwise from above.
    [[nodiscard]] std::array<Vec<Real>, 3> triangle(std::uint32_t face) const noexcept {
        const std::uint32_t x = face / 2 % cells_x_;
        const std::uint32_t z = face / 2 / cells_x_;
        if (face % 2 == 0) return {vertex(x, z), vertex(x, z + 1), vertex(x + 1, z)};
        return {vertex(x + 1, z), vertex(x, z + 1), vertex(x + 1, z + 1)};
    }

    // Calls visit(face) for every triangle whose box meets the box, and may call it for others; ends
    // where it returns false. `visit` must not throw. Cost: grows with the logarithm of the grid and
    // with the cells in the box.
    template <class Visit>
    void search(const Box& box, Visit&& visit) const noexcept {
        const CellRange cells{along(box.lower.x, box.upper.x, spacing_x_, cells_x_),
                              along(box.lower.z, box.upper.z, spacing_z_, cells_z_), box.lower.y,
                              box.upper.y};
        if (cells.x.first > cells.x.last || cells.z.first > cells.z.last) return;
        (void)search_block(cells, levels_.size() - 1, 0, 0, visit);
    }

private:
    // Cells on a side of a block of the lowest level.
    static constexpr std::uint32_t kBlock = 8;

    struct Interval {
        std::uint32_t first = 1;
        std::uint32_t last = 0;
    };
    struct CellRange {
        Interval x;
        Interval z;
        double lower;  // of the heights
        double upper;
    };
    struct HeightRange {
        Real lower;
        Real upper;
    };
    struct BlockLevel {
        std::uint32_t blocks_x = 0;
        std::uint32_t blocks_z = 0;
        std::vector<HeightRange> ranges;
    };

    // The product is exact in doubles for floats; rounded it does not fall with the index.
    [[nodiscard]] static Real coordinate(std::uint32_t index, double spacing) noexcept {
        const double at = static_cast<double>(index) * spacing;
        if constexpr (std::is_same_v<Real, float>) {
            return detail::rounded_to_float(at);
        } else {
            return at;
        }
    }
    [[nodiscard]] Real height(std::uint32_t x, std::uint32_t z) const noexcept {
        return heights_[std::size_t{z} * (cells_x_ + std::size_t{1}) + x];
    }
    [[nodiscard]] Vec<Real> vertex(std::uint32_t x, std::uint32_t z) const noexcept {
        return {coordinate(x, spacing_x_), height(x, z), coordinate(z, spacing_z_)};
    }

    // The cells that have a coordinate in [lower, upper]. The quotient is off by less than a tenth:
    // two cells more are begun with, and left out by the coordinates themselves.
    [[nodiscard]] static Interval along(double lower, double upper, double spacing,
                                        std::uint32_t cells) noexcept {
        const auto clamped = [&](double at) -> std::uint32_t {
            if (!(at > 0.0)) return 0;
            return at < static_cast<double>(cells) ? static_cast<std::uint32_t>(at) : cells;
        };
        std::uint32_t first = clamped(std::floor(lower / spacing) - 2.0);
        std::uint32_t last = std::min(clamped(std::floor(upper / spacing) + 2.0), cells - 1);
        while (first < cells && double{coordinate(first + 1, spacing)} < lower)
            ++first;
        while (last > 0 && double{coordinate(last, spacing)} > upper)
            --last;
        if (first >= cells || upper < 0.0) return {};
        return {first, last};
    }

    template <class Visit>
    bool search_block(const CellRange& cells, std::size_t level, std::uint32_t block_x,
                      std::uint32_t block_z, Visit& visit) const noexcept {
        const BlockLevel& at = levels_[level];
        const HeightRange& range = at.ranges[std::size_t{block_z} * at.blocks_x + block_x];
        if (!(double{range.lower} <= cells.upper && double{range.upper} >= cells.lower))
            return true;
        if (level == 0) return search_cells(cells, block_x * kBlock, block_z * kBlock, visit);
        const BlockLevel& below = levels_[level - 1];
        const std::uint32_t size = kBlock << (level - 1);  // in cells, of a block below
        const Interval x = blocks(cells.x, 2 * block_x, size, below.blocks_x);
        const Interval z = blocks(cells.z, 2 * block_z, size, below.blocks_z);
        for (std::uint32_t k = z.first; k <= z.last; ++k)
            for (std::uint32_t i = x.first; i <= x.last; ++i)
                if (!search_block(cells, level - 1, i, k, visit)) return false;
        return true;
    }
    // Of the two blocks from the first on those that the cells are in.
    [[nodiscard]] static Interval blocks(const Interval& cells, std::uint32_t first,
                                         std::uint32_t size, std::uint32_t count) noexcept {
        return {std::max(first, cells.first / size),
                std::min({first + 1, cells.last / size, count - 1})};
    }

    template <class Visit>
    bool search_cells(const CellRange& cells, std::uint32_t from_x, std::uint32_t from_z,
                      Visit& visit) const noexcept {
        const std::uint32_t last_x = std::min(cells.x.last, from_x + kBlock - 1);
        const std::uint32_t last_z = std::min(cells.z.last, from_z + kBlock - 1);
        for (std::uint32_t z = std::max(cells.z.first, from_z); z <= last_z; ++z) {
            for (std::uint32_t x = std::max(cells.x.first, from_x); x <= last_x; ++x) {
                const Real a = height(x, z);
                const Real b = height(x, z + 1);
                const Real c = height(x + 1, z);
                const Real d = height(x + 1, z + 1);
                const std::uint32_t face = 2 * (z * cells_x_ + x);
                if (meets(cells, a, b, c) && !visit(face)) return false;
                if (meets(cells, c, b, d) && !visit(face + 1)) return false;
            }
        }
        return true;
    }
    // False for a hole: a height of it is NaN.
    [[nodiscard]] static bool meets(const CellRange& cells, Real a, Real b, Real c) noexcept {
        if (!(a == a && b == b && c == c)) return false;
        return double{std::min({a, b, c})} <= cells.upper &&
               double{std::max({a, b, c})} >= cells.lower;
    }

    void find_bounds() noexcept;
    void build_levels();

    std::uint32_t cells_x_ = 0;
    std::uint32_t cells_z_ = 0;
    double spacing_x_ = 1.0;
    double spacing_z_ = 1.0;
    std::vector<Real> heights_;
    std::vector<BlockLevel> levels_;  // the last is one block
    Box bounds_;
};

extern template class HeightGrid<float>;
extern template class HeightGrid<double>;

}  // namespace graze::slide
