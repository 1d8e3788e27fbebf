#include "dense_product.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace graze::sim {

// dense_product_fallback.cpp
void subtract_product_of_arrays(double* c, std::ptrdiff_t c_stride, const ConstPanel& a,
                                const ConstPanel& b, std::ptrdiff_t depth, InstructionSet set);

namespace {

std::vector<double> random_values(std::size_t count, std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> values(count);
    for (double& value : values)
        value = uniform(random);
    return values;
}

// Sizes around the tiles of every instruction set, in matrices with more rows than are used.
TEST(DenseProductTest, HasTheBitsOfSumsInTheOrderOfColumnsWithEveryInstructionSet) {
    std::mt19937_64 random(3);
    for (const std::ptrdiff_t rows : {1, 3, 4, 8, 15, 16, 33, 70})
        for (const std::ptrdiff_t columns : {1, 4, 5, 12})
            for (const std::ptrdiff_t depth : {0, 1, 3, 24, 61}) {
                const std::ptrdiff_t stride = rows + 5;
                const auto size = [](std::ptrdiff_t a, std::ptrdiff_t b) {
                    return static_cast<std::size_t>(a * b);
                };
                const auto a = random_values(size(stride, depth), random);
                const auto b = random_values(size(columns + 2, depth), random);
                const auto before = random_values(size(stride, columns), random);
                auto expected = before;
                for (std::ptrdiff_t i = 0; i < rows; ++i)
                    for (std::ptrdiff_t j = 0; j < columns; ++j) {
                        double sum = 0.0;
                        for (std::ptrdiff_t k = 0; k < depth; ++k)
                            sum += a[size(1, i + k * stride)] * b[size(1, j + k * (columns + 2))];
                        expected[size(1, i + j * stride)] -= sum;
                    }
                for (const InstructionSet set : kAllInstructionSets) {
                    if (!is_available(set)) continue;
                    for (const auto product : {&subtract_product, &subtract_product_of_arrays}) {
                        auto c = before;
                        product(c.data(), stride, {a.data(), stride, rows},
                                {b.data(), columns + 2, columns}, depth, set);
                        EXPECT_EQ(c, expected)
                            << name(set) << " " << rows << " " << columns << " " << depth;
                    }
                }
            }
}

}  // namespace
}  // namespace graze::sim
