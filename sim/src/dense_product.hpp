// The product that a factorisation by dense blocks spends its time in.
#pragma once

#include <cstddef>

#include "graze/core/instruction_set.hpp"

namespace graze::sim {

// Of a matrix, column after column: element (i, j) is data[i + j * stride].
struct ConstPanel {
    const double* data = nullptr;
    std::ptrdiff_t stride = 0;
    std::ptrdiff_t rows = 0;
};

// C -= A B^T, where A and B have `depth` columns, and C as many rows as A and as many columns as B has
// rows. C overlaps neither. Each element is summed in the order of the columns, without fused operations:
// the same bits with every instruction set, which must be available.
void subtract_product(double* c, std::ptrdiff_t c_stride, const ConstPanel& a, const ConstPanel& b,
                      std::ptrdiff_t depth, InstructionSet set = best_instruction_set());

}  // namespace graze::sim
