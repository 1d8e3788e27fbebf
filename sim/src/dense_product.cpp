#include "dense_product.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

#include "graze/core/target_pragmas.hpp"

namespace graze::sim {
namespace {

// Rows of B that are multiplied at once, for every instruction set.
constexpr std::ptrdiff_t kColumns = 4;

// `height` rows of a panel from `first` on, a column after the other; rows past its end are zeros.
void pack(const ConstPanel& panel, std::ptrdiff_t first, std::ptrdiff_t height,
          std::ptrdiff_t depth, double* out) {
    const std::ptrdiff_t count = std::min(height, panel.rows - first);
    for (std::ptrdiff_t k = 0; k < depth; ++k, out += height) {
        const double* const from = panel.data + first + k * panel.stride;
        for (std::ptrdiff_t i = 0; i < count; ++i)
            out[i] = from[i];
        for (std::ptrdiff_t i = count; i < height; ++i)
            out[i] = 0.0;
    }
}

// Vectors of this many bytes: with more than the registers have they are split, to the same bits. Where
// the compiler has none (or with GRAZE_NO_GNU_ATTRIBUTES) they are arrays, again to the same bits.
#if defined(__GNUC__) && !defined(GRAZE_NO_GNU_ATTRIBUTES)
template <int kBytes>
struct Doubles {
    typedef double Type __attribute__((vector_size(kBytes), aligned(8), may_alias));
};
#else
template <int kBytes>
struct Doubles {
    struct Type {
        double x[kBytes / static_cast<int>(sizeof(double))];

        friend Type operator*(Type a, double b) {
            for (double& number : a.x)
                number *= b;
            return a;
        }
        Type& operator+=(const Type& other) {
            for (std::size_t i = 0; i < std::size(x); ++i)
                x[i] += other.x[i];
            return *this;
        }
    };
};
#endif

template <int kBytes>
struct Shape {
    using Vector = typename Doubles<kBytes>::Type;
    static constexpr std::ptrdiff_t kWidth = kBytes / static_cast<int>(sizeof(double));
    static constexpr std::ptrdiff_t kHeight = 2 * kWidth;
};

// out (kHeight x kColumns) = a b^T of packed panels.
template <class S>
[[gnu::always_inline]] inline void multiply(const double* a, const double* b, std::ptrdiff_t depth,
                                            double* out) {
    using Vector = typename S::Vector;
    Vector sum[kColumns][2] = {};
    for (std::ptrdiff_t k = 0; k < depth; ++k, a += S::kHeight, b += kColumns) {
        const Vector first = *reinterpret_cast<const Vector*>(a);
        const Vector second = *reinterpret_cast<const Vector*>(a + S::kWidth);
        for (std::ptrdiff_t j = 0; j < kColumns; ++j) {
            sum[j][0] += first * b[j];
            sum[j][1] += second * b[j];
        }
    }
    for (std::ptrdiff_t j = 0; j < kColumns; ++j)
        for (std::ptrdiff_t half = 0; half < 2; ++half)
            *reinterpret_cast<Vector*>(out + j * S::kHeight + half * S::kWidth) = sum[j][half];
}

template <class S>
[[gnu::always_inline]] inline void subtract_all(double* c, std::ptrdiff_t c_stride,
                                                const ConstPanel& a, const ConstPanel& b,
                                                std::ptrdiff_t depth) {
    const std::ptrdiff_t strips = (b.rows + kColumns - 1) / kColumns;
    const auto packed = [](std::ptrdiff_t size) {
        return std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(size));
    };
    const auto of_b = packed(strips * kColumns * depth);
    const auto of_a = packed(S::kHeight * depth);
    for (std::ptrdiff_t s = 0; s < strips; ++s)
        pack(b, s * kColumns, kColumns, depth, of_b.get() + s * kColumns * depth);
    std::array<double, static_cast<std::size_t>(S::kHeight * kColumns)> tile{};
    for (std::ptrdiff_t i = 0; i < a.rows; i += S::kHeight) {
        pack(a, i, S::kHeight, depth, of_a.get());
        const std::ptrdiff_t rows = std::min(S::kHeight, a.rows - i);
        for (std::ptrdiff_t s = 0; s < strips; ++s) {
            multiply<S>(of_a.get(), of_b.get() + s * kColumns * depth, depth, tile.data());
            const std::ptrdiff_t columns = std::min(kColumns, b.rows - s * kColumns);
            for (std::ptrdiff_t j = 0; j < columns; ++j) {
                double* const to = c + i + (s * kColumns + j) * c_stride;
                for (std::ptrdiff_t r = 0; r < rows; ++r)
                    to[r] -= tile[static_cast<std::size_t>(j * S::kHeight + r)];
            }
        }
    }
}

#ifdef GRAZE_X86_DISPATCH
GRAZE_TARGET_BEGIN("avx2")
void subtract_avx2(double* c, std::ptrdiff_t c_stride, const ConstPanel& a, const ConstPanel& b,
                   std::ptrdiff_t depth) {
    subtract_all<Shape<32>>(c, c_stride, a, b, depth);
}
GRAZE_TARGET_END
GRAZE_TARGET_BEGIN("avx512f,avx512dq,avx512vl")
void subtract_avx512(double* c, std::ptrdiff_t c_stride, const ConstPanel& a, const ConstPanel& b,
                     std::ptrdiff_t depth) {
    subtract_all<Shape<64>>(c, c_stride, a, b, depth);
}
GRAZE_TARGET_END
#endif

}  // namespace

void subtract_product(double* c, std::ptrdiff_t c_stride, const ConstPanel& a, const ConstPanel& b,
                      std::ptrdiff_t depth, InstructionSet set) {
#ifdef GRAZE_X86_DISPATCH
    if (set == InstructionSet::Avx512) return subtract_avx512(c, c_stride, a, b, depth);
    if (set == InstructionSet::Avx2) return subtract_avx2(c, c_stride, a, b, depth);
#endif
    static_cast<void>(set);
    subtract_all<Shape<16>>(c, c_stride, a, b, depth);
}

}  // namespace graze::sim
