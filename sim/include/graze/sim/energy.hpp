// Energies as sums over small elements, and their assembly: in parallel, with the same bits for any
// number of threads.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graze/sim/model.hpp"

namespace graze::sim {

using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

// Of one element of up to four vertices: x, y, z of the first, then of the second, and so on. Rows
// past the element's vertices are not read.
struct ElementDerivatives {
    Vector12 gradient;
    Matrix12 hessian;  // symmetric and positive semidefinite
};

// A sum over elements. Implementations are immutable while they are used: each function is called
// from several threads at once.
class Energy {
public:
    virtual ~Energy() = default;
    [[nodiscard]] virtual std::size_t element_count() const noexcept = 0;
    // One to four vertices; the same ones for the life of the object.
    [[nodiscard]] virtual std::span<const std::uint32_t> vertices(std::size_t element) const = 0;
    // May be infinite: such positions are never accepted.
    [[nodiscard]] virtual double value(std::size_t element, std::span<const Vec3> x) const = 0;
    virtual void derivatives(std::size_t element, std::span<const Vec3> x,
                             ElementDerivatives& out) const = 0;
};

// The energies of the model's elements, without contact. A term that remembers the start of the step
// (damping) reads it from `start`, which outlives the energies.
[[nodiscard]] std::vector<std::unique_ptr<Energy>> elastic_energies(const Model& model);
[[nodiscard]] std::vector<std::unique_ptr<Energy>> cloth_energies(const Model& model,
                                                                  const State& start);

// Sum of the values of all elements, in their order.
[[nodiscard]] double total_value(const Energy& energy, std::span<const Vec3> x, unsigned threads);

// The Newton system over the vertices that are free: gradient and Hessian of a sum of weighted
// energies and of masses.
class NewtonSystem {
public:
    // free_index: by vertex the number among the free ones, or kNotFree.
    static constexpr std::uint32_t kNotFree = 0xffff'ffffU;
    NewtonSystem(std::span<const std::uint8_t> is_prescribed, unsigned threads);

    void clear();
    // Adds weight times the energy at x. `moved`: by vertex the displacement that prescribed vertices
    // are about to make, or empty: their part of the Hessian times it goes into the gradient.
    void add(const Energy& energy, double weight, std::span<const Vec3> x,
             std::span<const Vec3> moved = {});
    // Adds sum of mass / 2 |x - target|^2.
    void add_inertia(std::span<const double> mass, std::span<const Vec3> x,
                     std::span<const Vec3> target);

    [[nodiscard]] std::size_t free_count() const noexcept { return free_count_; }
    [[nodiscard]] const std::vector<std::uint32_t>& free_index() const noexcept {
        return free_index_;
    }
    [[nodiscard]] const Eigen::VectorXd& gradient() const noexcept { return gradient_; }
    // The lower triangle; both in a fixed order of summation.
    [[nodiscard]] const Eigen::SparseMatrix<double>& hessian();

private:
    void scatter(std::span<const std::uint32_t> vertices, double weight,
                 const ElementDerivatives& element, std::span<const Vec3> moved);

    std::vector<std::uint32_t> free_index_;
    std::size_t free_count_ = 0;
    unsigned threads_ = 1;
    // What an element adds to two vertices, as it was added; row >= column.
    struct Block {
        std::uint32_t row = 0;
        std::uint32_t column = 0;
        Eigen::Matrix3d values;
    };
    void sort_blocks();
    // Numbers of scalars in the first column of this column of blocks, and in the two after it.
    [[nodiscard]] std::array<std::size_t, 3> column_sizes(std::size_t column) const;
    void write_column(std::size_t column);

    Eigen::VectorXd gradient_;
    std::vector<Block> blocks_;
    std::vector<std::size_t> first_;   // by column: of its blocks in keys_
    std::vector<std::uint64_t> keys_;  // row and number of a block, ascending in each column
    Eigen::SparseMatrix<double> hessian_;
};

// The nearest matrix (Frobenius) without negative eigenvalues; `size` rows and columns of it.
void project_positive(Matrix12& matrix, int size = 12);

}  // namespace graze::sim
