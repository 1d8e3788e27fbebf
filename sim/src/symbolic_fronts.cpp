#include "symbolic_fronts.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <array>
#include <utility>

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

Index width_of_nodes(const Eigen::SparseMatrix<double>& lower) {
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

}  // namespace

SymbolicFronts::SymbolicFronts(const Eigen::SparseMatrix<double>& lower) {
    const Index width = width_of_nodes(lower);
    columns_per_node = to_size(width);
    const Lists neighbours = neighbours_of(lower, width);
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
    find_fronts(neighbours);
}

// Rows of each column of L: those of the matrix and those of its children.
void SymbolicFronts::find_fronts(const Lists& neighbours) {
    const std::vector<int> position = positions_in(order);
    Lists children(order.size());
    Lists rows(order.size());
    std::vector<int> seen(order.size(), -1);
    for (std::size_t k = 0; k < order.size(); ++k) {
        std::vector<int>& own = rows[k];
        const auto take = [&](int row) {
            if (row <= static_cast<int>(k)) return;
            int& mark = seen[static_cast<std::size_t>(row)];
            if (std::exchange(mark, static_cast<int>(k)) != static_cast<int>(k)) own.push_back(row);
        };
        for (const int neighbour : neighbours[static_cast<std::size_t>(order[k])])
            take(position[static_cast<std::size_t>(neighbour)]);
        for (const int child : children[k]) {
            for (const int row : rows[static_cast<std::size_t>(child)])
                take(row);
        }
        const bool continues =
            k > 0 && parent[k - 1] == static_cast<int>(k) && rows[k - 1].size() == own.size() + 1;
        if (!continues) {
            if (!fronts.empty()) close_front(rows);
            fronts.push_back({k, k, {}, 0.0});
        }
        fronts.back().end = k + 1;
        for (const int child : children[k])
            rows[static_cast<std::size_t>(child)] = {};
        if (parent[k] != -1)
            children[static_cast<std::size_t>(parent[k])].push_back(static_cast<int>(k));
    }
    if (!fronts.empty()) close_front(rows);
}
void SymbolicFronts::close_front(const Lists& rows) {
    NodeFront& last = fronts.back();
    last.rows = rows[last.end - 1];
    std::sort(last.rows.begin(), last.rows.end());
    last.entries = block_entries(last.end - last.begin, last.rows.size());
    merge_last(fronts, parent, columns_per_node);
}

}  // namespace graze::sim
