#include "frontal_cholesky.hpp"

#include <Eigen/Cholesky>
#include <Eigen/OrderingMethods>
#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "dense_product.hpp"
#include "graze/verify/parallel.hpp"

namespace graze::sim {
namespace {

using Index = Eigen::Index;
using Lists = std::vector<std::vector<int>>;

Index to_index(std::size_t value) {
    return static_cast<Index>(value);
}
std::size_t to_size(Index value) {
    return static_cast<std::size_t>(value);
}

// Columns c, c + 1 and c + 2 have the same rows, which come in threes.
bool is_three_alike(const Eigen::SparseMatrix<double>& lower, Index c) {
    const int* rows = lower.innerIndexPtr();
    const std::array<int, 4> at = {lower.outerIndexPtr()[c], lower.outerIndexPtr()[c + 1],
                                   lower.outerIndexPtr()[c + 2], lower.outerIndexPtr()[c + 3]};
    const int count = at[1] - at[0];
    if (count < 3 || count % 3 != 0 || at[2] - at[1] != count - 1 || at[3] - at[2] != count - 2)
        return false;
    for (int i = 0; i < count; i += 3)
        if (rows[at[0] + i] % 3 != 0 || rows[at[0] + i + 1] != rows[at[0] + i] + 1 ||
            rows[at[0] + i + 2] != rows[at[0] + i] + 2)
            return false;
    return rows[at[0]] == c && std::equal(rows + at[0] + 1, rows + at[1], rows + at[1]) &&
           std::equal(rows + at[0] + 2, rows + at[1], rows + at[2]);
}

Index columns_per_node(const Eigen::SparseMatrix<double>& lower) {
    if (lower.cols() % 3 != 0) return 1;
    for (Index c = 0; c < lower.cols(); c += 3)
        if (!is_three_alike(lower, c)) return 1;
    return 3;
}

// Neighbours of each node, itself left out, ascending.
Lists neighbours_of(const Eigen::SparseMatrix<double>& lower, Index width) {
    Lists neighbours(to_size(lower.cols() / width));
    for (Index c = 0; c < lower.cols(); c += width)
        for (int e = lower.outerIndexPtr()[c]; e < lower.outerIndexPtr()[c + 1]; ++e) {
            const Index row = lower.innerIndexPtr()[e];
            if (row % width != 0 || row == c) continue;
            neighbours[to_size(c / width)].push_back(static_cast<int>(row / width));
            neighbours[to_size(row / width)].push_back(static_cast<int>(c / width));
        }
    return neighbours;
}

// Approximate minimum degree: by place in the order the node.
std::vector<int> minimum_degree(const Lists& neighbours) {
    const auto count = static_cast<Index>(neighbours.size());
    Eigen::SparseMatrix<double> pattern(count, count);
    std::size_t entries = neighbours.size();
    for (const auto& list : neighbours)
        entries += list.size();
    pattern.resizeNonZeros(to_index(entries));
    int at = 0;
    for (std::size_t c = 0; c < neighbours.size(); ++c) {
        pattern.outerIndexPtr()[c] = at;
        std::vector<int> rows = neighbours[c];
        rows.push_back(static_cast<int>(c));
        std::sort(rows.begin(), rows.end());
        for (const int row : rows) {
            pattern.innerIndexPtr()[at] = row;
            pattern.valuePtr()[at++] = 1.0;
        }
    }
    pattern.outerIndexPtr()[neighbours.size()] = at;
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::AMDOrdering<int>()(pattern, order);
    return {order.indices().data(), order.indices().data() + order.indices().size()};
}

std::vector<int> positions_in(const std::vector<int>& order) {
    std::vector<int> position(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        position[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    return position;
}

// Liu's algorithm: by place the first row below the diagonal of L, or -1.
std::vector<int> elimination_tree(const Lists& neighbours, const std::vector<int>& order) {
    const std::vector<int> position = positions_in(order);
    std::vector<int> parent(order.size(), -1);
    std::vector<int> ancestor(order.size(), -1);
    for (std::size_t k = 0; k < order.size(); ++k)
        for (const int neighbour : neighbours[static_cast<std::size_t>(order[k])]) {
            int i = position[static_cast<std::size_t>(neighbour)];
            while (i != -1 && i < static_cast<int>(k)) {
                const int next =
                    std::exchange(ancestor[static_cast<std::size_t>(i)], static_cast<int>(k));
                if (next == -1) parent[static_cast<std::size_t>(i)] = static_cast<int>(k);
                i = next;
            }
        }
    return parent;
}

// Places such that the descendants of each come right before it.
std::vector<int> postorder(const std::vector<int>& parent) {
    Lists children(parent.size());
    std::vector<int> stack;
    for (std::size_t i = parent.size(); i-- > 0;) {
        if (parent[i] == -1)
            stack.push_back(static_cast<int>(i));
        else
            children[static_cast<std::size_t>(parent[i])].push_back(static_cast<int>(i));
    }
    // Parents before children, then reversed.
    std::vector<int> order;
    order.reserve(parent.size());
    while (!stack.empty()) {
        const int i = stack.back();
        stack.pop_back();
        order.push_back(i);
        for (const int child : children[static_cast<std::size_t>(i)])
            stack.push_back(child);
    }
    std::reverse(order.begin(), order.end());
    return order;
}

// Columns of a front, the rows below them, and how many entries of its block are not zero.
struct NodeFront {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::vector<int> rows;
    double entries = 0.0;
};

double block_entries(std::size_t width, std::size_t row_count) {
    const auto w = static_cast<double>(width);
    return 0.5 * w * (w + 1.0) + w * static_cast<double>(row_count);
}

// Which fraction of zeros pays for a larger block. [columns of the matrix]
bool may_be_zero(std::size_t columns, double fraction) {
    if (columns <= 12) return fraction < 0.8;
    if (columns <= 24) return fraction < 0.3;
    if (columns <= 64) return fraction < 0.1;
    return fraction < 0.05;
}

// Takes the front before it into its own where that is a child and few zeros are added.
void merge_last(std::vector<NodeFront>& fronts, const std::vector<int>& parent,
                std::size_t columns_per_node) {
    while (fronts.size() > 1) {
        NodeFront& child = fronts[fronts.size() - 2];
        NodeFront& own = fronts.back();
        const int above = parent[child.end - 1];
        if (above < static_cast<int>(own.begin) || above >= static_cast<int>(own.end)) return;
        const std::size_t width = own.end - child.begin;
        const double entries = child.entries + own.entries;
        const double zeros = 1.0 - entries / block_entries(width, own.rows.size());
        if (!may_be_zero(columns_per_node * width, zeros)) return;
        child.end = own.end;
        child.rows = std::move(own.rows);
        child.entries = entries;
        fronts.pop_back();
    }
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

struct FrontalCholesky::Symbolic {
    std::vector<int> order;  // by place: the node
    std::vector<int> parent;
    std::vector<NodeFront> fronts;

    Symbolic(const Lists& neighbours, std::size_t columns_per_node) {
        order = minimum_degree(neighbours);
        const std::vector<int> tree = elimination_tree(neighbours, order);
        const std::vector<int> places = postorder(tree);
        const std::vector<int> position = positions_in(places);
        std::vector<int> sorted(order.size());
        parent.assign(order.size(), -1);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto old = static_cast<std::size_t>(places[i]);
            sorted[i] = order[old];
            if (tree[old] != -1) parent[i] = position[static_cast<std::size_t>(tree[old])];
        }
        order = std::move(sorted);
        find_fronts(neighbours, columns_per_node);
    }

private:
    // Rows of each column of L: those of the matrix and those of its children.
    void find_fronts(const Lists& neighbours, std::size_t columns_per_node) {
        const std::vector<int> position = positions_in(order);
        Lists children(order.size());
        Lists rows(order.size());
        std::vector<int> seen(order.size(), -1);
        for (std::size_t k = 0; k < order.size(); ++k) {
            std::vector<int>& own = rows[k];
            const auto take = [&](int row) {
                if (row <= static_cast<int>(k)) return;
                int& mark = seen[static_cast<std::size_t>(row)];
                if (std::exchange(mark, static_cast<int>(k)) != static_cast<int>(k))
                    own.push_back(row);
            };
            for (const int neighbour : neighbours[static_cast<std::size_t>(order[k])])
                take(position[static_cast<std::size_t>(neighbour)]);
            for (const int child : children[k]) {
                for (const int row : rows[static_cast<std::size_t>(child)])
                    take(row);
            }
            const bool continues = k > 0 && parent[k - 1] == static_cast<int>(k) &&
                                   rows[k - 1].size() == own.size() + 1;
            if (!continues) {
                if (!fronts.empty()) close_front(rows, columns_per_node);
                fronts.push_back({k, k, {}, 0.0});
            }
            fronts.back().end = k + 1;
            for (const int child : children[k])
                rows[static_cast<std::size_t>(child)] = {};
            if (parent[k] != -1)
                children[static_cast<std::size_t>(parent[k])].push_back(static_cast<int>(k));
        }
        if (!fronts.empty()) close_front(rows, columns_per_node);
    }
    void close_front(Lists& rows, std::size_t columns_per_node) {
        NodeFront& last = fronts.back();
        last.rows = rows[last.end - 1];
        std::sort(last.rows.begin(), last.rows.end());
        last.entries = block_entries(last.end - last.begin, last.rows.size());
        merge_last(fronts, parent, columns_per_node);
    }
};

void FrontalCholesky::analyzePattern(const Matrix& lower) {
    const Index width = columns_per_node(lower);
    const Symbolic symbolic(neighbours_of(lower, width), to_size(width));
    lay_out(symbolic, to_size(width));
    find_slots(lower);
    find_subtrees();
}

// From nodes to columns.
void FrontalCholesky::lay_out(const Symbolic& symbolic, std::size_t columns_per_node) {
    const std::size_t w = columns_per_node;
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
