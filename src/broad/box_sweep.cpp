#include "graze/broad/box_sweep.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "broad/tree_kernel.hpp"
#include "graze/core/assert.hpp"

namespace graze {
namespace {

// The axis on which the boxes spread the most, against their own size.
std::size_t best_axis(std::span<const GridBox> boxes) noexcept {
    std::array<double, 3> spread{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double sum = 0.0;
        double squares = 0.0;
        double size = 0.0;
        for (const GridBox& box : boxes) {
            const double middle = 0.5 * box.lower[axis] + 0.5 * box.upper[axis];
            sum += middle;
            squares += middle * middle;
            size += static_cast<double>(box.upper[axis]) - static_cast<double>(box.lower[axis]);
        }
        const double n = static_cast<double>(boxes.size());
        const double variance = squares / n - (sum / n) * (sum / n);
        spread[axis] = variance / ((size / n) * (size / n) + 1e-30);
    }
    return static_cast<std::size_t>(std::max_element(spread.begin(), spread.end()) -
                                    spread.begin());
}

// Rounded up.
float length_up(const GridBox& box, std::size_t axis) noexcept {
    return std::nextafter(box.upper[axis] - box.lower[axis], GridBox::kInfinite);
}

}  // namespace

void BoxSweep::build(std::span<const GridBox> boxes) {
    build(boxes, boxes.empty() ? 0 : best_axis(boxes));
}

void BoxSweep::build(std::span<const GridBox> boxes, std::size_t axis) {
    GRAZE_ASSERT(boxes.size() <= 0xffff'ffffU && axis < 3);
    axis_ = axis;
    order_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        order_[i] = static_cast<std::uint32_t>(i);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        const float at_a = boxes[a].lower[axis];
        const float at_b = boxes[b].lower[axis];
        return at_a < at_b || (at_a == at_b && a < b);
    });
    longest_ = 0.0F;
    blocks_.resize((boxes.size() + kBoxesInBlock - 1) / kBoxesInBlock);
    begins_.resize(blocks_.size());
    for (std::size_t place = 0; place < blocks_.size() * kBoxesInBlock; ++place) {
        const GridBox box = place < boxes.size() ? boxes[order_[place]] : GridBox{};
        LeafBlock& block = blocks_[place / kBoxesInBlock];
        for (std::size_t k = 0; k < kGridAxes; ++k) {
            block.lower[k][place % kBoxesInBlock] = box.lower[k];
            block.upper[k][place % kBoxesInBlock] = box.upper[k];
        }
        if (place % kBoxesInBlock == 0) begins_[place / kBoxesInBlock] = box.lower[axis];
        if (place < boxes.size()) longest_ = std::max(longest_, length_up(box, axis));
    }
}

class SweepSearch {
public:
    SweepSearch(const BoxSweep& from, const BoxSweep& in, bool is_self, PairSink& sink)
        : from_(from), in_(in), is_self_(is_self), sink_(sink) {}

    void run(std::size_t block) {
        for (std::size_t lane = 0; lane < kBoxesInBlock; ++lane) {
            const std::size_t place = block * kBoxesInBlock + lane;
            if (place < from_.order_.size()) run_box(block, lane, place);
        }
        if (count_ > 0) sink_.take({pairs_.data(), count_});
    }

private:
    // The first block of `in_` that may hold a box which reaches `lower`: nothing that begins more
    // than the longest box before it does. One unit in the last place more for the rounding.
    [[nodiscard]] std::size_t first_block(float lower) const noexcept {
        const float from = std::nextafter(lower - in_.longest_, -GridBox::kInfinite);
        const auto it = std::lower_bound(in_.begins_.begin(), in_.begins_.end(), from);
        const auto found = static_cast<std::size_t>(it - in_.begins_.begin());
        return found > 0 ? found - 1 : 0;
    }

    void run_box(std::size_t block, std::size_t lane, std::size_t place) {
        const LeafBlock& here = from_.blocks_[block];
        const Probe<kBoxesInBlock> box = probe_of(here, lane);
        const float end = here.upper[from_.axis_][lane];
        std::size_t other = is_self_ ? block : first_block(here.lower[from_.axis_][lane]);
        for (; other < in_.blocks_.size() && in_.begins_[other] <= end; ++other) {
            unsigned hits = any_machine::overlaps_on<0, kGridAxes>(box, in_.blocks_[other]);
            if (is_self_ && other == block) hits &= ~((2U << lane) - 1U);
            for (; hits != 0; hits &= hits - 1) {
                const auto hit = static_cast<std::size_t>(std::countr_zero(hits));
                emit(from_.order_[place], in_.order_[other * kBoxesInBlock + hit]);
            }
        }
    }

    void emit(std::uint32_t a, std::uint32_t b) {
        if (count_ == pairs_.size()) {
            sink_.take(pairs_);
            count_ = 0;
        }
        pairs_[count_++] = is_self_ && a > b ? IndexPair{b, a} : IndexPair{a, b};
    }

    const BoxSweep& from_;
    const BoxSweep& in_;
    bool is_self_;
    PairSink& sink_;
    std::size_t count_ = 0;
    std::array<IndexPair, PairSink::kPortion> pairs_;
};

void BoxSweep::search(std::size_t block, const BoxSweep& other, PairSink& sink) const {
    GRAZE_ASSERT(axis_ == other.axis_ || other.size() == 0);
    SweepSearch(*this, other, false, sink).run(block);
}

void BoxSweep::search_self(std::size_t block, PairSink& sink) const {
    SweepSearch(*this, *this, true, sink).run(block);
}

}  // namespace graze
