#include "frontal_cholesky.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <atomic>

#include "dense_product.hpp"
#include "graze/verify/parallel.hpp"
#include "symbolic_fronts.hpp"

namespace graze::sim {
namespace {

using Index = Eigen::Index;

Index to_index(std::size_t value) {
    return static_cast<Index>(value);
}
std::size_t to_size(Index value) {
    return static_cast<std::size_t>(value);
}

using Block = Eigen::Map<Eigen::MatrixXd>;

// Columns of a block that one task updates.
constexpr Index kStrip = 96;
Index strips_of(Index columns) {
    return (columns + kStrip - 1) / kStrip;
}

ConstPanel panel(const Block& block, Index row, Index rows, Index column = 0) {
    return {block.data() + row + column * block.rows(), block.rows(), rows};
}

// The columns of L: the square at the top is factorised, the rows below it are multiplied by its inverse.
// Narrow columns by Eigen, what they change to the right of them by subtract_product().
bool factorise_columns(Block& block, unsigned threads) {
    constexpr Index kNarrow = 24;
    const Index width = block.cols();
    for (Index first = 0; first < width; first += kNarrow) {
        const Index count = std::min(kNarrow, width - first);
        const Index next = first + count;
        Eigen::Ref<Eigen::MatrixXd> top = block.block(first, first, count, count);
        const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(top);
        // Eigen goes on with pivots that are not numbers.
        if (factor.info() != Eigen::Success || !top.diagonal().allFinite()) return false;
        auto below = block.block(next, first, block.rows() - next, count);
        top.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
        const Index left = width - next;
        const auto strips = to_size(strips_of(left));
        verify::for_each_index({.threads = strips > 1 ? threads : 1}, strips, [&](std::size_t s) {
            const Index at = next + kStrip * to_index(s);
            subtract_product(&block(at, at), block.rows(),
                             panel(block, at, block.rows() - at, first),
                             panel(block, at, std::min(kStrip, width - at), first), count);
        });
    }
    return true;
}

}  // namespace

void FrontalCholesky::analyzePattern(const Matrix& lower) {
    lay_out(SymbolicFronts(lower));
    find_slots(lower);
    find_subtrees();
}

// From nodes to columns.
void FrontalCholesky::lay_out(const SymbolicFronts& symbolic) {
    const std::size_t w = symbolic.columns_per_node;
    position_.resize(symbolic.order.size() * w);
    for (std::size_t i = 0; i < symbolic.order.size(); ++i)
        for (std::size_t k = 0; k < w; ++k)
            position_[static_cast<std::size_t>(symbolic.order[i]) * w + k] =
                static_cast<int>(i * w + k);
    fronts_.clear();
    rows_.clear();
    front_of_.resize(position_.size());
    std::size_t values = 0;
    for (const NodeFront& nodes : symbolic.fronts) {
        Front front;
        front.begin = nodes.begin * w;
        front.width = (nodes.end - nodes.begin) * w;
        front.row_begin = rows_.size();
        front.row_count = nodes.rows.size() * w;
        for (const int row : nodes.rows)
            for (std::size_t k = 0; k < w; ++k)
                rows_.push_back(row * static_cast<int>(w) + static_cast<int>(k));
        front.value_begin = values;
        values += front.height() * front.width;
        for (std::size_t c = front.begin; c < front.begin + front.width; ++c)
            front_of_[c] = fronts_.size();
        fronts_.push_back(std::move(front));
    }
    values_.resize(values);
    updates_.clear();
    updates_.resize(fronts_.size());
    relative_.resize(rows_.size());
    for (std::size_t f = 0; f < fronts_.size(); ++f) {
        Front& front = fronts_[f];
        if (front.row_count == 0) continue;
        front.parent = front_of_[static_cast<std::size_t>(rows_[front.row_begin])];
        Front& above = fronts_[front.parent];
        above.children.push_back(f);
        std::size_t at = above.row_begin;
        for (std::size_t i = front.row_begin; i < front.row_begin + front.row_count; ++i) {
            const auto row = static_cast<std::size_t>(rows_[i]);
            if (row < above.begin + above.width) {
                relative_[i] = static_cast<int>(row - above.begin);
                continue;
            }
            while (rows_[at] != rows_[i])
                ++at;
            relative_[i] = static_cast<int>(above.width + at - above.row_begin);
        }
    }
}

void FrontalCholesky::find_slots(const Matrix& lower) {
    slots_.resize(to_size(lower.nonZeros()));
    for (Index c = 0; c < lower.cols(); ++c)
        for (int e = lower.outerIndexPtr()[c]; e < lower.outerIndexPtr()[c + 1]; ++e) {
            const int a = position_[to_size(c)];
            const int b = position_[static_cast<std::size_t>(lower.innerIndexPtr()[e])];
            const auto column = static_cast<std::size_t>(std::min(a, b));
            const auto row = static_cast<std::size_t>(std::max(a, b));
            const Front& front = fronts_[front_of_[column]];
            std::size_t local = row - front.begin;
            if (row >= front.begin + front.width) {
                const auto first = rows_.begin() + to_index(front.row_begin);
                const auto found = std::lower_bound(first, first + to_index(front.row_count),
                                                    static_cast<int>(row));
                local = front.width + static_cast<std::size_t>(found - first);
            }
            slots_[static_cast<std::size_t>(e)] =
                front.value_begin + (column - front.begin) * front.height() + local;
        }
}

// Whole subtrees of at most a sixteenth of the work: enough for some cores, too few to be many.
void FrontalCholesky::find_subtrees() {
    std::vector<double> work(fronts_.size(), 0.0);
    std::vector<std::size_t> first(fronts_.size());
    double total = 0.0;
    for (std::size_t f = 0; f < fronts_.size(); ++f) {
        const auto width = static_cast<double>(fronts_[f].width);
        const auto height = static_cast<double>(fronts_[f].height());
        const double own = width * height * height;
        total += own;
        work[f] += own;
        const auto& children = fronts_[f].children;
        first[f] = children.empty() ? f : first[children.front()];
        if (fronts_[f].parent != kNone) work[fronts_[f].parent] += work[f];
    }
    constexpr double kLargestPart = 1.0 / 16.0;
    subtrees_.clear();
    above_.clear();
    for (std::size_t f = 0; f < fronts_.size(); ++f) {
        const std::size_t parent = fronts_[f].parent;
        if (work[f] > kLargestPart * total)
            above_.push_back(f);
        else if (parent == kNone || work[parent] > kLargestPart * total)
            subtrees_.push_back({first[f], f});
    }
}

// Extend-add: what the child leaves goes to the columns of this front, or is handed on.
void FrontalCholesky::add_child(const Front& front, std::size_t child, Eigen::MatrixXd& update) {
    const Front& below = fronts_[child];
    const Eigen::MatrixXd& left = updates_[child];
    const int* relative = relative_.data() + below.row_begin;
    double* const block = values_.data() + front.value_begin;
    const auto count = to_index(below.row_count);
    const auto width = static_cast<int>(front.width);
    for (Index j = 0; j < count; ++j) {
        double* const column = relative[j] < width
                                   ? block + to_index(front.height()) * relative[j]
                                   : update.data() + update.rows() * (relative[j] - width) - width;
        const double* const from = left.data() + left.rows() * j;
        for (Index i = j; i < count; ++i)
            column[relative[i]] += from[i];
    }
    updates_[child].resize(0, 0);
}

bool FrontalCholesky::make_front(std::size_t number, bool in_parallel) {
    const Front& front = fronts_[number];
    const auto width = to_index(front.width);
    const auto below = to_index(front.row_count);
    Eigen::MatrixXd& update = updates_[number];
    update.setZero(below, below);
    for (const std::size_t child : front.children)
        add_child(front, child, update);
    Block block(values_.data() + front.value_begin, width + below, width);
    const unsigned threads = in_parallel ? threads_ : 1;
    if (!factorise_columns(block, threads)) return false;
    // In strips of columns, which do not depend on the number of threads.
    const Index strips = strips_of(below);
    verify::for_each_index({.threads = threads}, to_size(strips), [&](std::size_t strip) {
        const Index at = kStrip * to_index(strip);
        const Index count = std::min(kStrip, below - at);
        subtract_product(&update(at, at), update.rows(), panel(block, width + at, below - at),
                         panel(block, width + at, count), width);
    });
    return true;
}

void FrontalCholesky::factorize(const Matrix& lower) {
    std::fill(values_.begin(), values_.end(), 0.0);
    for (std::size_t e = 0; e < slots_.size(); ++e)
        values_[slots_[e]] += lower.valuePtr()[e];
    std::atomic<bool> is_definite{true};
    verify::for_each_index({.threads = subtrees_.size() > 1 ? threads_ : 1}, subtrees_.size(),
                           [&](std::size_t tree) {
                               const auto [first, last] = subtrees_[tree];
                               for (std::size_t f = first; f <= last && is_definite; ++f)
                                   if (!make_front(f, false)) is_definite = false;
                           });
    for (std::size_t i = 0; i < above_.size() && is_definite; ++i)
        if (!make_front(above_[i], true)) is_definite = false;
    for (Eigen::MatrixXd& update : updates_)
        update.resize(0, 0);
    info_ = is_definite ? Eigen::Success : Eigen::NumericalIssue;
}

Eigen::VectorXd FrontalCholesky::solve(const Eigen::VectorXd& right) const {
    Eigen::VectorXd x(right.size());
    for (Index i = 0; i < right.size(); ++i)
        x(position_[to_size(i)]) = right(i);
    Eigen::VectorXd part;
    const auto block_of = [&](const Front& front) {
        return Eigen::Map<const Eigen::MatrixXd>(values_.data() + front.value_begin,
                                                 to_index(front.height()), to_index(front.width));
    };
    for (const Front& front : fronts_) {
        const auto block = block_of(front);
        auto own = x.segment(to_index(front.begin), block.cols());
        block.topRows(block.cols()).triangularView<Eigen::Lower>().solveInPlace(own);
        part.noalias() = block.bottomRows(block.rows() - block.cols()) * own;
        for (std::size_t i = 0; i < front.row_count; ++i)
            x(rows_[front.row_begin + i]) -= part(to_index(i));
    }
    for (std::size_t f = fronts_.size(); f-- > 0;) {
        const Front& front = fronts_[f];
        const auto block = block_of(front);
        part.resize(to_index(front.row_count));
        for (std::size_t i = 0; i < front.row_count; ++i)
            part(to_index(i)) = x(rows_[front.row_begin + i]);
        auto own = x.segment(to_index(front.begin), block.cols());
        own.noalias() -= block.bottomRows(part.size()).transpose() * part;
        block.topRows(block.cols()).triangularView<Eigen::Lower>().transpose().solveInPlace(own);
    }
    Eigen::VectorXd result(right.size());
    for (Index i = 0; i < right.size(); ++i)
        result(i) = x(position_[to_size(i)]);
    return result;
}

}  // namespace graze::sim
