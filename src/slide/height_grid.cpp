#include "slide/height_grid.hpp"

#include <limits>
#include <string>

#include "graze/core/vec3.hpp"

namespace graze::slide {
namespace {

template <class Real>
Expected<void> check_field(const HeightField<Real>& field, std::uint32_t most) {
    if (field.columns < 2 || field.rows < 2 || field.columns > most || field.rows > most)
        return Error{"a height field has 2 to 2^20 + 1 samples on a side", ErrorCode::WrongSize};
    const std::size_t samples = std::size_t{field.columns} * field.rows;
    if (field.heights.size() != samples)
        return Error{std::to_string(field.heights.size()) + " heights for " +
                         std::to_string(samples) + " samples",
                     ErrorCode::WrongSize};
    const std::size_t cells = (std::size_t{field.columns} - 1) * (field.rows - std::size_t{1});
    if (cells > (std::size_t{1} << 30)) return Error{"more than 2^31 faces", ErrorCode::WrongSize};
    const double largest = double{std::numeric_limits<Real>::max()};
    for (const auto& [spacing, count] : {std::pair{double{field.spacing_x}, field.columns},
                                         std::pair{double{field.spacing_z}, field.rows}}) {
        if (!(spacing > 0.0) || !(spacing <= largest / static_cast<double>(count)))
            return Error{"a height field needs spacings that are positive and finite",
                         ErrorCode::InvalidOption};
    }
    for (std::size_t i = 0; i < samples; ++i) {
        if (std::isinf(field.heights[i]))
            return Error{"height " + std::to_string(i) + " is infinite", ErrorCode::NotFinite, i};
    }
    return {};
}

}  // namespace

template <class Real>
Expected<HeightGrid<Real>> HeightGrid<Real>::make(const HeightField<Real>& field) {
    const Expected<void> checked = check_field(field, kMaxSamples);
    if (!checked) return checked.error();
    HeightGrid grid;
    grid.cells_x_ = field.columns - 1;
    grid.cells_z_ = field.rows - 1;
    grid.spacing_x_ = double{field.spacing_x};
    grid.spacing_z_ = double{field.spacing_z};
    grid.heights_.assign(field.heights.begin(), field.heights.end());
    grid.find_bounds();
    if (!(grid.bounds_.lower.x <= grid.bounds_.upper.x))
        return Error{"a height field that is one hole", ErrorCode::InvalidInput};
    grid.build_levels();
    return grid;
}

template <class Real>
void HeightGrid<Real>::find_bounds() noexcept {
    for (std::uint32_t face = 0; face < face_count(); ++face) {
        const std::array<Vec<Real>, 3> t = triangle(face);
        if (std::isnan(t[0].y) || std::isnan(t[1].y) || std::isnan(t[2].y)) continue;
        for (const Vec<Real>& v : t)
            bounds_.add(widened(v));
    }
}

// The range of a block is that of all heights at the corners of its cells: holes count for nothing,
// and a block that is one hole has a range that no query meets.
template <class Real>
void HeightGrid<Real>::build_levels() {
    constexpr Real kMost = std::numeric_limits<Real>::infinity();
    const auto halved = [](std::uint32_t n) { return (n + 1) / 2; };
    BlockLevel lowest{(cells_x_ + kBlock - 1) / kBlock, (cells_z_ + kBlock - 1) / kBlock, {}};
    for (std::uint32_t block_z = 0; block_z < lowest.blocks_z; ++block_z) {
        for (std::uint32_t block_x = 0; block_x < lowest.blocks_x; ++block_x) {
            HeightRange range{kMost, -kMost};
            for (std::uint32_t z = block_z * kBlock;
                 z <= std::min(cells_z_, (block_z + 1) * kBlock); ++z) {
                for (std::uint32_t x = block_x * kBlock;
                     x <= std::min(cells_x_, (block_x + 1) * kBlock); ++x) {
                    const Real h = height(x, z);
                    if (h < range.lower) range.lower = h;  // false for a hole
                    if (h > range.upper) range.upper = h;
                }
            }
            lowest.ranges.push_back(range);
        }
    }
    levels_.push_back(std::move(lowest));
    while (levels_.back().ranges.size() > 1) {
        const BlockLevel& below = levels_.back();
        BlockLevel level{halved(below.blocks_x), halved(below.blocks_z), {}};
        level.ranges.assign(std::size_t{level.blocks_x} * level.blocks_z, {kMost, -kMost});
        for (std::uint32_t z = 0; z < below.blocks_z; ++z) {
            for (std::uint32_t x = 0; x < below.blocks_x; ++x) {
                const HeightRange& part = below.ranges[std::size_t{z} * below.blocks_x + x];
                HeightRange& all = level.ranges[std::size_t{z / 2} * level.blocks_x + x / 2];
                all.lower = std::min(all.lower, part.lower);
                all.upper = std::max(all.upper, part.upper);
            }
        }
        levels_.push_back(std::move(level));
    }
}

template class HeightGrid<float>;
template class HeightGrid<double>;

}  // namespace graze::slide
