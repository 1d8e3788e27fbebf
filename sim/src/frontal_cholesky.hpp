// A sparse Cholesky factorisation by dense blocks: the multifrontal method (Duff and Reid 1983), for the
// matrices of Newton steps, whose columns come in threes.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <cstddef>
#include <vector>

namespace graze::sim {

struct SymbolicFronts;

// L L^T of a symmetric positive definite matrix, of which the lower triangle is given; the interface of
// Eigen's direct solvers. The order of all sums follows from the pattern: the same bits for any number
// of threads.
class FrontalCholesky {
public:
    using Matrix = Eigen::SparseMatrix<double>;

    // 0: all cores.
    void use_threads(unsigned threads) { threads_ = threads; }
    // Requires: compressed, as that of factorize().
    void analyzePattern(const Matrix& lower);
    // Requires: the pattern that was analysed.
    void factorize(const Matrix& lower);
    // NumericalIssue where a pivot was not positive, or not a number.
    [[nodiscard]] Eigen::ComputationInfo info() const noexcept { return info_; }
    // Requires: info() == Success.
    [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
    // Entries of L, zeros among them included.
    [[nodiscard]] std::size_t stored_entries() const noexcept { return values_.size(); }

private:
    // Columns [begin, begin + width) of L, which share the rows below them; a dense block of
    // width + row_count rows, column by column. Its children come before it.
    struct Front {
        std::size_t begin = 0;
        std::size_t width = 0;
        std::size_t row_begin = 0;  // in rows_
        std::size_t row_count = 0;
        std::size_t value_begin = 0;  // in values_
        std::size_t parent = kNone;
        std::vector<std::size_t> children;
        [[nodiscard]] std::size_t height() const noexcept { return width + row_count; }
    };
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    void lay_out(const SymbolicFronts& symbolic);
    void find_slots(const Matrix& lower);
    void find_subtrees();
    [[nodiscard]] bool make_front(std::size_t front, bool in_parallel);
    void add_child(const Front& front, std::size_t child, Eigen::MatrixXd& update);

    unsigned threads_ = 1;
    Eigen::ComputationInfo info_ = Eigen::InvalidInput;
    std::vector<int> position_;  // by row of the matrix: that of L
    std::vector<Front> fronts_;
    std::vector<int> rows_;      // of L, below the columns of each front, ascending
    std::vector<int> relative_;  // where each of them is among the rows of the parent's block
    std::vector<std::size_t> front_of_;  // by column of L
    std::vector<std::size_t> slots_;     // by entry of the matrix: where it is in values_
    // Fronts [first, last] that need no other, and those that are left, ascending.
    std::vector<std::array<std::size_t, 2>> subtrees_;
    std::vector<std::size_t> above_;
    std::vector<double> values_;
    std::vector<Eigen::MatrixXd> updates_;  // by front, between it and its parent
};

}  // namespace graze::sim
