// Which columns of a factor share their rows, found from the pattern of the matrix alone.
#pragma once

#include <Eigen/SparseCore>
#include <cstddef>
#include <vector>

namespace graze::sim {

// Columns of a front, the rows below them, and how many entries of its block are not zero.
struct NodeFront {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::vector<int> rows;
    double entries = 0.0;
};

// The fronts of L for the lower triangle of a symmetric matrix, over nodes: columns, or threes of them
// where all come in threes, as in systems of points in space.
struct SymbolicFronts {
    std::size_t columns_per_node = 1;
    std::vector<int> order;   // by place in L: the node
    std::vector<int> parent;  // by place: the first row below the diagonal, or -1
    // In the order of their columns: descendants before ancestors, each subtree in a row.
    std::vector<NodeFront> fronts;

    // Requires: compressed.
    explicit SymbolicFronts(const Eigen::SparseMatrix<double>& lower);

private:
    using Lists = std::vector<std::vector<int>>;
    void find_fronts(const Lists& neighbours);
    void close_front(const Lists& rows);
};

}  // namespace graze::sim
