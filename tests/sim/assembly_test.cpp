// The matrix of a Newton step against the sum of its entries, one by one.
#include <gtest/gtest.h>

#include <cmath>

#include "graze/sim/energy.hpp"
#include "graze/sim/shapes.hpp"

namespace graze::sim {
namespace {

// As many entries as elements give, summed in their order.
Eigen::SparseMatrix<double> by_triplets(const Energy& energy, double weight,
                                        std::span<const Vec3> x, std::span<const double> mass,
                                        const NewtonSystem& system) {
    std::vector<Eigen::Triplet<double>> entries;
    const auto& number = system.free_index();
    for (std::size_t v = 0; v < x.size(); ++v)
        for (int k = 0; k < 3 && number[v] != NewtonSystem::kNotFree; ++k)
            entries.emplace_back(static_cast<int>(3 * number[v]) + k,
                                 static_cast<int>(3 * number[v]) + k, mass[v]);
    for (std::size_t e = 0; e < energy.element_count(); ++e) {
        ElementDerivatives d;
        energy.derivatives(e, x, d);
        const auto v = energy.vertices(e);
        for (std::size_t i = 0; i < 3 * v.size(); ++i)
            for (std::size_t j = 0; j < 3 * v.size(); ++j) {
                const std::uint32_t a = number[v[i / 3]];
                const std::uint32_t b = number[v[j / 3]];
                if (a == NewtonSystem::kNotFree || b == NewtonSystem::kNotFree) continue;
                const int row = static_cast<int>(3 * a + i % 3);
                const int column = static_cast<int>(3 * b + j % 3);
                if (column > row) continue;
                entries.emplace_back(
                    row, column,
                    weight * d.hessian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
            }
    }
    const auto size = static_cast<Eigen::Index>(3 * system.free_count());
    Eigen::SparseMatrix<double> sum(size, size);
    sum.setFromTriplets(entries.begin(), entries.end());
    return sum;
}

TEST(NewtonSystemTest, HasTheBitsOfTheSumOfItsEntriesForAnyNumberOfThreads) {
    ModelBuilder builder("block");
    builder.add_elastic(solid_block({1, 1, 1}, {4, 4, 5}), {});
    const Model model = builder.finish();
    std::vector<Vec3> x = model.rest;
    for (std::size_t v = 0; v < x.size(); ++v)
        x[v] += 0.02 * Vec3{std::sin(7.0 * static_cast<double>(v)), 0.3, std::cos(3.0 * x[v].x)};
    std::vector<std::uint8_t> is_prescribed(x.size(), 0);
    for (std::size_t v = 0; v < x.size(); v += 5)
        is_prescribed[v] = 1;
    const auto energies = elastic_energies(model);
    for (const unsigned threads : {1U, 3U}) {
        NewtonSystem system(is_prescribed, threads);
        for (int pass = 0; pass < 2; ++pass) {
            system.clear();
            system.add_inertia(model.mass, x, model.rest);
            system.add(*energies.front(), 0.25, x);
            const Eigen::SparseMatrix<double>& made = system.hessian();
            const Eigen::SparseMatrix<double> expected =
                by_triplets(*energies.front(), 0.25, x, model.mass, system);
            ASSERT_EQ(made.nonZeros(), expected.nonZeros());
            for (Eigen::Index i = 0; i < made.nonZeros(); ++i) {
                EXPECT_EQ(made.innerIndexPtr()[i], expected.innerIndexPtr()[i]);
                EXPECT_EQ(made.valuePtr()[i], expected.valuePtr()[i]);
            }
            for (Eigen::Index column = 0; column <= made.cols(); ++column)
                EXPECT_EQ(made.outerIndexPtr()[column], expected.outerIndexPtr()[column]);
        }
    }
}

}  // namespace
}  // namespace graze::sim
