#include <Eigen/Eigenvalues>
#include <algorithm>

#include "graze/sim/energy.hpp"
#include "graze/verify/parallel.hpp"

namespace graze::sim {
namespace {

// Elements whose derivatives are held at once, and those of one task.
constexpr std::size_t kBatch = 2048;
constexpr std::size_t kTask = 64;

// body(first, last) over tasks of [0, count).
template <class Body>
void for_each_task(unsigned threads, std::size_t count, const Body& body) {
    const std::size_t tasks = (count + kTask - 1) / kTask;
    verify::for_each_index({.threads = tasks < 2 ? 1 : threads}, tasks, [&](std::size_t task) {
        body(task * kTask, std::min(count, (task + 1) * kTask));
    });
}

template <int Size>
void project_block(Matrix12& matrix) {
    using Block = Eigen::Matrix<double, Size, Size>;
    const Eigen::SelfAdjointEigenSolver<Block> solver(matrix.topLeftCorner<Size, Size>());
    if (solver.eigenvalues()(0) >= 0.0) return;
    const auto values = solver.eigenvalues().cwiseMax(0.0);
    const Block& vectors = solver.eigenvectors();
    const Block projected = vectors * values.asDiagonal() * vectors.transpose();
    matrix.topLeftCorner<Size, Size>() = 0.5 * (projected + projected.transpose());
}

}  // namespace

void project_positive(Matrix12& matrix, int size) {
    if (size <= 3)
        project_block<3>(matrix);
    else if (size <= 6)
        project_block<6>(matrix);
    else if (size <= 9)
        project_block<9>(matrix);
    else
        project_block<12>(matrix);
}

double total_value(const Energy& energy, std::span<const Vec3> x, unsigned threads) {
    std::vector<double> values(energy.element_count());
    for_each_task(threads, values.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t e = first; e < last; ++e)
            values[e] = energy.value(e, x);
    });
    double sum = 0.0;
    for (const double value : values)
        sum += value;
    return sum;
}

NewtonSystem::NewtonSystem(std::span<const std::uint8_t> is_prescribed, unsigned threads)
    : threads_(threads) {
    for (const std::uint8_t is : is_prescribed)
        free_index_.push_back(is != 0 ? kNotFree : static_cast<std::uint32_t>(free_count_++));
    clear();
}

void NewtonSystem::clear() {
    gradient_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * free_count_));
    blocks_.clear();
}

void NewtonSystem::add_inertia(std::span<const double> mass, std::span<const Vec3> x,
                               std::span<const Vec3> target) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (free_index_[i] == kNotFree) continue;
        const int row = static_cast<int>(3 * free_index_[i]);
        for (int k = 0; k < 3; ++k) {
            const auto axis = static_cast<std::size_t>(k);
            gradient_(row + k) += mass[i] * (x[i][axis] - target[i][axis]);
        }
        blocks_.push_back({free_index_[i], free_index_[i], mass[i] * Eigen::Matrix3d::Identity()});
    }
}

void NewtonSystem::add(const Energy& energy, double weight, std::span<const Vec3> x,
                       std::span<const Vec3> moved) {
    std::vector<ElementDerivatives> batch;
    for (std::size_t begin = 0; begin < energy.element_count(); begin += kBatch) {
        const std::size_t count = std::min(kBatch, energy.element_count() - begin);
        batch.resize(count);
        for_each_task(threads_, count, [&](std::size_t first, std::size_t last) {
            for (std::size_t e = first; e < last; ++e)
                energy.derivatives(begin + e, x, batch[e]);
        });
        for (std::size_t e = 0; e < count; ++e)
            scatter(energy.vertices(begin + e), weight, batch[e], moved);
    }
}

void NewtonSystem::scatter(std::span<const std::uint32_t> vertices, double weight,
                           const ElementDerivatives& element, std::span<const Vec3> moved) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (free_index_[vertices[i]] == kNotFree) continue;
        const int row = static_cast<int>(3 * free_index_[vertices[i]]);
        const int local_row = static_cast<int>(3 * i);
        for (int k = 0; k < 3; ++k)
            gradient_(row + k) += weight * element.gradient(local_row + k);
        for (std::size_t j = 0; j < vertices.size(); ++j) {
            const int local_column = static_cast<int>(3 * j);
            const auto block = element.hessian.block<3, 3>(local_row, local_column);
            if (free_index_[vertices[j]] == kNotFree) {
                if (moved.empty()) continue;
                const Vec3& d = moved[vertices[j]];
                for (int k = 0; k < 3; ++k)
                    gradient_(row + k) +=
                        weight * (block(k, 0) * d.x + block(k, 1) * d.y + block(k, 2) * d.z);
                continue;
            }
            if (free_index_[vertices[j]] > free_index_[vertices[i]]) continue;
            blocks_.push_back({free_index_[vertices[i]], free_index_[vertices[j]], weight * block});
        }
    }
}

const Eigen::SparseMatrix<double>& NewtonSystem::hessian() {
    const auto size = static_cast<Eigen::Index>(3 * free_count_);
    hessian_.resize(size, size);
    sort_blocks();
    int* outer = hessian_.outerIndexPtr();
    for (std::size_t column = 0; column < free_count_; ++column) {
        const std::array<std::size_t, 3> sizes = column_sizes(column);
        for (std::size_t l = 0; l < 3; ++l)
            outer[3 * column + l + 1] = outer[3 * column + l] + static_cast<int>(sizes[l]);
    }
    hessian_.resizeNonZeros(outer[3 * free_count_]);
    for_each_task(threads_, free_count_, [&](std::size_t first, std::size_t last) {
        for (std::size_t column = first; column < last; ++column)
            write_column(column);
    });
    return hessian_;
}

// By column, then by row, then in the order in which they were added, which is that of the sums.
void NewtonSystem::sort_blocks() {
    first_.assign(free_count_ + 1, 0);
    for (const Block& block : blocks_)
        ++first_[block.column + 1];
    for (std::size_t column = 0; column < free_count_; ++column)
        first_[column + 1] += first_[column];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    keys_.resize(blocks_.size());
    for (std::size_t i = 0; i < blocks_.size(); ++i)
        keys_[next[blocks_[i].column]++] = std::uint64_t{blocks_[i].row} << 32 | i;
    for_each_task(threads_, free_count_, [&](std::size_t first, std::size_t last) {
        for (std::size_t column = first; column < last; ++column)
            std::sort(keys_.begin() + static_cast<std::ptrdiff_t>(first_[column]),
                      keys_.begin() + static_cast<std::ptrdiff_t>(first_[column + 1]));
    });
}

std::array<std::size_t, 3> NewtonSystem::column_sizes(std::size_t column) const {
    std::size_t rows = 0;
    bool has_diagonal = false;
    for (std::size_t i = first_[column]; i < first_[column + 1]; ++i) {
        const std::uint64_t row = keys_[i] >> 32;
        if (i > first_[column] && keys_[i - 1] >> 32 == row) continue;
        ++rows;
        has_diagonal = has_diagonal || row == column;
    }
    const std::size_t above = has_diagonal ? 1 : 0;
    return {3 * rows, 3 * rows - above, 3 * rows - 2 * above};
}

void NewtonSystem::write_column(std::size_t column) {
    std::array<int, 3> at{};
    for (std::size_t l = 0; l < 3; ++l)
        at[l] = hessian_.outerIndexPtr()[3 * column + l];
    for (std::size_t i = first_[column]; i < first_[column + 1];) {
        const std::uint64_t row = keys_[i] >> 32;
        Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
        for (; i < first_[column + 1] && keys_[i] >> 32 == row; ++i)
            sum += blocks_[keys_[i] & 0xffff'ffffU].values;
        for (int l = 0; l < 3; ++l) {
            int& slot = at[static_cast<std::size_t>(l)];
            for (int k = row == column ? l : 0; k < 3; ++k, ++slot) {
                hessian_.innerIndexPtr()[slot] = static_cast<int>(3 * row) + k;
                hessian_.valuePtr()[slot] = sum(k, l);
            }
        }
    }
}

}  // namespace graze::sim
